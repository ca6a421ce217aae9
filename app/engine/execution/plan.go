package execution

import (
	"encoding/json"
	"strings"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/chain"
	"svc/app/engine/prompt"
	"svc/app/engine/provider"
	"svc/app/org"
	"svc/store"
)

// Plan is what an execution will do. What it reserves is the sum of its questions.
type Plan struct {
	Org   string
	Agent agent.Agent // whose run it is
	Mode  agent.Mode
	// Conversation, Business and Trigger, a message, say what it answers; "" for nothing.
	Conversation, Business, Trigger string
	// Questions are those that are foreseen. Others may be asked: what they can cost is
	// reserved when they are.
	Questions []Foreseen
}

// Foreseen is a question that an execution will probably ask.
type Foreseen struct {
	Asked
	// Input is the estimate of what the model reads, in tokens, without the prompt of the
	// agent; Output bounds what it writes.
	Input  int64
	Output int
	// Times is how often it may be asked; 0 is once.
	Times int
}

// Asked says who is asked.
type Asked struct {
	Agent agent.Agent // "": that of the plan
	// Language chooses the default prompt; "" is English.
	Language string
	// Chain replaces that of the agent; nil: that one.
	Chain []agent.ChainEntry
	// Prompt is a version of a prompt of the agent, as prompt.Named takes it; "" is the active
	// one.
	Prompt string
}

// line is who is asked, ready: the chain with what it costs, and the prompt.
type line struct {
	agent      agent.Agent
	links      []chain.Link
	prompt     string
	promptName string // "" for the default
	cacheKey   string
}

// key tells lines apart; a chain of the caller's own has none and is made anew.
func (a *Asked) key() (string, bool) {
	return string(a.Agent) + "/" + a.Language + "/" + a.Prompt, a.Chain == nil
}

// line finds the chain and the prompt of an agent for a business, "" for none.
func (s *Service) line(tx *store.Tx, org, business string, a *Asked) (*line, error) {
	c, _, err := agent.Effective(tx, org, a.Agent, business)
	if err != nil {
		return nil, err
	}
	if !c.Enabled {
		return nil, api.ErrState.WithMessage("The agent %s is switched off; switch it on in its configuration.", a.Agent)
	}
	entries := a.Chain
	if entries == nil {
		entries = c.Chain
	}
	if len(entries) == 0 {
		if entries, err = s.chains.Default(tx, org, a.Agent); err != nil {
			return nil, err
		}
	}
	if len(entries) == 0 {
		return nil, provider.ErrUnavailable.WithMessage("No AI provider is connected; add one, or enable one, and describe its models if they have no price.")
	}
	l := &line{agent: a.Agent}
	if l.links, err = s.chains.Links(tx, org, entries); err != nil {
		return nil, err
	}
	keys := make([]router.Key, len(l.links))
	for i := range l.links {
		keys[i] = router.Key{Provider: l.links[i].Entry.Provider, Model: l.links[i].Entry.Model}
	}
	if err := s.providers.Learn(tx, org, keys); err != nil {
		return nil, err
	}
	if l.promptName = a.Prompt; a.Prompt != "" {
		l.prompt, err = prompt.Named(tx, org, a.Agent, a.Prompt)
	} else {
		l.prompt, l.promptName, err = prompt.Of(tx, org, a.Agent, business, a.Language)
	}
	if err != nil {
		return nil, err
	}
	l.cacheKey, err = tx.Hash("ai cache key", org+"\n"+string(a.Agent)+"\n"+l.promptName)
	l.cacheKey = l.cacheKey[:min(len(l.cacheKey), 32)]
	return l, err
}

// worst is the most that a call can cost: that of the dearest entry.
func (l *line) worst(input int64, output int) (most catalog.Nano) {
	for i := range l.links {
		if k := &l.links[i]; k.Entry.Skip == "" {
			most = max(most, k.Price.Worst(input, tokens(&k.Entry, output)))
		}
	}
	return most
}

// tokens is the output that an entry is asked for.
func tokens(e *router.Entry, asked int) int {
	if e.MaxTokens > 0 {
		asked = e.MaxTokens
	}
	return max(asked, e.Least, 1)
}

func (l *line) demo() bool { return len(l.links) > 0 && l.links[0].Provider.Kind == ai.Demo }

func (l *line) price(e *router.Entry) catalog.Price {
	for i := range l.links {
		if k := &l.links[i]; k.Entry.Provider == e.Provider && k.Entry.Model == e.Model {
			return k.Price
		}
	}
	return catalog.Price{}
}

// request is what is asked, with the prompt of the agent in front.
func (l *line) request(r ai.Request) ai.Request {
	r.System = strings.TrimSpace(l.prompt + "\n\n" + r.System)
	r.CacheKey = l.cacheKey
	return r
}

// prepare makes the lines of a plan and adds up what it may cost.
func (s *Service) prepare(tx *store.Tx, p *Plan) (map[string]*line, budget.Amounts, error) {
	o, err := org.Get(tx, p.Org)
	if err != nil {
		return nil, nil, err
	}
	if on, err := o.AIOn(tx); err != nil {
		return nil, nil, err
	} else if !on {
		return nil, nil, api.ErrForbidden.WithMessage("AI is switched off for this organization or for the platform.")
	}
	lines, need := map[string]*line{}, budget.Amounts{p.Agent: 0}
	for _, q := range p.Questions {
		if q.Agent == "" {
			q.Agent = p.Agent
		}
		key, shared := q.key()
		l := lines[key]
		if l == nil || !shared {
			var err error
			if l, err = s.line(tx, p.Org, p.Business, &q.Asked); err != nil {
				return nil, nil, err
			}
		}
		if shared {
			lines[key] = l
		}
		need[q.Agent] += catalog.Nano(max(q.Times, 1)) * l.worst(q.Input+ai.EstimateText(l.prompt), q.Output)
	}
	return lines, need, nil
}

// inputOf is a request as a text, for its hash and for people who look at a step.
func inputOf(r *ai.Request) string {
	type message struct {
		Role ai.Role `json:"role"`
		Text string  `json:"text"`
	}
	var list []message
	for _, m := range r.Messages {
		list = append(list, message{m.Role, m.Text})
	}
	b, err := json.Marshal(map[string]any{"system": r.System, "messages": list})
	if err != nil {
		return ""
	}
	return string(b)
}
