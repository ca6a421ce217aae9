package router

import (
	"context"
	"errors"
	"time"

	"svc/ai"
)

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
	case e.NoTools && len(asked.Tools) > 0:
		return ai.Response{}, w.skip(i, NoTools, time.Time{})
	}
	repaired, shortened := false, false
	var shorter ai.Request
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
		case fault.Fault == ai.TooLong && !shortened:
			if shorter, shortened = asked.Shorter(); !shortened {
				return ai.Response{}, fault
			}
			asked = shorter
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
	if err := take(ctx, slot, w.patience(i, begin)); err != nil {
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

// patience is how long the call of an entry waits for a slot: not long while another entry may
// be asked, else as long as the call itself may take.
func (w *run) patience(i int, now time.Time) time.Duration {
	for _, e := range w.p.Chain[i+1:] {
		if e.Skip == "" && !w.r.State(Key{Provider: e.Provider}).Off(now) && !w.r.State(Key{e.Provider, e.Model}).Off(now) {
			return slotWait
		}
	}
	return w.p.Chain[i].timeout()
}

func (e *Entry) timeout() time.Duration {
	if e.Timeout <= 0 {
		return ai.DefaultTimeout
	}
	return e.Timeout
}

// call makes the request within the time of its entry.
func (w *run) call(ctx context.Context, e *Entry, asked *ai.Request) (ai.Response, *ai.Error) {
	inTime, cancel := context.WithTimeout(ctx, e.timeout())
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
