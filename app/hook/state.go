package hook

import (
	"fmt"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/store"
	"svc/store/queue"
)

// transition is what happens to an endpoint.
type transition string

const (
	gaveUp    transition = "failed 25 times in a row"
	turnedOff transition = "turned off"
	turnedOn  transition = "turned on"
)

// transitions is the life of an endpoint (contract 39).
var transitions = api.Table[Status, transition]{
	{From: []Status{Active}, On: gaveUp, To: Disabled},
	{From: []Status{Active}, On: turnedOff, To: Disabled},
	{From: []Status{Disabled}, On: turnedOn, To: Active},
}

// apply changes the status of an endpoint, with everything that follows from it. The
// caller saves the record, in the same transaction.
func (s *Service) apply(tx *store.Tx, c *api.Call, w *Webhook, on transition) error {
	to, ok := transitions.Next(w.Status, on)
	if !ok {
		return api.ErrState
	}
	from, now := w.Status, tx.DB().Now()
	w.Status, w.UpdatedAt = to, now
	if to == Active {
		return s.enabled(tx, c, w, from)
	}
	w.Slot.Due, w.Probing = time.Time{}, nil
	reason := becauseUser
	if on == gaveUp {
		reason = becauseFailures
	}
	w.DisabledAt, w.DisabledReason = &now, &reason
	if err := event.Emit(tx, c.Org, event.WebhookDisabled, map[string]any{"webhook_id": w.ID, "failure_streak": w.FailureStreak}); err != nil {
		return err
	}
	if err := notify.Settle(tx, c.Org, w.ID); err != nil { // that it fails
		return err
	}
	if on == gaveUp {
		if err := notifyOwner(tx, c.Org, w); err != nil {
			return err
		}
	}
	if _, err := queue.Add(tx, clearing{Org: c.Org, Webhook: w.ID}, now, queue.InLane(w.ID), queue.For(c.Org, w.ID)); err != nil {
		return err
	}
	return audit.Write(tx, c, "webhook.disabled", w.resource(), audit.Changed("status", from, to), audit.Because(reason))
}

func (s *Service) enabled(tx *store.Tx, c *api.Call, w *Webhook, from Status) (err error) {
	if w.Since, err = event.Last(tx); err != nil {
		return err
	}
	w.FailureStreak, w.Probing, w.DisabledAt, w.DisabledReason = 0, nil, nil, nil
	work.Wake(tx, w, tx.DB().Now())
	if err := notify.Settle(tx, c.Org, w.ID); err != nil {
		return err
	}
	return audit.Write(tx, c, "webhook.enabled", w.resource(), audit.Changed("status", from, w.Status))
}

// notifyOwner notifies people that an endpoint was given up.
func notifyOwner(tx *store.Tx, org string, w *Webhook) error {
	return notify.Send(tx, org, notify.Notice{
		Kind:  "WEBHOOK_DISABLED",
		Title: "A webhook was disabled",
		Body: fmt.Sprintf("Deliveries to %s failed %d times in a row, so it receives no events. Repair the receiver, enable the webhook again, and recover what it missed.",
			w.Host, w.FailureStreak),
		Resource: &notify.Resource{Type: "webhook", ID: w.ID},
		Link:     "/webhooks/" + w.ID,
	})
}

func (w *Webhook) resource() audit.Resource { return audit.On("webhook", w.ID, w.Host) }
