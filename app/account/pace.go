package account

import (
	"time"

	"svc/app/api"
	"svc/app/event"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
)

// unreachableSends in a row are enough to call an account disconnected
// (contract 47).
const unreachableSends = 5

// Pace is the part of an account that changes with every message. Package account
// alone writes it.
type Pace struct {
	ID string `json:"id"` // of the account
	// CooldownUntil: the platform wants nothing sent before.
	CooldownUntil time.Time `json:"cooldown_until,omitzero"`
	LastSentAt    time.Time `json:"last_sent_at,omitzero"`
	// Day is the UTC day, as in 2026-05-01, on which Sent messages were sent.
	Day  string `json:"day,omitempty"`
	Sent int    `json:"sent,omitempty"`
	// Unreached counts sends in a row that did not reach the platform.
	Unreached int `json:"unreached,omitempty"`
	// SeenAt is when the platform was heard from beside sends, to the minute.
	SeenAt    time.Time `json:"seen_at,omitzero"`
	CheckedAt time.Time `json:"checked_at,omitzero"`
	// Hour and InHour are the sends of the activity's summary that is not written.
	Hour   time.Time `json:"hour,omitzero"`
	InHour int       `json:"in_hour,omitempty"`
}

var (
	paces = store.NewTable("account_pace", "", func(p *Pace) string { return p.ID })
	// cooling counts the accounts that cool down.
	cooling = paces.Index("cooldown", func(p *Pace) store.Key {
		if p.CooldownUntil.IsZero() {
			return nil
		}
		return store.Time(p.CooldownUntil)
	})
	// unsummed finds the hours whose summary waits, over all organizations.
	unsummed = paces.MultiAcross("hour", func(p *Pace) []store.Key {
		if p.InHour == 0 {
			return nil
		}
		return []store.Key{store.Time(p.Hour)}
	})
)

const dayForm = "2006-01-02"

// PaceOf reads the pace of an account.
func PaceOf(tx *store.Tx, org, id string) (Pace, error) { return paces.Get(tx, org, id) }

// SentOn is how many messages were sent on the UTC day of a time.
func (p Pace) SentOn(now time.Time) int {
	if p.Day == now.UTC().Format(dayForm) {
		return p.Sent
	}
	return 0
}

// heardAt is when the platform was last heard from; the zero time for never.
func (p Pace) heardAt() time.Time {
	if p.LastSentAt.After(p.SeenAt) {
		return p.LastSentAt
	}
	return p.SeenAt
}

// Sent counts one message that the platform took. An account that is gone is no
// error.
func Sent(tx *store.Tx, org, id string, at time.Time) error {
	at = at.UTC()
	_, err := paces.Edit(tx, org, id, func(p *Pace) error {
		if day := at.Format(dayForm); p.Day < day {
			p.Day, p.Sent = day, 0
		}
		if hour := at.Truncate(time.Hour); p.Hour.Before(hour) {
			if err := summarize(tx, org, p); err != nil {
				return err
			}
			p.Hour = hour
		}
		p.Sent++
		p.InHour++
		p.Unreached = 0
		if at.After(p.LastSentAt) {
			p.LastSentAt = at
		}
		return nil
	})
	return store.IgnoreNotFound(err)
}

// summarize writes the sends of an hour into the activity.
func summarize(tx *store.Tx, org string, p *Pace) error {
	if p.InHour == 0 {
		return nil
	}
	n := p.InHour
	p.InHour = 0
	return note(tx, org, p.ID, activity{Kind: SentSummary, At: p.Hour.Add(time.Hour), Message: counted(n, "message was", "messages were") + " sent in the hour before."})
}

// Reached notes that the platform answered a send, be it with a refusal: only sends in
// a row that reach nobody make an account DISCONNECTED. An account that is gone is no
// error.
func Reached(tx *store.Tx, org, id string) error {
	p, err := paces.Get(tx, org, id)
	if err != nil || p.Unreached == 0 {
		return store.IgnoreNotFound(err)
	}
	p.Unreached = 0
	return paces.Put(tx, org, &p)
}

// seen notes that the platform was heard from, to the minute.
func seen(tx *store.Tx, org, id string) error {
	p, err := paces.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	now := tx.DB().Now()
	if now.Sub(p.SeenAt) < time.Minute {
		return nil
	}
	p.SeenAt = now
	return paces.Put(tx, org, &p)
}

// Flooded notes that the platform asks an account to wait: it sends nothing before.
// A wait that is longer than the platform's setting pauses the account and, with it,
// its campaigns (contract 36).
func (s *Service) Flooded(tx *store.Tx, c *api.Call, org, id string, wait time.Duration) (paused bool, err error) {
	p, err := paces.Get(tx, org, id)
	if err != nil {
		return false, store.IgnoreNotFound(err)
	}
	set, err := setting.Get(tx)
	if err != nil {
		return false, err
	}
	a, err := accounts.Get(tx, org, id)
	if err != nil {
		return false, err
	}
	now := tx.DB().Now()
	if until := now.Add(wait); until.After(p.CooldownUntil) {
		p.CooldownUntil = until
	}
	p.Unreached, p.SeenAt = 0, now
	if err := paces.Put(tx, org, &p); err != nil {
		return false, err
	}
	long := wait > time.Duration(set.MaxFloodWait)*time.Second
	reason := "The messenger asked to wait " + seconds(wait) + "."
	err = note(tx, org, id, activity{Kind: FloodWait, Message: reason, ErrorCode: "FLOOD_WAIT"})
	if err != nil {
		return false, err
	}
	if long && a.Status == Active {
		h := transition{event: FloodedLong, reason: reason, lastError: "FLOOD_WAIT", until: &p.CooldownUntil}
		return true, s.apply(tx, c, org, &a, h)
	}
	return false, event.Emit(tx, org, event.AccountCooldown, changeData{AccountID: id, Status: a.Status, CooldownUntil: &p.CooldownUntil, Reason: &reason})
}

// Trouble does what an error of the platform means for an account: the session that
// ended, the restriction, the fifth send in a row that reached nobody, the proxy
// that fails. Other errors are none of the account's. An account that is gone is no
// error.
func (s *Service) Trouble(tx *store.Tx, c *api.Call, org, id string, e *messenger.Error) error {
	h, ok := meaning(e)
	if ours(e) || !ok && e.Fault != messenger.Unreachable {
		return nil
	}
	a, err := accounts.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if !ok {
		p, err := paces.Get(tx, org, id)
		if err != nil {
			return err
		}
		p.Unreached++
		fifth := p.Unreached >= unreachableSends
		if fifth {
			p.Unreached = 0
		}
		if err := paces.Put(tx, org, &p); err != nil {
			return err
		}
		if !fifth {
			return complain(tx, org, &a, e)
		}
		h = transition{event: Unreached, reason: "Five sends in a row did not reach the messenger.", lastError: e.Code}
	}
	if _, legal := transitions.Next(a.Status, h.event); !legal {
		return complain(tx, org, &a, e)
	}
	return s.apply(tx, c, org, &a, h)
}

// meaning is what an error of the platform does to an account, whoever met it.
func meaning(e *messenger.Error) (transition, bool) {
	switch e.Fault {
	case messenger.SessionEnded:
		return transition{event: SessionEnded, reason: "The messenger ended the session; sign in again.", lastError: e.Code}, true
	case messenger.Restricted:
		return transition{event: WasRestricted, reason: "The messenger keeps this account from writing.", lastError: e.Code}, true
	case messenger.RouteFailed:
		return transition{event: RouteFailed, reason: "The messenger cannot be reached through the proxy of this account.", lastError: e.Code}, true
	}
	return transition{}, false
}

// complain keeps an error that changes no status.
func complain(tx *store.Tx, org string, a *Account, e *messenger.Error) error {
	if ours(e) || a.LastError != nil && *a.LastError == e.Code {
		return nil
	}
	a.LastError = &e.Code
	return accounts.Put(tx, org, a)
}
