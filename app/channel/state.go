package channel

import (
	"strings"

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
	WasConnected    Event = "connected"
	WasOpened       Event = "public" // it is read without a sign-in
	TokenWasRefused Event = "auth_required"
	WasFaulty       Event = "error"
	Recovered       Event = "recovered"
	WasDisconnected Event = "disconnected"
)

// Events lists them.
func Events() []Event {
	return []Event{WasConnected, WasOpened, TokenWasRefused, WasFaulty, Recovered, WasDisconnected}
}

// life is that of an account (contract 60.50).
var life = api.Table[Status, Event]{
	{From: []Status{Disconnected, AuthRequired, Faulty, Connected, Public}, On: WasConnected, To: Connected},
	{From: []Status{Disconnected, Faulty}, On: WasOpened, To: Public},
	{From: []Status{Connected, Faulty}, On: TokenWasRefused, To: AuthRequired},
	{From: []Status{Connected, Public}, On: WasFaulty, To: Faulty},
	{From: []Status{Faulty}, On: Recovered, To: Connected},
	{From: []Status{Connected, AuthRequired, Faulty, Public}, On: WasDisconnected, To: Disconnected},
}

// Changed is published when the status of an account changed.
type Changed struct {
	Org     string
	Account Account
	Before  Status
}

// apply is the one writer of the status. What the table does not have is api.ErrState.
func (s *Service) apply(tx *store.Tx, c *api.Call, org string, a *Account, on Event, reason string) error {
	to, ok := life.Next(a.Status, on)
	if !ok {
		return api.ErrState
	}
	before := a.Status
	a.Status, a.StatusReason, a.UpdatedAt = to, reason, tx.DB().Now()
	if err := accounts.Put(tx, org, a); err != nil {
		return err
	}
	err := event.Emit(tx, org, event.ChannelAccountUpdated, map[string]any{"account_id": a.ID, "platform": a.Platform, "status": a.Status})
	if err != nil {
		return err
	}
	details := []audit.Detail{audit.Changed("status", before, a.Status)}
	if reason != "" {
		details = append(details, audit.Because(reason))
	}
	if err := audit.WriteTo(tx, org, c, "channel."+string(on), audit.On("channel_account", a.ID, a.DisplayName()), details...); err != nil {
		return err
	}
	if err := s.notifyOf(tx, org, a, before); err != nil {
		return err
	}
	return signal.Publish(s.o.Bus, tx, c, Changed{org, *a, before})
}

// Kinds of notifications.
const (
	authRequired = notify.Kind("CHANNEL_AUTH_REQUIRED")
	faulty       = notify.Kind("CHANNEL_ERROR")
	warning      = notify.Kind("CHANNEL_WARNING")
)

func (s *Service) notifyOf(tx *store.Tx, org string, a *Account, before Status) error {
	switch {
	case a.Status == AuthRequired && before != AuthRequired:
		return notify.Send(tx, org, a.notice(authRequired, a.DisplayName()+" must be connected again", a.StatusReason))
	case a.Status == Faulty && before != Faulty:
		return notify.Send(tx, org, a.notice(faulty, a.DisplayName()+" cannot be used", a.StatusReason))
	case a.Status == Connected, a.Status == Public, a.Status == Disconnected:
		for _, k := range []notify.Kind{authRequired, faulty} {
			if err := notify.SettleKind(tx, org, k, a.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Account) notice(k notify.Kind, title, body string) notify.Notice {
	return notify.Notice{
		Kind: k, Title: title, Body: body, Resource: &notify.Resource{Type: "channel_account", ID: a.ID}, Link: "/channels/" + a.ID,
	}
}

// reasonOf says what is missing of an account that is connected otherwise, "" for nothing.
func (s *Service) reasonOf(a *Account) string {
	lost := missing(s.Network(a.Platform), a.Scopes)
	if len(lost) == 0 {
		return ""
	}
	return "Not allowed on the consent page: " + strings.Join(lost, ", ") + ". Connect again and leave everything ticked."
}

// Scopes of features, as parts of their names.
const (
	scopeMessages = "messag"
	scopeComments = "comment"
	scopeEngage   = "manage_engagement"
)

// may says whether the account was allowed something; when nobody knows, it is.
func (a *Account) may(parts ...string) bool {
	if a.Scopes == nil {
		return true
	}
	for _, have := range a.Scopes {
		for _, p := range parts {
			if strings.Contains(have, p) {
				return true
			}
		}
	}
	return false
}

// MayMessage says whether messages may be read and sent, MayComment whether comments may be
// answered.
func (a *Account) MayMessage() bool { return a.may(scopeMessages) }

// MayComment says whether comments may be answered.
func (a *Account) MayComment() bool { return a.may(scopeComments, scopeEngage) }
