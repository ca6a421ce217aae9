package execution

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/provider"
	"svc/store"
	"svc/store/coord"
)

// Work is an execution at work in this process. Its functions may be called from several
// goroutines, Settle and Close from one.
type Work struct {
	s       *Service
	plan    Plan
	session *coord.Session
	id      string

	mu    sync.Mutex
	phase phase
	begun time.Time
	lines map[string]*line
	lease budget.Amounts // reserved in the store
	drawn budget.Amounts // by attempts that were made or are
	steps []made
	fault map[string]ai.Fault // of each provider, the last that says something about it
	demo  bool
	ended execution // when it is settled
}

// phase is how far a work is.
type phase uint8

const (
	planned phase = iota
	opened
	settled
)

// made is a step that is not stored yet, with what belongs to it.
type made struct {
	step
	kind           string // of the provider
	prompt, answer string
	asked          bool
}

// RefusedError says that a budget has no room for an execution. It unwraps to
// [budget.Err] with its message.
type RefusedError struct {
	full *budget.Refusal
	org  string
	at   time.Time
	err  error
}

// Error implements error.
func (e *RefusedError) Error() string { return e.err.Error() }

// Unwrap is the error for callers of the API.
func (e *RefusedError) Unwrap() error { return e.err }

// Notify notifies of the refusal, once in the period of the budget. Whoever goes on with the
// transaction that was refused calls it there, anybody else in another one.
func (e *RefusedError) Notify(tx *store.Tx) error { return e.full.NotifyOnce(tx, e.org, e.at) }

// Begin plans an execution. Nothing is stored until it is opened. Close it in any case.
func (s *Service) Begin(ctx context.Context, p Plan) (*Work, error) {
	session, err := s.node.Enter(ctx) // the execution is alive as long as this one
	if err != nil {
		return nil, err
	}
	return &Work{s: s, plan: p, session: session, id: s.db.NewID("exe"), fault: map[string]ai.Fault{}, drawn: budget.Amounts{}}, nil
}

// ID is that of the execution.
func (w *Work) ID() string { return w.id }

// Agent is whose execution it is.
func (w *Work) Agent() agent.Agent { return w.plan.Agent }

// Open reserves what the plan may cost and stores the execution as RUNNING, in a transaction
// of the caller. Its error is a *RefusedError when a budget has no room; then nothing was
// written and the transaction may go on.
func (w *Work) Open(tx *store.Tx) error {
	begun := w.s.db.Now()
	lines, need, err := w.s.prepare(tx, &w.plan)
	if err != nil {
		return err
	}
	full, err := budget.Reserve(tx, w.plan.Org, begun, need)
	if err != nil {
		return err
	}
	if full != nil {
		w.s.figures.refusal()
		return &RefusedError{full, w.plan.Org, begun, full.Err(begun)}
	}
	demo := false
	for _, l := range lines {
		demo = demo || l.demo()
	}
	p := &w.plan
	e := execution{
		ID: w.id, Mode: p.Mode, Agent: p.Agent, BusinessID: p.Business, ConversationID: p.Conversation, TriggerMessageID: p.Trigger, Status: Running,
		StartedAt: begun, Lease: need, Node: w.session.ID(), Demo: demo,
	}
	if err := executionTable.Insert(tx, p.Org, &e); err != nil {
		return err
	}
	tx.AfterCommit(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.phase, w.begun, w.lines, w.lease, w.demo = opened, begun, lines, maps.Clone(need), demo
	})
	return nil
}

// Start is Open in a transaction of its own, with the notification of a refusal.
func (w *Work) Start(ctx context.Context) error {
	err := w.s.db.Update(ctx, w.Open)
	return w.s.notifyRefusal(ctx, err)
}

// notifyRefusal notifies of a refusal, and answers the error for callers of the API.
func (s *Service) notifyRefusal(ctx context.Context, err error) error {
	var full *RefusedError
	if !errors.As(err, &full) {
		return err
	}
	if failed := s.db.Update(ctx, full.Notify); failed != nil {
		s.log.Warn("nobody was notified that an AI budget refuses", "error", failed)
	}
	return full.err
}

// Demo says whether the demo model answers.
func (w *Work) Demo() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.demo
}

// PromptVersion is that of an agent in this execution, "" for the default prompt.
func (w *Work) PromptVersion(who agent.Agent) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range w.lines {
		if l.agent == who {
			return l.promptName
		}
	}
	return ""
}

// Question is what is asked of an agent.
type Question struct {
	Asked
	// Kind is what the step is; "" is Generate.
	Kind    Kind
	Request ai.Request
	// Accept says whether an answer can be used; nil: any can.
	Accept func(ai.Response) error
}

// Answer is what an agent said.
type Answer struct {
	ai.Response
	// Provider and PromptVersion are those of the answer; "" for the default prompt.
	Provider, PromptVersion string
	Demo                    bool
	// Step is the id of the step in which it was said.
	Step string
}

// Ask asks the models of an agent until one answers. What it may cost is drawn from the
// reservation, which is extended when too little is left. Its error is provider.ErrUnavailable
// when nobody answered, budget.Err when there is no room, and context.Canceled when the
// caller went away; the steps are kept in any case.
func (w *Work) Ask(ctx context.Context, q Question) (out Answer, err error) {
	if q.Agent == "" {
		q.Agent = w.plan.Agent
	}
	if q.Kind == "" {
		q.Kind = Generate
	}
	l, err := w.line(ctx, &q.Asked)
	if err != nil {
		return out, err
	}
	ctx, cancel := w.session.Within(ctx)
	defer cancel()
	asked := l.request(q.Request)
	input := inputOf(&asked)
	hash, err := w.s.db.Hash("ai input", input)
	if err != nil {
		return out, err
	}
	entries := make([]router.Entry, len(l.links))
	for i := range l.links {
		entries[i] = l.links[i].Entry
	}
	res, steps, failed := w.s.providers.Router().Run(ctx, router.Plan{Chain: entries, Request: asked, Draw: w.draw(ctx, l), Accept: q.Accept})
	last, step := w.keep(&q, l, input, hash, steps)
	out = Answer{Response: res, Provider: last, PromptVersion: l.promptName, Demo: l.demo(), Step: step}
	return out, w.s.publicError(failed)
}

// line is that of the plan, else one that is made now.
func (w *Work) line(ctx context.Context, a *Asked) (l *line, err error) {
	key, shared := a.key()
	w.mu.Lock()
	phase, l := w.phase, w.lines[key]
	w.mu.Unlock()
	if phase != opened {
		return nil, fmt.Errorf("engine: execution %s is not open", w.id)
	}
	if l != nil && shared {
		return l, nil
	}
	err = w.s.db.View(ctx, func(tx *store.Tx) error {
		l, err = w.s.line(tx, w.plan.Org, w.plan.Business, a)
		return err
	})
	if err == nil && shared {
		w.mu.Lock()
		w.lines[key] = l
		w.mu.Unlock()
	}
	return l, err
}

// draw takes the worst case of an attempt out of the lease, and puts back what was not
// used. A lease that is too small is extended by one more transaction.
func (w *Work) draw(ctx context.Context, l *line) func(*router.Entry, *ai.Request) (func(ai.Usage), error) {
	return func(e *router.Entry, asked *ai.Request) (func(ai.Usage), error) {
		price := l.price(e)
		worst := price.Worst(asked.Estimate(), asked.MaxTokens)
		w.mu.Lock()
		lacks := w.drawn[l.agent] + worst - w.lease[l.agent]
		w.drawn[l.agent] += worst
		w.mu.Unlock()
		back := func(n catalog.Nano) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.drawn[l.agent] -= n
		}
		if lacks > 0 {
			if err := w.extend(ctx, l.agent, lacks); err != nil {
				back(worst)
				return nil, err
			}
		}
		return func(u ai.Usage) { back(worst - price.Cost(u)) }, nil
	}
}

// errTaken says that another process settled the execution: this one was taken for dead.
var errTaken = errors.New("engine: the execution was settled by another")

// extend reserves more for an agent.
func (w *Work) extend(ctx context.Context, who agent.Agent, more catalog.Nano) error {
	err := w.s.db.Update(ctx, func(tx *store.Tx) error {
		full, err := budget.Reserve(tx, w.plan.Org, w.begun, budget.Amounts{who: more})
		if err != nil {
			return err
		}
		if full != nil {
			w.s.figures.refusal()
			return &RefusedError{full, w.plan.Org, w.begun, full.Err(w.begun)}
		}
		_, err = executionTable.Edit(tx, w.plan.Org, w.id, func(e *execution) error {
			if e.Status != Running {
				return errTaken
			}
			e.Lease = maps.Clone(e.Lease)
			e.Lease[who] += more
			return nil
		})
		return err
	})
	if err != nil {
		return w.s.notifyRefusal(ctx, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lease[who] += more
	return nil
}

// keep notes the steps of a question, and answers the provider that was asked last, and the
// step of that.
func (w *Work) keep(q *Question, l *line, input, hash string, steps []router.Step) (last, id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.demo = w.demo || l.demo()
	for i := range steps {
		x := &steps[i]
		k := &l.links[x.Entry]
		out := made{kind: string(k.Provider.Kind), asked: x.Asked, step: step{
			ID: w.s.db.NewID("aex"), Kind: q.Kind, Agent: l.agent, Provider: x.Provider, Model: x.Model, PromptVersion: l.promptName, InputHash: hash,
			Usage: x.Usage, Cost: k.Price.Cost(x.Usage), StartedAt: x.Begin, LatencyMS: x.Latency.Milliseconds(), QueuedMS: x.Queued.Milliseconds(),
			WaitMS: x.Wait.Milliseconds(), Status: stepSucceeded, Repair: x.Repair, RequestID: x.RequestID,
		}}
		switch {
		case !x.Asked:
			out.Kind, out.Status, out.Reason, out.InputHash, out.PromptVersion = Fallback, stepSkipped, string(x.Skipped), "", ""
		case x.Fault != "":
			out.Kind, out.Status, out.Reason, out.ErrorCode = Fallback, stepFailed, string(x.Fault), string(x.Fault)
		}
		if x.Asked {
			out.prompt, out.answer, last, id = input, x.AnswerText, x.Provider, out.ID
			if x.Fault != ai.Cancelled && x.Fault != ai.BadOutput && x.Fault != ai.Refused && x.Fault != ai.TooLong {
				w.fault[x.Provider] = x.Fault
			}
		}
		w.steps = append(w.steps, out)
	}
	return last, id
}

// Step is something that the caller did itself between questions: it searched knowledge,
// checked an answer, used a tool.
type Step struct {
	Kind  Kind
	Agent agent.Agent // "": that of the plan
	// Begin and Took say when it was; a zero Begin is now.
	Begin time.Time
	Took  time.Duration
	// ErrorCode says why it failed; "": it did not. Reason says more, never a customer's words.
	ErrorCode, Reason string
	// Input and Output are sealed and shown to ai:manage.
	Input, Output string
}

// Note adds a step.
func (w *Work) Note(n Step) {
	out := made{prompt: n.Input, answer: n.Output, step: step{
		ID: w.s.db.NewID("aex"), Kind: n.Kind, Agent: n.Agent, StartedAt: n.Begin, LatencyMS: n.Took.Milliseconds(), Status: stepSucceeded,
		ErrorCode: n.ErrorCode, Reason: n.Reason,
	}}
	if n.Begin.IsZero() {
		out.StartedAt = w.s.db.Now()
	}
	if n.ErrorCode != "" {
		out.Status = stepFailed
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps = append(w.steps, out)
}

// publicError is what callers hear of a question that failed.
func (s *Service) publicError(failed error) error {
	var none *router.ExhaustedError
	var fault *ai.Error
	switch {
	case failed == nil:
		return nil
	case errors.As(failed, &none):
		e := provider.ErrUnavailable.WithCause(failed)
		if wait := none.Until.Sub(s.db.Now()); !none.Until.IsZero() && wait > 0 {
			return e.After(wait)
		}
		return e
	case errors.As(failed, &fault) && fault.Fault == ai.Cancelled:
		return context.Canceled
	case errors.As(failed, &fault):
		return provider.ErrUnavailable.WithMessage("%s", fault.Fault.Sentence()).WithCause(failed)
	}
	return failed
}

// FaultOf is why a model gave no answer, the last one that was asked; "" for another reason.
func FaultOf(err error) ai.Fault {
	var fault *ai.Error
	if errors.As(err, &fault) {
		return fault.Fault
	}
	return ""
}
