// Package playground tries the seller of a business on a conversation that somebody makes up.
//
// It promises that the real rules, models and checks answer, and that nothing is sent,
// stored of a customer, counted as a turn or remembered: what is left is the execution, in
// the mode PLAYGROUND, with its cost. It refuses to read conversations.
package playground

import (
	"cmp"
	"strings"
	"time"

	"svc/ai/decide"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/chain"
	"svc/app/engine/execution"
	"svc/app/engine/provider"
	"svc/app/jev"
	"svc/app/seller/answer"
	"svc/store"
)

// longest is how long a try may take: a decision and two answers.
const longest = 2 * time.Minute

// Options of New.
type Options struct {
	Runs      *execution.Service
	Chains    *chain.Service
	Knowledge answer.Knowledge
	JEV       *jev.Service
}

// Service tries the seller.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service.
func New(db *store.DB, o Options) *Service { return &Service{db, o} }

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /ai/playground/run", "ai.playground.run", perm.AIOperate, "Try how the seller answers a conversation; nothing is sent.", s.run,
			api.Timeout(longest), api.Errors(budget.Err, provider.ErrUnavailable, api.ErrState)),
	}
}

type saidIn struct {
	Author string `json:"author" required:"true" enum:"CUSTOMER,AI"`
	Text   string `json:"text" required:"true" minLength:"1" maxLength:"4096" example:"Narxi qancha?"`
}

type factIn struct {
	Key   string `json:"key" required:"true" enum:"NAME,PREFERENCE,ORDER,NEED,BUDGET,OTHER"`
	Value string `json:"value" required:"true" minLength:"1" maxLength:"300"`
}

type runIn struct {
	Body struct {
		BusinessID string   `json:"business_id" required:"true" maxLength:"64"`
		Messages   []saidIn `json:"messages" required:"true" nullable:"false" minItems:"1" maxItems:"40" doc:"The oldest first; the last is the customer's."`
		Stage      *string  `json:"stage" maxLength:"40" doc:"Of the funnel; its first when left out."`
		Level      *int     `json:"autonomy_level" minimum:"0" maximum:"5" doc:"That of the settings when left out."`
		Prompt     *string  `json:"prompt_version" maxLength:"80" doc:"A version of a prompt of the agent SELLER, as steps of executions name it; the active one when left out." example:"prm_01arz3ndektsv4rrffq69g5fav/2"`
		ProviderID *string  `json:"provider_id" maxLength:"64" doc:"Asks this provider alone; with model."`
		Model      *string  `json:"model" maxLength:"200"`
		Memory     []factIn `json:"memory,omitempty" maxItems:"10" doc:"What the seller would remember of this customer."`
	}
}

// Run is what came of a try.
type Run struct {
	ExecutionID string                        `json:"execution_id"`
	Action      execution.Action              `json:"final_action" enum:"SEND,DRAFT,RECOMMEND,NONE,HANDOFF,BLOCK,STOP"`
	Reply       *string                       `json:"reply" doc:"null: nothing would be written."`
	Language    string                        `json:"language" enum:"uz-Latn,uz-Cyrl,ru,en"`
	Scenario    business.Scenario             `json:"scenario" enum:"FAQ,PRICING,AVAILABILITY,DELIVERY,BOOKING,ORDER_STATUS,SMALL_TALK,OTHER"`
	Decision    map[decide.Field]decide.Value `json:"decision" doc:"By field; those that nobody decided are left out."`
	Knowledge   []execution.Chunk             `json:"knowledge"`
	Validators  []execution.Validator         `json:"validators"`
	Codes       []string                      `json:"codes" doc:"Why nothing would be sent: validators that refuse, or NO_REPLY."`
	Handoff     *Handoff                      `json:"handoff"`
	Stage       string                        `json:"stage"`
	Demo        bool                          `json:"demo" doc:"No language model wrote this; show it as Demo."`
	TokensIn    int64                         `json:"tokens_in"`
	TokensOut   int64                         `json:"tokens_out"`
	CostUSD     float64                       `json:"cost_usd"`
}

// Handoff is why a person would be asked.
type Handoff struct {
	Trigger business.Trigger `json:"trigger"`
	Reason  string           `json:"reason"`
}

func (s *Service) run(c *api.Call, in runIn) (out Run, err error) {
	var about *answer.Situation
	err = s.db.View(c, func(tx *store.Tx) error {
		about, err = s.situation(tx, c.Org, &in)
		return err
	})
	if err != nil {
		return out, err
	}
	plan := execution.Plan{Org: c.Org, Agent: agent.Seller, Mode: agent.Playground, Business: about.Business.ID, Questions: answer.Foreseen(about)}
	work, err := s.o.Runs.Begin(c, plan)
	if err != nil {
		return out, err
	}
	defer work.Close()
	if err := work.Start(c); err != nil {
		return out, err
	}
	got := answer.Run(c, work, about)
	if err := cmp.Or(work.Finish(c, outcome(&got)), got.Err); err != nil {
		return out, err
	}
	return show(work, about, &got), nil
}

// situation is what somebody made up, over the real business.
func (s *Service) situation(tx *store.Tx, orgID string, in *runIn) (*answer.Situation, error) {
	b := &in.Body
	t := Trial{Business: b.BusinessID, Level: b.Level, Prompt: orEmpty(b.Prompt), Stage: orEmpty(b.Stage)}
	for _, f := range b.Memory {
		t.Memory = append(t.Memory, answer.Known{Key: f.Key, Value: f.Value})
	}
	for _, m := range b.Messages {
		from := answer.Customer
		if m.Author == "AI" {
			from = answer.Seller
		}
		t.Messages = append(t.Messages, answer.Said{From: from, Text: m.Text})
	}
	about, err := s.Situation(tx, orgID, t)
	if err != nil {
		return nil, err
	}
	return about, s.model(tx, orgID, about, b.ProviderID, b.Model)
}

// maxLength is that of the messenger.
const maxLength = 4096

// model lets one model answer that the caller names.
func (s *Service) model(tx *store.Tx, orgID string, about *answer.Situation, provider, model *string) error {
	p, m := orEmpty(provider), orEmpty(model)
	if (p == "") != (m == "") {
		return api.Wrong("model", "and provider_id belong together; leave both out for the chain of the agent SELLER")
	}
	if p == "" {
		return nil
	}
	var err error
	about.Chain, err = s.o.Chains.One(tx, orgID, p, m)
	return err
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

func outcome(o *answer.Outcome) execution.Outcome {
	return execution.Outcome{Err: o.Err, Action: o.Action, Decision: o.Decided(), Knowledge: o.Chunks(), Validators: o.Checked()}
}

func show(work *execution.Work, about *answer.Situation, o *answer.Outcome) Run {
	totals := work.Totals()
	out := Run{
		ExecutionID: work.ID(), Action: o.Action, Reply: api.Optional(o.Reply), Language: o.Tongue.Tag(), Scenario: o.Scenario, Decision: o.Decision,
		Knowledge: o.Chunks(), Validators: o.Checked(), Codes: append([]string{}, o.Codes...), Stage: about.Stage, Demo: work.Demo(), TokensIn: totals.TokensIn,
		TokensOut: totals.TokensOut, CostUSD: totals.Cost.USD(),
	}
	if o.Stage != "" {
		out.Stage = o.Stage
	}
	if o.Handoff != nil {
		out.Handoff = &Handoff{o.Handoff.Trigger, o.Handoff.Reason}
	}
	return out
}
