// Package execution runs models for other slices and keeps what each run did: its steps,
// what was asked and answered, and what it cost.
//
// A run is an execution. Whoever needs models plans one ([Plan]), opens it, which reserves
// the most that it can cost, asks as often as it must, of several agents if it has to, and
// settles it. Opening and settling are two transactions and may be the caller's own, so
// that what it does with the answer and what the answer cost are stored together; [Service.Run]
// is the short form for one question.
//
// It promises that a run costs two commits; that no number of runs at once passes a budget
// (contract 12.3); that a run of a process that died is settled by another; and that the
// sums of costs are those of the executions. It refuses to know what a run is for, and to
// read anything of customers.
package execution

import (
	"encoding/json"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
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

// Kind says what a step was.
type Kind string

// The kinds of step. An attempt that failed and an entry of a chain that was passed over are
// Fallback, whatever they were for.
const (
	Decision  Kind = "DECISION"
	Knowledge Kind = "KNOWLEDGE"
	Memory    Kind = "MEMORY"
	Generate  Kind = "GENERATE"
	Validate  Kind = "VALIDATE"
	Tool      Kind = "TOOL"
	Fallback  Kind = "FALLBACK"
)

// How a step ended.
const (
	stepSucceeded = "SUCCEEDED"
	stepFailed    = "FAILED"
	stepSkipped   = "SKIPPED"
)

// Action is what came of a turn in the end (contract 12).
type Action string

// The actions.
const (
	Send      Action = "SEND"
	Draft     Action = "DRAFT"
	Recommend Action = "RECOMMEND"
	None      Action = "NONE"
	Handoff   Action = "HANDOFF"
	Block     Action = "BLOCK"
	Stop      Action = "STOP"
)

// execution is one run, as it is kept.
type execution struct {
	ID         string      `json:"id"`
	Mode       agent.Mode  `json:"mode"`
	Agent      agent.Agent `json:"agent"` // whose run it is; its steps may be of others
	BusinessID string      `json:"business_id,omitempty"`
	// ConversationID and TriggerMessageID say what it answers.
	ConversationID   string          `json:"conversation_id,omitempty"`
	TriggerMessageID string          `json:"trigger_message_id,omitempty"`
	Status           ExecutionStatus `json:"status"`
	FinalAction      Action          `json:"final_action,omitempty"`
	Steps            []step          `json:"steps,omitempty"`
	Decision         json.RawMessage `json:"decision,omitempty"`
	Knowledge        []Chunk         `json:"knowledge,omitempty"`
	Memory           []string        `json:"memory,omitempty"`
	Validators       []Validator     `json:"validators,omitempty"`
	TokensIn         int64           `json:"tokens_in,omitempty"`
	TokensOut        int64           `json:"tokens_out,omitempty"`
	Cost             catalog.Nano    `json:"cost,omitempty"`
	ErrorCode        string          `json:"error_code,omitempty"`
	Demo             bool            `json:"demo,omitempty"`
	// Estimated: the cost is not what a provider said.
	Estimated  bool      `json:"estimated,omitempty"`
	StartedAt  time.Time `json:"started_at"`
	FinishedAt time.Time `json:"finished_at,omitzero"`
	// Personal: its conversation is a personal chat. Its texts are not kept, and not everybody
	// sees it.
	Personal bool `json:"personal,omitempty"`
	// Lease is what is reserved while it runs, on Node.
	Lease budget.Amounts `json:"leases,omitempty"`
	Node  string         `json:"node,omitempty"`
}

// step is one attempt, one entry of a chain that was passed over, or something that the
// caller did between two questions.
type step struct {
	ID            string       `json:"id"`
	Kind          Kind         `json:"kind"`
	Agent         agent.Agent  `json:"agent,omitempty"` // "": that of the execution
	Provider      string       `json:"provider,omitempty"`
	Model         string       `json:"model,omitempty"`
	PromptVersion string       `json:"prompt_version,omitempty"`
	InputHash     string       `json:"input_hash,omitempty"`
	Usage         ai.Usage     `json:"usage,omitzero"`
	Cost          catalog.Nano `json:"cost,omitempty"`
	StartedAt     time.Time    `json:"started_at,omitzero"`
	LatencyMS     int64        `json:"latency_ms,omitempty"`
	QueuedMS      int64        `json:"queued_ms,omitempty"` // of LatencyMS, for a slot of the provider
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
	byConversation = executionTable.Multi("conversation", func(e *execution) []store.Key {
		if e.ConversationID == "" {
			return nil
		}
		return []store.Key{store.Text(e.ConversationID)}
	})
	runningOn = executionTable.MultiAcross("running", func(e *execution) []store.Key {
		if e.Status != Running {
			return nil
		}
		return []store.Key{store.Text(e.Node)}
	})
	executionBusiness = executionTable.Facet("business", func(e *execution) []string {
		if e.BusinessID == "" {
			return nil
		}
		return []string{e.BusinessID}
	})
	executionPersonal = executionTable.Facet("personal", func(e *execution) []string {
		if !e.Personal {
			return nil
		}
		return []string{"yes"}
	})
	executionMode   = executionTable.Facet("mode", func(e *execution) []string { return []string{string(e.Mode)} })
	executionAgent  = executionTable.Facet("agent", func(e *execution) []string { return []string{string(e.Agent)} })
	executionStatus = executionTable.Facet("status", func(e *execution) []string { return []string{string(e.Status)} })

	textTable    = store.NewTable("ai_step_text", "aex", func(t *stepText) string { return t.ID })
	sealedPrompt = textTable.Sealed("prompt", func(t *stepText) *store.Sealed { return &t.Prompt })
	sealedAnswer = textTable.Sealed("answer", func(t *stepText) *store.Sealed { return &t.Answer })
)

// DecisionMigration gives the decisions that executions show the ids that they have now.
var DecisionMigration = store.Migration{
	Name: "2026-11 executions: ids of decisions begin with dec_",
	Step: executionTable.Rewrite(store.Replace(`"decision_id":"dcn_`, `"decision_id":"dec_`)),
}

// maxText bounds a sealed text, in bytes.
const maxText = 256 << 10

// Tables are what a store that holds executions is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{executionTable, textTable} }

// last is the last step that asked a model; nil when none did.
func (e *execution) last() *step {
	for i := len(e.Steps) - 1; i >= 0; i-- {
		if x := &e.Steps[i]; x.Model != "" && x.Status != stepSkipped {
			return x
		}
	}
	return nil
}
