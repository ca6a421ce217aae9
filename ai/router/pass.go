package router

import (
	"context"
	"errors"
	"time"

	"svc/ai"
)

// take waits so long for a slot.
func take(ctx context.Context, slot chan struct{}, patience time.Duration) error {
	select {
	case slot <- struct{}{}:
		return nil
	default:
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-wait.C:
		return errBusy
	}
}

var errBusy = errors.New("router: the provider has all its slots taken")

// pass lets one call through; it may hold the trials of the provider and of the model.
type pass struct {
	provider, model           *health
	trialProvider, trialModel bool
}

// abandon gives the trials back: no call was made.
func (p pass) abandon() {
	if p.trialProvider {
		p.provider.abandon()
	}
	if p.trialModel {
		p.model.abandon()
	}
}

// admit says whether an entry may be asked now, else until when not.
func (r *Router) admit(e *Entry, now time.Time) (p pass, until time.Time, ok bool) {
	p.provider, p.model = r.health(Key{Provider: e.Provider}), r.health(Key{e.Provider, e.Model})
	if ok, p.trialProvider = p.provider.admit(now); !ok {
		return p, p.provider.get().Until, false
	}
	if ok, p.trialModel = p.model.admit(now); !ok {
		until = p.model.get().Until
		p.trialModel = false
		p.abandon()
		return p, until, false
	}
	return p, until, true
}

// failed counts a failure where it belongs: what shows that nobody is there, and a used up
// quota, to the provider; anything else to the model, so that another of the same provider
// can still answer. It answers how long the entry is skipped.
func (w *run) failed(p pass, e *Entry, fault *ai.Error, now time.Time) time.Duration {
	if !fault.Fault.Cools() {
		p.abandon()
		if fault.Reached {
			w.r.reachable(e, now)
		}
		return 0
	}
	k, h := Key{e.Provider, e.Model}, p.model
	if fault.Fault == ai.Quota || !fault.Reached {
		k, h = Key{Provider: e.Provider}, p.provider
		if p.trialModel {
			p.model.abandon()
		}
	} else if p.trialProvider {
		w.r.clear(Key{Provider: e.Provider}, p.provider, now) // it is there
	}
	state, changed := h.failed(now, fault.Fault, fault.RetryAfter)
	if changed && w.r.o.OnChange != nil {
		w.r.o.OnChange(k, state)
	}
	if !state.Off(now) {
		return 0
	}
	if w.until.IsZero() || state.Until.Before(w.until) {
		w.until = state.Until
	}
	return state.Until.Sub(now)
}

func (r *Router) clear(k Key, h *health, now time.Time) {
	if h.succeeded(now) && r.o.OnChange != nil {
		r.o.OnChange(k, h.get())
	}
}

// reachable ends the cool-off of a provider that gave an answer which is another's fault.
func (r *Router) reachable(e *Entry, now time.Time) {
	r.clear(Key{Provider: e.Provider}, r.health(Key{Provider: e.Provider}), now)
}

// succeeded ends the cool-offs of an entry.
func (r *Router) succeeded(e *Entry, now time.Time) {
	r.clear(Key{Provider: e.Provider}, r.health(Key{Provider: e.Provider}), now)
	r.clear(Key{e.Provider, e.Model}, r.health(Key{e.Provider, e.Model}), now)
}
