package mapkey

import "sync"

// counts is what is metered of one key, product and hour.
type counts struct {
	requests uint64 // admitted and billable
	denied   uint64
}

func (c *counts) add(d counts) {
	c.requests += d.requests
	c.denied += d.denied
}

// cell is the counts of one product in one hour.
type cell struct {
	hour    hour
	product Product
	counts
}

// monthUse is how many billable requests a key has used in a month: what the
// usage file knew when it was opened and everything counted since.
type monthUse struct {
	month month
	used  uint64
}

// tally holds the counts of one key. A flush copies pending to flight, writes
// the flight, and subtracts exactly that from pending once the file is known to
// hold it; between the two the same cells keep counting.
type tally struct {
	mu      sync.Mutex
	pending []cell // newest hour last; what the usage file does not hold
	flight  []cell // a copy of the first len(flight) cells, on its way to the file
	months  []monthUse
}

// slot finds the pending cell of an hour and a product, or -1. The search runs
// backwards: the current hour is at the end unless the clock was set back.
func (t *tally) slot(h hour, p Product) int {
	for i := len(t.pending) - 1; i >= 0; i-- {
		if t.pending[i].hour == h && t.pending[i].product == p {
			return i
		}
	}
	return -1
}

// newest finds the last pending cell of a product whatever its hour, or -1.
func (t *tally) newest(p Product) int {
	for i := len(t.pending) - 1; i >= 0; i-- {
		if t.pending[i].product == p {
			return i
		}
	}
	return -1
}

// use is the month's counter, made at zero when there is none. The pointer is
// good until the next call.
func (t *tally) use(m month) *monthUse {
	for i := len(t.months) - 1; i >= 0; i-- {
		if t.months[i].month == m {
			return &t.months[i]
		}
	}
	if len(t.months) >= maxMonths {
		t.months = append(t.months[:0], t.months[1:]...)
	}
	t.months = append(t.months, monthUse{month: m})
	return &t.months[len(t.months)-1]
}

// maxMonths bounds the months a key has counters for; only a clock that jumps
// about reaches it.
const maxMonths = 24

// launch makes a copy of what is pending for writing.
func (t *tally) launch() []cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.flight = append([]cell(nil), t.pending...)
	return t.flight
}

// land ends a flight. When it was written its counts leave pending. It answers
// how many cells became empty and were dropped.
func (t *tally) land(written bool) (dropped int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	flight := t.flight
	t.flight = nil
	if !written {
		return 0
	}
	kept := t.pending[:0]
	for i, c := range t.pending {
		if i < len(flight) { // cells are only ever appended during a flight
			c.requests -= flight[i].requests
			c.denied -= flight[i].denied
		}
		if c.requests|c.denied != 0 {
			kept = append(kept, c)
		}
	}
	dropped = len(t.pending) - len(kept)
	if t.pending = kept; len(kept) == 0 && cap(kept) > 64 {
		t.pending = nil // do not keep the memory of a long outage
	}
	return dropped
}

// snapshot copies what is pending.
func (t *tally) snapshot() []cell {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]cell(nil), t.pending...)
}

// rebase sets the months' counters to what a newly opened file holds plus what
// is pending.
func (t *tally) rebase(stored []monthUse) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.months = append(t.months[:0], stored...)
	for _, c := range t.pending {
		if c.requests > 0 {
			t.use(c.hour.month()).used += c.requests
		}
	}
}
