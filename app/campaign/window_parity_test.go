package campaign

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestWindowsAgree: estimates and rehearsals open and close a window when sending does,
// over a year in zones with and without daylight saving.
func TestWindowsAgree(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 11))
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() string {
		m := rnd.IntN(24 * 60)
		return time.Date(2026, 1, 1, 0, m, 0, 0, time.UTC).Format("15:04")
	}
	for _, zone := range []string{"UTC", "Asia/Tashkent", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "America/Havana"} {
		for range 40 {
			w := Window{Start: clock(), End: clock()}
			for _, d := range allDays {
				if rnd.IntN(3) > 0 {
					w.Weekdays = append(w.Weekdays, d)
				}
			}
			ours, theirs := w.in(zone), w.forSend(zone)
			for range 200 {
				at := begin.Add(time.Duration(rnd.Int64N(int64(366 * 24 * time.Hour))))
				open, next, err := theirs.Open(at)
				s, ok := ours.Around(at)
				if err != nil || ours.Open(at) != open || !open && ok != !next.IsZero() || !open && ok && !s.Start.Equal(next) {
					t.Fatalf("%s, %+v at %s: sending says %v, next %s (%v); the estimate %+v (%v)", zone, w, at, open, next, err, s, ok)
				}
			}
		}
	}
}
