package experiment

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/prompt"
	"svc/store"
)

// Service does the operations about experiments.
type Service struct {
	db      *store.DB
	prompts *prompt.Service
}

// New makes the service.
func New(db *store.DB, prompts *prompt.Service) *Service { return &Service{db, prompts} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/experiments", "ai.create_experiment", perm.AIManage, "Prepare an experiment between versions of the seller's prompt; it runs from its second variant on.", s.create),
		api.E("GET /ai/experiments", "ai.list_experiments", perm.AIRead, "List experiments, the newest first.", s.list),
		api.E("GET /ai/experiments/{id}", "ai.get_experiment", perm.AIRead, "Read an experiment with its figures.", s.get),
		api.E("POST /ai/experiments/{id}/variants", "ai.add_experiment_variant", perm.AIManage,
			"Add a variant; conversations that have one keep it.", api.Write(s.db, s.add), api.Errors(api.ErrState, api.ErrConflict)),
		api.E("POST /ai/experiments/{id}/winner", "ai.choose_experiment_winner", perm.AIManage,
			"End an experiment with its winner, which becomes active unless activate is false.", s.win, api.Errors(api.ErrState, prompt.ErrGate)),
		api.E("POST /ai/experiments/{id}/cancel", "ai.cancel_experiment", perm.AIManage, "End an experiment without a winner.", s.cancel, api.Errors(api.ErrState)),
	}
}

// ShownVariant is a variant in the API.
type ShownVariant struct {
	ID            string  `json:"id"`
	Name          string  `json:"name"`
	PromptVersion *string `json:"prompt_version" doc:"null: the one that is active."`
	Weight        int     `json:"weight"`
}

// Shown is an experiment in the API.
type Shown struct {
	ID         string         `json:"id"`
	Name       string         `json:"name"`
	Agent      agent.Agent    `json:"agent" enum:"SELLER"`
	BusinessID string         `json:"business_id"`
	Business   *api.Named     `json:"business"`
	Metric     Metric         `json:"metric" enum:"REPLY_RATE,STAGE_ADVANCE,HANDOFF_RATE,APPROVAL_RATE,BLOCK_RATE"`
	Status     Status         `json:"status" enum:"DRAFT,RUNNING,COMPLETED,CANCELLED"`
	Variants   []ShownVariant `json:"variants"`
	Results    []Result       `json:"results"`
	Leader     *string        `json:"leader_variant_id" doc:"The best variant, when that can be said."`
	TooEarly   *string        `json:"too_early" enum:"ONE_VARIANT,TOO_FEW_CONVERSATIONS,INTERVALS_OVERLAP" doc:"Why it cannot be said; null when it can. Each variant needs 100 counted conversations, and intervals that do not meet."`
	Winner     *string        `json:"winner_variant_id"`
	CreatedBy  string         `json:"created_by"`
	Creator    *api.Named     `json:"creator"`
	CreatedAt  time.Time      `json:"created_at"`
	StartedAt  *time.Time     `json:"started_at"`
	FinishedAt *time.Time     `json:"finished_at"`
}

func (e *Experiment) shown(tx *store.Tx, org string) (out Shown, err error) {
	out = Shown{
		ID: e.ID, Name: e.Name, Agent: e.Agent, BusinessID: e.Business, Business: api.Ref(org, e.Business), Metric: e.Metric, Status: e.Status,
		Variants: []ShownVariant{}, Winner: api.Optional(e.Winner), CreatedBy: e.CreatedBy, Creator: api.Ref(org, e.CreatedBy), CreatedAt: e.CreatedAt,
		StartedAt: api.Optional(e.StartedAt), FinishedAt: api.Optional(e.FinishedAt),
	}
	for _, v := range e.Variants {
		out.Variants = append(out.Variants, ShownVariant{v.ID, v.Name, api.Optional(v.Prompt), v.Weight})
	}
	if out.Results, err = e.results(tx, org); err != nil {
		return out, err
	}
	leader, early := e.leader(out.Results)
	out.Leader, out.TooEarly = api.Optional(leader), api.Optional(early)
	return out, nil
}

type createIn struct {
	Body struct {
		Name       string      `json:"name" required:"true" minLength:"1" maxLength:"120" example:"Qisqa javoblar"`
		Agent      agent.Agent `json:"agent" enum:"SELLER" doc:"SELLER when left out."`
		BusinessID string      `json:"business_id" required:"true" maxLength:"64"`
		Metric     Metric      `json:"metric" required:"true" enum:"REPLY_RATE,STAGE_ADVANCE,HANDOFF_RATE,APPROVAL_RATE,BLOCK_RATE"`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	b := &in.Body
	e := Experiment{
		ID: s.db.NewID("xpm"), Name: strings.Join(strings.Fields(b.Name), " "), Agent: agent.Seller, Business: b.BusinessID, Metric: b.Metric, Status: Draft,
		CreatedBy: c.Caller.ID, CreatedAt: c.Now,
	}
	if e.Name == "" {
		return out, api.Wrong("name", "must not be blank")
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		e := e
		if err := checkBusiness(tx, c.Org, e.Business); err != nil {
			return err
		}
		if err := table.Insert(tx, c.Org, &e); err != nil {
			return err
		}
		if out.Value, err = e.shown(tx, c.Org); err != nil {
			return err
		}
		return audit.Write(tx, c, "experiment.created", e.resource())
	})
	return out, err
}

func checkBusiness(tx *store.Tx, org, id string) error {
	_, err := business.Get(tx, org, id)
	if store.IsNotFound(err) {
		return api.Wrong("business_id", "names no business of the organization")
	}
	return err
}

type listIn struct {
	api.PageIn
	Status     Status `query:"status" enum:"DRAFT,RUNNING,COMPLETED,CANCELLED"`
	BusinessID string `query:"business_id" maxLength:"64"`
}

func (s *Service) list(c *api.Call, in listIn) (out api.Page[Shown], err error) {
	q := store.Query[Experiment]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
	if in.Status != "" {
		q.Where = append(q.Where, statuses.Any(string(in.Status)))
	}
	if in.BusinessID != "" {
		q.Where = append(q.Where, places.Any(in.BusinessID))
	}
	return api.ListOf(c, s.db, table, q, in.PageIn, func(tx *store.Tx, e *Experiment) (Shown, error) { return e.shown(tx, c.Org) })
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

// maxVariants is how many variants an experiment has at most.
const maxVariants = 5

type variantIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name          string  `json:"name" required:"true" minLength:"1" maxLength:"80"`
		PromptVersion *string `json:"prompt_version" maxLength:"80" doc:"Of a prompt of the agent SELLER; null: the one that is active." example:"prm_01arz3ndektsv4rrffq69g5fav/2"`
		Weight        *int    `json:"weight" minimum:"1" maximum:"1000000" doc:"Its share of new conversations, beside the weights of the others; 1 when left out."`
	}
}

func (s *Service) add(c *api.Call, tx *store.Tx, in variantIn) (out api.Created[Shown], err error) {
	id := tx.DB().NewID("xpv")
	e, err := table.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	e.Variants = slices.Clone(e.Variants)
	if err := e.take(tx, c.Org, id, &in); err != nil {
		return out, err
	}
	if len(e.Variants) == 2 {
		if err := e.apply(Compares, c.Now); err != nil {
			return out, err
		}
	}
	if err := table.Put(tx, c.Org, &e); err != nil {
		return out, onlyOneRuns(err)
	}
	x, err := e.shown(tx, c.Org)
	if err != nil {
		return out, err
	}
	return api.New(x), audit.Write(tx, c, "experiment.variant_added", e.resource(), audit.Changed("variant", nil, id))
}

// onlyOneRuns names what a second experiment that runs is refused with.
func onlyOneRuns(err error) error {
	if store.Duplicate(err) {
		return api.ErrConflict.WithMessage("Another experiment of this business runs; end it first.")
	}
	return err
}

// take adds a variant, or says what is wrong with it.
func (e *Experiment) take(tx *store.Tx, org, id string, in *variantIn) error {
	v := Variant{ID: id, Name: strings.Join(strings.Fields(in.Body.Name), " "), Weight: 1}
	if in.Body.Weight != nil {
		v.Weight = *in.Body.Weight
	}
	if in.Body.PromptVersion != nil {
		v.Prompt = strings.TrimSpace(*in.Body.PromptVersion)
	}
	if e.Status != Draft && e.Status != Running {
		return api.ErrState.WithMessage("An experiment that is %s takes no variants.", e.Status)
	}
	if len(e.Variants) >= maxVariants {
		return api.ErrState.WithMessage("An experiment has %d variants at most.", maxVariants)
	}
	var name, version error
	if v.Name == "" || slices.ContainsFunc(e.Variants, func(x Variant) bool { return store.Fold(x.Name) == store.Fold(v.Name) }) {
		name = api.Wrong("name", "must not be blank or that of another variant")
	}
	if slices.ContainsFunc(e.Variants, func(x Variant) bool { return x.Prompt == v.Prompt }) {
		version = api.Wrong("prompt_version", "is that of another variant")
	} else if v.Prompt != "" {
		if err := prompt.Tested(tx, org, e.Agent, v.Prompt); store.IsNotFound(err) {
			version = api.Wrong("prompt_version", "names no version of a prompt of the agent SELLER")
		} else if err != nil {
			return err
		}
	}
	e.Variants = append(e.Variants, v)
	return api.AllWrong(name, version)
}

type winnerIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		VariantID string `json:"variant_id" required:"true" maxLength:"64"`
		Activate  *bool  `json:"activate" doc:"Whether its version answers customers from now on; true when left out."`
	}
}

func (s *Service) win(c *api.Call, in winnerIn) (out Shown, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		e, err := table.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		v := e.variant(in.Body.VariantID)
		if v == nil {
			return api.Wrong("variant_id", "names no variant of this experiment")
		}
		if err := e.apply(Won, c.Now); err != nil {
			return err
		}
		e.Winner = v.ID
		if activate := in.Body.Activate; v.Prompt != "" && (activate == nil || *activate) {
			if err := s.prompts.Activate(tx, c, e.Agent, v.Prompt); err != nil {
				return err
			}
		}
		out, err = s.ended(tx, c, &e, "experiment.completed", audit.Changed("winner", nil, v.ID))
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
		if err := e.apply(Stopped, c.Now); err != nil {
			return err
		}
		out, err = s.ended(tx, c, &e, "experiment.cancelled")
		return err
	})
	return out, err
}

// leave archives the versions of the variants that did not win, where no other experiment has
// them.
func (e *Experiment) leave(tx *store.Tx, org string) error {
	for _, v := range e.Variants {
		if v.ID == e.Winner || v.Prompt == "" {
			continue
		}
		p, err := table.Page(tx, org, store.Query[Experiment]{
			Where: []store.Cond[Experiment]{versions.Any(v.Prompt), statuses.Any(string(Draft), string(Running))}, Limit: 1,
		})
		if err != nil {
			return err
		}
		if p.Total > 0 {
			continue
		}
		if err := prompt.Lost(tx, org, e.Agent, v.Prompt); err != nil {
			return err
		}
	}
	return nil
}

// ended saves an experiment that has ended, and shows it.
func (s *Service) ended(tx *store.Tx, c *api.Call, e *Experiment, action string, more ...audit.Detail) (out Shown, err error) {
	if err := table.Put(tx, c.Org, e); err != nil {
		return out, err
	}
	if err := e.leave(tx, c.Org); err != nil {
		return out, err
	}
	if out, err = e.shown(tx, c.Org); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, action, e.resource(), more...)
}
