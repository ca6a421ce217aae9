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
	"context"
	"errors"
	"sync"
	"time"

	"svc/ai"
)

// Bounds of a provider.
const (
	// DefaultSlots is how many calls a provider has at a time.
	DefaultSlots = 32
	// slotWait is how long a call waits for one; then the next of the chain is asked.
	slotWait = time.Second
)

// Entry is one model of a chain.
type Entry struct {
	// Provider names it in steps and in health; Handle is asked.
	Provider string
	Handle   ai.Model
	Model    string
	// Format is how an answer that fits a schema is asked for.
	Format ai.Format
	// ContextTokens is what the model can read, 0 for unknown.
	ContextTokens int64
	// MaxOutput is what it can write, 0 for unknown.
	MaxOutput int64
	// Least is the smallest MaxTokens that makes sense: models that think need room.
	Least       int
	Temperature *float64
	// FixedSampling: it takes no temperature.
	FixedSampling bool
	MaxTokens     int // 0: that of the request
	Timeout       time.Duration
	// Skip says why the entry cannot be used; "": it can.
	Skip Reason
}

// Reason says why an entry was not asked, or was left.
type Reason string

// The reasons of a fallback beside the faults.
const (
	Disabled Reason = "DISABLED"
	Cooling  Reason = "COOLING"
	Busy     Reason = "BUSY"
	Context  Reason = "CONTEXT"
	Unpriced Reason = "UNPRICED"
	Budget   Reason = "BUDGET"
)

// Step is one attempt, or one entry that was skipped.
type Step struct {
	// Entry is its place in the chain; Asked: a request was made.
	Entry           int
	Asked           bool
	Provider, Model string
	// Skipped is why it was not asked; Fault why it gave no answer. Both "": it answered.
	Skipped Reason
	Fault   ai.Fault
	Code    string
	Status  int
	// Wait is how long the entry will be skipped, as far as it is known.
	Wait       time.Duration
	Begin      time.Time
	Latency    time.Duration
	Queued     time.Duration // of Latency, for a slot
	Usage      ai.Usage
	RequestID  string
	Repair     bool // a second try after an answer that could not be used
	AnswerText string
	MaxTokens  int
}

// Plan is one piece of work.
type Plan struct {
	Chain   []Entry
	Request ai.Request
	// Draw takes what the attempt can cost at most before it is made; an error ends the
	// work. The function that it answers is called once with what was used. nil: anything
	// goes.
	Draw func(e *Entry, r *ai.Request) (settle func(ai.Usage), err error)
	// Accept says whether an answer can be used; an error counts as an answer that cannot.
	Accept func(ai.Response) error
}

// ExhaustedError says that no entry answered.
type ExhaustedError struct {
	// Until is when the first of those that are skipped may be tried again; zero: unknown.
	Until time.Time
	// Last is the last fault, nil when nothing was asked.
	Last *ai.Error
}

// Error implements error.
func (e *ExhaustedError) Error() string {
	if e.Last == nil {
		return "router: no model of the chain can be asked"
	}
	return "router: no model of the chain answered; the last: " + e.Last.Error()
}

// Unwrap gives the last fault.
func (e *ExhaustedError) Unwrap() error {
	if e.Last == nil {
		return nil
	}
	return e.Last
}

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

// run is one Plan at work.
type run struct {
	r     *Router
	p     *Plan
	steps []Step
	until time.Time
	last  *ai.Error
}

// Run asks the models of a chain in order. Its error is an *ExhaustedError when none
// answered, an *ai.Error of a fault that another model cannot mend, or what Draw said.
// Steps are answered in any case.
func (r *Router) Run(ctx context.Context, p Plan) (ai.Response, []Step, error) {
	w := run{r: r, p: &p, steps: make([]Step, 0, 2)}
	for i := range p.Chain {
		res, err := w.entry(ctx, i)
		if err == nil {
			return res, w.steps, nil
		}
		var next *goOn
		if !errors.As(err, &next) {
			return ai.Response{}, w.steps, err
		}
		if ctx.Err() != nil {
			return ai.Response{}, w.steps, ai.Interrupted(ctx, ctx.Err(), false)
		}
	}
	return ai.Response{}, w.steps, &ExhaustedError{Until: w.until, Last: w.last}
}

// goOn lets the next entry be asked.
type goOn struct{}

func (*goOn) Error() string { return "router: the next of the chain" }

// skip notes why an entry is not asked.
func (w *run) skip(i int, why Reason, until time.Time) error {
	e := &w.p.Chain[i]
	now := w.r.o.Now()
	s := Step{Entry: i, Provider: e.Provider, Model: e.Model, Skipped: why, Begin: now}
	if !until.IsZero() {
		s.Wait = max(until.Sub(now), 0)
		if w.until.IsZero() || until.Before(w.until) {
			w.until = until
		}
	}
	w.steps = append(w.steps, s)
	return &goOn{}
}

// entry asks one entry: once, and once more where a second try can mend the first.
func (w *run) entry(ctx context.Context, i int) (ai.Response, error) {
	e := &w.p.Chain[i]
	asked := w.request(e)
	switch {
	case e.Skip != "":
		return ai.Response{}, w.skip(i, e.Skip, time.Time{})
	case e.ContextTokens > 0 && asked.Estimate()+int64(asked.MaxTokens) > e.ContextTokens:
		return ai.Response{}, w.skip(i, Context, time.Time{})
	}
	repaired, shortened := false, false
	for {
		res, fault, err := w.attempt(ctx, i, &asked, repaired)
		if fault == nil {
			return res, err
		}
		switch {
		case fault.Format && asked.Schema != nil:
			below, ok := asked.Format.Below()
			if !ok {
				return ai.Response{}, fault
			}
			asked.Format = below
		case fault.Fault == ai.BadOutput && !repaired:
			repaired = true
			asked.MaxTokens = e.bounded(2 * asked.MaxTokens)
			if below, ok := asked.Format.Below(); ok && asked.Schema != nil && asked.Format == ai.FormatSchema {
				asked.Format = below // the schema in the prompt too
			}
		case fault.Fault == ai.TooLong && !shortened && len(asked.Messages) > 1:
			shortened = true
			asked.Messages = asked.Messages[len(asked.Messages)/2:]
		case fault.Fault.Next():
			w.last = fault
			return ai.Response{}, &goOn{}
		default:
			return ai.Response{}, fault
		}
	}
}

// request is that of the plan as the entry takes it.
func (w *run) request(e *Entry) ai.Request {
	r := w.p.Request
	r.Model, r.Format = e.Model, e.Format
	if e.MaxTokens > 0 {
		r.MaxTokens = e.MaxTokens
	}
	r.MaxTokens = e.bounded(r.MaxTokens)
	if e.Temperature != nil {
		r.Temperature = e.Temperature
	}
	if e.FixedSampling {
		r.Temperature = nil
	}
	return r
}

// bounded is an output as the model can give it.
func (e *Entry) bounded(tokens int) int {
	tokens = max(tokens, e.Least, 1)
	if e.MaxOutput > 0 {
		tokens = min(tokens, int(e.MaxOutput))
	}
	return tokens
}

// attempt makes one call of an entry. Its fault is nil when it answered, or when err says
// why the entry, or the work, ends without one.
func (w *run) attempt(ctx context.Context, i int, asked *ai.Request, repair bool) (res ai.Response, fault *ai.Error, err error) {
	e := &w.p.Chain[i]
	begin := w.r.o.Now()
	pass, until, ok := w.r.admit(e, begin)
	if !ok {
		return res, nil, w.skip(i, Cooling, until)
	}
	slot := w.r.slot(e.Provider)
	if err := take(ctx, slot); err != nil {
		pass.abandon()
		if ctx.Err() != nil {
			return res, nil, ai.Interrupted(ctx, err, false)
		}
		return res, nil, w.skip(i, Busy, time.Time{})
	}
	defer func() { <-slot }()
	settle := func(ai.Usage) {}
	if w.p.Draw != nil {
		if settle, err = w.p.Draw(e, asked); err != nil {
			pass.abandon()
			_ = w.skip(i, Budget, time.Time{})
			return res, nil, err
		}
	}
	queued := w.r.o.Now()
	res, fault = w.call(ctx, e, asked)
	now := w.r.o.Now()
	s := Step{
		Entry: i, Asked: true, Provider: e.Provider, Model: e.Model, Begin: begin, Latency: now.Sub(begin), Queued: queued.Sub(begin),
		Usage: res.Usage, RequestID: res.RequestID, Repair: repair, AnswerText: res.Text, MaxTokens: asked.MaxTokens,
	}
	if fault != nil {
		s.Fault, s.Code, s.Status, s.RequestID, s.Usage = fault.Fault, fault.Code, fault.Status, fault.RequestID, fault.Usage
		if ctx.Err() == nil {
			s.Wait = w.failed(pass, e, fault, now)
		} else { // whoever asked went away: it says nothing of the provider
			pass.abandon()
		}
	} else {
		w.r.succeeded(e, now)
	}
	settle(s.Usage)
	w.steps = append(w.steps, s)
	return res, fault, nil
}

// call makes the request within the time of its entry.
func (w *run) call(ctx context.Context, e *Entry, asked *ai.Request) (ai.Response, *ai.Error) {
	timeout := e.Timeout
	if timeout <= 0 {
		timeout = ai.DefaultTimeout
	}
	inTime, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	res, err := e.Handle.Generate(inTime, *asked)
	if err == nil && w.p.Accept != nil {
		if refused := w.p.Accept(res); refused != nil {
			return res, &ai.Error{Fault: ai.BadOutput, Reached: true, RequestID: res.RequestID, Usage: res.Usage, Detail: "the answer cannot be used"}
		}
	}
	if err == nil {
		return res, nil
	}
	var fault *ai.Error
	if !errors.As(err, &fault) {
		fault = ai.Interrupted(inTime, err, false)
	}
	return res, fault
}
