package execution

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/provider"
	"svc/store"
)

// Outcome is what came of an execution.
type Outcome struct {
	// Err is why it failed; nil: it succeeded.
	Err    error
	Action Action // "" where there is none
	// Decision is kept as JSON and shown; nil for none.
	Decision   map[string]any
	Knowledge  []Chunk
	Memory     []string // ids of facts
	Validators []Validator
}

// The error codes of executions that ended without an error of their own.
const (
	codeInterrupted = "interrupted"
	codeCancelled   = string(ai.Cancelled)
)

// errAbandoned is the outcome of a work that was closed before it was settled.
var errAbandoned = errors.New("engine: closed before it was settled")

// Failure is the outcome of a run whose models answered, and whose answer is of no use: its text
// is the error code of the execution, as in "ungrounded".
type Failure string

// Error implements error.
func (f Failure) Error() string { return "engine: the answer is of no use: " + string(f) }

// outcome is how a run that ended with an error is kept.
func outcome(failed error) (ExecutionStatus, string) {
	var fault *ai.Error
	var refused *api.Error
	var none *router.ExhaustedError
	var useless Failure
	switch {
	case failed == nil:
		return Succeeded, ""
	case errors.As(failed, &useless):
		return Failed, string(useless)
	case errors.Is(failed, errAbandoned):
		return Cancelled, codeInterrupted
	case errors.Is(failed, context.Canceled):
		return Cancelled, codeCancelled
	case errors.As(failed, &none):
		return Failed, provider.ErrUnavailable.Code
	case errors.As(failed, &fault):
		return Failed, string(fault.Fault)
	case errors.As(failed, &refused):
		return Failed, refused.Code
	}
	return Failed, api.ErrInternal.Code
}

// Settle stores how the execution ended, in a transaction of the caller: its steps, its cost
// in the place of the reservation, the sums, and alerts.
func (w *Work) Settle(tx *store.Tx, out Outcome) error {
	e, err := executionTable.Get(tx, w.plan.Org, w.id)
	if err != nil {
		return err
	}
	if e.Status != Running {
		return fmt.Errorf("%w: %s", errTaken, w.id)
	}
	e.Status, e.ErrorCode = outcome(out.Err)
	e.FinalAction, e.Knowledge, e.Memory, e.Validators = out.Action, out.Knowledge, out.Memory, out.Validators
	if out.Decision != nil {
		if e.Decision, err = json.Marshal(out.Decision); err != nil {
			return err
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	e.FinishedAt, e.Demo = w.s.db.Now(), w.demo
	spent := w.account(&e)
	if e.Personal {
		e.Knowledge, e.Memory = nil, nil
	}
	for i := range w.steps {
		if e.Personal {
			break // its texts are not kept
		}
		if err := w.steps[i].save(tx, w.plan.Org); err != nil {
			return err
		}
	}
	for p, c := range w.places(&e) {
		if err := budget.Count(tx, w.plan.Org, e.StartedAt, p, c); err != nil {
			return err
		}
	}
	if err := finish(tx, w.plan.Org, &e, spent); err != nil {
		return err
	}
	for id, fault := range w.fault {
		if err := w.s.providers.Judged(tx, w.plan.Org, id, fault); err != nil {
			return err
		}
	}
	tx.AfterCommit(func() { w.done(e) })
	return nil
}

// account puts the steps into the record, and answers what each agent spent.
func (w *Work) account(e *execution) budget.Amounts {
	spent := budget.Amounts{e.Agent: 0}
	for i := range w.steps {
		x := w.steps[i].step
		e.TokensIn += x.Usage.Prompt()
		e.TokensOut += x.Usage.Output
		e.Cost += x.Cost
		e.Estimated = e.Estimated || x.Usage.Estimated
		who := x.Agent
		if who == "" || who == e.Agent {
			who, x.Agent = e.Agent, ""
		}
		spent[who] += x.Cost
		e.Steps = append(e.Steps, x)
	}
	return spent
}

// places are the sums to which an execution adds: each call counts for its agent and model,
// the execution for the last model of its own agent (contract 12).
func (w *Work) places(e *execution) map[budget.Place]budget.Counters {
	out := map[budget.Place]budget.Counters{}
	own := budget.Place{Agent: e.Agent, Business: e.BusinessID, Mode: e.Mode}
	for i := range w.steps {
		x := &w.steps[i]
		if !x.asked {
			continue
		}
		p := budget.Place{Agent: x.Agent, Provider: x.Provider, Kind: x.kind, Model: x.Model, Business: e.BusinessID, Mode: e.Mode}
		if p.Agent == "" {
			p.Agent = e.Agent
		}
		if p.Agent == e.Agent {
			own = p
		}
		c := out[p]
		c.Add(budget.Counters{TokensIn: x.Usage.Prompt(), TokensOut: x.Usage.Output, Cost: x.Cost})
		out[p] = c
	}
	c := out[own]
	c.Add(budget.Counters{Executions: 1})
	if e.FinalAction == Send && e.Mode == agent.Live {
		c.Add(budget.Counters{Sent: 1})
	}
	out[own] = c
	return out
}

// save seals what was asked and answered.
func (m *made) save(tx *store.Tx, org string) error {
	if m.prompt == "" && m.answer == "" {
		return nil
	}
	t := stepText{ID: m.ID}
	if err := sealedPrompt.Set(tx, org, &t, cut(m.prompt)); err != nil {
		return err
	}
	if err := sealedAnswer.Set(tx, org, &t, cut(m.answer)); err != nil {
		return err
	}
	return textTable.Insert(tx, org, &t)
}

func cut(s string) []byte { return []byte(s[:min(len(s), maxText)]) }

// finish stores an execution that ended and puts what it spent in the place of what it had
// reserved.
func finish(tx *store.Tx, org string, e *execution, spent budget.Amounts) error {
	back := budget.Amounts{}
	for who, n := range e.Lease {
		back[who] = -n
	}
	if err := budget.Add(tx, org, e.StartedAt, spent, back); err != nil {
		return err
	}
	e.Lease = nil
	if err := executionTable.Put(tx, org, e); err != nil {
		return err
	}
	return budget.Alert(tx, org, e.StartedAt, spent)
}

// done notes that the last transaction is durable.
func (w *Work) done(e execution) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phase, w.ended = settled, e
	for i := range w.steps {
		if x := &w.steps[i]; x.asked {
			w.s.figures.called(Call{x.kind, ai.Fault(x.ErrorCode)}, x.Cost)
		}
	}
}

// settleWithin bounds how long a run that was cancelled has for its last transaction.
const settleWithin = 10 * time.Second

// Finish is Settle in a transaction of its own, whatever happened to the context.
func (w *Work) Finish(ctx context.Context, out Outcome) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleWithin)
	defer cancel()
	return w.s.db.Update(ctx, func(tx *store.Tx) error { return w.Settle(tx, out) })
}

// Close ends the work. One that was opened and not settled, because the transaction of the
// caller failed, ends CANCELLED with what it cost.
func (w *Work) Close() {
	defer w.session.Leave()
	w.mu.Lock()
	open := w.phase == opened
	w.mu.Unlock()
	if !open {
		return
	}
	if err := w.Finish(context.Background(), Outcome{Err: errAbandoned}); err != nil && !errors.Is(err, errTaken) {
		w.s.log.Error("an execution cannot be settled; it is when this process ends", "execution", w.id, "error", err)
	}
}

// Totals are what an execution used.
type Totals struct {
	TokensIn, TokensOut int64
	Cost                catalog.Nano
}

// Totals are known once the work is settled.
func (w *Work) Totals() Totals {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Totals{w.ended.TokensIn, w.ended.TokensOut, w.ended.Cost}
}

// Spent is what the questions that were asked until now cost.
func (w *Work) Spent() (n catalog.Nano) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.steps {
		n += w.steps[i].Cost
	}
	return n
}

// Job is a run with one question.
type Job struct {
	Org  string
	Mode agent.Mode
	Question
}

// Result is what a run gave.
type Result struct {
	Answer
	Totals
	ExecutionID string
}

// Run opens an execution, asks one question and settles it.
func (s *Service) Run(ctx context.Context, job Job) (out Result, err error) {
	q := &job.Question
	w, err := s.Begin(ctx, Plan{
		Org: job.Org, Agent: job.Agent, Mode: job.Mode,
		Questions: []Foreseen{{Asked: q.Asked, Input: q.Request.Estimate(), Output: q.Request.MaxTokens}},
	})
	if err != nil {
		return out, err
	}
	defer w.Close()
	if err := w.Start(ctx); err != nil {
		return out, err
	}
	answer, failed := w.Ask(ctx, *q)
	if err := w.Finish(ctx, Outcome{Err: failed}); err != nil {
		return out, err
	}
	return Result{Answer: answer, Totals: w.Totals(), ExecutionID: w.id}, failed
}
