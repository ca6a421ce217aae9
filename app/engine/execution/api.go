package execution

import (
	"encoding/json"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/engine/agent"
	"svc/store"
)

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/executions", "ai.list_executions", perm.AIRead, "List what agents did, newest first.", s.listExecutions),
		api.E("GET /ai/executions/{id}", "ai.get_execution", perm.AIRead, "Read one execution with its steps; prompts and answers are shown to ai:manage.", s.getExecution),
	}
}

// ShownExecution is an execution in a list.
type ShownExecution struct {
	ID               string          `json:"id"`
	Mode             agent.Mode      `json:"mode" enum:"LIVE,PLAYGROUND,EVAL,BACKGROUND"`
	Agent            agent.Agent     `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	ConversationID   *string         `json:"conversation_id"`
	BusinessID       *string         `json:"business_id"`
	TriggerMessageID *string         `json:"trigger_message_id"`
	Status           ExecutionStatus `json:"status" enum:"RUNNING,SUCCEEDED,FAILED,CANCELLED"`
	FinalAction      *Action         `json:"final_action" enum:"SEND,DRAFT,RECOMMEND,NONE,HANDOFF,BLOCK,STOP"`
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
	ID            string      `json:"id"`
	Kind          Kind        `json:"kind" enum:"DECISION,KNOWLEDGE,MEMORY,GENERATE,VALIDATE,TOOL,FALLBACK"`
	Agent         agent.Agent `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE" doc:"Whose step it is; a turn asks several."`
	Provider      *api.Named  `json:"provider"`
	Model         *string     `json:"model"`
	PromptVersion *string     `json:"prompt_version" doc:"null: the default prompt."`
	InputHash     *string     `json:"input_hash" doc:"Equal inputs have equal hashes."`
	TokensIn      int64       `json:"tokens_in"`
	TokensCached  int64       `json:"tokens_cached" doc:"Of tokens_in."`
	TokensOut     int64       `json:"tokens_out"`
	CostUSD       float64     `json:"cost_usd"`
	StartedAt     *time.Time  `json:"started_at"`
	LatencyMS     int64       `json:"latency_ms"`
	QueuedMS      *int64      `json:"queued_ms" doc:"Of latency_ms, the wait for a place among the calls of the provider."`
	WaitMS        *int64      `json:"wait_ms" doc:"For how long the entry will be passed over."`
	Status        string      `json:"status" enum:"SUCCEEDED,FAILED,SKIPPED"`
	Reason        *string     `json:"reason" doc:"Why a step is a fallback: a fault, or DISABLED, COOLING, BUSY, CONTEXT, TOOLS, UNPRICED, BUDGET."`
	ErrorCode     *string     `json:"error_code"`
	Repair        bool        `json:"repair" doc:"The second try after an answer that could not be used."`
	Estimated     bool        `json:"estimated"`
	Prompt        *string     `json:"prompt" doc:"null without ai:manage."`
	Answer        *string     `json:"answer" doc:"null without ai:manage."`
}

// Chunk is a part of a source that an execution read.
type Chunk struct {
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
	Decision   map[string]any `json:"decision" doc:"Its fields with their values, as the caller decided; null where nothing was decided."`
	Knowledge  []Chunk        `json:"knowledge"`
	Memory     []string       `json:"memory"`
	Validators []Validator    `json:"validators"`
	LeaseUSD   float64        `json:"lease_usd" doc:"Reserved while it runs."`
}

func (e *execution) shown(org string) ShownExecution {
	out := ShownExecution{
		ID: e.ID, Mode: e.Mode, Agent: e.Agent, ConversationID: api.Optional(e.ConversationID), BusinessID: api.Optional(e.BusinessID),
		TriggerMessageID: api.Optional(e.TriggerMessageID), Status: e.Status, FinalAction: api.Optional(e.FinalAction), StepsCount: len(e.Steps),
		TokensIn: e.TokensIn, TokensOut: e.TokensOut, CostUSD: e.Cost.USD(), ErrorCode: api.Optional(e.ErrorCode), Demo: e.Demo, Estimated: e.Estimated,
		StartedAt: e.StartedAt, FinishedAt: api.Optional(e.FinishedAt),
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

type listExecutionsIn struct {
	api.PageIn
	agent.ForBusiness
	Mode           agent.Mode      `query:"mode" enum:"LIVE,PLAYGROUND,EVAL,BACKGROUND"`
	Agent          agent.Agent     `query:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	Status         ExecutionStatus `query:"status" enum:"RUNNING,SUCCEEDED,FAILED,CANCELLED"`
	ConversationID string          `query:"conversation_id" maxLength:"64" doc:"What was done about one conversation."`
	From           time.Time       `query:"from"`
	To             time.Time       `query:"to" doc:"Exclusive."`
}

func (in *listExecutionsIn) where(tx *store.Tx, org string) (out []store.Cond[execution], err error) {
	if in.Mode != "" {
		out = append(out, executionMode.Any(string(in.Mode)))
	}
	if in.Agent != "" {
		out = append(out, executionAgent.Any(string(in.Agent)))
	}
	if in.Status != "" {
		out = append(out, executionStatus.Any(string(in.Status)))
	}
	if in.BusinessID != "" {
		out = append(out, executionBusiness.Any(in.BusinessID))
	}
	if in.ConversationID != "" {
		out = append(out, byConversation.Where(store.Is(store.Text(in.ConversationID))))
	}
	if !in.From.IsZero() || !in.To.IsZero() {
		started, err := startedBetween(tx, org, in.From, in.To)
		if err != nil {
			return nil, err
		}
		out = append(out, started)
	}
	return out, nil
}

// seenBy leaves out those of personal chats for who may not read such chats.
func seenBy(c *api.Call) []store.Cond[execution] {
	if c.Caller.Perms.Has(perm.AccountsManage) {
		return nil
	}
	return []store.Cond[execution]{executionPersonal.Any("yes").Not()}
}

func (s *Service) listExecutions(c *api.Call, in listExecutionsIn) (out api.Page[ShownExecution], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if err := in.Check(tx, c.Org); err != nil {
			return err
		}
		where, err := in.where(tx, c.Org)
		if err != nil {
			return err
		}
		page, err := executionTable.Page(tx, c.Org, store.Query[execution]{
			Where: append(where, seenBy(c)...), Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind(),
		})
		if err != nil {
			return err
		}
		out, err = api.ShowPage(page, in.PageIn, func(x *execution) (ShownExecution, error) { return x.shown(c.Org), nil })
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
		if e.Personal && !c.Caller.Perms.Has(perm.AccountsManage) {
			return api.ErrNotFound
		}
		if out, err = e.whole(c.Org); err != nil {
			return err
		}
		for i := range e.Steps {
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

// whole is an execution without its sealed texts.
func (e *execution) whole(org string) (WholeExecution, error) {
	out := WholeExecution{
		ShownExecution: e.shown(org), Steps: make([]ShownStep, len(e.Steps)), Knowledge: append([]Chunk{}, e.Knowledge...),
		Memory: append([]string{}, e.Memory...), Validators: append([]Validator{}, e.Validators...), LeaseUSD: e.Lease.Total().USD(),
	}
	for i := range e.Steps {
		out.Steps[i] = e.Steps[i].shown(org)
		if out.Steps[i].Agent == "" {
			out.Steps[i].Agent = e.Agent
		}
	}
	if len(e.Decision) == 0 {
		return out, nil
	}
	return out, json.Unmarshal(e.Decision, &out.Decision)
}

func (x *step) shown(org string) ShownStep {
	return ShownStep{
		ID: x.ID, Kind: x.Kind, Agent: x.Agent, Provider: api.Ref(org, x.Provider), Model: api.Optional(x.Model), PromptVersion: api.Optional(x.PromptVersion),
		InputHash: api.Optional(x.InputHash), TokensIn: x.Usage.Prompt(), TokensCached: x.Usage.CachedInput, TokensOut: x.Usage.Output, CostUSD: x.Cost.USD(),
		StartedAt: api.Optional(x.StartedAt), LatencyMS: x.LatencyMS, QueuedMS: api.Optional(x.QueuedMS), WaitMS: api.Optional(x.WaitMS), Status: x.Status, Reason: api.Optional(x.Reason), ErrorCode: api.Optional(x.ErrorCode),
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

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}
