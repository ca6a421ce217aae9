package session

import (
	"context"
	"testing"
	"time"

	"svc/app/org"
	"svc/app/session/apikey"
	"svc/app/session/guess"
	"svc/app/user"
	"svc/store"
)

// Flush writes down the last uses now.
func (s *Service) Flush(ctx context.Context) error { return s.flush(ctx) }

// Sweep does what the hourly job does.
func (s *Service) Sweep(ctx context.Context) error {
	if err := s.sweepSessions(ctx); err != nil {
		return err
	}
	if err := s.sweepAll(ctx, guess.Sweep); err != nil {
		return err
	}
	return s.sweepAll(ctx, apikey.Warn)
}

// Guesses counts what is remembered of wrong passwords.
func Guesses(t testing.TB, db *store.DB) (n int) {
	if err := db.View(t.Context(), func(tx *store.Tx) (err error) { n, err = guess.Remembered(tx); return err }); err != nil {
		t.Fatal(err)
	}
	return n
}

// Sessions counts the sessions that are stored.
func Sessions(t testing.TB, db *store.DB) (n int) {
	if err := db.View(t.Context(), func(tx *store.Tx) (err error) { n, err = sessions.Count(tx, store.Platform); return err }); err != nil {
		t.Fatal(err)
	}
	return n
}

// OpenFor opens a session as signing in would, without the work of a password.
func OpenFor(t testing.TB, db *store.DB, email string) (token string) {
	token = org.NewToken()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		u, err := user.ByEmail(tx, email)
		if err != nil {
			return err
		}
		in, err := LastOrg(tx, u.ID)
		if err != nil {
			return err
		}
		return insert(tx, &Session{UserID: u.ID, Org: in}, token, 14*24*time.Hour)
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// Of are the sessions of a person, the oldest first.
func Of(tx *store.Tx, email string) ([]Session, error) {
	u, err := user.ByEmail(tx, email)
	if err != nil {
		return nil, err
	}
	return ofPerson(tx, u.ID)
}

// Forget empties the cache, as a change does.
func (s *Service) Forget() {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	clear(s.cache.identities)
}

// Known is how many identities the cache holds.
func (s *Service) Known() int {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	return len(s.cache.identities)
}

// TokenOf makes an access token of a key that ends at a time.
func (s *Service) TokenOf(t testing.TB, db *store.DB, key string, expires time.Time) (token string) {
	err := db.View(t.Context(), func(tx *store.Tx) error {
		who, err := ofBearer(tx, key)
		if err != nil {
			return err
		}
		token, err = apikey.NewToken(tx, who.key, expires)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// IdentifyAround identifies with something happening between the reading of the
// identity and its being remembered.
func (s *Service) IdentifyAround(t testing.TB, cred Credential, between func()) {
	_, generation, _ := s.cache.get(t.Context(), cred, s.db.Now())
	k, err := s.identify(t.Context(), cred)
	if err != nil {
		t.Fatal(err)
	}
	between()
	s.cache.put(cred, k, generation)
}
