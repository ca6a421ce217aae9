package send

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/send/sendtest"
	"svc/messenger"
	"svc/store"
	"svc/store/kv"
	"svc/store/storetest"
)

// TestClockSetBack: a campaign goes on at its pace although the clock was set back by an
// hour, between two messages and while one waits for another try.
func TestClockSetBack(t *testing.T) {
	for _, trouble := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var shift atomic.Int64
			db := storetest.OpenWith(t, "", store.Options{Tables: allTables(), Engine: kv.NewMemory(), Now: func() time.Time {
				return time.Now().Add(12*time.Hour + time.Duration(shift.Load()))
			}})
			w := newWorld(t, db, Options{})
			w.srv.Org = w.newOrg()
			defer w.end()
			tries := 0
			w.p.Answer = func(_ context.Context, _ sendtest.Accepted) (bool, error) {
				if tries++; trouble && tries == 2 {
					return false, &messenger.Error{Fault: messenger.Busy, Code: "INTERNAL"}
				}
				return true, nil
			}
			a := w.account(`{"min_interval_seconds":10}`)
			w.campaign([]string{a}, w.people(1, 5), nil)
			w.run()
			w.after(11 * time.Second)
			shift.Store(-int64(time.Hour))
			w.after(3 * time.Minute)
			if got := len(w.p.Took()); got != 5 {
				t.Errorf("trouble %v: %d messages after three minutes, want 5", trouble, got)
			}
		})
	}
}
