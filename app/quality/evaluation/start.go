package evaluation

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/quality/dataset"
	"svc/app/quality/feedback"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/app/seller/answer"
	"svc/app/seller/playground"
	"svc/store"
	"svc/store/queue"
)

type startIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Limit       *int `json:"limit" minimum:"1" maximum:"2000" doc:"Only so many items, the oldest; such an evaluation passes no quality gate that asks for the others."`
		Concurrency *int `json:"concurrency" minimum:"1" maximum:"8" doc:"Items at a time; 4 when left out."`
		DryRun      bool `json:"dry_run" doc:"Only say what it would cost."`
	}
}

// Estimate is what an evaluation will do.
type Estimate struct {
	Items       int     `json:"items" doc:"Without those that have a result."`
	Calls       int     `json:"calls" doc:"Questions to models at most."`
	MostCostUSD float64 `json:"most_cost_usd" doc:"What it can cost at most: every answer as long as it may be, and each asked for twice. Budgets reserve it, item by item."`
}

// Started is the answer to running.
type Started struct {
	Evaluation Shown    `json:"evaluation"`
	Estimate   Estimate `json:"estimate"`
	DryRun     bool     `json:"dry_run"`
}

func (s *Service) start(c *api.Call, in startIn) (out Started, err error) {
	out.DryRun = in.Body.DryRun
	if out.Estimate, err = s.estimate(c, &in); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		e, err := s.prepared(tx, c.Org, &in)
		if err != nil {
			return err
		}
		if !in.Body.DryRun {
			err = s.enqueue(tx, c, &e)
		}
		if err == nil {
			out.Evaluation, err = e.shown(tx, c.Org)
		}
		return err
	})
	return out, err
}

// estimate says what an evaluation may cost, as a request changes it.
func (s *Service) estimate(c *api.Call, in *startIn) (out Estimate, err error) {
	var plan execution.Plan
	err = s.db.View(c, func(tx *store.Tx) error {
		e, err := s.prepared(tx, c.Org, in)
		if err != nil {
			return err
		}
		plan, out, err = s.foresee(tx, c.Org, &e)
		return err
	})
	if err != nil {
		return out, err
	}
	most, err := s.o.Runs.Most(c, &plan)
	out.MostCostUSD = most.USD()
	return out, err
}

// prepared is an evaluation as it would run; nothing is stored.
func (s *Service) prepared(tx *store.Tx, org string, in *startIn) (e Evaluation, err error) {
	if e, err = table.Get(tx, org, in.ID); err != nil {
		return e, err
	}
	if _, ok := life.Next(e.Status, Asked); !ok {
		return e, api.ErrState.WithMessage("An evaluation that is %s cannot be run; make another.", e.Status)
	}
	if b := &in.Body; b.Limit != nil {
		e.Limit = *b.Limit
	}
	if e.Concurrency = defaultConcurrency; in.Body.Concurrency != nil {
		e.Concurrency = *in.Body.Concurrency
	}
	if e.Total, err = dataset.Count(tx, org, e.Dataset); err != nil {
		return e, err
	}
	if e.Limit > 0 {
		e.Total = min(e.Total, e.Limit)
	}
	if e.Total == 0 {
		return e, api.ErrState.WithMessage("The dataset has no items; add some first.")
	}
	if e.has(grade.Judge) {
		if _, err := s.judges(tx, org, &e); err != nil {
			return e, err
		}
	}
	return e, pin(tx, org, &e)
}

// foresee is what an evaluation will ask. Items that cannot be placed cost nothing.
func (s *Service) foresee(tx *store.Tx, org string, e *Evaluation) (p execution.Plan, out Estimate, err error) {
	b := batch{s: s, org: org, e: *e}
	if b.base, err = s.base(tx, org, e); err != nil {
		return p, out, err
	}
	if b.items, err = b.missing(tx); err != nil {
		return p, out, err
	}
	p = execution.Plan{Org: org, Agent: agent.Seller, Mode: agent.Eval, Business: e.Business}
	for i := range b.items {
		c, err := b.items[i].Open(s.db, org)
		if err != nil {
			return p, out, err
		}
		if about, err := playground.Place(b.base, trialOf(&c)); err == nil {
			p.Questions = append(p.Questions, answer.Foreseen(about)...)
		}
	}
	if e.has(grade.Judge) {
		more, err := s.judging(tx, org, &b)
		if err != nil {
			return p, out, err
		}
		p.Questions = append(p.Questions, more...)
	}
	out.Items = len(b.items)
	for i := range p.Questions {
		out.Calls += max(p.Questions[i].Times, 1)
	}
	return p, out, nil
}

// judging is what the judge will be asked: the known answers, those that people judged, each
// item, and each pair twice.
func (s *Service) judging(tx *store.Tx, org string, b *batch) ([]execution.Foreseen, error) {
	chain, err := s.judges(tx, org, &b.e)
	if err != nil {
		return nil, err
	}
	n, pairs := len(b.items), 0
	if b.e.Judge == nil {
		people, err := feedback.CountKnown(tx, org)
		if err != nil {
			return nil, err
		}
		if n += len(judge.Known()); people >= judge.LeastPeople {
			n += min(people, mostPeople)
		}
	}
	if b.e.Baseline != "" {
		pairs = len(b.items)
	}
	return judge.Foreseen(chain, n, pairs), nil
}

// enqueue lets an evaluation run.
func (s *Service) enqueue(tx *store.Tx, c *api.Call, e *Evaluation) (err error) {
	e.Job, err = queue.Add(tx, working{c.Org, e.ID}, time.Time{}, queue.Once(e.ID), queue.InLane("evaluation "+c.Org), queue.For(c.Org, e.ID))
	if err != nil {
		return err
	}
	if err := apply(tx, c.Org, e, Asked); err != nil {
		return err
	}
	return audit.Write(tx, c, "evaluation.run", e.resource(), audit.Changed("items", nil, e.Total))
}
