package evaluation

import (
	"fmt"
	"slices"

	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/prompt"
	"svc/app/quality/dataset"
	"svc/app/quality/grade"
	"svc/store"
)

// The reasons of a gate.
const (
	notEvaluated    = "NOT_EVALUATED"
	itemsMissing    = "ITEMS_NOT_EVALUATED"
	belowMinimum    = "BELOW_MIN_PASS_RATE"
	belowActive     = "BELOW_ACTIVE_VERSION"
	mustPassFailed  = "MUST_PASS_FAILED"
	mostFailing     = 100
	roundingOfRates = 1e-9
)

// Refusal is why a quality gate lets a version not pass; it stands beside the error.
type Refusal struct {
	DatasetID      string        `json:"dataset_id"`
	EvaluationID   *string       `json:"evaluation_id"`
	Reasons        []string      `json:"reasons"`
	PassRate       *float64      `json:"pass_rate"`
	MinPassRate    float64       `json:"min_pass_rate"`
	ActivePassRate *float64      `json:"active_pass_rate"`
	MaxRegression  float64       `json:"max_regression"`
	FailingCount   int           `json:"failing_count"`
	Failing        []FailingItem `json:"failing"` // at most 100, those that must pass first
}

// FailingItem is an item that failed.
type FailingItem struct {
	ItemID    string         `json:"item_id"`
	ResultID  *string        `json:"result_id"` // null: it has none
	MustPass  bool           `json:"must_pass"`
	Graders   []grade.Grader `json:"graders"` // that it failed
	ErrorCode *string        `json:"error_code"`
}

// Gate refuses a version that the quality gate of its agent does not let pass: prompt.ErrGate
// with a Refusal as "gate". The gate is that by which the agent works for the business of the
// prompt, which may be that of the organization; for a prompt of all it is the organization's.
func (s *Service) Gate(tx *store.Tx, org string, who agent.Agent, business, version string) error {
	c, _, err := agent.Effective(tx, org, who, business)
	if err != nil || c.Gate == nil {
		return err
	}
	g := c.Gate
	no := Refusal{DatasetID: g.DatasetID, MinPassRate: g.MinPassRate, MaxRegression: g.MaxRegression, Reasons: []string{}, Failing: []FailingItem{}}
	e, found, err := newest(tx, org, version, g.DatasetID)
	if err != nil {
		return err
	}
	if !found {
		no.Reasons = append(no.Reasons, notEvaluated)
		return no.refuse()
	}
	no.EvaluationID = &e.ID
	if err := no.look(tx, org, who, business, &e); err != nil {
		return err
	}
	if len(no.Reasons) > 0 {
		return no.refuse()
	}
	return nil
}

func (no *Refusal) refuse() error {
	m := "The newest evaluation of this version does not pass the quality gate"
	switch {
	case no.EvaluationID == nil:
		m = "This version was not evaluated on the dataset of the quality gate"
	case no.FailingCount > 0:
		m += fmt.Sprintf("; items that fail: %d", no.FailingCount)
	}
	return prompt.ErrGate.WithMessage("%s.", m).WithExtra("gate", no)
}

// look compares an evaluation with the gate, and with the version that the business has now.
func (no *Refusal) look(tx *store.Tx, org string, who agent.Agent, business string, e *Evaluation) error {
	list, err := dataset.Items(tx, org, e.Dataset, dataset.MaxItems)
	if err != nil {
		return err
	}
	t, err := tally(tx, org, e, list)
	if err != nil {
		return err
	}
	no.Failing, no.FailingCount = t.failing[:min(len(t.failing), mostFailing)], len(t.failing)
	rate := t.rate()
	no.PassRate = &rate
	add := func(holds bool, reason string) {
		if holds {
			no.Reasons = append(no.Reasons, reason)
		}
	}
	add(t.missing > 0, itemsMissing)
	add(rate < no.MinPassRate-roundingOfRates, belowMinimum)
	add(slices.ContainsFunc(t.failing, func(f FailingItem) bool { return f.MustPass }), mustPassFailed)
	active, err := prompt.Active(tx, org, who, business)
	if err != nil {
		return err
	}
	other, found, err := newest(tx, org, active, e.Dataset)
	if err != nil || !found {
		return err
	}
	was, err := tally(tx, org, &other, list)
	if err != nil || was.evaluated == 0 {
		return err
	}
	activeRate := float64(was.passed) / float64(was.evaluated)
	no.ActivePassRate = &activeRate
	add(rate < activeRate-no.MaxRegression-roundingOfRates, belowActive)
	return nil
}

// tallied are the results of an evaluation for the items that a dataset has now.
type tallied struct {
	items, evaluated, passed, missing int
	failing                           []FailingItem
}

func (t *tallied) rate() float64 {
	if t.items == 0 {
		return 0
	}
	return float64(t.passed) / float64(t.items)
}

// tally counts. A judge that is not reliable does not count.
func tally(tx *store.Tx, org string, e *Evaluation, items []dataset.Item) (t tallied, err error) {
	byItem := map[string]*Result{}
	err = all(tx, org, e.ID, func(r *Result) error {
		x := *r
		byItem[r.Item] = &x
		return nil
	})
	judged := e.Judge != nil && e.Judge.Reliable
	t.items = len(items)
	for i := range items {
		f := FailingItem{ItemID: items[i].ID, MustPass: slices.Contains(items[i].Tags, dataset.MustPass), Graders: []grade.Grader{}}
		r := byItem[items[i].ID]
		if r == nil {
			t.missing++
			t.failing = append(t.failing, f)
			continue
		}
		t.evaluated++
		if r.Hard && !judged || r.Passed && judged {
			t.passed++
			continue
		}
		f.ResultID, f.ErrorCode = &r.ID, api.Optional(r.ErrorCode)
		for _, g := range e.Graders {
			if score, has := r.Scores[g]; has && score < 1 && (g != grade.Judge || judged) {
				f.Graders = append(f.Graders, g)
			}
		}
		t.failing = append(t.failing, f)
	}
	slices.SortStableFunc(t.failing, func(a, b FailingItem) int {
		switch {
		case a.MustPass == b.MustPass:
			return 0
		case a.MustPass:
			return -1
		}
		return 1
	})
	return t, err
}

// CheckGate refuses a quality gate that names no dataset of its agent.
func (s *Service) CheckGate(tx *store.Tx, org string, who agent.Agent, g *agent.QualityGate) error {
	d, err := dataset.Get(tx, org, g.DatasetID)
	if store.IsNotFound(err) || err == nil && d.Agent != who {
		return api.Wrong("quality_gate.dataset_id", "names no dataset of this agent")
	}
	return err
}

// Grade is what the newest completed evaluation gave a version; nil: there is none.
func (s *Service) Grade(tx *store.Tx, org, version string) (*prompt.Grade, error) {
	e, err := graded.Last(tx, org, store.Is(store.Tuple(store.Text(version))))
	if err != nil {
		return nil, store.IgnoreNotFound(err)
	}
	return &prompt.Grade{EvaluationID: e.ID, Score: e.Score}, nil
}

// InUse says why a dataset cannot be deleted, nil when it can.
func InUse(tx *store.Tx, org, id string) error {
	who, gated, err := agent.Gated(tx, org, id)
	if err != nil {
		return err
	}
	if gated {
		return api.ErrConflict.WithMessage("The quality gate of the agent %s names this dataset; change the gate first.", who)
	}
	p, err := table.Page(tx, org, store.Query[Evaluation]{Where: []store.Cond[Evaluation]{sets.Any(id), statuses.Any(string(Queued), string(Running))}, Limit: 1})
	if err == nil && p.Total > 0 {
		err = api.ErrConflict.WithMessage("An evaluation of this dataset runs; cancel it first.")
	}
	return err
}
