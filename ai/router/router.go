// Package router asks the models of a chain in their order until one answers.
//
// It promises the table of contract 12.2: it goes on after what another model can mend and
// stops at what none can; a provider or a model that fails again and again is skipped for
// a while, then tried once; failures count on every attempt, whether first or fallback;
// each provider has at most so many calls at a time; every attempt and every skip is a
// step that says why. It keeps what it learned in memory and tells of changes (OnChange),
// so that whoever has a store can share them.
//
// It refuses to know stores, prices and organizations: what a call may cost is asked of
// its caller before each attempt (Plan.Draw).
package router

import (
	"sync"
	"time"
)

// Bounds of a provider.
const (
	// DefaultSlots is how many calls a provider has at a time.
	DefaultSlots = 32
	// slotWait is how long a call waits for one while the chain has another to ask.
	slotWait = time.Second
)

// Options of New.
type Options struct {
	// Now tells the time; nil: time.Now.
	Now func() time.Time
	// OnChange hears of each cool-off that begins or ends, after it did.
	OnChange func(Key, State)
	// Slots is how many calls a provider has at a time; 0: DefaultSlots.
	Slots int
}

// Router asks models. Safe for concurrent use.
type Router struct {
	o     Options
	mu    sync.RWMutex
	of    map[Key]*health
	slots map[string]chan struct{}
}

// New makes a router.
func New(o Options) *Router {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Slots == 0 {
		o.Slots = DefaultSlots
	}
	return &Router{o: o, of: map[Key]*health{}, slots: map[string]chan struct{}{}}
}

// health finds or makes that of a key.
func (r *Router) health(k Key) *health {
	r.mu.RLock()
	h := r.of[k]
	r.mu.RUnlock()
	if h != nil {
		return h
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if h = r.of[k]; h == nil {
		h = &health{}
		r.of[k] = h
	}
	return h
}

func (r *Router) slot(provider string) chan struct{} {
	r.mu.RLock()
	s := r.slots[provider]
	r.mu.RUnlock()
	if s != nil {
		return s
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s = r.slots[provider]; s == nil {
		s = make(chan struct{}, r.o.Slots)
		r.slots[provider] = s
	}
	return s
}

// Set takes over the health of a key that another process found out, or that is stored.
func (r *Router) Set(k Key, s State) { r.health(k).set(s) }

// State is the health of a key.
func (r *Router) State(k Key) State {
	r.mu.RLock()
	h := r.of[k]
	r.mu.RUnlock()
	if h == nil {
		return State{}
	}
	return h.get()
}

// CooldownUntil is when a provider may be asked again: its own time, else the latest of
// its models; zero when nothing of it is off (contract 12.2).
func (r *Router) CooldownUntil(provider string) (latest time.Time) {
	now := r.o.Now()
	if s := r.State(Key{Provider: provider}); s.Off(now) {
		return s.Until
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	for k, h := range r.of {
		if k.Provider != provider {
			continue
		}
		if s := h.get(); s.Off(now) && s.Until.After(latest) {
			latest = s.Until
		}
	}
	return latest
}

// Forget drops what is known of a provider that is gone or has another key.
func (r *Router) Forget(provider string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for k := range r.of {
		if k.Provider == provider {
			delete(r.of, k)
		}
	}
	delete(r.slots, provider)
}

// Busy is how many calls a provider has under way.
func (r *Router) Busy(provider string) int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.slots[provider])
}
