package mapkey

import (
	"sync"
	"time"
)

// bucket is the token bucket of one key (map contract 54.5):
// it starts full at the limit and refills at limit/60 a second. It
// outlives reloads of the key file; the limit is given at each check, so an
// edited limit applies at the next one.
type bucket struct {
	mu     sync.Mutex
	full   bool // whether tokens and last mean anything yet
	tokens float64
	last   time.Time
}

// clockSlack is how far a check may lie before the previous one without being
// read as a clock that was set back: concurrent callers take their time before
// they take the lock.
const clockSlack = time.Second

// take spends one token and reports whether there was one. perMinute is the
// key's limit in requests per minute and must be above zero.
func (b *bucket) take(now time.Time, perMinute int64) bool {
	limit := float64(perMinute)
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.full {
		b.full, b.tokens, b.last = true, limit, now
	}
	switch gone := now.Sub(b.last); {
	case gone > 0:
		b.tokens += gone.Seconds() * limit / 60
		b.last = now
	case gone < -clockSlack:
		// The clock was set back. Start again from here: waiting for the old
		// time to return would starve the key.
		b.last = now
	}
	b.tokens = min(b.tokens, limit)
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}
