package mapkey

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// maxPending bounds the counts kept in memory while the usage file cannot be
// written: this many cells of key, product and hour, about 24 bytes each.
const maxPending = 1 << 20

// MeterOptions are the settings of a meter. Zero values mean the defaults.
type MeterOptions struct {
	Flush time.Duration    // --usage-flush
	Clock func() time.Time // for the month that is loaded at the opening
	Log   *slog.Logger
}

// Meter counts requests per key, product and UTC hour, in memory, and adds them
// to the usage file every MeterOptions.Flush and at Close. Counting and quotas
// never touch the file, so a slow, damaged or missing one delays no request.
//
// A flush is one transaction that carries a number; the counts leave memory
// only when the file is known to hold that number. A process killed in between
// therefore loses at most what was counted since the last flush and counts
// nothing twice.
type Meter struct {
	path string
	opt  MeterOptions

	mu      sync.RWMutex // guards the map; each tally has its own lock
	tallies map[ID]*tally

	// quotasFrom is the first month whose totals in memory are complete, plus
	// one; 0 while the file cannot be read, and then no quota holds.
	quotasFrom atomic.Uint32

	cells  atomic.Int64 // pending cells of all keys
	limit  int64        // of cells; a field so that a test can lower it
	errors atomic.Uint64
	done   atomic.Uint64
	lost   atomic.Uint64

	turn     chan struct{} // held by whoever uses what follows
	ledger   Ledger        // in place of a file; nil: none, or not yet
	file     counterFile   // nil while it is not open
	bad      string        // the version of the file that was found damaged, see stamp
	attempt  uint64        // number of the flight whose fate is unknown; 0 without one
	attemptN [16]byte      // identity of the file it went to
	closed   bool
}

// counterFile is where counts are kept: a usage file, or a ledger. It serves one goroutine
// at a time.
type counterFile interface {
	touched() bool // somebody else changed it
	probe() error
	add(batch []flight, number uint64) error
	months(from month) (map[ID][]monthUse, error)
	rows(id ID, from, to hour, fn func(h hour, product string, c counts)) error
	landed() (id [16]byte, number uint64) // who it is, and its last flush
	shared() bool                         // others add to it too
	close() error
}

// OpenMeter starts metering into the usage file at path. It never fails: a file
// that cannot be opened is logged, counting goes on in memory, no quota holds,
// and every flush tries again.
func OpenMeter(path string, opt MeterOptions) *Meter {
	m := newMeter(path, opt)
	if err := m.open(); err != nil {
		m.failed("the usage file cannot be opened; counting goes on in memory and no quota holds until it can", err)
	}
	return m
}

func newMeter(path string, opt MeterOptions) *Meter {
	if opt.Flush <= 0 {
		opt.Flush = DefaultFlush
	}
	if opt.Clock == nil {
		opt.Clock = time.Now
	}
	if opt.Log == nil {
		opt.Log = slog.New(slog.DiscardHandler)
	}
	return &Meter{
		path: path, opt: opt, limit: maxPending,
		tallies: map[ID]*tally{}, turn: make(chan struct{}, 1),
	}
}

// MeterStats are figures for metrics.
type MeterStats struct {
	Flushes     uint64 // that ended well
	FlushErrors uint64 // failures to open, read or write the usage file
	Lost        uint64 // requests that could not even be kept in memory
	Pending     int64  // cells of key, product and hour not yet written
	Readable    bool   // whether the file was readable at the last attempt, so that quotas hold
}

// Stats answers the figures of this moment.
func (m *Meter) Stats() MeterStats {
	return MeterStats{
		Flushes: m.done.Load(), FlushErrors: m.errors.Load(), Lost: m.lost.Load(),
		Pending: m.cells.Load(), Readable: m.quotasFrom.Load() > 0,
	}
}

// Admit counts an admitted billable request of a key, unless its monthly quota
// (0: unlimited) is spent: then it counts a denied one and answers false.
// Checking and counting are one step, so concurrent requests cannot overdraw.
// used is the month's use before this request. While the usage file cannot be
// read every request is admitted.
func (m *Meter) Admit(id ID, p Product, now time.Time, quota int64) (used int64, ok bool) {
	t := m.tally(id)
	at, h := monthOf(now), hourOf(now)
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.use(at)
	used = clamp(u.used)
	if quota > 0 && used >= quota && m.quotasHold(at) {
		m.count(t, h, p, counts{denied: 1})
		return used, false
	}
	u.used++
	m.count(t, h, p, counts{requests: 1})
	return used, true
}

// Deny counts a refused request of a known key.
func (m *Meter) Deny(id ID, p Product, now time.Time) {
	t := m.tally(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	m.count(t, hourOf(now), p, counts{denied: 1})
}

// Used is the key's billable requests of now's month, whatever is stored and
// what is not yet; ok is false while the usage file cannot be read.
func (m *Meter) Used(id ID, now time.Time) (used int64, ok bool) {
	at := monthOf(now)
	if !m.quotasHold(at) {
		return 0, false
	}
	m.mu.RLock()
	t := m.tallies[id]
	m.mu.RUnlock()
	if t == nil {
		return 0, true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return clamp(t.use(at).used), true
}

func (m *Meter) quotasHold(at month) bool {
	from := m.quotasFrom.Load()
	return from > 0 && uint32(at)+1 >= from
}

// tally finds or makes the counters of a key. Only known keys get here, so the
// key file bounds the map.
func (m *Meter) tally(id ID) *tally {
	m.mu.RLock()
	t := m.tallies[id]
	m.mu.RUnlock()
	if t != nil {
		return t
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if t = m.tallies[id]; t == nil {
		t = new(tally)
		m.tallies[id] = t
	}
	return t
}

// count adds to a cell. t is locked. When memory is full the counts go to
// another hour of the same product; without one they are lost, and that is
// counted.
func (m *Meter) count(t *tally, h hour, p Product, c counts) {
	i := t.slot(h, p)
	if i < 0 && m.cells.Load() >= m.limit {
		if i = t.newest(p); i < 0 {
			m.lost.Add(c.requests + c.denied)
			return
		}
	}
	if i >= 0 {
		t.pending[i].add(c)
		return
	}
	m.cells.Add(1)
	t.pending = append(t.pending, cell{hour: h, product: p, counts: c})
}

// Run flushes every MeterOptions.Flush until ctx ends. It answers nil; the last
// flush is Close's, after the last request.
func (m *Meter) Run(ctx context.Context) error {
	tick := time.NewTicker(m.opt.Flush)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			_ = m.Flush(ctx) // logged and counted there
		}
	}
}

// failed logs and counts a failure of the usage file.
func (m *Meter) failed(what string, err error) {
	m.errors.Add(1)
	where := m.path
	if where == "" {
		where = "the database"
	}
	m.opt.Log.Error(what, "file", where, "error", err.Error())
}

// clamp fits a counter into the signed numbers of reports.
func clamp(n uint64) int64 { return int64(min(n, math.MaxInt64)) }
