package mapkey

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var alice, bob = KeyID("alice"), KeyID("bob")

// stored reads what the usage file holds of a key, after the meter let go of it.
func stored(t testing.TB, path string, id ID) (map[hourProduct]counts, map[month]uint64) {
	t.Helper()
	f, err := openUsage(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	rows := map[hourProduct]counts{}
	err = f.rows(id, 0, 1<<32-1, func(h hour, p string, c counts) { rows[hourProduct{h, p}] = c })
	if err != nil {
		t.Fatal(err)
	}
	all, err := f.months(0)
	if err != nil {
		t.Fatal(err)
	}
	months := map[month]uint64{}
	for _, u := range all[id] {
		months[u.month] = u.used
	}
	return rows, months
}

func flush(t testing.TB, m *Meter) {
	t.Helper()
	if err := m.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func shutMeter(t testing.TB, m *Meter) {
	t.Helper()
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestFlushAddsUp: flushes are additive per key, product and hour, across
// restarts, and the month's total is the sum of its hours.
func TestFlushAddsUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "usage.db")
	later, december := noon.Add(time.Hour), noon.AddDate(0, 0, 12)
	for range 3 {
		m := openMeter(t, path)
		for range 2 {
			m.Admit(alice, Search, noon, 0)
			m.Admit(alice, Search, noon, 0)
			m.Admit(alice, Tiles, noon, 0)
			m.Deny(alice, Tiles, later)
			m.Admit(alice, Search, december, 0)
			m.Deny(bob, Other, noon)
			flush(t, m)
			flush(t, m) // nothing pending: nothing doubles
		}
		if s := m.Stats(); s.Pending != 0 || s.Flushes != 4 || s.FlushErrors != 0 || !s.Readable {
			t.Errorf("stats %+v", s)
		}
		shutMeter(t, m)
	}
	rows, months := stored(t, path, alice)
	want := map[hourProduct]counts{
		{hourOf(noon), "search"}: {12, 0}, {hourOf(noon), "tiles"}: {6, 0},
		{hourOf(later), "tiles"}: {0, 6}, {hourOf(december), "search"}: {6, 0},
	}
	if d := cmp.Diff(want, rows, cmp.AllowUnexported(hourProduct{}, counts{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[month]uint64{monthOf(noon): 18, monthOf(december): 6}, months); d != "" {
		t.Error(d)
	}
	if rows, months := stored(t, path, bob); rows[hourProduct{hourOf(noon), "other"}] != (counts{0, 6}) || len(months) != 0 {
		t.Errorf("bob: %v %v", rows, months)
	}
}

// TestQuotaCountsEverything: unflushed, flushed, and recorded before a restart.
func TestQuotaCountsEverything(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	use := func(m *Meter, at time.Time, want bool, used int64) {
		t.Helper()
		if n, ok := m.Admit(alice, Search, at, 4); ok != want || n != used {
			t.Errorf("Admit = %d, %v; want %d, %v", n, ok, used, want)
		}
	}
	m := openMeter(t, path)
	use(m, noon, true, 0)
	flush(t, m)
	use(m, noon, true, 1)
	shutMeter(t, m)
	m = openMeter(t, path)
	use(m, noon, true, 2)
	use(m, noon.Add(24*time.Hour), true, 3)
	use(m, noon, false, 4)
	flush(t, m)
	use(m, noon, false, 4)
	if used, ok := m.Used(alice, noon); used != 4 || !ok {
		t.Errorf("used %d, %v: refused requests consume allowance", used, ok)
	}
	if used, ok := m.Used(bob, noon); used != 0 || !ok {
		t.Errorf("a quiet key has used %d, %v", used, ok)
	}
	// The month turns at 00:00 UTC on the 1st, whatever the zone of the clock.
	tashkent := time.FixedZone("UTC+5", 5*3600)
	edge := time.Date(2026, 12, 1, 4, 59, 59, 0, tashkent) // still November in UTC
	use(m, edge, false, 4)
	use(m, edge.Add(time.Second), true, 0)
	// A clock that goes back finds November as it was.
	use(m, noon, false, 4)
	// Without a quota nothing is refused.
	if _, ok := m.Admit(alice, Search, noon, 0); !ok {
		t.Error("a quota of 0 refuses")
	}
}

// TestQuotaOfALongGoneMonth: months that were not loaded are not guessed.
func TestQuotaOfALongGoneMonth(t *testing.T) {
	m := openMeter(t, filepath.Join(t.TempDir(), "usage.db"))
	old := noon.AddDate(-1, 0, 0)
	for range 3 {
		if _, ok := m.Admit(alice, Search, old, 1); !ok {
			t.Error("a month that was never read is enforced")
		}
	}
	if _, ok := m.Used(alice, old); ok {
		t.Error("its use is claimed to be known")
	}
}

func TestQuotaIsExactUnderConcurrency(t *testing.T) {
	m := openMeter(t, filepath.Join(t.TempDir(), "usage.db"))
	var admitted atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				if _, ok := m.Admit(alice, Search, noon, 1000); ok {
					admitted.Add(1)
				}
			}
		})
	}
	for range 5 {
		flush(t, m)
	}
	wg.Wait()
	shutMeter(t, m)
	if admitted.Load() != 1000 {
		t.Errorf("%d admitted of a quota of 1000", admitted.Load())
	}
	rows, months := stored(t, m.path, alice)
	if c := rows[hourProduct{hourOf(noon), "search"}]; c != (counts{1000, 3000}) || months[monthOf(noon)] != 1000 {
		t.Errorf("the file holds %+v, month %d", c, months[monthOf(noon)])
	}
}

// TestUnknownFateOfAFlush: a commit that reported an error although the file
// took it must not count twice, and one that the file did not take must not be
// lost.
func TestUnknownFateOfAFlush(t *testing.T) {
	for _, taken := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "usage.db")
		m := openMeter(t, path)
		m.Admit(alice, Search, noon, 0)
		flush(t, m)
		m.Admit(alice, Search, noon, 0)
		// What flush does, up to the error.
		batch := m.launch()
		f := m.file.(*usageFile)
		m.attempt, m.attemptN = f.seq+1, f.id
		if taken {
			if err := m.file.add(batch, m.attempt); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.shut(); err != nil {
			t.Fatal(err)
		}
		m.Admit(alice, Search, noon, 0)
		flush(t, m)
		if used, ok := m.Used(alice, noon); used != 3 || !ok {
			t.Errorf("taken %v: used %d, %v", taken, used, ok)
		}
		shutMeter(t, m)
		if rows, _ := stored(t, path, alice); rows[hourProduct{hourOf(noon), "search"}].requests != 3 {
			t.Errorf("taken %v: the file holds %v, want 3", taken, rows)
		}
	}
}

// TestMemoryIsBounded: a long outage folds counts together, then drops and
// counts them, and never refuses a request.
func TestMemoryIsBounded(t *testing.T) {
	m := OpenMeter(t.TempDir(), MeterOptions{}) // a folder: it can never open
	m.limit = 3
	if s := m.Stats(); s.Readable || s.FlushErrors != 1 {
		t.Errorf("stats %+v", s)
	}
	for h := range 10 {
		at := noon.Add(time.Duration(h) * time.Hour)
		if _, ok := m.Admit(alice, Search, at, 1); !ok {
			t.Error("refused for a quota that cannot be known")
		}
	}
	m.Admit(alice, Tiles, noon, 0)
	m.Admit(bob, Tiles, noon, 0)
	if s := m.Stats(); s.Pending != 3 || s.Lost != 2 {
		t.Errorf("stats %+v, want 3 cells, 2 lost", s)
	}
	var sum uint64
	for _, c := range m.pending(alice) {
		sum += c.requests
	}
	if sum != 10 {
		t.Errorf("%d of 10 requests kept", sum)
	}
	// It opens at last: everything kept is written, and the quota holds again.
	m.path = filepath.Join(t.TempDir(), "usage.db")
	m.opt.Clock = func() time.Time { return noon }
	flush(t, m)
	if used, ok := m.Used(alice, noon); used != 10 || !ok {
		t.Errorf("used %d, %v", used, ok)
	}
	if _, ok := m.Admit(alice, Search, noon, 10); ok {
		t.Error("the quota does not hold")
	}
	shutMeter(t, m)
}

func TestMonthsInMemoryAreBounded(t *testing.T) {
	var tl tally
	for m := range month(1000) {
		tl.use(m).used = uint64(m)
	}
	if len(tl.months) > maxMonths || tl.use(999).used != 999 {
		t.Errorf("%d months, newest %d", len(tl.months), tl.use(999).used)
	}
}

func TestRunFlushesAtTheInterval(t *testing.T) {
	path := filepath.Join(t.TempDir(), "usage.db")
	synctest.Test(t, func(t *testing.T) {
		m := OpenMeter(path, MeterOptions{Flush: 30 * time.Second})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- m.Run(ctx) }()
		m.Admit(alice, Search, noon, 0)
		<-time.After(29 * time.Second)
		if m.Stats().Pending != 1 {
			t.Error("flushed early")
		}
		<-time.After(2 * time.Second)
		if m.Stats().Pending != 0 {
			t.Error("not flushed after the interval")
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		m.Admit(alice, Search, noon, 0)
		shutMeter(t, m)
		if err := m.Close(t.Context()); err != nil {
			t.Errorf("closing twice: %v", err)
		}
		if err := m.Flush(t.Context()); err == nil {
			t.Error("flushed after Close")
		}
		m.Admit(alice, Search, noon, 0) // harmless
	})
	if rows, _ := stored(t, path, alice); rows[hourProduct{hourOf(noon), "search"}].requests != 2 {
		t.Errorf("the file holds %v", rows)
	}
}

func TestCloseDoesNotWaitForEver(t *testing.T) {
	m := openMeter(t, filepath.Join(t.TempDir(), "usage.db"))
	m.turn <- struct{}{} // a flush that hangs in the disk
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Close(ctx); err == nil {
		t.Error("Close claims to have flushed")
	}
	if _, ok := m.Admit(alice, Search, noon, 5); !ok {
		t.Error("a hanging flush stops requests")
	}
	m.release()
}

func TestMonthsAndHours(t *testing.T) {
	for _, c := range []struct{ at, start, next string }{
		{"2026-11-21T12:34:56Z", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"},
		{"2026-12-31T23:59:59Z", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"2027-01-01T03:00:00+05:00", "2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"},
		{"2028-02-29T00:00:00Z", "2028-02-01T00:00:00Z", "2028-03-01T00:00:00Z"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := monthOf(at).start().Format(time.RFC3339); got != c.start {
			t.Errorf("%s: month starts %s", c.at, got)
		}
		if got := nextMonth(at).Format(time.RFC3339); got != c.next {
			t.Errorf("%s: resets %s", c.at, got)
		}
		if hourOf(at).month() != monthOf(at) {
			t.Errorf("%s: its hour lies in another month", c.at)
		}
	}
	if hourOf(time.Time{}) != 0 || monthOf(time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC)) > 12 {
		t.Error("times before the epoch overflow")
	}
}
