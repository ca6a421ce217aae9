package channel

import (
	"context"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/notify"
	"svc/messenger/platform"
	"svc/messenger/platform/video"
	"svc/store"
)

// Speaker speaks for one account.
type Speaker struct {
	platform.Network
	Account Account
	Access  platform.Access
	Org     string
	usage   *platform.Usage
}

// Errors of Speak.
var (
	// ErrAuth: the account must be connected again.
	ErrAuth = errors.New("channel: the account must be connected again")
	// ErrNotReady: it cannot be spoken for now.
	ErrNotReady = errors.New("channel: the account cannot be used now")
)

// Speak opens what is needed to speak for an account that is connected. Call Done after each
// call of the network.
func (s *Service) Speak(ctx context.Context, org, id string) (out *Speaker, err error) {
	err = s.db.View(ctx, func(tx *store.Tx) error {
		out, err = s.speak(tx, org, id)
		return err
	})
	return out, err
}

func (s *Service) speak(tx *store.Tx, org, id string) (*Speaker, error) {
	a, err := accounts.Get(tx, org, id)
	if err != nil {
		return nil, err
	}
	switch {
	case a.Status == AuthRequired:
		return nil, ErrAuth
	case !a.Reads() && a.Status != Faulty || s.Network(a.Platform) == nil:
		return nil, ErrNotReady
	}
	secret, err := secretsOf(tx, org, &a)
	if err != nil {
		return nil, err
	}
	out := &Speaker{Network: s.Network(a.Platform), Account: a, Org: org, usage: &platform.Usage{Percent: -1}}
	seen := out.usage
	out.Access = platform.Access{ExternalID: a.ExternalID, Token: secret.Token, Seen: func(u platform.Usage) { *seen = u }}
	if a.Platform == platform.Video {
		out.Access.Spend = s.spend()
	}
	return out, nil
}

// Work is what the network is asked for. What nobody waits for gives way first where an allowance
// is nearly used.
type Work int

// The kinds of work.
const (
	Replying   Work = iota // somebody is answered
	Wanted                 // the team or a customer waits for it
	Background             // histories and syncs
)

// roomFor is up to which percentage of an allowance there is room for work (contract 16.5).
var roomFor = [...]int{Replying: full, Wanted: 90, Background: backgroundWaits}

const (
	backgroundWaits = 75
	full            = 100
)

// Waits for a network that asks to wait, and for an account that it holds back.
const (
	leastWait = time.Minute
	mostWait  = time.Hour
	usageLife = 10 * time.Minute // how long a figure says something
)

var holds = []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour}

// forgiven is how long after a hold the next one is a first one again.
const forgiven = 24 * time.Hour

// Done notes what a call of the network told of the account: how much of its allowance is
// used, that it is asked to wait or held back, or that its token is refused, which is verified
// once. It answers err as it is.
func (s *Service) Done(ctx context.Context, sp *Speaker, err error) error {
	e := platform.As(err)
	ctx = context.WithoutCancel(ctx)
	used := *sp.usage
	*sp.usage = platform.Usage{Percent: -1}
	var noted error
	switch {
	case e != nil && video.Spent(e): // of all accounts: none of them waits by itself
		noted = s.noteSpent(ctx)
	case e != nil && e.Fault == platform.TokenInvalid:
		noted = s.verify(ctx, sp, e)
	case e != nil && (e.Fault == platform.Limited || e.Fault == platform.Restricted),
		used.Percent >= backgroundWaits, used.Percent >= 0 && sp.Account.Usage >= backgroundWaits, e == nil && sp.Account.WaitLevel > 0:
		noted = s.noteUsage(ctx, sp, used, e)
	}
	return errors.Join(err, noted)
}

func (s *Service) noteUsage(ctx context.Context, sp *Speaker, used platform.Usage, e *platform.Error) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, sp.Org, sp.Account.ID)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		now := tx.DB().Now()
		if used.Percent >= 0 {
			a.Usage, a.UsageAt = used.Percent, now
		}
		switch {
		case e != nil && e.Fault == platform.Restricted:
			err = a.hold(tx, sp.Org, now)
		case e != nil && e.Fault == platform.Limited, used.Percent >= full:
			wait := max(used.Regain, leastWait<<min(a.WaitLevel, 10))
			if e != nil {
				wait = max(wait, e.Wait)
			}
			a.WaitUntil, a.WaitLevel = now.Add(min(wait, mostWait)), a.WaitLevel+1
		case e == nil:
			a.WaitLevel = 0
		}
		sp.Account = a
		return errors.Join(err, accounts.Put(tx, sp.Org, &a))
	})
}

// hold keeps everything from going out for a while, longer where the last time ended within a day.
func (a *Account) hold(tx *store.Tx, org string, now time.Time) error {
	if now.Sub(a.HeldUntil) > forgiven {
		a.HeldLevel = 0
	}
	a.HeldUntil = now.Add(holds[min(a.HeldLevel, len(holds)-1)])
	a.HeldLevel++
	return notify.Send(tx, org, a.notice(warning, a.DisplayName()+" is held back by the network",
		"The network refused a message as abusive or restricted the account. Nothing is sent before "+a.HeldUntil.Format(time.RFC3339)+"."))
}

// NotBefore is when the network may be asked for some work; the zero time is now. A hold keeps what
// is sent alone: reading goes on.
func (a *Account) NotBefore(w Work, now time.Time) (until time.Time) {
	if a.WaitUntil.After(now) {
		until = a.WaitUntil
	}
	if w == Replying && a.HeldUntil.After(now) && a.HeldUntil.After(until) {
		until = a.HeldUntil
	}
	if w != Replying && a.Usage >= roomFor[w] && now.Sub(a.UsageAt) < usageLife && until.IsZero() {
		until = a.UsageAt.Add(usageLife)
	}
	return until
}

// Wait is how long some work is left alone now.
func (s *Speaker) Wait(w Work, now time.Time) time.Duration {
	return max(0, s.Account.NotBefore(w, now).Sub(now))
}

// verify asks the network once more whether a token is accepted. One stray refusal changes
// nothing.
func (s *Service) verify(ctx context.Context, sp *Speaker, e *platform.Error) error {
	err := sp.Alive(ctx, sp.Access)
	if again := platform.As(err); again == nil || again.Fault != platform.TokenInvalid {
		return nil
	}
	s.log.Warn("channel: a token is refused", "account", sp.Account.ID, "code", e.Code, "subcode", e.Subcode, "trace", e.Trace)
	return s.tokenRefused(ctx, sp.Org, sp.Account.ID, reasonOfToken(e.Subcode))
}

// reasonOfToken says why a token is refused.
func reasonOfToken(subcode int) string {
	switch subcode {
	case 458:
		return "The application was removed from the account."
	case 459, 464:
		return "The network wants the owner of the account to confirm something in its own app."
	case 460:
		return "The password of the owner was changed."
	case 463, 467:
		return "The access ran out."
	}
	return "The network does not accept the access any more."
}

func (s *Service) tokenRefused(ctx context.Context, org, id, reason string) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		a, err := accounts.Get(tx, org, id)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		err = s.apply(tx, api.System(ctx, org, tx.DB().Now()), org, &a, TokenWasRefused, reason)
		if errors.Is(err, api.ErrState) {
			return nil // it is known
		}
		return err
	})
}
