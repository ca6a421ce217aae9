package campaign

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/store"
)

// Event is what happens to a campaign.
type Event string

// The events.
const (
	EventLaunched    Event = "launched"
	EventScheduled   Event = "launched for later"
	EventDue         Event = "its time came"
	EventRefused     Event = "checks failed at its time"
	EventUnbuildable Event = "audience could not be built"
	EventPaused      Event = "paused"
	EventResumed     Event = "resumed"
	EventRescheduled Event = "resumed before its time"
	EventCancelled   Event = "cancelled"
	EventCompleted   Event = "everybody has an outcome"
)

// Events lists them.
func Events() []Event {
	return []Event{EventLaunched, EventScheduled, EventDue, EventRefused, EventUnbuildable, EventPaused, EventResumed, EventRescheduled, EventCancelled, EventCompleted}
}

// transitions is the life of a campaign (contract 4.2).
var transitions = api.Table[Status, Event]{
	{From: []Status{Draft}, On: EventLaunched, To: Running},
	{From: []Status{Draft}, On: EventScheduled, To: Scheduled},
	{From: []Status{Scheduled}, On: EventDue, To: Running},
	{From: []Status{Scheduled}, On: EventRefused, To: Failed},
	{From: []Status{Running}, On: EventUnbuildable, To: Failed},
	{From: []Status{Scheduled, Running}, On: EventPaused, To: Paused},
	{From: []Status{Paused}, On: EventResumed, To: Running},
	{From: []Status{Paused}, On: EventRescheduled, To: Scheduled},
	{From: []Status{Scheduled, Running, Paused}, On: EventCancelled, To: Cancelled},
	{From: []Status{Running}, On: EventCompleted, To: Completed},
}

// transition is an event with what there is to say about it.
type transition struct {
	event   Event
	reason  PauseReason // with Halted
	account string      // that made it pause
	words   string      // of a person who had to give a reason
	failed  []string    // keys of checks, with Refused
	// found are the people whom the audience means, where they had to be read (readAudience).
	found *audience.Frozen
}

// actions are what the audit log calls the events.
var actions = map[Event]string{
	EventLaunched: "campaign.started", EventScheduled: "campaign.scheduled", EventDue: "campaign.started", EventRefused: "campaign.failed",
	EventUnbuildable: "campaign.failed", EventPaused: "campaign.paused", EventResumed: "campaign.resumed", EventRescheduled: "campaign.resumed",
	EventCancelled: "campaign.cancelled", EventCompleted: "campaign.completed",
}

// apply changes the status of a campaign, with everything that follows from it, and
// saves it. Nobody else sets a status.
func (s *Service) apply(tx *store.Tx, c *api.Call, orgID string, k *Campaign, h transition) error {
	to, ok := transitions.Next(k.Status, h.event)
	if !ok {
		return api.ErrState
	}
	from, now := k.Status, tx.DB().Now()
	k.Status, k.StatusChangedAt, k.UpdatedAt = to, now, now
	k.PauseReason, k.PauseAccount, k.AdminReason = h.reason, h.account, nil
	if to == Paused || to == Cancelled {
		k.AdminReason = api.Optional(h.words)
	}
	switch {
	case to == Running && k.StartedAt == nil:
		k.StartedAt = &now
		if err := s.begin(tx, orgID, k, h.found); err != nil {
			return err
		}
	case to.ended():
		k.FinishedAt = &now
	}
	if err := campaigns.Put(tx, orgID, k); err != nil {
		return err
	}
	if err := s.follow(tx, orgID, k); err != nil {
		return err
	}
	details := []audit.Detail{audit.Changed("status", from, to)}
	if why := firstOf(h.words, string(h.reason)); why != "" {
		details = append(details, audit.Because(why))
	}
	if err := audit.WriteTo(tx, orgID, c, actions[h.event], k.resource(), details...); err != nil {
		return err
	}
	if err := publishStatusChange(tx, orgID, k, h); err != nil {
		return err
	}
	if to.ended() {
		return s.afterRun(tx, orgID, k)
	}
	return nil
}

// follow brings along what depends on the status and the settings of a campaign.
func (s *Service) follow(tx *store.Tx, orgID string, k *Campaign) error {
	if k.Status == Draft {
		return k.hold(tx, orgID)
	}
	batch := send.CampaignPolicy{
		ID: k.ID, Running: k.Status == Running, Ended: k.Status.ended(), Accounts: k.AccountIDs, Window: k.Window.in(k.Timezone), EndAt: k.EndAt,
	}
	if k.MinDays != nil {
		batch.MinDays = *k.MinDays
	}
	if err := send.PutPolicy(tx, orgID, batch); err != nil {
		return err
	}
	if err := k.hold(tx, orgID); err != nil {
		return err
	}
	return s.ask(tx, orgID, k)
}

// hold keeps what the campaign uses from being removed. When nothing is sent any more,
// that is only the template, for the count of its uses.
func (k *Campaign) hold(tx *store.Tx, orgID string) error {
	h := content.Holding{Live: k.Status == Scheduled || k.Status == Running}
	if k.Message.TemplateID != nil {
		h.Template = *k.Message.TemplateID
	}
	again, err := k.goesOn(tx, orgID)
	if err != nil {
		return err
	}
	if again || !k.Status.ended() {
		h.Attachments = there(tx, orgID, k.Message.AttachmentIDs)
	}
	return content.Hold(tx, orgID, k.ID, h)
}

func (k *Campaign) resource() audit.Resource { return audit.On("campaign", k.ID, k.Name) }

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// publishStatusChange says everywhere what happened to a campaign.
func publishStatusChange(tx *store.Tx, orgID string, k *Campaign, h transition) error {
	switch k.Status {
	case Paused:
		data := struct {
			CampaignID  string      `json:"campaign_id"`
			PauseReason PauseReason `json:"pause_reason"`
			AccountID   *string     `json:"account_id"`
		}{k.ID, k.PauseReason, api.Optional(k.PauseAccount)}
		if err := event.Emit(tx, orgID, event.CampaignPaused, data); err != nil {
			return err
		}
	case Completed:
		if err := publishCompleted(tx, orgID, k); err != nil {
			return err
		}
	case Failed:
		data := map[string]any{"campaign_id": k.ID, "checks": append([]string{}, h.failed...)}
		if err := event.Emit(tx, orgID, event.CampaignFailed, data); err != nil {
			return err
		}
	default:
		data := map[string]any{"campaign_id": k.ID, "name": k.Name, "status": k.Status}
		if err := event.Emit(tx, orgID, eventTypes[h.event], data); err != nil {
			return err
		}
	}
	return notice(tx, orgID, k, h)
}

// eventTypes are the events of the happenings that carry name and status.
var eventTypes = map[Event]event.Type{
	EventLaunched: event.CampaignStarted, EventDue: event.CampaignStarted, EventScheduled: event.CampaignScheduled,
	EventResumed: event.CampaignResumed, EventRescheduled: event.CampaignResumed, EventCancelled: event.CampaignCancelled,
}

func publishCompleted(tx *store.Tx, orgID string, k *Campaign) error {
	t, err := totalsOf(tx, orgID, k)
	if err != nil {
		return err
	}
	took := time.Duration(0)
	if k.StartedAt != nil && k.FinishedAt != nil {
		took = k.FinishedAt.Sub(*k.StartedAt)
	}
	return event.Emit(tx, orgID, event.CampaignCompleted, map[string]any{
		"campaign_id": k.ID, "duration_seconds": int(took.Seconds()),
		"totals": map[string]int{"total": t.Total, "completed": t.Completed, "failed": t.Failed, "skipped": t.Skipped, "cancelled": t.Cancelled},
	})
}

// pauseWords say to people why a campaign paused; a person who paused it knows.
var pauseWords = map[PauseReason]string{
	ByAdmin:             "an administrator of the platform paused it",
	AccountPaused:       "none of its accounts sends at the moment; resume an account, then the campaign",
	AccountAuthRequired: "one of its accounts must sign in again; do that, then resume the campaign",
	AccountRestricted:   "the messenger restricted one of its accounts; look at the account, then decide about the campaign",
	AccountDisconnected: "one of its accounts does not reach the messenger; when it does, resume the campaign",
	AccountError:        "the proxy of one of its accounts fails; mend it, then resume the campaign",
	EndAtPassed:         "its end has come and not everybody was reached; move the end to go on",
	OrgSuspended:        "the organization was suspended",
	ContentErrors:       "the messenger refused its message 20 times in a row; change the text, then resume it",
	PolicyOutdated:      "the acceptable-use policy changed; accept it, then resume the campaign",
}

// othersSend is said instead where an account was paused for a long wait: that pauses all
// of its campaigns (contract 20.3), also those that have another one.
const othersSend = "the messenger asked one of its accounts to wait for long, and that account was paused; its other accounts can go on: resume the campaign"

// whyPaused says to people why a campaign paused, "" when they know.
func whyPaused(tx *store.Tx, orgID string, k *Campaign) (string, error) {
	if k.PauseReason == AccountPaused {
		if still, err := anySends(tx, orgID, k.AccountIDs); err != nil || still {
			return othersSend, err
		}
	}
	return pauseWords[k.PauseReason] + k.because(), nil
}

// because ends a sentence with the reason that an administrator of the platform gave
// (contract 17: shown to the organization).
func (k *Campaign) because() string {
	if k.AdminReason == nil {
		return ""
	}
	return ", and gave this reason: " + strings.TrimRight(*k.AdminReason, ". ")
}

// notice tells people in the console what they must know (contract 9.1).
func notice(tx *store.Tx, orgID string, k *Campaign, h transition) error {
	if err := notify.Settle(tx, orgID, k.ID); err != nil {
		return err
	}
	n := notify.Notice{Resource: &notify.Resource{Type: "campaign", ID: k.ID}, Link: "/campaigns/" + k.ID}
	switch k.Status {
	case Completed:
		n.Kind, n.Title, n.Body = "CAMPAIGN_COMPLETED", "A campaign is complete", k.Name+": everybody has an outcome."
	case Failed:
		n.Kind, n.Title, n.Body = "CAMPAIGN_FAILED", "A campaign did not start", k.Name+": some of its checks fail now; nothing was sent. Look at its validation."
		if h.event == EventUnbuildable {
			n.Body = k.Name + ": its audience could not be put together; nothing was sent. Duplicate it and start again."
		}
	case Paused:
		why, err := whyPaused(tx, orgID, k)
		if err != nil || why == "" {
			return err
		}
		n.Kind, n.Title, n.Body = "CAMPAIGN_PAUSED", "A campaign is paused", k.Name+": "+why+"."
	case Cancelled:
		if k.AdminReason == nil {
			return nil // its own people did it
		}
		n.Kind, n.Title, n.Body = "CAMPAIGN_CANCELLED", "A campaign was cancelled", k.Name+": an administrator of the platform cancelled it"+k.because()+"."
	default:
		return nil
	}
	return notify.Send(tx, orgID, n)
}
