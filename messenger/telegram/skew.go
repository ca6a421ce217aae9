package telegram

import (
	"sync"
	"time"
)

// skew is how far the clock of this machine is ahead of the platform's. Far from it the
// platform refuses every message, and nothing else says why.
type skew struct {
	mu    sync.Mutex
	ahead time.Duration
	known bool
}

// note compares a time with what the platform said its time is, in whole seconds of
// which a part is over and while the answer travelled. What is kept is the least that
// explains both.
func (s *skew) note(now time.Time, said int) {
	const unsure = 2 * time.Second // the second that has begun, and the way
	ahead := now.Sub(time.Unix(int64(said), 0))
	switch {
	case ahead > unsure:
		ahead -= unsure
	case ahead > 0:
		ahead = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead, s.known = ahead, true
}

// ClockSkew is how far the clock of this machine is ahead of the platform's, to about
// two seconds, as it was when a connection was made last.
func (d *Driver) ClockSkew() (time.Duration, bool) {
	d.skew.mu.Lock()
	defer d.skew.mu.Unlock()
	return d.skew.ahead, d.skew.known
}
