package user_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/storetest"
)

func open(t testing.TB) *store.DB {
	return storetest.Open(t, slices.Concat(audit.Tables(), user.Tables())...)
}

func update(t testing.TB, db *store.DB, f func(*store.Tx, *api.Call) error) {
	t.Helper()
	c := api.System(t.Context(), store.Platform, db.Now())
	if err := db.Update(t.Context(), func(tx *store.Tx) error { return f(tx, c) }); err != nil {
		t.Fatal(err)
	}
}

func TestAddressIsUnique(t *testing.T) {
	db := open(t)
	update(t, db, func(tx *store.Tx, c *api.Call) error {
		u, err := user.Add(tx, c, user.Fields{Email: "Olga@Example.com"})
		if err != nil {
			return err
		}
		for _, same := range []string{"olga@example.com", "OLGA@EXAMPLE.COM", "ｏlga@example.com"} {
			if _, err := user.Add(tx, c, user.Fields{Email: same}); !errors.Is(err, user.ErrEmailTaken) {
				t.Errorf("%s is another person: %v", same, err)
			}
			if found, err := user.ByEmail(tx, same); err != nil || found.ID != u.ID {
				t.Errorf("%s is not found: %v", same, err)
			}
		}
		_, err = user.Add(tx, c, user.Fields{Email: "olgа@example.com"}) // a Cyrillic а
		return err
	})
}

func TestCheckEmail(t *testing.T) {
	for email, good := range map[string]bool{
		"a@example.com": true, " a@example.com ": true, "o'hara@example.com": true, "a+b@x.uz": true, "почта@пример.рф": true,
		"": false, "a": false, "a@": false, "@b": false, "a@b@c": false, "A <a@b.c>": false, "a@b.c, d@e.f": false, "a b@c.d": false,
		"a@b.c\r\nBcc: x@y.z": false, `"a b"@c.d`: false, strings.Repeat("a", 250) + "@b.co": false,
	} {
		got, err := user.CheckEmail("email", email)
		if (err == nil) != good || good && got != strings.TrimSpace(email) {
			t.Errorf("%q: %q, %v", email, got, err)
		}
	}
}

func TestCheckPassword(t *testing.T) {
	for p, good := range map[string]bool{
		"123456789": false, "1234567890": true, "ўқитувчи10": true, strings.Repeat("я", 256): true, strings.Repeat("я", 257): false, "": false,
	} {
		if err := user.CheckPassword("password", p); (err == nil) != good {
			t.Errorf("%d characters: %v", len([]rune(p)), err)
		}
	}
}

func TestPassword(t *testing.T) {
	s := user.New(nil, "svc")
	hash, err := s.Hash(t.Context(), "café passage") // the é composed
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatal(hash, err)
	}
	again, _ := s.Hash(t.Context(), "café passage")
	if again == hash {
		t.Error("two hashes have one salt")
	}
	for p, want := range map[string]bool{"café passage": true, "cafe\u0301 passage": true, "cafe passage": false, "": false} {
		if got, err := s.Verify(t.Context(), &user.User{Password: hash}, p); got != want || err != nil {
			t.Errorf("%q: %v, %v", p, got, err)
		}
	}
	if got, err := s.Verify(t.Context(), nil, "anything"); got || err != nil {
		t.Errorf("nobody's password: %v, %v", got, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	s.Fill()
	if _, err := s.Hash(gone, "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("one who left still waits: %v", err)
	}
}

// TestUnknownTakesAsLong: an address that nobody has costs what a wrong password
// costs.
func TestUnknownTakesAsLong(t *testing.T) {
	s := user.New(nil, "svc")
	hash, _ := s.Hash(t.Context(), "correct horse")
	least := func(u *user.User) time.Duration { // of several, so that a busy machine does not count
		best := time.Hour
		for range 7 {
			start := time.Now()
			if ok, err := s.Verify(t.Context(), u, "wrong horse"); ok || err != nil {
				t.Fatal(ok, err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	known, unknown := least(&user.User{Password: hash}), least(nil)
	if r := float64(unknown) / float64(known); r < 0.4 || r > 2.5 {
		t.Errorf("unknown %v, known %v", unknown, known)
	}
}

// TestFewAtATime: hashing is bounded however many ask.
func TestFewAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := user.New(nil, "svc")
		free := s.Fill()
		var waiting sync.WaitGroup
		done := make(chan error, 10)
		for range 10 {
			waiting.Go(func() { _, err := s.Hash(t.Context(), "correct horse"); done <- err })
		}
		synctest.Wait()
		if len(done) != 0 {
			t.Error("one went past the queue")
		}
		free()
		waiting.Wait()
		for range 10 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// FuzzPHC: a damaged hash is an error or a wrong password, quickly.
func FuzzPHC(f *testing.F) {
	s := user.New(nil, "svc")
	good, _ := s.Hash(f.Context(), "correct horse")
	f.Add(good)
	f.Add("$argon2id$v=19$m=4294967295,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA")
	f.Add("$argon2id$v=19$m=8,t=0,p=0$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA")
	f.Add("$$$$$")
	f.Fuzz(func(t *testing.T, stored string) {
		if back, err := user.RespellPHC(stored); err == nil {
			if again, err := user.RespellPHC(back); err != nil || again != back {
				t.Fatalf("%q is %q is %q, %v", stored, back, again, err)
			}
		}
	})
}

func TestWaitAfter(t *testing.T) {
	for n, want := range map[int]time.Duration{
		0: 0, 4: 0, 5: 30 * time.Second, 6: time.Minute, 7: 2 * time.Minute, 8: 4 * time.Minute, 9: 8 * time.Minute, 10: 15 * time.Minute, 1_000_000: 15 * time.Minute,
	} {
		if got := user.WaitAfter(n); got != want {
			t.Errorf("after %d wrong codes %v, want %v", n, got, want)
		}
	}
}

// TestCodesOfTheStandard are the values of RFC 6238, appendix B, in 6 digits.
func TestCodesOfTheStandard(t *testing.T) {
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
	for unix, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if step, err := user.MatchingStep(secret, code, unix/30, 0); step != unix/30 || err != nil {
			t.Errorf("at %d: %d, %v", unix, step, err)
		}
	}
}

func TestDisableTellsOthers(t *testing.T) {
	db, bus := open(t), &signal.Bus{}
	var told []string
	signal.On(bus, func(_ *store.Tx, _ *api.Call, d user.Disabled) error { told = append(told, d.ID); return nil })
	s := user.New(bus, "svc")
	update(t, db, func(tx *store.Tx, c *api.Call) error {
		u, err := user.Add(tx, c, user.Fields{Email: "a@example.com"})
		if err != nil {
			return err
		}
		for range 2 {
			if u, err = s.Disable(tx, c, u.ID, "left"); err != nil || u.Status != user.Inactive || *u.DisabledReason != "left" {
				t.Errorf("%+v, %v", u, err)
			}
		}
		if !slices.Equal(told, []string{u.ID}) {
			t.Errorf("told %v", told)
		}
		if u, err = s.Enable(tx, c, u.ID); err != nil || u.Status != user.Active || u.DisabledReason != nil {
			t.Errorf("%+v, %v", u, err)
		}
		_, err = s.Disable(tx, c, db.NewID("usr"), "nobody")
		if !errors.Is(err, store.ErrNotFound) {
			t.Errorf("nobody: %v", err)
		}
		return nil
	})
	if n, err := audit.Verify(t.Context(), db, store.Platform); n != 3 || err != nil {
		t.Errorf("%d entries, %v", n, err)
	}
}

func BenchmarkHash(b *testing.B) {
	s := user.New(nil, "svc")
	for b.Loop() {
		if _, err := s.Hash(b.Context(), "correct horse"); err != nil {
			b.Fatal(err)
		}
	}
}
