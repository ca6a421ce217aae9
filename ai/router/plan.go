package router

import (
	"time"

	"svc/ai"
)

// Entry is one model of a chain.
type Entry struct {
	// Provider names it in steps and in health; Handle is asked.
	Provider string
	Handle   ai.Model
	Model    string
	// Format is how an answer that fits a schema is asked for.
	Format ai.Format
	// ContextTokens is what the model can read, 0 for unknown.
	ContextTokens int64
	// MaxOutput is what it can write, 0 for unknown.
	MaxOutput int64
	// Least is the smallest MaxTokens that makes sense: models that think need room.
	Least       int
	Temperature *float64
	// NoTools: it cannot use tools.
	NoTools bool
	// FixedSampling: it takes no temperature.
	FixedSampling bool
	MaxTokens     int // 0: that of the request
	Timeout       time.Duration
	// Skip says why the entry cannot be used; "": it can.
	Skip Reason
}

// Reason says why an entry was not asked, or was left.
type Reason string

// The reasons of a fallback beside the faults.
const (
	Disabled Reason = "DISABLED"
	Cooling  Reason = "COOLING"
	Busy     Reason = "BUSY"
	Context  Reason = "CONTEXT"
	NoTools  Reason = "TOOLS"
	Unpriced Reason = "UNPRICED"
	Budget   Reason = "BUDGET"
)

// Step is one attempt, or one entry that was skipped.
type Step struct {
	// Entry is its place in the chain; Asked: a request was made.
	Entry           int
	Asked           bool
	Provider, Model string
	// Skipped is why it was not asked; Fault why it gave no answer. Both "": it answered.
	Skipped Reason
	Fault   ai.Fault
	Code    string
	Status  int
	// Wait is how long the entry will be skipped, as far as it is known.
	Wait       time.Duration
	Begin      time.Time
	Latency    time.Duration
	Queued     time.Duration // of Latency, for a slot
	Usage      ai.Usage
	RequestID  string
	Repair     bool // a second try after an answer that could not be used
	AnswerText string
	MaxTokens  int
}

// Plan is one piece of work.
type Plan struct {
	Chain   []Entry
	Request ai.Request
	// Draw takes what the attempt can cost at most before it is made; an error ends the
	// work. The function that it answers is called once with what was used. nil: anything
	// goes.
	Draw func(e *Entry, r *ai.Request) (settle func(ai.Usage), err error)
	// Accept says whether an answer can be used; an error counts as an answer that cannot.
	Accept func(ai.Response) error
}

// ExhaustedError says that no entry answered.
type ExhaustedError struct {
	// Until is when the first of those that are skipped may be tried again; zero: unknown.
	Until time.Time
	// Last is the last fault, nil when nothing was asked.
	Last *ai.Error
}

// Error implements error.
func (e *ExhaustedError) Error() string {
	if e.Last == nil {
		return "router: no model of the chain can be asked"
	}
	return "router: no model of the chain answered; the last: " + e.Last.Error()
}

// Unwrap gives the last fault.
func (e *ExhaustedError) Unwrap() error {
	if e.Last == nil {
		return nil
	}
	return e.Last
}
