package answer

import (
	"slices"
	"time"

	"svc/ai/check"
	"svc/ai/decide"
	"svc/ai/signals"
	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/execution"
	"svc/app/seller/decision"
)

// Codes of answers that are not sent because of a rule and not of a validator.
const (
	NoReply           = "NO_REPLY"
	ReplyWindowClosed = "REPLY_WINDOW_CLOSED"
)

// Handoff is why a person is needed.
type Handoff struct {
	Trigger business.Trigger
	// Reason is a sentence for the team.
	Reason string
	High   bool
}

// Outcome is what was decided and written.
type Outcome struct {
	Action   execution.Action
	Tongue   Tongue
	Signals  signals.Signals
	Decision decide.Decision
	// Masked is what was masked before the decision was asked for; ModelVersion that of the
	// outside decision service, "" when it was not asked; Took how long the decision took.
	Masked       decision.Masked
	ModelVersion string
	Took         time.Duration
	Scenario     business.Scenario
	// Reply is the text, "" for none.
	Reply string
	// Handoff is set for Handoff, and beside a reply for one that a person should see.
	Handoff *Handoff
	// Codes are why nothing is sent: those of validators for Block, NoReply for None.
	Codes      []string
	Validators []check.Result
	Knowledge  []Hit
	// Missed is a question to which neither the knowledge nor an offer gave an answer, "" for none.
	Missed string
	// Offers are the ids of offers that the reply uses.
	Offers []string
	// Does is the action that the reply takes, by the names of contract 11.
	Does string
	// Stage is the stage that the conversation should be in; "" for where it is.
	Stage string
	// Purchase: the customer buys, and what they buy stands in the offers.
	Purchase bool
	// Wish is what becomes of the calendar with the reply, nil for nothing.
	Wish *Wish
	// Verbatim: the reply is an approved answer of the knowledge, word for word.
	Verbatim bool
	// Doubt: it may be a stop, and a person decides. DoubtAbout is the message that sounds so, ""
	// where nobody keeps it.
	Doubt      bool
	DoubtAbout string
	// Wrote: the agent that writes was asked.
	Wrote bool
	// Err is why no model answered.
	Err error
}

// Interest is how interested the customer is.
func (o *Outcome) Interest() string { return o.Decision.Of(decide.Interest) }

// Quality is how likely a sale is.
func (o *Outcome) Quality() string { return o.Decision.Of(decide.LeadQuality) }

// allowed is what may happen with an answer (contract 11.5).
func allowed(level int, approved bool) execution.Action {
	switch {
	case level <= 0:
		return execution.None
	case level == 1:
		return execution.Recommend
	case level >= 4 || level == 3 && approved:
		return execution.Send
	}
	return execution.Draft
}

// Allowed is what may happen with an answer in a scenario at a level, by the settings.
func Allowed(s *business.Settings, level int, scenario business.Scenario) execution.Action {
	return allowed(min(level, 5), slices.Contains(s.Approved, scenario))
}

// May is what may happen with the answer at a level, by the settings: never more than a draft
// in a scenario of which only approved answers are sent, when it is none.
func (o *Outcome) May(s *business.Settings, level int) execution.Action {
	may := Allowed(s, level, o.Scenario)
	if may == execution.Send && !o.Verbatim && slices.Contains(s.Strict, o.Scenario) {
		return execution.Draft
	}
	return may
}

// hand ends with a person, or at a level that only reads with nothing.
func (o *Outcome) hand(level int, h Handoff) {
	o.Reply, o.Handoff, o.Wish = "", &h, nil
	if o.Action = execution.Handoff; level <= 0 {
		o.Action, o.Handoff = execution.None, nil
	}
}

// Decided is the decision as an execution keeps it, nil for none.
func (o *Outcome) Decided() map[string]any {
	if len(o.Decision) == 0 {
		return nil
	}
	out := map[string]any{}
	for f, v := range o.Decision {
		out[string(f)] = v
	}
	return out
}

// Chunks are the parts of the knowledge that the answer was made with.
func (o *Outcome) Chunks() []execution.Chunk {
	out := make([]execution.Chunk, 0, len(o.Knowledge))
	for i := range o.Knowledge {
		h := &o.Knowledge[i]
		out = append(out, execution.Chunk{SourceID: h.SourceID, Version: h.Version, Chunk: h.Chunk, Score: h.Score})
	}
	return out
}

// Checked is what the validators said of the last try.
func (o *Outcome) Checked() []execution.Validator {
	out := make([]execution.Validator, 0, len(o.Validators))
	for _, v := range o.Validators {
		out = append(out, execution.Validator{Code: string(v.Code), Passed: v.Passed, Detail: api.Optional(v.Detail)})
	}
	return out
}
