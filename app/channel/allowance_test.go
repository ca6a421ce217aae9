package channel

import (
	"errors"
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestRoomForWork: what nobody waits for gives way first where an allowance is nearly used; replies go
// until nothing is left, and a hold keeps them alone (section 1.7, section 10, 24).
func TestRoomForWork(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	later := now.Add
	for _, c := range []struct {
		name    string
		account Account
		waits   [3]time.Duration // Replying, Wanted, Background
	}{
		{"nothing was said", Account{}, [3]time.Duration{}},
		{"74 %", Account{Usage: 74, UsageAt: now}, [3]time.Duration{}},
		{"75 %", Account{Usage: 75, UsageAt: now}, [3]time.Duration{0, 0, usageLife}},
		{"90 %", Account{Usage: 90, UsageAt: later(-time.Minute)}, [3]time.Duration{0, usageLife - time.Minute, usageLife - time.Minute}},
		{"95 %, said long ago", Account{Usage: 95, UsageAt: later(-usageLife)}, [3]time.Duration{}},
		{"asked to wait", Account{Usage: 95, UsageAt: now, WaitUntil: later(time.Minute)}, [3]time.Duration{time.Minute, time.Minute, time.Minute}},
		{"waited", Account{WaitUntil: now}, [3]time.Duration{}},
		{"held", Account{HeldUntil: later(time.Hour)}, [3]time.Duration{time.Hour, 0, 0}},
		{"held, and asked to wait", Account{HeldUntil: later(time.Hour), WaitUntil: later(time.Minute)}, [3]time.Duration{time.Hour, time.Minute, time.Minute}},
	} {
		s := Speaker{Account: c.account}
		if got := [3]time.Duration{s.Wait(Replying, now), s.Wait(Wanted, now), s.Wait(Background, now)}; got != c.waits {
			t.Errorf("%s: %v, want %v", c.name, got, c.waits)
		}
	}
}

// TestLongerWaits: an account that the network restricts is held for 1, 6 and 24 hours, and reading
// between does not begin that anew; a network that asks to wait is asked again after twice as long
// each time, an hour at most, and at once when it answers.
func TestLongerWaits(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, "", store.Options{
		Tables: slices.Concat(Tables(), org.Tables(), setting.Tables(), queue.Tables(), audit.Tables(), event.Tables(), notify.Tables()), Now: clock.Now,
	})
	s := New(db, Options{})
	var owner string
	a := Account{Platform: platform.Photo, ExternalID: "17"}
	storetest.Update(t, db, func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Acme", Plan: org.Enterprise})
		owner = o.ID
		return errors.Join(err, Adopt(tx, owner, &a))
	})
	told := func(failed *platform.Error) Account {
		t.Helper()
		var now Account
		storetest.View(t, db, func(tx *store.Tx) (err error) {
			now, err = Get(tx, owner, a.ID)
			return err
		})
		var err error
		if failed != nil {
			err = failed
		}
		sp := &Speaker{Account: now, Org: owner, usage: &platform.Usage{Percent: -1}}
		if got := s.Done(t.Context(), sp, err); got != nil && got.Error() != failed.Error() {
			t.Fatal(got)
		}
		return sp.Account
	}
	for i, want := range []time.Duration{time.Hour, 6 * time.Hour, 24 * time.Hour, 24 * time.Hour} {
		if got := told(&platform.Error{Fault: platform.Restricted}).HeldUntil.Sub(clock.Now()); got != want {
			t.Errorf("hold %d is of %v, want %v", i+1, got, want)
		}
		clock.Add(want + time.Minute)
		told(nil)
	}
	clock.Add(forgiven)
	if got := told(&platform.Error{Fault: platform.Restricted}).HeldUntil.Sub(clock.Now()); got != time.Hour {
		t.Errorf("a day later it is held for %v", got)
	}
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		if got := told(&platform.Error{Fault: platform.Limited}).WaitUntil.Sub(clock.Now()); got != want*time.Minute {
			t.Errorf("it is left alone for %v, want %v", got, want*time.Minute)
		}
	}
	if got := told(&platform.Error{Fault: platform.Limited, Wait: 5 * time.Minute}); got.WaitUntil.Sub(clock.Now()) != time.Hour {
		t.Errorf("%v", got.WaitUntil.Sub(clock.Now()))
	}
	if got := told(nil); got.WaitLevel != 0 {
		t.Errorf("it answers, and the next wait is of level %d", got.WaitLevel)
	}
}
