package answer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/decide"
	"svc/ai/ground"
	"svc/ai/signals"
	"svc/app/api"
	"svc/app/business"
	"svc/app/calendar"
	"svc/app/engine/execution"
)

// cautious is added to the threshold of what a model decides from level 3 on, while too few of
// its decisions were judged to know what its confidence is worth.
const cautious = 0.1

// Run decides and writes. work is an open execution; its steps and its cost are kept there.
func Run(ctx context.Context, work *execution.Work, s *Situation) (out Outcome) {
	if s.Knowledge == nil {
		s.Knowledge = NoKnowledge{}
	}
	burst := s.burst()
	out = Outcome{Action: execution.None, Tongue: s.tongue(), Signals: signals.Read(burst, s.StopWords), Decision: decide.Decision{}}
	r := run{ctx: ctx, work: work, s: s, out: &out, burst: burst}
	if !r.begin() {
		return out
	}
	if !r.decide() || !r.judge() {
		return out
	}
	if s.Level <= 0 {
		return out
	}
	if r.book() {
		r.write()
	}
	return out
}

// run is one Run.
type run struct {
	ctx   context.Context
	work  *execution.Work
	s     *Situation
	out   *Outcome
	burst string
	// enough: rules decided all that is needed.
	enough bool
	// mask are the messages without personal data, once they were made.
	mask []Said
	// found is what was read of the calendar, and stated what the words say of an appointment.
	found  calendar.Found
	stated *appointmentData
	// unread: the last look at the calendar failed.
	unread bool
	// unsearched: the seller may not search knowledge.
	unsearched bool
}

// begin is what needs no model. It says whether to go on.
func (r *run) begin() bool {
	s, o := r.s, r.out
	last := s.Messages[len(s.Messages)-1]
	switch {
	case s.FollowUp:
		o.Scenario = business.AnotherScenario
		return s.Level > 0
	case r.burst == "" && files(s.Messages[len(s.Messages)-s.Burst:]) > 0:
		o.hand(s.Level, Handoff{Trigger: business.LowConfidence, Reason: "The customer sent files or a voice message, which nothing here reads."})
		return false
	case last.From != Customer || strings.TrimSpace(r.burst) == "":
		o.Codes = []string{NoReply}
		return false
	case o.Signals.Stop.Certainty == signals.Certain:
		o.Action = execution.Stop
		return false
	case r.closes():
		o.Codes = []string{NoReply}
	}
	answers, enough := decide.Rules(o.Signals)
	o.Decision = o.Decision.Merge(decide.FromRules, answers, r.limits(0), r.stages())
	o.Scenario, r.enough = r.scenario(), enough
	switch {
	case o.Signals.Person:
		o.hand(s.Level, Handoff{Trigger: business.HumanRequested, Reason: "The customer asks for a person.", High: true})
		return false
	case o.Signals.Complaint:
		o.hand(s.Level, Handoff{Trigger: business.Complaint, Reason: "The customer complains.", High: true})
		return false
	}
	return !r.closes()
}

func files(list []Said) (n int) {
	for _, m := range list {
		n += m.Files
	}
	return n
}

// limits are the thresholds of a source that is judged by so much more.
func (r *run) limits(more float64) decide.Thresholds {
	return decide.Thresholds{Default: min(r.s.Settings.Confidence+more, 1)}
}

// correct puts in place of the confidences of a model how often such answers were right, where
// people judged enough of them. It gives the thresholds of all.
func (r *run) correct(answers map[decide.Field]decide.Answer) decide.Thresholds {
	limits := r.limits(0)
	if r.s.Level >= 3 {
		limits = r.limits(cautious)
	}
	limits.Own = map[decide.Field]float64{}
	for f, a := range answers {
		if corrected, ok := r.s.Reviews.Correct(f, a.Confidence); ok {
			said := min(max(a.Confidence, 0), 1)
			answers[f] = decide.Answer{Value: a.Value, Confidence: corrected, Said: &said}
			limits.Own[f] = r.limits(0).Default
		}
	}
	return limits
}

func (r *run) stages() (keys []string) {
	for _, s := range r.s.Funnel.Stages {
		keys = append(keys, s.Key)
	}
	return keys
}

// scenario is what the message is about: of the decision, else by its words.
func (r *run) scenario() business.Scenario {
	if v := r.out.Decision.Of(decide.Scenario); v != "" {
		return business.Scenario(v)
	}
	if v := r.out.Signals.Scenario; v != "" {
		return business.Scenario(v)
	}
	return business.AnotherScenario
}

// decide asks for what the rules did not decide: the outside service first, a model for what
// is left. It says whether to go on.
func (r *run) decide() bool {
	if r.enough || r.s.FollowUp {
		return true
	}
	o, begun := r.out, time.Now()
	defer func() { o.Took, o.Scenario = time.Since(begun), r.scenario() }()
	if !r.askJEV() {
		return true
	}
	missing := o.Decision.Missing()
	if r.sentence() != "" {
		missing = append(missing, decide.Custom)
	}
	if len(missing) == 0 {
		return true
	}
	answers, err := r.askDecision(missing)
	switch {
	case err == nil:
		limits := r.correct(answers)
		o.Decision = o.Decision.Merge(decide.FromModel, answers, limits, r.stages())
	case !switchedOff(err) && (errors.Is(err, context.Canceled) || execution.FaultOf(err) != ai.BadOutput):
		o.Err = err
		return false
	default: // what the rules say is all there is
		r.work.Note(execution.Step{Kind: execution.Decision, Begin: begun, Took: time.Since(begun), ErrorCode: "no_decision"})
	}
	return true
}

// switchedOff says whether the agent that decides does not work for this organization.
func switchedOff(err error) bool {
	var refused *api.Error
	return errors.As(err, &refused) && refused.Code == api.ErrState.Code
}

// judge looks at the decision before anything is written. It says whether to go on.
func (r *run) judge() bool {
	o, s := r.out, r.s
	if s.FollowUp {
		return true
	}
	stop, likely := o.Decision.StopLikely(), o.Signals.Stop.Certainty == signals.Likely
	switch {
	case likely && stop >= decide.StopWithWords || stop >= decide.StopAlone:
		o.Action = execution.Stop
		return false
	case likely && !r.goesOn() || stop >= decide.StopDoubt:
		o.Doubt, o.DoubtAbout = true, r.doubted()
		o.hand(s.Level, Handoff{Trigger: business.PolicyUncertainty, Reason: "The customer may want no more messages; decide whether they are opted out.", High: true})
		return false
	}
	if h := r.trigger(); h != nil {
		o.hand(s.Level, *h)
		return false
	}
	return true
}

// goesOn says whether a model or the outside service is sure enough that the customer wants no
// stop, whatever the words sound like.
func (r *run) goesOn() bool {
	v := r.out.Decision[decide.Stop]
	return v.Trusted && v.Value == decide.No && (v.Source == decide.FromModel || v.Source == decide.FromJEV)
}

// doubted is the message that may ask to stop: the newest that sounds so, else the newest.
func (r *run) doubted() string {
	burst := r.s.Messages[len(r.s.Messages)-r.s.Burst:]
	for i := len(burst) - 1; i >= 0; i-- {
		if signals.FindStop(burst[i].Text, r.s.StopWords).Certainty != signals.No {
			return burst[i].ID
		}
	}
	for i := len(burst) - 1; i >= 0; i-- {
		if burst[i].Text != "" {
			return burst[i].ID
		}
	}
	return ""
}

// trigger is why a person answers in the place of the seller; nil: nobody must.
func (r *run) trigger() *Handoff {
	o, s := r.out, r.s
	enabled := func(t business.Trigger) bool {
		_, stage, _ := s.Funnel.Stage(s.Stage)
		return s.Settings.HandsOver(t) || slices.Contains(stage.Handoff, string(t))
	}
	intent := o.Decision.Of(decide.Intent)
	switch {
	case intent == decide.HumanRequest:
		return &Handoff{Trigger: business.HumanRequested, Reason: "The customer asks for a person.", High: true}
	case intent == decide.Complaint:
		return &Handoff{Trigger: business.Complaint, Reason: "The customer complains.", High: true}
	case intent == decide.Sensitive && enabled(business.SensitiveTopic):
		return &Handoff{Trigger: business.SensitiveTopic, Reason: "The subject is one that a person should answer.", High: true}
	case enabled(business.PricingException) && r.bids():
		return &Handoff{Trigger: business.PricingException, Reason: "The customer asks for less than the price."}
	case r.custom():
		return &Handoff{Trigger: business.CustomRule, Reason: "Your own rule holds: " + r.sentence()}
	case intent == "" && o.Decision.Of(decide.Scenario) == "" && !r.enough && enabled(business.LowConfidence):
		return &Handoff{Trigger: business.LowConfidence, Reason: "It is not clear enough what the customer wants."}
	case o.Decision.Says(decide.Handoff) && enabled(business.PolicyUncertainty):
		return &Handoff{Trigger: business.PolicyUncertainty, Reason: "The decision asks for a person."}
	}
	return nil
}

// bids says whether the customer asks for a price below that of an offer without a range.
func (r *run) bids() bool {
	sources := r.sources(&prompt{offers: r.s.chooseOffers(r.burst)})
	_, ok := ground.FindBid(&sources)
	return ok
}

// custom says whether the organization's own rule holds, as surely as the rule asks for.
func (r *run) custom() bool {
	v := r.out.Decision[decide.Custom]
	rule := r.s.Settings.Rules[business.CustomRule]
	if r.sentence() == "" || v.Value != decide.Yes {
		return false
	}
	if rule.Threshold != nil {
		return v.Confidence >= *rule.Threshold
	}
	return v.Trusted
}
