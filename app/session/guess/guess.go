// Package guess makes whoever guesses passwords wait (contract 21.3, Guessing).
//
// It promises that wrong passwords are counted before a password is looked at, in the
// store, so that a restart forgets none, and that nobody elsewhere can keep the owner of
// an account from signing in. It refuses to look at passwords.
package guess

import (
	"time"

	"svc/app/api"
	"svc/store"
)

// Wrong passwords make the next try wait, longer each time (contract 21.3,
// Guessing). They are counted in the store, so that a restart forgets none.
//
// A try counts against the account, whether anybody has it or not, and against the
// address that it comes from. An account and a network that belong together, because
// somebody signed in from there with the right password, have a count of their own
// instead: so nobody elsewhere can keep the owner of an account from signing in, and
// nobody beside them at the same address either. During a wait no password is looked at;
// after it the right one works.

// guesses are the wrong passwords in a row of one account, of one address, or of both.
// Without failures they say that account and address belong together.
type guesses struct {
	ID       string    `json:"id"` // keyed hash of what is counted
	Failures int       `json:"failures,omitempty"`
	At       time.Time `json:"at"`    // of the last
	Until    time.Time `json:"until"` // forgotten then
}

var (
	guessed   = store.NewTable("guess", "", func(g *guesses) string { return g.ID }).Global()
	guessEnds = guessed.Index("until", func(g *guesses) store.Key { return store.Time(g.Until) })
)

// Tables are what a store that remembers wrong passwords is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{guessed} }

// Remembered is how many counts there are.
func Remembered(tx *store.Tx) (int, error) { return guessed.Count(tx, store.Platform) }

const guessPurpose = "guess"

// guessRule says how wrong passwords make the next try wait.
type guessRule struct {
	free           int // wrong passwords without a wait
	first, longest time.Duration
	forget         time.Duration // after the last one
}

var (
	// ofAccount holds for an account, for an account at a network of its own, and for the
	// current password of somebody who is signed in.
	ofAccount = guessRule{free: 5, first: 2 * time.Second, longest: 15 * time.Minute, forget: 12 * time.Hour}
	ofAddress = guessRule{free: 15, first: 2 * time.Second, longest: 15 * time.Minute, forget: time.Hour}
)

// networkKnown is how long a network belongs to an account after a sign-in from it.
const networkKnown = 90 * 24 * time.Hour

func (r guessRule) wait(failures int) time.Duration {
	if failures < r.free {
		return 0
	}
	return min(r.first<<min(failures-r.free, 20), r.longest)
}

// Count is one thing whose wrong passwords are counted.
type Count struct {
	what string
	rule guessRule
}

// SignIn is what a sign-in counts against.
func SignIn(tx *store.Tx, email, ip string) (counts []Count, err error) {
	account := "account " + store.Fold(email)
	at := account + " at " + api.Network(ip)
	id, err := tx.Hash(guessPurpose, "known "+at)
	if err != nil {
		return nil, err
	}
	k, err := guessed.Get(tx, store.Platform, id)
	switch {
	case err == nil && tx.DB().Now().Before(k.Until):
		return []Count{{at, ofAccount}}, nil
	case store.IgnoreNotFound(err) != nil:
		return nil, err
	}
	return []Count{{account, ofAccount}, {"address " + api.Network(ip), ofAddress}}, nil
}

// CurrentPassword is what the password of somebody who is signed in counts against.
func CurrentPassword(userID string) []Count {
	return []Count{{"current password " + userID, ofAccount}}
}

// Try counts a try as wrong before the password is looked at, so that many at once
// find no gap; Right undoes that. It is api.ErrRateLimited while one of the counts waits.
func Try(tx *store.Tx, counts []Count) error {
	now := tx.DB().Now()
	all := make([]guesses, len(counts))
	for i, c := range counts {
		g, err := readGuesses(tx, c.what)
		if err != nil {
			return err
		}
		if wait := g.At.Add(c.rule.wait(g.Failures)).Sub(now); g.Failures > 0 && wait > 0 {
			return errGuessing.After(min(wait, c.rule.longest)) // a clock may have been set back
		}
		g.Failures, g.At, g.Until = g.Failures+1, now, now.Add(c.rule.forget)
		all[i] = g
	}
	for i := range all {
		if err := guessed.Put(tx, store.Platform, &all[i]); err != nil {
			return err
		}
	}
	return nil
}

var errGuessing = api.ErrRateLimited.WithMessage("Too many wrong passwords; wait as Retry-After says.")

func readGuesses(tx *store.Tx, what string) (g guesses, err error) {
	id, err := tx.Hash(guessPurpose, what)
	if err != nil {
		return g, err
	}
	g, err = guessed.Get(tx, store.Platform, id)
	if !tx.DB().Now().Before(g.Until) {
		g = guesses{}
	}
	g.ID = id
	return g, store.IgnoreNotFound(err)
}

// Right forgets the wrong ones of an account. An address loses only what the try
// itself counted: an own account must not be a way to guess others.
func Right(tx *store.Tx, counts []Count) error {
	for _, c := range counts {
		g, err := readGuesses(tx, c.what)
		if err != nil {
			return err
		}
		if g.Failures--; c.rule == ofAccount || g.Failures <= 0 {
			err = store.IgnoreNotFound(guessed.Delete(tx, store.Platform, g.ID))
		} else {
			err = guessed.Put(tx, store.Platform, &g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SignedInFrom notes that account and network belong together.
func SignedInFrom(tx *store.Tx, email, ip string) error {
	g, err := readGuesses(tx, "known account "+store.Fold(email)+" at "+api.Network(ip))
	if err != nil {
		return err
	}
	g.At, g.Until = tx.DB().Now(), tx.DB().Now().Add(networkKnown)
	return guessed.Put(tx, store.Platform, &g)
}

// Forgive lets an account sign in without a wait: its password was set anew by somebody
// who may.
func Forgive(tx *store.Tx, email string) error {
	return Right(tx, []Count{{"account " + store.Fold(email), ofAccount}})
}

// Sweep forgets up to limit counts that are over, and says how many there were.
func Sweep(tx *store.Tx, limit int) (int, error) {
	ids, _, err := guessEnds.IDs(tx, store.Platform, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now())), Limit: limit})
	for _, id := range ids {
		if err == nil {
			err = guessed.Delete(tx, store.Platform, id)
		}
	}
	return len(ids), err
}
