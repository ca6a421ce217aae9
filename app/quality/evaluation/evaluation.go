// Package evaluation runs the seller over the items of a dataset and grades what it answers.
//
// It promises that the real turn answers, with the rules, the models and the checks of live
// conversations, and that nothing of it is sent, drafted or remembered; that each item has one
// result, whoever runs the evaluation and however often it is interrupted; that what it may
// cost is said before, reserved while it runs and never passes a budget; and that a version of
// a prompt which does not pass the quality gate of its agent is not activated (contract 13.32
// and 13.33). It refuses to grade (packages grade and judge).
package evaluation

import (
	"cmp"
	"log/slog"
	"time"

	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/engine/chain"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/app/seller/playground"
	"svc/store"
)

// Status is where an evaluation is (contract 60).
type Status string

// The statuses.
const (
	Draft     Status = "DRAFT"
	Queued    Status = "QUEUED"
	Running   Status = "RUNNING"
	Completed Status = "COMPLETED"
	Failed    Status = "FAILED"
	Cancelled Status = "CANCELLED"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Draft, Queued, Running, Completed, Failed, Cancelled} }

// Transition is what happens to an evaluation.
type Transition string

// The transitions.
const (
	Asked    Transition = "a person runs it"
	Begun    Transition = "a worker begins"
	Answered Transition = "every item has a result"
	GaveUp   Transition = "it cannot go on"
	Stopped  Transition = "a person cancels it"
)

// Transitions lists them.
func Transitions() []Transition { return []Transition{Asked, Begun, Answered, GaveUp, Stopped} }

// life is that of an evaluation. Begun twice: its process died. One that failed goes on where
// it was.
var life = api.Table[Status, Transition]{
	{From: []Status{Draft, Failed}, On: Asked, To: Queued},
	{From: []Status{Queued, Running}, On: Begun, To: Running},
	{From: []Status{Running}, On: Answered, To: Completed},
	{From: []Status{Queued, Running}, On: GaveUp, To: Failed},
	{From: []Status{Draft, Queued, Running}, On: Stopped, To: Cancelled},
}

// Evaluation is one as it is kept.
type Evaluation struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	Dataset string `json:"dataset"`
	// Agent is that of the dataset, whose prompt or models are evaluated.
	Agent    agent.Agent `json:"agent"`
	Business string      `json:"business"`
	// Prompt is the version that is evaluated; "" with Pinned is the default prompt. Without
	// Pinned it is the active one of when it runs.
	Prompt  string             `json:"prompt,omitempty"`
	Pinned  bool               `json:"pinned,omitempty"`
	Chain   []agent.ChainEntry `json:"chain,omitempty"` // nil: that of the agent
	Graders []grade.Grader     `json:"graders"`
	Status  Status             `json:"status"`

	Limit       int    `json:"limit,omitempty"` // 0: all items
	Concurrency int    `json:"concurrency,omitempty"`
	Total       int    `json:"total,omitempty"` // items that it runs over
	Job         string `json:"job,omitempty"`
	Tries       int    `json:"tries,omitempty"` // in a row in which no model answered

	Figures
	Cost      catalog.Nano `json:"cost,omitempty"`
	Judge     *Trust       `json:"judge,omitempty"`
	Baseline  string       `json:"baseline,omitempty"` // the evaluation that a judge compares it with
	ErrorCode string       `json:"error_code,omitempty"`
	Demo      bool         `json:"demo,omitempty"`

	CreatedBy  string    `json:"created_by"`
	CreatedAt  time.Time `json:"created_at"`
	StartedAt  time.Time `json:"started_at,omitzero"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
}

// Figures are what an evaluation found, once it is completed.
type Figures struct {
	Score    float64                 `json:"score,omitempty"`
	PassRate float64                 `json:"pass_rate,omitempty"`
	By       map[grade.Grader]Figure `json:"by_grader,omitempty"`
}

// Figure is what one grader found.
type Figure struct {
	Items    int     `json:"items" doc:"That gave it something to look at."`
	Score    float64 `json:"score"`
	PassRate float64 `json:"pass_rate"`
}

// Trust is how far the judge of an evaluation can be believed.
type Trust struct {
	Model    string   `json:"model" doc:"The first of its chain."`
	Right    int      `json:"known_right" doc:"Of the twenty answers whose worth is certain."`
	Asked    int      `json:"known_asked" doc:"It ends when the judge is void."`
	Void     bool     `json:"void" doc:"It erred on more than two of them, and was asked about nothing else."`
	People   int      `json:"people" doc:"Verdicts of people that it was compared with."`
	Kappa    *float64 `json:"kappa" doc:"How far it agrees with people beyond chance; null below 50 of their verdicts."`
	Reliable bool     `json:"reliable" doc:"kappa is 0.4 or more. Otherwise its scores do not count for the quality gate."`
}

// Result is what came of one item, as it is kept.
type Result struct {
	ID         string                   `json:"id"`
	Evaluation string                   `json:"evaluation"`
	Item       string                   `json:"item"`
	Passed     bool                     `json:"passed"`
	Hard       bool                     `json:"hard"` // passed, without the judge
	Scores     map[grade.Grader]float64 `json:"scores,omitempty"`
	Versus     judge.Versus             `json:"versus,omitempty"`
	Execution  string                   `json:"execution"`
	Action     execution.Action         `json:"action,omitempty"`
	Codes      []string                 `json:"codes,omitempty"`
	ErrorCode  string                   `json:"error_code,omitempty"`
	Cost       catalog.Nano             `json:"cost,omitempty"`
	CreatedAt  time.Time                `json:"created_at"`
	Purged     bool                     `json:"purged,omitempty"`
	Words      store.Sealed             `json:"words,omitzero"`
}

// Words are what is sealed of a result.
type Words struct {
	Output string        `json:"output,omitempty"`
	Checks []judge.Check `json:"checks,omitempty"`
}

var (
	table    = store.NewTable("evaluation", "evl", func(e *Evaluation) string { return e.ID })
	statuses = table.Facet("status", func(e *Evaluation) []string { return []string{string(e.Status)} })
	sets     = table.Facet("dataset", func(e *Evaluation) []string { return []string{e.Dataset} })
	places   = table.Facet("business", func(e *Evaluation) []string { return []string{e.Business} })
	versions = table.Facet("version", func(e *Evaluation) []string { return []string{e.Prompt} })
	// done are those that were completed with the models that answer customers, by version,
	// dataset and time.
	done = table.Multi("done", func(e *Evaluation) []store.Key {
		if e.Status != Completed || e.Chain != nil {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(e.Prompt), store.Text(e.Dataset), store.Time(e.FinishedAt))}
	})
	graded = table.Multi("graded", func(e *Evaluation) []store.Key {
		if e.Status != Completed {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(e.Prompt), store.Time(e.FinishedAt))}
	})

	results = store.NewTable("evaluation_result", "evr", func(r *Result) string { return r.ID })
	words   = results.Sealed("words", func(r *Result) *store.Sealed { return &r.Words })
	ofItem  = results.Unique("item", func(r *Result) store.Key { return store.Tuple(store.Text(r.Evaluation), store.Text(r.Item)) })
	outcome = results.Facet("outcome", func(r *Result) []string { return []string{r.Evaluation, passedOrNot(r.Evaluation, r.Passed)} })
	// failedFirst are the results of each evaluation in the order in which they are shown.
	failedFirst = results.Index("failed_first", func(r *Result) store.Key {
		return store.Tuple(store.Text(r.Evaluation), store.Bool(r.Passed), store.Text(r.Item))
	})
	byItem = results.Multi("by_item", func(r *Result) []store.Key { return []store.Key{store.Text(r.Item)} })
	kept   = results.Multi("kept", func(r *Result) []store.Key {
		if r.Purged {
			return nil
		}
		return []store.Key{store.Time(r.CreatedAt)}
	})
)

func passedOrNot(id string, passed bool) string {
	if passed {
		return id + " passed"
	}
	return id + " failed"
}

// Tables are what a store that holds evaluations is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table, results} }

// Options of New.
type Options struct {
	Runs   *execution.Service
	Chains *chain.Service
	Trials *playground.Service
	Log    *slog.Logger
}

// Service runs evaluations and does the operations about them.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service. It starts nothing; see Work.
func New(db *store.DB, o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{db, o}
}

func (e *Evaluation) resource() audit.Resource { return audit.On("evaluation", e.ID, e.Name) }

// who is the agent whose prompt or models are evaluated; it was always SELLER once.
func (e *Evaluation) who() agent.Agent { return cmp.Or(e.Agent, agent.Seller) }

// has says whether a grader was chosen.
func (e *Evaluation) has(g grade.Grader) bool {
	for _, x := range e.Graders {
		if x == g {
			return true
		}
	}
	return false
}

// apply changes the status of an evaluation, saves it and tells of it. Nobody else sets one.
func apply(tx *store.Tx, org string, e *Evaluation, on Transition) error {
	to, ok := life.Next(e.Status, on)
	if !ok {
		return api.ErrState.WithMessage("An evaluation that is %s does not allow this.", e.Status)
	}
	e.Status = to
	switch to {
	case Completed, Failed, Cancelled:
		e.FinishedAt = tx.DB().Now()
	case Queued:
		e.FinishedAt, e.ErrorCode, e.Tries = time.Time{}, "", 0
	}
	if err := table.Put(tx, org, e); err != nil {
		return err
	}
	return emitUpdated(tx, org, e)
}

// emitUpdated lets those know who follow an evaluation.
func emitUpdated(tx *store.Tx, org string, e *Evaluation) error {
	p, err := progress(tx, org, e)
	if err != nil {
		return err
	}
	return event.Emit(tx, org, event.EvaluationUpdated, struct {
		EvaluationID string   `json:"evaluation_id"`
		Status       Status   `json:"status"`
		Progress     Progress `json:"progress"`
	}{e.ID, e.Status, p})
}

// Progress is how far an evaluation is.
type Progress struct {
	Done   int `json:"done"`
	Passed int `json:"passed"`
	Total  int `json:"total" doc:"0 before it runs."`
}

func progress(tx *store.Tx, org string, e *Evaluation) (p Progress, err error) {
	p.Total = e.Total
	if p.Done, err = outcome.Count(tx, org, e.ID); err != nil {
		return p, err
	}
	p.Passed, err = outcome.Count(tx, org, passedOrNot(e.ID, true))
	return p, err
}

// newest is the newest completed evaluation of a version on a dataset; ok is false for none.
func newest(tx *store.Tx, org, version, set string) (e Evaluation, ok bool, err error) {
	e, err = done.Last(tx, org, store.Is(store.Tuple(store.Text(version), store.Text(set))))
	return e, err == nil, store.IgnoreNotFound(err)
}

// all visits the results of an evaluation, the failed ones first.
func all(tx *store.Tx, org, id string, visit func(*Result) error) error {
	for r, err := range failedFirst.Each(tx, org, store.Is(store.Tuple(store.Text(id)))) {
		if err != nil {
			return err
		}
		if err := visit(r); err != nil {
			return err
		}
	}
	return nil
}

// atOnce is how many records one step changes.
const atOnce = 500

// figures adds up the results of an evaluation.
func figures(tx *store.Tx, org, id string) (f Figures, cost catalog.Nano, err error) {
	n, passed := 0, 0
	by := map[grade.Grader]*sums{}
	err = all(tx, org, id, func(r *Result) error {
		n++
		cost += r.Cost
		if r.Passed {
			passed++
		}
		f.Score += mean(r.Scores)
		for g, score := range r.Scores {
			if by[g] == nil {
				by[g] = &sums{}
			}
			by[g].add(score, g)
		}
		return nil
	})
	if n == 0 {
		return Figures{}, cost, err
	}
	f.Score, f.PassRate, f.By = f.Score/float64(n), float64(passed)/float64(n), map[grade.Grader]Figure{}
	for g, s := range by {
		f.By[g] = Figure{s.n, s.score / float64(s.n), float64(s.passed) / float64(s.n)}
	}
	return f, cost, err
}

type sums struct {
	n, passed int
	score     float64
}

func (s *sums) add(score float64, g grade.Grader) {
	s.n++
	s.score += score
	if score == 1 || g == grade.Judge && score >= judge.Enough {
		s.passed++
	}
}

// mean is that of scores, 0 for none.
func mean(scores map[grade.Grader]float64) (sum float64) {
	for _, g := range grade.All { // in one order, so that equal scores have equal means
		sum += scores[g]
	}
	if len(scores) == 0 {
		return 0
	}
	return sum / float64(len(scores))
}
