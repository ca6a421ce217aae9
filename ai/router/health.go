package router

import (
	"sync"
	"time"

	"svc/ai"
)

// Cool-off (contract 12.2).
const (
	failuresToOpen = 3
	within         = 60 * time.Second
	firstOff       = 30 * time.Second
	longestOff     = 10 * time.Minute
	longestAsked   = time.Hour
)

// Key says whose health it is: a provider's, or that of one model there.
type Key struct{ Provider, Model string }

// State is the health of a key as the processes that share a store tell each other.
type State struct {
	// Until is when it may be tried again; zero: it is not off.
	Until time.Time `json:"until,omitzero"`
	// Level is how often in a row it was off.
	Level int `json:"level,omitempty"`
	// Fault is the failure that turned it off.
	Fault ai.Fault `json:"fault,omitempty"`
	// At is when this was found out: of two, the later holds.
	At time.Time `json:"at,omitzero"`
}

// Off says whether it is skipped at a time.
func (s State) Off(now time.Time) bool { return now.Before(s.Until) }

// health is that of one key.
type health struct {
	mu       sync.Mutex
	failures [failuresToOpen]time.Time // the latest, a ring
	next     int
	state    State
	trial    bool // somebody makes the one request after Until
}

// admit says whether a call may be made now, and whether it is the one trial after a
// cool-off: that must end with settle or abandon.
func (h *health) admit(now time.Time) (ok, trial bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.state.Level == 0:
		return true, false
	case h.state.Off(now) || h.trial:
		return false, false
	}
	h.trial = true
	return true, true
}

// abandon gives the trial back: it was not made.
func (h *health) abandon() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.trial = false
}

// failed counts a failure and says whether it turned the key off.
func (h *health) failed(now time.Time, fault ai.Fault, asked time.Duration) (State, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures[h.next] = now
	h.next = (h.next + 1) % failuresToOpen
	oldest := h.failures[h.next]
	wasTrial := h.trial
	h.trial = false
	enough := !oldest.IsZero() && now.Sub(oldest) <= within
	if fault != ai.Quota && !enough && !wasTrial && asked == 0 {
		return h.state, false
	}
	if h.state.Off(now) && asked <= h.state.Until.Sub(now) {
		return h.state, false // it is off already: calls that were under way
	}
	off := min(firstOff<<min(h.state.Level, 10), longestOff)
	if off = max(off, min(asked, longestAsked)); fault != ai.Quota && !enough && !wasTrial {
		off = min(asked, longestAsked) // it only asked to wait
	}
	h.state = State{Until: now.Add(off), Level: h.state.Level + 1, Fault: fault, At: now}
	return h.state, true
}

// succeeded ends a cool-off whose time is over and says whether there was one. A call that
// began before the cool-off proves nothing.
func (h *health) succeeded(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state.Level == 0 || h.state.Off(now) {
		return false
	}
	h.state, h.trial, h.failures = State{At: now}, false, [failuresToOpen]time.Time{}
	return true
}

// set takes over what another process found out.
func (h *health) set(s State) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !s.At.After(h.state.At) {
		return
	}
	h.state = s
	if s.Level == 0 {
		h.trial, h.failures = false, [failuresToOpen]time.Time{}
	}
}

func (h *health) get() State {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}
