package evaluation

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/prompt"
	"svc/app/engine/provider"
	"svc/app/quality/dataset"
	"svc/app/quality/grade"
	"svc/app/quality/judge"
	"svc/store"
	"svc/store/queue"
)

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/evaluations", "ai.create_evaluation", perm.AIManage, "Prepare an evaluation of a version of a prompt, or of other models, over a dataset.", s.create),
		api.E("GET /ai/evaluations", "ai.list_evaluations", perm.AIRead, "List evaluations, the newest first.", s.list),
		api.E("GET /ai/evaluations/{id}", "ai.get_evaluation", perm.AIRead, "Read an evaluation.", s.get),
		api.E("POST /ai/evaluations/{id}/run", "ai.run_evaluation", perm.AIManage,
			"Run an evaluation in the background, or with dry_run only say what it would cost. One that failed goes on where it was.", s.start,
			api.Status(202), api.Timeout(time.Minute), api.Errors(api.ErrState, provider.ErrUnavailable)),
		api.E("POST /ai/evaluations/{id}/cancel", "ai.cancel_evaluation", perm.AIManage, "Cancel an evaluation; the results that it has stay.", s.cancel, api.Errors(api.ErrState)),
		api.E("GET /ai/evaluations/{id}/results", "ai.list_evaluation_results", perm.AIRead,
			"List the results of an evaluation, those that failed first, beside those of another one.", s.results),
	}
}

// Shown is an evaluation in the API.
type Shown struct {
	ID            string                  `json:"id"`
	Name          *string                 `json:"name"`
	DatasetID     string                  `json:"dataset_id"`
	Dataset       *api.Named              `json:"dataset"`
	Agent         agent.Agent             `json:"agent" enum:"SELLER,DECISION" doc:"That of the dataset, whose prompt or models are evaluated; the turn of the seller runs in any case."`
	BusinessID    string                  `json:"business_id"`
	Business      *api.Named              `json:"business"`
	PromptVersion *string                 `json:"prompt_version" doc:"null: the active one, and once it runs the default prompt."`
	Chain         []agent.ChainEntry      `json:"chain" doc:"Models in the place of those of the agent; null: those."`
	Graders       []grade.Grader          `json:"graders"`
	Status        Status                  `json:"status" enum:"DRAFT,QUEUED,RUNNING,COMPLETED,FAILED,CANCELLED"`
	Progress      Progress                `json:"progress"`
	Score         *float64                `json:"score" doc:"Mean of the items, 0 to 1; null before it ends."`
	PassRate      *float64                `json:"pass_rate" doc:"Of the items, those that passed every grader; null before it ends."`
	By            map[grade.Grader]Figure `json:"by_grader"`
	Judge         *Trust                  `json:"judge" doc:"How far the judge can be believed; null without one."`
	Baseline      *string                 `json:"baseline_id" doc:"The evaluation of the active version that answers were compared with."`
	CostUSD       float64                 `json:"cost_usd"`
	Demo          bool                    `json:"demo" doc:"No language model answered; show it as Demo."`
	ErrorCode     *string                 `json:"error_code" example:"budget_exceeded"`
	CreatedBy     string                  `json:"created_by"`
	Creator       *api.Named              `json:"creator"`
	CreatedAt     time.Time               `json:"created_at"`
	StartedAt     *time.Time              `json:"started_at"`
	FinishedAt    *time.Time              `json:"finished_at"`
}

func (e *Evaluation) shown(tx *store.Tx, org string) (out Shown, err error) {
	out = Shown{
		ID: e.ID, Name: api.Optional(e.Name), DatasetID: e.Dataset, Dataset: api.Ref(org, e.Dataset), Agent: e.who(), BusinessID: e.Business, Business: api.Ref(org, e.Business),
		PromptVersion: api.Optional(e.Prompt), Chain: e.Chain, Graders: e.Graders, Status: e.Status, By: e.By, Judge: e.Judge, Baseline: api.Optional(e.Baseline),
		CostUSD: e.Cost.USD(), Demo: e.Demo, ErrorCode: api.Optional(e.ErrorCode), CreatedBy: e.CreatedBy, Creator: api.Ref(org, e.CreatedBy), CreatedAt: e.CreatedAt,
		StartedAt: api.Optional(e.StartedAt), FinishedAt: api.Optional(e.FinishedAt),
	}
	if out.By == nil {
		out.By = map[grade.Grader]Figure{}
	}
	if e.Status == Completed {
		score, rate := e.Score, e.PassRate
		out.Score, out.PassRate = &score, &rate
	}
	out.Progress, err = progress(tx, org, e)
	return out, err
}

type createIn struct {
	Body struct {
		Name          *string            `json:"name" maxLength:"120"`
		DatasetID     string             `json:"dataset_id" required:"true" maxLength:"64"`
		BusinessID    *string            `json:"business_id" maxLength:"64" doc:"Whose offers, knowledge and settings answer; that of the dataset when left out."`
		PromptVersion *string            `json:"prompt_version" maxLength:"80" doc:"Of a prompt of the agent of the dataset; the one that is active when it runs when left out." example:"prm_01arz3ndektsv4rrffq69g5fav/2"`
		Chain         []agent.ChainEntry `json:"chain" maxItems:"5" doc:"Models in the place of those of the agent of the dataset. Such an evaluation counts for no quality gate."`
		Graders       []grade.Grader     `json:"graders" required:"true" nullable:"false" minItems:"1" maxItems:"6" enum:"EXACT,CONTAINS,LANGUAGE,VALIDATORS,ACTION,JUDGE"`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	id := s.db.NewID("evl")
	err = s.db.Update(c, func(tx *store.Tx) error {
		e := Evaluation{ID: id, Status: Draft, CreatedBy: c.Caller.ID, CreatedAt: c.Now}
		if err := s.take(tx, c.Org, &e, &in); err != nil {
			return err
		}
		if e.Pinned {
			if err := prompt.Tested(tx, c.Org, e.Agent, e.Prompt); err != nil {
				return err
			}
		}
		if err := table.Insert(tx, c.Org, &e); err != nil {
			return err
		}
		x, err := e.shown(tx, c.Org)
		if err != nil {
			return err
		}
		out = api.New(x)
		return audit.Write(tx, c, "evaluation.created", e.resource())
	})
	return out, err
}

// take brings what is asked for into form, or says what is wrong with each field.
func (s *Service) take(tx *store.Tx, org string, e *Evaluation, in *createIn) error {
	b := &in.Body
	e.Dataset, e.Business, e.Name, e.Prompt = b.DatasetID, text(b.BusinessID), text(b.Name), text(b.PromptVersion)
	e.Agent = agent.Seller
	e.Pinned, e.Graders = e.Prompt != "", slices.DeleteFunc(slices.Clone(grade.All), func(g grade.Grader) bool { return !slices.Contains(b.Graders, g) })
	var wrong []error
	d, err := dataset.Get(tx, org, e.Dataset)
	switch {
	case store.IsNotFound(err):
		wrong = append(wrong, api.Wrong("dataset_id", "names no dataset of the organization"))
	case err != nil:
		return err
	default:
		e.Agent, e.Business = d.Agent, cmp.Or(e.Business, d.BusinessID)
	}
	if e.Business == "" && err == nil {
		wrong = append(wrong, api.Wrong("business_id", "is needed: the dataset is of no business"))
	} else if e.Business != "" {
		if _, err := business.Get(tx, org, e.Business); store.IsNotFound(err) {
			wrong = append(wrong, api.Wrong("business_id", "names no business of the organization"))
		} else if err != nil {
			return err
		}
	}
	if e.Pinned {
		if _, err := prompt.Named(tx, org, e.Agent, e.Prompt); store.IsNotFound(err) {
			wrong = append(wrong, api.Wrong("prompt_version", "names no version of a prompt of the agent %s", e.Agent))
		} else if err != nil {
			return err
		}
	}
	if len(b.Chain) > 0 {
		e.Chain = b.Chain
		wrong = append(wrong, s.o.Chains.Check(tx, org, b.Chain))
	}
	return api.AllWrong(wrong...)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

type listIn struct {
	api.PageIn
	Status     Status `query:"status" enum:"DRAFT,QUEUED,RUNNING,COMPLETED,FAILED,CANCELLED"`
	DatasetID  string `query:"dataset_id" maxLength:"64"`
	BusinessID string `query:"business_id" maxLength:"64"`
	Version    string `query:"prompt_version" maxLength:"80"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Evaluation]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	for _, f := range []struct {
		value string
		by    *store.Facet[Evaluation]
	}{{string(in.Status), statuses}, {in.DatasetID, sets}, {in.BusinessID, places}, {in.Version, versions}} {
		if f.value != "" {
			q.Where = append(q.Where, f.by.Any(f.value))
		}
	}
	return api.ListOf(c, s.db, table, q, in.PageIn, func(tx *store.Tx, e *Evaluation) (Shown, error) { return e.shown(tx, c.Org) })
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		e, err := table.Get(tx, c.Org, in.ID)
		if err == nil {
			out, err = e.shown(tx, c.Org)
		}
		return err
	})
	return out, err
}

func (s *Service) cancel(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		e, err := table.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if e.Job != "" {
			if err := queue.Discard(tx, e.Job); store.IgnoreNotFound(err) != nil && !errors.Is(err, queue.ErrActive) {
				return err
			}
		}
		if e.Figures, e.Cost, err = figures(tx, c.Org, e.ID); err != nil {
			return err
		}
		if err := apply(tx, c.Org, &e, Stopped); err != nil {
			return err
		}
		if out, err = e.shown(tx, c.Org); err != nil {
			return err
		}
		return audit.Write(tx, c, "evaluation.cancelled", e.resource())
	})
	return out, err
}

// ShownResult is a result in the API.
type ShownResult struct {
	ID          string                   `json:"id"`
	ItemID      string                   `json:"item_id"`
	Tags        []string                 `json:"tags"`
	Input       *dataset.Input           `json:"input" doc:"null when the item is gone."`
	Expected    *grade.Expected          `json:"expected"`
	Passed      bool                     `json:"passed"`
	Scores      map[grade.Grader]float64 `json:"scores" doc:"By grader, 0 to 1; graders that the item gives nothing to look at are left out."`
	FinalAction *string                  `json:"final_action" enum:"SEND,DRAFT,RECOMMEND,NONE,HANDOFF,BLOCK,STOP"`
	Output      *string                  `json:"output" doc:"What the seller would write; null for nothing, or when texts of that time are not kept."`
	Codes       []string                 `json:"codes" doc:"Why nothing would be sent."`
	Checks      []judge.Check            `json:"checks" doc:"What the judge says."`
	Versus      *judge.Versus            `json:"versus" enum:"BETTER,WORSE,TIE" doc:"Against the answer of the active version, by the judge."`
	ErrorCode   *string                  `json:"error_code"`
	ExecutionID *string                  `json:"execution_id"`
	CostUSD     float64                  `json:"cost_usd"`
	Other       *OtherResult             `json:"other" doc:"Of the evaluation that compare names; null where it has none."`
}

// OtherResult is what another evaluation found for the same item.
type OtherResult struct {
	EvaluationID  string                   `json:"evaluation_id"`
	PromptVersion *string                  `json:"prompt_version"`
	Passed        bool                     `json:"passed"`
	Scores        map[grade.Grader]float64 `json:"scores"`
	FinalAction   *string                  `json:"final_action" enum:"SEND,DRAFT,RECOMMEND,NONE,HANDOFF,BLOCK,STOP"`
	Output        *string                  `json:"output"`
	ErrorCode     *string                  `json:"error_code"`
	ExecutionID   *string                  `json:"execution_id"`
}

type resultsIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
	Passed  string `query:"passed" enum:"true,false" doc:"Only those that passed, or only the others."`
	Compare string `query:"compare" maxLength:"64" doc:"An evaluation of the same dataset, or active: the newest of the version that answers customers now."`
}

func (s *Service) results(c *api.Call, in resultsIn) (out api.Page[ShownResult], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		e, err := table.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		other, err := s.compared(tx, c.Org, &e, in.Compare)
		if err != nil {
			return err
		}
		q := store.Query[Result]{Where: []store.Cond[Result]{outcome.Any(e.ID)}, Sort: failedFirst, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
		if in.Passed != "" {
			q.Where[0] = outcome.Any(passedOrNot(e.ID, in.Passed == "true"))
		}
		page, err := results.Page(tx, c.Org, q)
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(r *Result) (ShownResult, error) { return show(tx, c.Org, r, other) })
		return err
	})
	return out, err
}

// compared is the evaluation that results are shown beside; nil for none.
func (s *Service) compared(tx *store.Tx, org string, e *Evaluation, with string) (*Evaluation, error) {
	switch with {
	case "":
		return nil, nil
	case "active":
		active, err := prompt.Active(tx, org, e.who(), e.Business)
		if err != nil {
			return nil, err
		}
		other, found, err := newest(tx, org, active, e.Dataset)
		if !found || other.ID == e.ID {
			return nil, err
		}
		return &other, err
	}
	other, err := table.Get(tx, org, with)
	if store.IsNotFound(err) || err == nil && other.Dataset != e.Dataset {
		return nil, api.Wrong("compare", "names no evaluation of this dataset")
	}
	return &other, err
}

func show(tx *store.Tx, org string, r *Result, other *Evaluation) (ShownResult, error) {
	out := ShownResult{
		ID: r.ID, ItemID: r.Item, Tags: []string{}, Passed: r.Passed, Scores: r.Scores, FinalAction: api.Optional(string(r.Action)), Codes: append([]string{}, r.Codes...),
		Versus: api.Optional(r.Versus), ErrorCode: api.Optional(r.ErrorCode), ExecutionID: api.Optional(r.Execution), CostUSD: r.Cost.USD(),
	}
	if out.Scores == nil {
		out.Scores = map[grade.Grader]float64{}
	}
	var w Words
	if err := words.OpenJSON(tx.DB(), org, r, &w); err != nil {
		return out, err
	}
	out.Output, out.Checks = api.Optional(w.Output), append([]judge.Check{}, w.Checks...)
	list, err := dataset.ItemsOf(tx, org, []string{r.Item})
	if err != nil {
		return out, err
	}
	if i := list[0]; i != nil {
		c, err := i.Open(tx.DB(), org)
		if err != nil {
			return out, err
		}
		out.Tags, out.Input, out.Expected = append(out.Tags, i.Tags...), &c.Input, &c.Expected
	}
	if other != nil {
		out.Other, err = showOther(tx, org, r.Item, other)
	}
	return out, err
}

func showOther(tx *store.Tx, org, item string, e *Evaluation) (*OtherResult, error) {
	r, err := ofItem.Find(tx, org, store.Tuple(store.Text(e.ID), store.Text(item)))
	if err != nil {
		return nil, store.IgnoreNotFound(err)
	}
	var w Words
	if err := words.OpenJSON(tx.DB(), org, &r, &w); err != nil {
		return nil, err
	}
	scores := r.Scores
	if scores == nil {
		scores = map[grade.Grader]float64{}
	}
	return &OtherResult{
		EvaluationID: e.ID, PromptVersion: api.Optional(e.Prompt), Passed: r.Passed, Scores: scores, FinalAction: api.Optional(string(r.Action)),
		Output: api.Optional(w.Output), ErrorCode: api.Optional(r.ErrorCode), ExecutionID: api.Optional(r.Execution),
	}, nil
}
