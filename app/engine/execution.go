package engine

import (
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/store"
)

// ExecutionStatus is where an execution is.
type ExecutionStatus string

// The statuses (contract 12.1).
const (
	Running   ExecutionStatus = "RUNNING"
	Succeeded ExecutionStatus = "SUCCEEDED"
	Failed    ExecutionStatus = "FAILED"
	Cancelled ExecutionStatus = "CANCELLED"
)

// Kinds and statuses of steps.
const (
	stepGenerate = "GENERATE"
	stepFallback = "FALLBACK"
	stepSkipped  = "SKIPPED"
)

// execution is one run of an agent, as it is kept.
type execution struct {
	ID         string          `json:"id"`
	Mode       Mode            `json:"mode"`
	Agent      Agent           `json:"agent"`
	BusinessID string          `json:"business_id,omitempty"`
	Status     ExecutionStatus `json:"status"`
	Steps      []step          `json:"steps,omitempty"`
	TokensIn   int64           `json:"tokens_in,omitempty"`
	TokensOut  int64           `json:"tokens_out,omitempty"`
	Cost       catalog.Nano    `json:"cost,omitempty"`
	ErrorCode  string          `json:"error_code,omitempty"`
	Demo       bool            `json:"demo,omitempty"`
	// Estimated: the cost is not what a provider said.
	Estimated  bool      `json:"estimated,omitempty"`
	StartedAt  time.Time `json:"started_at"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
	// Lease is what is reserved while it runs, on Node.
	Lease catalog.Nano `json:"lease,omitempty"`
	Node  string       `json:"node,omitempty"`
}

// step is one attempt, or one entry of a chain that was passed over.
type step struct {
	ID            string       `json:"id"`
	Kind          string       `json:"kind"`
	Provider      string       `json:"provider,omitempty"`
	Model         string       `json:"model,omitempty"`
	PromptVersion string       `json:"prompt_version,omitempty"`
	InputHash     string       `json:"input_hash,omitempty"`
	Usage         ai.Usage     `json:"usage,omitzero"`
	Cost          catalog.Nano `json:"cost,omitempty"`
	LatencyMS     int64        `json:"latency_ms,omitempty"`
	WaitMS        int64        `json:"wait_ms,omitempty"`
	Status        string       `json:"status"`
	Reason        string       `json:"reason,omitempty"`
	ErrorCode     string       `json:"error_code,omitempty"`
	Repair        bool         `json:"repair,omitempty"`
	RequestID     string       `json:"request_id,omitempty"`
}

// stepText is what was asked and answered, apart from the step so that lists open no seal.
type stepText struct {
	ID     string       `json:"id"` // of the step
	Prompt store.Sealed `json:"prompt,omitzero"`
	Answer store.Sealed `json:"answer,omitzero"`
}

var (
	executionTable = store.NewTable("ai_execution", "exe", func(e *execution) string { return e.ID })
	byStarted      = executionTable.Index("started", func(e *execution) store.Key { return store.Time(e.StartedAt) })
	runningOn      = executionTable.MultiAcross("running", func(e *execution) []store.Key {
		if e.Status != Running {
			return nil
		}
		return []store.Key{store.Text(e.Node)}
	})
	executionMode   = executionTable.Facet("mode", func(e *execution) []string { return []string{string(e.Mode)} })
	executionAgent  = executionTable.Facet("agent", func(e *execution) []string { return []string{string(e.Agent)} })
	executionStatus = executionTable.Facet("status", func(e *execution) []string { return []string{string(e.Status)} })

	textTable    = store.NewTable("ai_step_text", "aex", func(t *stepText) string { return t.ID })
	sealedPrompt = textTable.Sealed("prompt", func(t *stepText) *store.Sealed { return &t.Prompt })
	sealedAnswer = textTable.Sealed("answer", func(t *stepText) *store.Sealed { return &t.Answer })
)

// maxText bounds a sealed text, in bytes.
const maxText = 256 << 10

func (s *Service) executionEndpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/executions", "ai.list_executions", perm.AIRead, "List what agents did, newest first.", s.listExecutions),
		api.E("GET /ai/executions/{id}", "ai.get_execution", perm.AIRead, "Read one execution with its steps; prompts and answers are shown to ai:manage.", s.getExecution),
	}
}

// ShownExecution is an execution in a list.
type ShownExecution struct {
	ID               string          `json:"id"`
	Mode             Mode            `json:"mode" enum:"LIVE,PLAYGROUND,EVAL,BACKGROUND"`
	Agent            Agent           `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	ConversationID   *string         `json:"conversation_id"`
	BusinessID       *string         `json:"business_id"`
	TriggerMessageID *string         `json:"trigger_message_id"`
	Status           ExecutionStatus `json:"status" enum:"RUNNING,SUCCEEDED,FAILED,CANCELLED"`
	FinalAction      *string         `json:"final_action" enum:"SEND,DRAFT,RECOMMEND,NONE,HANDOFF,BLOCK,STOP"`
	Model            *string         `json:"model" doc:"The one that answered last."`
	Provider         *api.Named      `json:"provider"`
	StepsCount       int             `json:"steps_count"`
	TokensIn         int64           `json:"tokens_in"`
	TokensOut        int64           `json:"tokens_out"`
	CostUSD          float64         `json:"cost_usd"`
	LatencyMS        *int64          `json:"latency_ms"`
	ErrorCode        *string         `json:"error_code" example:"ai_unavailable"`
	Demo             bool            `json:"demo"`
	Estimated        bool            `json:"estimated" doc:"The cost is not what a provider said."`
	StartedAt        time.Time       `json:"started_at"`
	FinishedAt       *time.Time      `json:"finished_at"`
}

// ShownStep is a step in the API.
type ShownStep struct {
	ID            string     `json:"id"`
	Kind          string     `json:"kind" enum:"DECISION,KNOWLEDGE,MEMORY,GENERATE,VALIDATE,TOOL,FALLBACK"`
	Provider      *api.Named `json:"provider"`
	Model         *string    `json:"model"`
	PromptVersion *string    `json:"prompt_version" doc:"null: the default prompt."`
	InputHash     *string    `json:"input_hash" doc:"Equal inputs have equal hashes."`
	TokensIn      int64      `json:"tokens_in"`
	TokensCached  int64      `json:"tokens_cached" doc:"Of tokens_in."`
	TokensOut     int64      `json:"tokens_out"`
	CostUSD       float64    `json:"cost_usd"`
	LatencyMS     int64      `json:"latency_ms"`
	WaitMS        *int64     `json:"wait_ms" doc:"For how long the entry will be passed over."`
	Status        string     `json:"status" enum:"SUCCEEDED,FAILED,SKIPPED"`
	Reason        *string    `json:"reason" doc:"Why a step is a fallback: a fault, or DISABLED, COOLING, BUSY, CONTEXT, UNPRICED, BUDGET."`
	ErrorCode     *string    `json:"error_code"`
	Repair        bool       `json:"repair" doc:"The second try after an answer that could not be used."`
	Estimated     bool       `json:"estimated"`
	Prompt        *string    `json:"prompt" doc:"null without ai:manage."`
	Answer        *string    `json:"answer" doc:"null without ai:manage."`
}

// Knowledge is a source that an execution read.
type Knowledge struct {
	SourceID string  `json:"source_id"`
	Version  int     `json:"version"`
	Chunk    int     `json:"chunk"`
	Score    float64 `json:"score"`
}

// Validator is a check of an answer.
type Validator struct {
	Code   string  `json:"code"`
	Passed bool    `json:"passed"`
	Detail *string `json:"detail"`
}

// WholeExecution is one execution.
type WholeExecution struct {
	ShownExecution
	Steps      []ShownStep    `json:"steps"`
	Decision   map[string]any `json:"decision" doc:"null until the seller exists."`
	Knowledge  []Knowledge    `json:"knowledge"`
	Memory     []string       `json:"memory"`
	Validators []Validator    `json:"validators"`
	LeaseUSD   float64        `json:"lease_usd" doc:"Reserved while it runs."`
}

func (e *execution) shown(org string) ShownExecution {
	out := ShownExecution{
		ID: e.ID, Mode: e.Mode, Agent: e.Agent, BusinessID: api.Optional(e.BusinessID), Status: e.Status, StepsCount: len(e.Steps), TokensIn: e.TokensIn,
		TokensOut: e.TokensOut, CostUSD: e.Cost.USD(), ErrorCode: api.Optional(e.ErrorCode), Demo: e.Demo, Estimated: e.Estimated, StartedAt: e.StartedAt,
		FinishedAt: optionalTime(e.FinishedAt),
	}
	if last := e.last(); last != nil {
		out.Model, out.Provider = api.Optional(last.Model), api.Ref(org, last.Provider)
	}
	if !e.FinishedAt.IsZero() {
		ms := e.FinishedAt.Sub(e.StartedAt).Milliseconds()
		out.LatencyMS = &ms
	}
	return out
}

// last is the last step that asked a model; nil when none did.
func (e *execution) last() *step {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		if e.Steps[i].Status != stepSkipped {
			return &e.Steps[i]
		}
	}
	return nil
}

type listExecutionsIn struct {
	api.PageIn
	ForBusiness
	Mode           Mode            `query:"mode" enum:"LIVE,PLAYGROUND,EVAL,BACKGROUND"`
	Agent          Agent           `query:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	Status         ExecutionStatus `query:"status" enum:"RUNNING,SUCCEEDED,FAILED,CANCELLED"`
	ConversationID string          `query:"conversation_id" maxLength:"64" doc:"There are no conversations yet."`
	From           time.Time       `query:"from"`
	To             time.Time       `query:"to" doc:"Exclusive."`
}

func (in *listExecutionsIn) where() (out []store.Cond[execution]) {
	if in.Mode != "" {
		out = append(out, executionMode.Any(string(in.Mode)))
	}
	if in.Agent != "" {
		out = append(out, executionAgent.Any(string(in.Agent)))
	}
	if in.Status != "" {
		out = append(out, executionStatus.Any(string(in.Status)))
	}
	if in.ConversationID != "" { // none has one yet
		out = append(out, executionMode.Any(""))
	}
	if !in.From.IsZero() || !in.To.IsZero() {
		out = append(out, byStarted.Where(store.During(in.From, in.To)))
	}
	return out
}

func (s *Service) listExecutions(c *api.Call, in listExecutionsIn) (out api.Page[ShownExecution], err error) {
	if err := in.check(); err != nil {
		return out, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		page, err := executionTable.Page(tx, c.Org, store.Query[execution]{
			Where: in.where(), Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
		})
		rows := make([]ShownExecution, len(page.Data))
		for i := range page.Data {
			rows[i] = page.Data[i].shown(c.Org)
		}
		out = api.NewPage(rows, page.Total, in.PageIn, page.Next)
		return err
	})
	return out, err
}

func (s *Service) getExecution(c *api.Call, in idIn) (out WholeExecution, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		e, err := executionTable.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		out = WholeExecution{
			ShownExecution: e.shown(c.Org), Steps: make([]ShownStep, len(e.Steps)), Knowledge: []Knowledge{}, Memory: []string{}, Validators: []Validator{},
			LeaseUSD: e.Lease.USD(),
		}
		for i := range e.Steps {
			out.Steps[i] = e.Steps[i].shown(c.Org)
			if c.Caller.Perms.Has(perm.AIManage) {
				if err := s.openTexts(tx, c.Org, &out.Steps[i]); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out, err
}

func (x *step) shown(org string) ShownStep {
	return ShownStep{
		ID: x.ID, Kind: x.Kind, Provider: api.Ref(org, x.Provider), Model: api.Optional(x.Model), PromptVersion: api.Optional(x.PromptVersion),
		InputHash: api.Optional(x.InputHash), TokensIn: x.Usage.Prompt(), TokensCached: x.Usage.CachedInput, TokensOut: x.Usage.Output, CostUSD: x.Cost.USD(),
		LatencyMS: x.LatencyMS, WaitMS: api.Optional(x.WaitMS), Status: x.Status, Reason: api.Optional(x.Reason), ErrorCode: api.Optional(x.ErrorCode),
		Repair: x.Repair, Estimated: x.Usage.Estimated,
	}
}

func (s *Service) openTexts(tx *store.Tx, org string, to *ShownStep) error {
	t, err := textTable.Get(tx, org, to.ID)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	prompt, err := sealedPrompt.Open(s.db, org, &t)
	if err != nil {
		return err
	}
	answer, err := sealedAnswer.Open(s.db, org, &t)
	to.Prompt, to.Answer = api.Optional(string(prompt)), api.Optional(string(answer))
	return err
}

// Purge removes executions that are older than the organization keeps them, with their
// texts, at most limit records. Costs stay.
func Purge(tx *store.Tx, orgID string, limit int) (n int, err error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	before := tx.DB().Now().AddDate(0, 0, -o.Retention.ExecutionsDays)
	list, _, err := byStarted.Walk(tx, orgID, store.Range{Span: store.During(time.Time{}, before), Limit: limit})
	for i := range list {
		if err != nil || n >= limit {
			break
		}
		if list[i].Status == Running {
			continue
		}
		for _, x := range list[i].Steps {
			if err = store.IgnoreNotFound(textTable.Delete(tx, orgID, x.ID)); err != nil {
				return n, err
			}
			n++
		}
		err = executionTable.Delete(tx, orgID, list[i].ID)
		n++
	}
	return n, err
}
