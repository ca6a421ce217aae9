package account

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/signal"
	"svc/store"
)

// Event is what happens to an account.
type Event string

// The events.
const (
	SessionEnded  Event = "session ended"
	WasRestricted Event = "restricted by the platform"
	Unreached     Event = "platform not reached"
	RouteFailed   Event = "proxy failed"
	PausedByHand  Event = "paused"
	FloodedLong   Event = "told to wait too long"
	TurnedOff     Event = "disabled by an administrator"
	Resumed       Event = "resumed"
	Acknowledged  Event = "restriction acknowledged"
	SignedIn      Event = "signed in again"
	Answered      Event = "platform answered"
	// NewlyConnected is how an account begins; nothing leads to it.
	NewlyConnected Event = "connected"
)

// transitions is the life of an account (contract 36). Beyond
// its rows: what the platform says about the session or a restriction counts for an
// account that is paused or was not reached too, or it would be lost. A restriction
// is never lost: only Acknowledged ends it.
var transitions = api.Table[Status, Event]{
	{From: []Status{Active, Paused, Disconnected, Failed}, On: SessionEnded, To: AuthRequired},
	{From: []Status{Active, Paused, Disconnected, Failed}, On: WasRestricted, To: Restricted},
	{From: []Status{Active}, On: Unreached, To: Disconnected},
	{From: []Status{Active}, On: RouteFailed, To: Failed},
	{From: []Status{Active}, On: PausedByHand, To: Paused},
	{From: []Status{Active}, On: FloodedLong, To: Paused},
	{From: []Status{Active}, On: TurnedOff, To: Paused},
	{From: []Status{Paused}, On: Resumed, To: Active},
	{From: []Status{Restricted}, On: Acknowledged, To: Active},
	{From: []Status{AuthRequired}, On: SignedIn, To: Active},
	{From: []Status{Disconnected, Failed}, On: Answered, To: Active},
}

// Changed is published when the status of an account changed.
type Changed struct {
	Org, ID  string
	From, To Status // From is "" for an account that is new
	Event    Event
	Reason   string
}

// transition is an event with what there is to say about it.
type transition struct {
	event     Event
	reason    string // a sentence, shown as status_reason
	lastError string // a code, shown as last_error; "" leaves it
	until     *time.Time
}

// consequences of an event beside the status: what the audit log calls it, what the
// organization is told, and what people are notified of ("" for nothing).
var consequences = map[Event]struct {
	action string
	event  event.Type
	notice notify.Kind
	title  string
}{
	SessionEnded:  {"account.auth_required", event.AccountAuthRequired, "ACCOUNT_AUTH_REQUIRED", "An account must sign in again"},
	WasRestricted: {"account.restricted", event.AccountRestricted, "ACCOUNT_RESTRICTED", "The messenger restricted an account"},
	Unreached:     {"account.disconnected", event.AccountDisconnected, "ACCOUNT_DISCONNECTED", "An account is disconnected"},
	RouteFailed:   {"account.failed", event.AccountDisconnected, "ACCOUNT_ERROR", "The proxy of an account fails"},
	PausedByHand:  {"account.paused", event.AccountPaused, "", ""},
	FloodedLong:   {"account.paused", event.AccountPaused, "ACCOUNT_PAUSED_FLOOD", "An account was paused after a long flood wait"},
	TurnedOff:     {"account.paused", event.AccountPaused, "", ""},
	Resumed:       {"account.resumed", event.AccountResumed, "", ""},
	Acknowledged:  {"account.resumed", event.AccountResumed, "", ""},
	SignedIn:      {"account.signed_in", event.AccountConnected, "", ""},
	Answered:      {"account.recovered", event.AccountConnected, "", ""},
}

// changeData is the data of the events about an account.
type changeData struct {
	AccountID     string     `json:"account_id"`
	Status        Status     `json:"status"`
	CooldownUntil *time.Time `json:"cooldown_until"`
	Reason        *string    `json:"reason"`
}

// apply changes the status of an account, with everything that follows, and saves
// it. Nobody else sets a status.
func (s *Service) apply(tx *store.Tx, c *api.Call, org string, a *Account, h transition) error {
	to, ok := transitions.Next(a.Status, h.event)
	if !ok {
		return api.ErrState
	}
	from, now := a.Status, tx.DB().Now()
	a.Status, a.StatusChangedAt, a.UpdatedAt = to, now, now
	a.StatusReason = api.Optional(h.reason)
	if h.lastError != "" {
		a.LastError = &h.lastError
	}
	if to == Active {
		a.LastError = nil
		if err := restart(tx, org, a.ID); err != nil {
			return err
		}
	}
	if err := accounts.Put(tx, org, a); err != nil {
		return err
	}
	then := consequences[h.event]
	err := audit.WriteTo(tx, org, c, then.action, a.resource(), audit.Changed("status", from, to), audit.Because(h.reason))
	if err != nil {
		return err
	}
	return s.publishStatusChange(tx, c, org, a, from, h)
}

// publishStatusChange says everywhere that the status of an account changed.
func (s *Service) publishStatusChange(tx *store.Tx, c *api.Call, org string, a *Account, from Status, h transition) error {
	then := consequences[h.event]
	if err := notify.Settle(tx, org, a.ID); err != nil { // whatever it was
		return err
	}
	err := event.Emit(tx, org, then.event, changeData{AccountID: a.ID, Status: a.Status, CooldownUntil: h.until, Reason: api.Optional(h.reason)})
	if err != nil {
		return err
	}
	if then.notice != "" {
		err := notify.Send(tx, org, notify.Notice{
			Kind: then.notice, Title: then.title, Body: a.DisplayName() + ": " + h.reason,
			Resource: &notify.Resource{Type: "account", ID: a.ID}, Link: "/accounts/" + a.ID,
		})
		if err != nil {
			return err
		}
	}
	err = note(tx, org, a.ID, activity{Kind: StatusChanged, Message: string(from) + " to " + string(a.Status) + ". " + h.reason, ErrorCode: h.lastError})
	if err != nil {
		return err
	}
	s.pool.AdjustAfter(tx, org, a.ID)
	return signal.Publish(s.o.Bus, tx, c, Changed{Org: org, ID: a.ID, From: from, To: a.Status, Event: h.event, Reason: h.reason})
}

// restart forgets the sends that reached nobody: the account begins anew.
func restart(tx *store.Tx, org, id string) error {
	p, err := paces.Get(tx, org, id)
	if err != nil || p.Unreached == 0 {
		return store.IgnoreNotFound(err)
	}
	p.Unreached = 0
	return paces.Put(tx, org, &p)
}

func (a *Account) resource() audit.Resource { return audit.On("account", a.ID, a.DisplayName()) }
