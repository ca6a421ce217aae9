package turn

import (
	"errors"
	"math/rand/v2"
	"time"

	"svc/ai"
	"svc/ai/decide"
	"svc/app/api"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/inbox/reply"
	"svc/app/seller/answer"
	"svc/app/seller/draft"
	"svc/app/seller/figure"
	"svc/store"
)

const (
	sellerAgent = agent.Seller
	live        = agent.Live
)

// acting is the last transaction of a turn.
type acting struct {
	s    *Service
	tx   *store.Tx
	org  string
	call *api.Call
	c    *claimed
	out  *answer.Outcome
	t    Turn
	k    conversation.Conversation
	v    verdict
	// What came of it.
	draft, handoff string
	// beside: a person got the conversation with this answer, which goes out all the same.
	beside bool
	// kept is the decision as it was kept, once it was.
	kept map[string]any
}

// errTaken: another process took the turn over; what this one found counts no more.
var errTaken = errors.New("turn: another process has it")

// act does what came of an answer, in one transaction with its execution. The time that it
// answers is when the turn goes on, 0 for an end.
func (s *Service) act(tx *store.Tx, org string, c *claimed, out *answer.Outcome) (wait time.Duration, err error) {
	a := &acting{s: s, tx: tx, org: org, c: c, out: out, call: systemCall(tx, org)}
	if a.t, err = of(tx, org, c.turn.Conversation); err != nil {
		return 0, err
	}
	if a.t.Phase != Running || a.t.Execution != c.work.ID() {
		return 0, errTaken
	}
	if a.k, err = conversation.Get(tx, org, c.turn.Conversation); err != nil {
		if store.IsNotFound(err) {
			return 0, a.end(Withdrawn)
		}
		return 0, err
	}
	if a.v, err = s.gate(tx, org, &a.k); err != nil {
		return 0, err
	}
	if out.Err != nil {
		return a.failed()
	}
	if a.newer() {
		return again, a.discard()
	}
	byPerson, err := lastByPerson(tx, org, a.k.ID)
	if err != nil {
		return 0, err
	}
	a.settleOn(byPerson)
	if err := a.perform(); err != nil {
		return 0, err
	}
	if err := a.judge(); err != nil {
		return 0, err
	}
	if err := a.recordOutcome(); err != nil {
		return 0, err
	}
	if err := a.execution(); err != nil {
		return 0, err
	}
	if a.t.Failures = 0; out.Action != execution.Send {
		a.t.Superseded = 0
	}
	a.t.Done = max(a.t.Done, c.turn.Want)
	if a.t.owed() {
		a.t.Due, a.t.FirstWait = tx.DB().Now().Add(again), tx.DB().Now()
		return again, a.t.apply(tx, org, Owed)
	}
	return 0, a.end(Settled)
}

func (a *acting) end(on Event) error {
	a.t.Done = max(a.t.Done, a.t.Want)
	return a.t.apply(a.tx, a.org, on)
}

// newer says whether what the customer wrote meanwhile makes the answer wrong. After some
// replies in a row one goes out nevertheless: who writes all the time is answered too.
func (a *acting) newer() bool {
	return a.t.Want > a.c.turn.Want && a.t.Superseded < maxSuperseded && a.out.Action != execution.Stop
}

// discard throws the answer away and keeps its cost.
func (a *acting) discard() error {
	a.out.Action, a.out.Reply = execution.None, ""
	if err := a.execution(); err != nil {
		return err
	}
	a.t.Superseded++
	a.t.Due = a.tx.DB().Now().Add(again)
	return a.t.apply(a.tx, a.org, Owed)
}

// failed is a turn whose models gave no answer.
func (a *acting) failed() (time.Duration, error) {
	decided, err := a.decided()
	if err != nil {
		return 0, err
	}
	if err := a.c.work.Settle(a.tx, execution.Outcome{Err: a.out.Err, Decision: decided}); err != nil {
		return 0, err
	}
	var refused *api.Error
	switch errors.As(a.out.Err, &refused); {
	case refused != nil && refused.Code == budget.Err.Code:
		return 0, a.person(handoff.Custom, noBudget)
	case execution.FaultOf(a.out.Err) == ai.Refused:
		return 0, a.person(handoff.SensitiveTopic, "The language model refused to answer this.")
	}
	if a.t.Failures+1 >= mostFailures {
		return 0, a.person(handoff.RepeatedFailures, noModel)
	}
	after := time.Duration(0)
	if refused != nil {
		after = refused.RetryAfter
	}
	return a.s.unavailable(a.tx, a.org, &a.t, &a.k, after)
}

// person gives the turn to a person in the place of an answer.
func (a *acting) person(why handoff.Trigger, reason string) (err error) {
	if a.handoff, err = a.s.handOver(a.tx, a.org, &a.k, why, handoff.High, reason); err != nil {
		return err
	}
	a.out.Action = execution.Handoff
	if err := a.recordOutcome(); err != nil {
		return err
	}
	return a.end(Settled)
}

// settleOn brings the answer to what may happen now: the settings, the gate, and what people
// did meanwhile may be others than when it was written. The lower counts. byPerson: the newest
// message is one of the team's.
func (a *acting) settleOn(byPerson bool) {
	o := a.out
	switch {
	case a.v.ends && o.Action != execution.Stop:
		o.Action, o.Reply, o.Handoff, o.Codes = execution.None, "", nil, nil
		if blocks(a.v.code) {
			o.Action, o.Codes = execution.Block, []string{a.v.code}
		}
		return
	case byPerson && o.Action != execution.Stop:
		o.Action, o.Reply, o.Handoff = execution.None, "", nil
		return
	case a.v.advise && (o.Action == execution.Handoff || o.Action == execution.Block):
		o.Action, o.Reply, o.Handoff = execution.None, "", nil // a person has it, and needs no advice that there is none of
		return
	case o.Reply == "":
		return
	}
	level := min(a.v.settings.Level, a.c.situation.Level)
	if a.v.advise {
		level = min(level, 1)
	}
	if may := o.May(&a.v.settings, level); rank[may] < rank[o.Action] {
		o.Action = may
	}
	if o.Action == execution.Send && personWrote(a.c.situation.Messages, a.tx.DB().Now(), a.v.settings.YieldMinutes) {
		o.Action = execution.Draft
	}
	if o.Action == execution.None {
		o.Reply = ""
	}
}

// rank orders what may happen with a text, the least first.
var rank = map[execution.Action]int{execution.None: 0, execution.Recommend: 1, execution.Draft: 2, execution.Send: 3}

// perform does what the action says.
func (a *acting) perform() (err error) {
	if err := a.highValue(); err != nil {
		return err
	}
	if err := a.book(); err != nil {
		return err
	}
	switch a.out.Action {
	case execution.Send:
		err = a.send()
	case execution.Draft, execution.Recommend:
		err = a.propose()
	case execution.Handoff:
		err = a.hand()
	case execution.Block:
		err = a.block()
	case execution.Stop:
		err = a.stop()
	}
	if err != nil {
		return err
	}
	if a.out.Action != execution.Block {
		a.t.Blocks = 0
	}
	if a.out.Missed != "" && a.s.o.Missed != nil && !a.v.ends {
		if err := a.s.o.Missed(a.tx, a.org, a.k.ID, a.c.situation, a.out); err != nil {
			return err
		}
	}
	if a.s.o.Lead == nil || a.v.ends || a.v.advise {
		return nil
	}
	return a.s.o.Lead(a.tx, a.org, &a.k, a.c.situation, a.out)
}

// highValue asks a person into a conversation whose lead has become worth as much as the
// settings say. The customer is answered all the same.
func (a *acting) highValue() (err error) {
	rule := a.v.settings.Rules[business.HighValueLead]
	if a.s.o.Worth == nil || a.out.Reply == "" || a.v.advise || !rule.Enabled || rule.Threshold == nil {
		return nil
	}
	before, after, err := a.s.o.Worth(a.tx, a.org, &a.k, a.c.situation, a.out)
	if limit := *rule.Threshold; err != nil || before.Float() >= limit || after.Float() < limit {
		return err
	}
	h := answer.Handoff{Trigger: business.HighValueLead, Reason: "The customer is interested in offers of a high value."}
	a.out.Handoff = &h
	a.handoff, a.beside, err = a.s.giveTo(a.tx, a.org, &a.k, handoff.New{Trigger: handoff.HighValueLead, Priority: handoff.Normal, Words: handoff.Words{Reason: h.Reason}})
	return err
}

// send hands the reply over to be sent, not faster than anybody types.
func (a *acting) send() error {
	if err := draft.Supersede(a.tx, a.org, a.k.ID); err != nil {
		return err
	}
	delay := a.v.settings.ReplyDelay
	at := a.tx.DB().Now().Add(time.Duration(delay.Min) * time.Second)
	if spread := delay.Max - delay.Min; spread > 0 {
		at = at.Add(rand.N(time.Duration(spread) * time.Second))
	}
	nth := a.t.FollowUps
	if a.t.Want > a.c.turn.Want {
		nth = wroteOn // it answers up to the newest, which is owed all the same
	}
	_, v, err := a.s.o.Replies.QueueAI(a.tx, a.call, &a.k, reply.Written{
		Text: a.out.Reply, Execution: a.c.work.ID(), Demo: a.c.work.Demo(), AnswersSeq: a.t.Want, Nth: nth,
		Anyway: a.t.Superseded >= maxSuperseded, NotBefore: at, BesideHandoff: a.beside,
	})
	if err != nil {
		return err
	}
	if !v.Allowed {
		a.out.Action, a.out.Codes = execution.Block, []string{v.Code}
		return a.block()
	}
	if a.beside {
		return nil // a person goes on
	}
	return a.followLater()
}

// wroteOn is the place of an answer that goes out although the customer went on writing.
const wroteOn = -1

// propose keeps the reply for a person.
func (a *acting) propose() error {
	kind := draft.ForSending
	if a.out.Action == execution.Recommend {
		kind = draft.Recommendation
	}
	d, err := draft.Propose(a.tx, a.org, &a.k, draft.New{
		Kind: kind, Text: a.out.Reply, Language: a.out.Tongue.Tag(), Business: a.c.situation.Business.ID, Execution: a.c.work.ID(),
		Demo: a.c.work.Demo(), PromptVersion: a.c.work.PromptVersion(sellerAgent), AnswersSeq: a.c.turn.Want, ExpiresAt: a.v.until(a.tx.DB().Now()),
		Reasons: []string{string(a.out.Scenario)},
	})
	a.draft = d.ID
	return err
}

// block counts a reply that is not sent; two in a row are for a person.
func (a *acting) block() (err error) {
	if a.v.ends {
		return a.s.blocked(a.tx, a.org, &a.k, a.out.Codes, "")
	}
	a.t.Blocks++
	if a.t.Blocks >= mostBlocks && a.v.settings.HandsOver(business.RepeatedFailures) {
		a.t.Blocks = 0
		if a.handoff, err = a.s.handOver(a.tx, a.org, &a.k, handoff.RepeatedFailures, handoff.High, "Two answers in a row were refused by the checks."); err != nil {
			return err
		}
	}
	return a.s.blocked(a.tx, a.org, &a.k, a.out.Codes, a.handoff)
}

// mostBlocks is how many replies in a row no validator lets pass before a person is asked.
const mostBlocks = 2

// stop opts the customer out.
func (a *acting) stop() error {
	if err := draft.Supersede(a.tx, a.org, a.k.ID); err != nil {
		return err
	}
	if err := a.s.o.Replies.CancelAI(a.tx, a.call, &a.k); err != nil {
		return err
	}
	return a.s.o.Replies.OptOut(a.tx, a.call, &a.k, reply.OptedOut{Reason: "The customer asked to stop.", By: "CLASSIFIER"})
}

// ending is what came of a turn; one that ended before anything was decided has no execution.
type ending struct {
	action                            execution.Action
	execution, draft, handoff, intent string
}

// emitCompleted emits what came of a turn.
func emitCompleted(tx *store.Tx, org string, k *conversation.Conversation, e ending) error {
	return conversation.Emit(tx, org, k, event.TurnCompleted, map[string]any{
		"execution_id": api.Optional(e.execution), "final_action": e.action, "draft_id": api.Optional(e.draft), "handoff_id": api.Optional(e.handoff),
		"stage": api.Optional(k.Stage), "intent": e.intent,
	})
}

// recordOutcome says what came of the turn, and counts it.
func (a *acting) recordOutcome() error {
	end := ending{action: a.out.Action, execution: a.c.work.ID(), draft: a.draft, handoff: a.handoff, intent: a.out.Decision.Of(decide.Intent)}
	if err := emitCompleted(a.tx, a.org, &a.k, end); err != nil {
		return err
	}
	counted := figure.Turn{
		Place: figure.Place{Business: a.c.situation.Business.ID, Account: a.k.AccountID}, At: a.tx.DB().Now(), Action: string(a.out.Action),
		PromptVersion: a.c.work.PromptVersion(sellerAgent), Cost: a.c.work.Spent(),
	}
	if a.out.Action == execution.Block {
		counted.Blocked = a.out.Codes
	}
	if a.handoff != "" && a.out.Handoff != nil {
		counted.Handoff = string(a.out.Handoff.Trigger)
	}
	if err := figure.Count(a.tx, a.org, counted); err != nil {
		return err
	}
	return a.completed()
}

// execution settles it with what came of the turn.
func (a *acting) execution() error {
	decided, err := a.decided()
	if err != nil {
		return err
	}
	o := execution.Outcome{Action: a.out.Action, Decision: decided, Knowledge: a.out.Chunks(), Validators: a.out.Checked()}
	for _, m := range a.c.situation.Memory {
		o.Memory = append(o.Memory, m.ID)
	}
	return a.c.work.Settle(a.tx, o)
}
