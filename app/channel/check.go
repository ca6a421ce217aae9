package channel

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"time"

	"svc/app/api"
	"svc/app/notify"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// Times of checks and tokens (contract 16.4).
const (
	checkEach    = 6 * time.Hour
	refreshFrom  = 7 * 24 * time.Hour  // age of a token
	refreshLeast = 24 * time.Hour      // the network refuses a younger one
	warnBefore   = 10 * 24 * time.Hour // of its end
	checkTime    = 2 * time.Minute
)

// checking is the job that checks one account, rounds the one that asks for those.
type (
	checking struct {
		Org     string `json:"org"`
		Account string `json:"account"`
	}
	rounds struct{}
)

func (checking) Kind() string      { return "channel.check" }
func (checking) Queue() queue.Name { return queue.Maintenance }
func (rounds) Kind() string        { return "channel.health" }
func (rounds) Queue() queue.Name   { return queue.Maintenance }

const roundEach = time.Minute

// round asks for checks of the accounts that are due.
func (s *Service) round(ctx context.Context, _ queue.Job, _ rounds) error {
	err := s.db.Update(ctx, func(tx *store.Tx) error {
		list, _, err := toCheck.Walk(tx, store.Range{Span: store.During(time.Time{}, tx.DB().Now()), Limit: 200})
		for i := range list {
			a := &list[i].Record
			if err := s.askCheck(tx, list[i].Org, a.ID); err != nil {
				return err
			}
			a.CheckAt = nextCheck(tx.DB().Now())
			if err := accounts.Put(tx, list[i].Org, a); err != nil {
				return err
			}
		}
		return err
	})
	return errors.Join(err, queue.Snooze(roundEach))
}

func nextCheck(now time.Time) time.Time {
	return now.Add(checkEach - time.Duration(rand.Int64N(int64(checkEach/10))))
}

func (s *Service) schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, rounds{}, time.Time{}, queue.Once("all"))
	return err
}

func (s *Service) check(ctx context.Context, _ queue.Job, a checking) error {
	sp, err := s.Speak(ctx, a.Org, a.Account)
	if err == nil {
		if wait := sp.Wait(Wanted, s.db.Now()); wait > 0 {
			return queue.Snooze(wait)
		}
		err = s.Check(ctx, a.Org, a.Account)
	}
	if errors.Is(err, ErrAuth) || errors.Is(err, ErrNotReady) || store.IsNotFound(err) {
		return nil
	}
	return err
}

// Check looks at an account: its token, which is refreshed when it is time, what was allowed,
// whether webhooks arrive, and its name. What it finds is stored.
func (s *Service) Check(ctx context.Context, org, id string) error {
	sp, err := s.Speak(ctx, org, id)
	if err != nil {
		return err
	}
	if wait, err := s.quotaWait(ctx, &sp.Account); err != nil || wait > 0 {
		return err
	}
	fresh, freshUntil, refused := s.refreshed(ctx, sp)
	if refused != nil {
		if e := platform.As(refused); e != nil && e.Fault == platform.TokenInvalid {
			return s.verify(ctx, sp, e)
		}
		s.log.Warn("channel: a token was not refreshed", "account", id, "error", refused)
	}
	h, err := s.look(ctx, sp)
	if e := platform.As(err); e != nil && e.Fault == platform.TokenInvalid {
		return s.verify(ctx, sp, e)
	}
	if e := platform.As(err); err != nil && (e == nil || e.Fault != platform.Refused && e.Fault != platform.NoPermission) {
		return err // it was not reached: that says nothing of the account
	}
	return s.db.Update(ctx, func(tx *store.Tx) error { return s.checked(tx, sp, &h, err, fresh, freshUntil) })
}

// refreshed is a new token, "" when it is not time.
func (s *Service) refreshed(ctx context.Context, sp *Speaker) (string, time.Time, error) {
	a := &sp.Account
	now := s.db.Now()
	if a.Expires.IsZero() || now.Sub(a.TokenAt) < refreshFrom && a.Expires.Sub(now) > warnBefore || now.Sub(a.TokenAt) < refreshLeast || now.Before(a.RefreshAt) {
		return "", time.Time{}, nil
	}
	token, until, err := sp.Refresh(ctx, sp.Access)
	if err == nil {
		sp.Access.Token = token
		return token, until, nil
	}
	noted := s.db.Update(ctx, func(tx *store.Tx) error {
		_, err := accounts.Edit(tx, sp.Org, a.ID, func(a *Account) error {
			a.RefreshAt, a.LastError = now.Add(refreshLeast), codeOf(err)
			return nil
		})
		return store.IgnoreNotFound(err)
	})
	return "", time.Time{}, errors.Join(err, noted)
}

// look checks, and asks for webhooks again where they do not arrive.
func (s *Service) look(ctx context.Context, sp *Speaker) (h platform.Health, err error) {
	if h, err = sp.Network.Check(ctx, sp.Access); err != nil || h.Subscribed {
		return h, err
	}
	if err := sp.Subscribe(ctx, sp.Access); err != nil {
		return h, err
	}
	return sp.Network.Check(ctx, sp.Access)
}

// checked stores what a check found.
func (s *Service) checked(tx *store.Tx, sp *Speaker, h *platform.Health, failed error, fresh string, until time.Time) error {
	a, err := accounts.Get(tx, sp.Org, sp.Account.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	now := tx.DB().Now()
	c := api.System(context.Background(), sp.Org, now)
	a.CheckedAt, a.CheckAt, a.LastError, a.WebhooksOK = now, nextCheck(now), codeOf(failed), failed == nil && h.Subscribed
	if failed == nil {
		a.Name, a.Username, a.Scopes, a.DataExpires = firstOf(h.Name, a.Name), firstOf(h.Username, a.Username), h.Scopes, h.DataExpires
	}
	if fresh != "" {
		old, err := secretsOf(tx, sp.Org, &a)
		if err != nil {
			return err
		}
		b, err := json.Marshal(secrets{Token: fresh, User: old.User})
		if err != nil {
			return err
		}
		a.TokenAt, a.Expires = now, until
		if err := token.Set(tx, sp.Org, &a, b); err != nil {
			return err
		}
	}
	if err := s.warn(tx, sp.Org, &a, now); err != nil {
		return err
	}
	reason, on := verdictOf(h, failed)
	switch {
	case on == Recovered && a.Status == Faulty && a.Open:
		return s.apply(tx, c, sp.Org, &a, WasOpened, "")
	case on == WasFaulty && (a.Status == Connected || a.Status == Public), on == Recovered && a.Status == Faulty:
		return s.apply(tx, c, sp.Org, &a, on, firstOf(reason, s.reasonOf(&a)))
	case a.Status == Connected:
		a.StatusReason = s.reasonOf(&a)
	}
	return accounts.Put(tx, sp.Org, &a)
}

// verdictOf says what a check makes of an account.
func verdictOf(h *platform.Health, failed error) (reason string, on Event) {
	switch {
	case failed != nil:
		return "The network refused the check (" + codeOf(failed) + ").", WasFaulty
	case h.Unpublished:
		return "The page is not published; nobody can write to it.", WasFaulty
	case !h.Subscribed:
		return "The network does not send what arrives: webhooks cannot be switched on.", WasFaulty
	}
	return "", Recovered
}

// warn tells people in time that an access ends.
func (s *Service) warn(tx *store.Tx, org string, a *Account, now time.Time) error {
	for _, end := range []time.Time{a.Expires, a.DataExpires} {
		if !end.IsZero() && end.Sub(now) < warnBefore {
			return notify.Send(tx, org, a.notice(warning, a.DisplayName()+" must soon be connected again",
				"The access ends "+end.Format(time.DateOnly)+" and could not be renewed by itself."))
		}
	}
	if a.HeldUntil.After(now) { // that is a warning too
		return nil
	}
	return notify.SettleKind(tx, org, warning, a.ID)
}

// codeOf is an error of a network as it is kept: GRAPH_<code>.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	if e := platform.As(err); e != nil {
		return Code(e)
	}
	return "TRANSPORT"
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
