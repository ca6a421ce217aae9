// Package prompt keeps the prompts of agents: the defaults in three languages, and those of
// an organization in versions.
//
// It promises that the body of a version never changes, and that an agent uses one version
// at a time (contract 12.1). It refuses to know what runs add to a prompt.
package prompt

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/store"
)

// Service does the operations about prompts.
type Service struct {
	db      *store.DB
	quality Quality
}

// New makes the service.
func New(db *store.DB) *Service { return &Service{db: db} }

// Tables are what a store that holds prompts is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{promptTable, versionTable} }

// prompt is a text for an agent, in versions.
type prompt struct {
	ID            string      `json:"id"`
	Agent         agent.Agent `json:"agent"`
	BusinessID    string      `json:"business_id,omitempty"`
	Name          string      `json:"name"`
	ActiveVersion int         `json:"active_version,omitempty"` // 0: none
	Versions      int         `json:"versions"`
	CreatedBy     string      `json:"created_by"`
	CreatedAt     time.Time   `json:"created_at"`
	UpdatedAt     time.Time   `json:"updated_at"`
}

// version is one text; its body never changes.
type version struct {
	ID          string        `json:"id"` // prompt and number
	Prompt      string        `json:"prompt"`
	Number      int           `json:"number"`
	Status      VersionStatus `json:"status"`
	Body        string        `json:"body"`
	Variables   []string      `json:"variables"`
	Notes       string        `json:"notes,omitempty"`
	CreatedBy   string        `json:"created_by"`
	CreatedAt   time.Time     `json:"created_at"`
	ActivatedAt *time.Time    `json:"activated_at,omitempty"`
}

func versionID(prompt string, n int) string { return fmt.Sprintf("%s/%06d", prompt, n) }

func agentKey(who agent.Agent, business string) store.Key {
	return store.Tuple(store.Text(string(who)), store.Text(business))
}

var (
	promptTable = store.NewTable("ai_prompt", "prm", func(p *prompt) string { return p.ID })
	_           = promptTable.Unique("name", func(p *prompt) store.Key {
		return store.Tuple(agentKey(p.Agent, p.BusinessID), store.Text(store.Fold(p.Name)))
	})
	activePrompt = promptTable.Unique("active", func(p *prompt) store.Key {
		if p.ActiveVersion == 0 {
			return nil
		}
		return agentKey(p.Agent, p.BusinessID)
	})
	promptAgent    = promptTable.Facet("agent", func(p *prompt) []string { return []string{string(p.Agent)} })
	promptBusiness = promptTable.Facet("business", func(p *prompt) []string { return []string{p.BusinessID} })
	versionTable   = store.NewTable("ai_prompt_version", "", func(v *version) string { return v.ID })
	versionsOf     = versionTable.Facet("prompt", func(v *version) []string { return []string{v.Prompt} })
	promptVarText  = regexp.MustCompile(`\{\{\s*([^{}|\s]+)[^{}]*\}\}`)
)

// variablesIn are the names of the {{variables}} of a text, each once, in order.
func variablesIn(text string) []string {
	out := []string{}
	for _, m := range promptVarText.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/prompts", "ai.list_prompts", perm.AIRead, "List prompts, newest first.", s.listPrompts),
		api.E("POST /ai/prompts", "ai.create_prompt", perm.AIManage, "Write a prompt for an agent: its first version, a draft.", api.Write(s.db, s.createPrompt), api.Errors(api.ErrConflict)),
		api.E("GET /ai/prompts/{id}/versions", "ai.list_prompt_versions", perm.AIRead, "List the versions of a prompt, newest first.", s.listVersions),
		api.E("POST /ai/prompts/{id}/versions", "ai.create_prompt_version", perm.AIManage, "Write a new version of a prompt, a draft.", s.createVersion),
		api.E("POST /ai/prompts/{id}/versions/{v}/activate", "ai.activate_prompt_version", perm.AIManage,
			"Let an agent use a version; the one that it used is archived and can come back the same way.", s.activate, api.Errors(api.ErrState, ErrGate)),
	}
}

// ShownPrompt is a prompt in the API.
type ShownPrompt struct {
	ID            string      `json:"id"`
	Agent         agent.Agent `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	BusinessID    *string     `json:"business_id"`
	Name          string      `json:"name"`
	ActiveVersion *int        `json:"active_version"`
	VersionsCount int         `json:"versions_count"`
	CreatedAt     time.Time   `json:"created_at"`
	UpdatedAt     time.Time   `json:"updated_at"`
}

func (p *prompt) shown() ShownPrompt {
	return ShownPrompt{p.ID, p.Agent, api.Optional(p.BusinessID), p.Name, api.Optional(p.ActiveVersion), p.Versions, p.CreatedAt, p.UpdatedAt}
}

// Grade is what an evaluation gave a version.
type Grade struct {
	EvaluationID string  `json:"evaluation_id"`
	Score        float64 `json:"score"`
}

// ShownVersion is a version in the API.
type ShownVersion struct {
	Version     int           `json:"version"`
	Status      VersionStatus `json:"status" enum:"DRAFT,TESTING,ACTIVE,ARCHIVED"`
	Body        string        `json:"body"`
	Variables   []string      `json:"variables" doc:"Found in the body."`
	Notes       *string       `json:"notes"`
	CreatedBy   string        `json:"created_by"`
	Creator     *api.Named    `json:"creator"`
	CreatedAt   time.Time     `json:"created_at"`
	ActivatedAt *time.Time    `json:"activated_at"`
	Eval        *Grade        `json:"eval" doc:"Of the newest evaluation of this version; null without one."`
}

func (v *version) shown(org string) ShownVersion {
	return ShownVersion{
		Version: v.Number, Status: v.Status, Body: v.Body, Variables: v.Variables, Notes: api.Optional(v.Notes), CreatedBy: v.CreatedBy,
		Creator: api.Ref(org, v.CreatedBy), CreatedAt: v.CreatedAt, ActivatedAt: v.ActivatedAt,
	}
}

type listPromptsIn struct {
	api.PageIn
	agent.ForBusiness
	Agent agent.Agent `query:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
}

func (s *Service) listPrompts(c *api.Call, in listPromptsIn) (out api.Page[ShownPrompt], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if err := in.Check(tx, c.Org); err != nil {
			return err
		}
		q := store.Query[prompt]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()}
		if in.Agent != "" {
			q.Where = append(q.Where, promptAgent.Any(string(in.Agent)))
		}
		if in.BusinessID != "" {
			q.Where = append(q.Where, promptBusiness.Any(in.BusinessID))
		}
		page, err := promptTable.Page(tx, c.Org, q)
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(x *prompt) (ShownPrompt, error) { return x.shown(), nil })
		return err
	})
	return out, err
}

// VersionFields are what a person writes of a version.
type VersionFields struct {
	Body  string  `json:"body" required:"true" minLength:"1" maxLength:"32000" example:"You write short messages for {{company}}."`
	Notes *string `json:"notes" maxLength:"1000" doc:"What changed and why."`
}

type createPromptIn struct {
	Body struct {
		Agent      agent.Agent `json:"agent" required:"true" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
		BusinessID *string     `json:"business_id" maxLength:"64" doc:"The agent uses it for this business in place of that of the organization; null: for all."`
		Name       string      `json:"name" required:"true" minLength:"1" maxLength:"100"`
		VersionFields
	}
}

func (s *Service) createPrompt(c *api.Call, tx *store.Tx, in createPromptIn) (out api.Created[ShownPrompt], err error) {
	p, err := in.prompt()
	if err != nil {
		return out, err
	}
	p.ID, p.CreatedBy, p.CreatedAt, p.UpdatedAt = tx.DB().NewID("prm"), c.Caller.ID, c.Now, c.Now
	if err := agent.CheckBusiness(tx, c.Org, p.BusinessID); err != nil {
		return out, err
	}
	if err := addVersion(tx, c, &p, &in.Body.VersionFields, nil); err != nil {
		return out, err
	}
	if err := promptTable.Insert(tx, c.Org, &p); store.Duplicate(err) {
		return out, api.ErrConflict.WithMessage("Another prompt of this agent has this name; add a version to that one.")
	} else if err != nil {
		return out, err
	}
	return api.New(p.shown()), audit.Write(tx, c, "ai_prompt.created", audit.On("ai_prompt", p.ID, p.Name), audit.Changed("agent", nil, p.Agent))
}

// prompt is what a request says, checked as far as that goes without the store.
func (in *createPromptIn) prompt() (p prompt, err error) {
	b := &in.Body
	p = prompt{Agent: b.Agent, Name: strings.TrimSpace(b.Name)}
	if b.BusinessID != nil {
		p.BusinessID = *b.BusinessID
	}
	var empty error
	if p.Name == "" {
		empty = api.Wrong("name", "must not be blank")
	}
	return p, api.AllWrong(empty, b.check())
}

func (f *VersionFields) check() error {
	if strings.TrimSpace(f.Body) == "" {
		return api.Wrong("body", "must not be blank")
	}
	return nil
}

// addVersion adds a draft to a prompt that its caller saves.
func addVersion(tx *store.Tx, c *api.Call, p *prompt, f *VersionFields, made *version) error {
	p.Versions++
	p.UpdatedAt = c.Now
	v := version{
		ID: versionID(p.ID, p.Versions), Prompt: p.ID, Number: p.Versions, Status: Draft, Body: f.Body, Variables: variablesIn(f.Body),
		CreatedBy: c.Caller.ID, CreatedAt: c.Now,
	}
	if f.Notes != nil {
		v.Notes = *f.Notes
	}
	if made != nil {
		*made = v
	}
	return versionTable.Insert(tx, c.Org, &v)
}

type listVersionsIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
}

func (s *Service) listVersions(c *api.Call, in listVersionsIn) (out api.Page[ShownVersion], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		p, err := promptTable.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		page, err := versionTable.Page(tx, c.Org, store.Query[version]{
			Where: []store.Cond[version]{versionsOf.Any(p.ID)}, Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
		})
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(x *version) (ShownVersion, error) { return s.graded(tx, c.Org, x) })
		return err
	})
	return out, err
}

type createVersionIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body VersionFields
}

func (s *Service) createVersion(c *api.Call, in createVersionIn) (out api.Created[ShownVersion], err error) {
	if err := in.Body.check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := promptTable.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		var v version
		if err := addVersion(tx, c, &p, &in.Body, &v); err != nil {
			return err
		}
		out = api.New(v.shown(c.Org))
		if err := promptTable.Put(tx, c.Org, &p); err != nil {
			return err
		}
		return audit.Write(tx, c, "ai_prompt.version_created", audit.On("ai_prompt", p.ID, p.Name), audit.Changed("version", nil, v.Number))
	})
	return out, err
}

type activateIn struct {
	ID      string `path:"id" maxLength:"64"`
	Version string `path:"v" maxLength:"10" example:"2"`
}

func (s *Service) activate(c *api.Call, in activateIn) (out ShownVersion, err error) {
	n, err := strconv.Atoi(in.Version)
	if err != nil || n < 1 {
		return out, api.ErrNotFound
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		v, err := s.use(tx, c, in.ID, n)
		if err == nil {
			out, err = s.graded(tx, c.Org, &v)
		}
		return err
	})
	return out, err
}

// use makes a version the one that its agent uses.
func (s *Service) use(tx *store.Tx, c *api.Call, id string, n int) (v version, err error) {
	p, err := promptTable.Get(tx, c.Org, id)
	if err != nil {
		return v, err
	}
	if v, err = versionTable.Get(tx, c.Org, versionID(p.ID, n)); err != nil {
		return v, err
	}
	formerly := v.ActivatedAt != nil
	if err := v.apply(activated); err != nil {
		return v, err
	}
	if err := s.gate(tx, c.Org, &p, n, formerly); err != nil {
		return v, err
	}
	before, err := s.retire(tx, c, &p)
	if err != nil {
		return v, err
	}
	v.ActivatedAt, p.ActiveVersion, p.UpdatedAt = &c.Now, n, c.Now
	if err := versionTable.Put(tx, c.Org, &v); err != nil {
		return v, err
	}
	if err := promptTable.Put(tx, c.Org, &p); err != nil {
		return v, err
	}
	return v, audit.Write(tx, c, "ai_prompt.activated", audit.On("ai_prompt", p.ID, p.Name), audit.Changed("active_version", before, n))
}

// retire archives the version that the agent of a prompt uses now, which may be of another
// prompt, and answers its number.
func (s *Service) retire(tx *store.Tx, c *api.Call, p *prompt) (before int, err error) {
	old, err := activePrompt.Find(tx, c.Org, agentKey(p.Agent, p.BusinessID))
	if store.IsNotFound(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	v, err := versionTable.Get(tx, c.Org, versionID(old.ID, old.ActiveVersion))
	if err != nil {
		return 0, err
	}
	before = v.Number
	if err := v.apply(replaced); err != nil {
		return 0, err
	}
	if err := versionTable.Put(tx, c.Org, &v); err != nil {
		return 0, err
	}
	if old.ID == p.ID {
		return before, nil // its caller saves it
	}
	old.ActiveVersion, old.UpdatedAt = 0, c.Now
	return before, promptTable.Put(tx, c.Org, &old)
}

// Of is the text that an agent uses for a business: the active version of the business, else
// that of the organization, else the default in a language. The name is "" for the default.
func Of(tx *store.Tx, org string, who agent.Agent, business, language string) (body, name string, err error) {
	p, err := activePrompt.Find(tx, org, agentKey(who, business))
	if business != "" && store.IsNotFound(err) {
		p, err = activePrompt.Find(tx, org, agentKey(who, ""))
	}
	if store.IsNotFound(err) {
		body = defaults[who][language]
		if body == "" {
			body = defaults[who]["en"]
		}
		return body, "", nil
	}
	if err != nil {
		return "", "", err
	}
	v, err := versionTable.Get(tx, org, versionID(p.ID, p.ActiveVersion))
	return v.Body, p.ID + "/" + strconv.Itoa(v.Number), err
}
