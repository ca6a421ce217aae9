package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/api"
	"svc/store"
)

// settle is the last transaction of a run: its steps, its cost in the place of the
// reservation, the sums, and alerts.
func (r *run) settle(ctx context.Context, steps []router.Step, failed error) (e execution, err error) {
	now := r.s.db.Now()
	ids := make([]string, len(steps))
	for i := range ids {
		ids[i] = r.s.db.NewID("aex")
	}
	err = r.s.db.Update(ctx, func(tx *store.Tx) error {
		if e, err = executionTable.Get(tx, r.job.Org, r.id); err != nil {
			return err
		}
		if e.Status != Running {
			return fmt.Errorf("engine: execution %s was settled by another", r.id)
		}
		e.Status, e.ErrorCode = outcome(failed)
		e.FinishedAt = now
		e.Steps, e.TokensIn, e.TokensOut, e.Cost = nil, 0, 0, 0
		for i := range steps {
			x := r.step(ids[i], &steps[i])
			e.Steps = append(e.Steps, x)
			e.TokensIn += x.Usage.Prompt()
			e.TokensOut += x.Usage.Output
			e.Cost += x.Cost
			e.Estimated = e.Estimated || x.Usage.Estimated
			if err := r.saveTexts(tx, ids[i], &steps[i]); err != nil {
				return err
			}
		}
		if err := r.s.finish(tx, r.job.Org, &e, r.kinds()); err != nil {
			return err
		}
		return r.judge(tx, steps)
	})
	if err == nil {
		r.s.figures.ran(&e, r.kinds(), steps)
	}
	return e, err
}

// finish stores an execution that ended, counts it and gives its reservation back.
func (s *Service) finish(tx *store.Tx, org string, e *execution, kinds map[string]string) error {
	if err := meterAdd(tx, org, e.StartedAt, e.Agent, e.Cost, -e.Lease); err != nil {
		return err
	}
	e.Lease = 0
	if err := executionTable.Put(tx, org, e); err != nil {
		return err
	}
	if err := e.count(tx, org, kinds); err != nil {
		return err
	}
	return alert(tx, org, e.Agent, e.StartedAt)
}

// kinds are the kinds of the providers of a run, by id.
func (r *run) kinds() map[string]string {
	out := map[string]string{}
	for i := range r.links {
		out[r.links[i].entry.Provider] = string(r.links[i].provider.Kind)
	}
	return out
}

// outcome is the end of a run.
func outcome(failed error) (ExecutionStatus, string) {
	var fault *ai.Error
	var refused *api.Error
	var none *router.ExhaustedError
	switch {
	case failed == nil:
		return Succeeded, ""
	case errors.As(failed, &none):
		return Failed, ErrUnavailable.Code
	case errors.As(failed, &fault) && fault.Fault == ai.Cancelled:
		return Cancelled, string(ai.Cancelled)
	case errors.As(failed, &fault):
		return Failed, string(fault.Fault)
	case errors.As(failed, &refused):
		return Failed, refused.Code
	}
	return Failed, api.ErrInternal.Code
}

// step makes the record of a step.
func (r *run) step(id string, x *router.Step) step {
	l := &r.links[x.Entry]
	out := step{
		ID: id, Kind: stepGenerate, Provider: x.Provider, Model: x.Model, PromptVersion: r.prompt, InputHash: r.hash, Usage: x.Usage,
		Cost: l.price.Cost(x.Usage), LatencyMS: x.Latency.Milliseconds(), WaitMS: x.Wait.Milliseconds(), Status: string(Succeeded), Repair: x.Repair,
		RequestID: x.RequestID,
	}
	switch {
	case !x.Asked:
		out.Kind, out.Status, out.Reason, out.InputHash, out.PromptVersion = stepFallback, stepSkipped, string(x.Skipped), "", ""
	case x.Fault != "":
		out.Kind, out.Status, out.Reason, out.ErrorCode = stepFallback, string(Failed), string(x.Fault), string(x.Fault)
	}
	return out
}

// saveTexts seals what was asked and answered.
func (r *run) saveTexts(tx *store.Tx, id string, x *router.Step) error {
	if !x.Asked {
		return nil
	}
	t := stepText{ID: id}
	if err := sealedPrompt.Set(tx, r.job.Org, &t, cut(inputOf(&r.job.Request))); err != nil {
		return err
	}
	if err := sealedAnswer.Set(tx, r.job.Org, &t, cut(x.AnswerText)); err != nil {
		return err
	}
	return textTable.Insert(tx, r.job.Org, &t)
}

func cut(s string) []byte { return []byte(s[:min(len(s), maxText)]) }

// judge notes for each provider how it answered last.
func (r *run) judge(tx *store.Tx, steps []router.Step) error {
	last := map[string]ai.Fault{}
	for i := range steps {
		if x := &steps[i]; x.Asked && x.Fault != ai.Cancelled && x.Fault != ai.BadOutput && x.Fault != ai.Refused && x.Fault != ai.TooLong {
			last[x.Provider] = x.Fault
		}
	}
	for id, fault := range last {
		if err := r.s.judged(tx, r.job.Org, id, fault); err != nil {
			return err
		}
	}
	return nil
}

// recoverChunk bounds the executions that are settled in one transaction.
const recoverChunk = 50

// recoverEnded settles the executions of nodes that ended: what they cost is not known, so
// it is the reservation (contract 12.3).
func (s *Service) recoverEnded(ctx context.Context) error {
	for more := true; more; {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			list, err := s.ended(tx)
			more = len(list) == recoverChunk
			for i := range list {
				if err != nil {
					break
				}
				err = s.abandon(tx, list[i].Org, &list[i].Record)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// abandon ends an execution whose process is gone.
func (s *Service) abandon(tx *store.Tx, org string, e *execution) error {
	e.Status, e.ErrorCode, e.FinishedAt = Cancelled, "interrupted", tx.DB().Now()
	e.Cost, e.Estimated = max(e.Lease, e.sum()), true
	return s.finish(tx, org, e, map[string]string{})
}

func (e *execution) sum() (cost catalog.Nano) {
	for i := range e.Steps {
		cost += e.Steps[i].Cost
	}
	return cost
}

// recoverEvery is how often it is looked at without a message that a node ended.
const recoverEvery = time.Minute
