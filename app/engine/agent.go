package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/api"
	"svc/store"
)

// Tools are what an agent may do beside answering; calendar tools are off until granted.
type Tools struct {
	CalendarFind    bool `json:"calendar_find"`
	CalendarCheck   bool `json:"calendar_check"`
	CalendarCreate  bool `json:"calendar_create"`
	CalendarUpdate  bool `json:"calendar_update"`
	CalendarCancel  bool `json:"calendar_cancel"`
	KnowledgeSearch bool `json:"knowledge_search"`
	WebResearch     bool `json:"web_research"`
}

// ChainEntry is one model of a chain.
type ChainEntry struct {
	ProviderID      string   `json:"provider_id" required:"true" maxLength:"64"`
	Model           string   `json:"model" required:"true" minLength:"1" maxLength:"200" example:"gpt-6-luna"`
	Temperature     *float64 `json:"temperature" minimum:"0" maximum:"2" doc:"Left out for models that take none."`
	MaxOutputTokens *int     `json:"max_output_tokens" minimum:"16" maximum:"200000"`
	TimeoutSeconds  *int     `json:"timeout_seconds" minimum:"1" maximum:"300" doc:"null: that of the provider."`
}

// config is how an agent works, as an organization set it.
type config struct {
	ID         string       `json:"id"`
	Agent      Agent        `json:"agent"`
	BusinessID string       `json:"business_id,omitempty"`
	Enabled    bool         `json:"enabled"`
	Chain      []ChainEntry `json:"chain,omitempty"` // empty: the default
	Tools      Tools        `json:"tool_permissions"`
	CreatedAt  time.Time    `json:"created_at"`
	UpdatedAt  time.Time    `json:"updated_at"`
}

// configID is the key of an agent's configuration, for a business or for all.
func configID(agent Agent, business string) string { return string(agent) + "/" + business }

var configTable = store.NewTable("ai_agent_config", "", func(c *config) string { return c.ID })

const maxChain = 5

// defaultConfig is how an agent works when nobody said.
func defaultConfig(agent Agent, business string) config {
	return config{ID: configID(agent, business), Agent: agent, BusinessID: business, Enabled: true, Tools: Tools{KnowledgeSearch: true}}
}

// configOf is the configuration of an agent; ours: the organization set it.
func configOf(tx *store.Tx, org string, agent Agent, business string) (c config, ours bool, err error) {
	c, err = configTable.Get(tx, org, configID(agent, business))
	if store.IsNotFound(err) {
		return defaultConfig(agent, business), false, nil
	}
	return c, err == nil, err
}

// agentsWith names the agents whose chain has a provider.
func agentsWith(tx *store.Tx, org, provider string) (out []string, err error) {
	list, _, err := configTable.Walk(tx, org, nil, len(agents)*2)
	for i := range list {
		if slices.ContainsFunc(list[i].Chain, func(e ChainEntry) bool { return e.ProviderID == provider }) {
			out = append(out, string(list[i].Agent))
		}
	}
	return out, err
}

// small are the agents for which the cheap models are enough.
var small = map[Agent]bool{Decision: true, Summary: true, Memory: true, Analysis: true, Social: true, Cases: true, Composer: true}

// defaultChain is the chain of an agent when nobody set one (contract 12).
func (s *Service) defaultChain(tx *store.Tx, org string, agent Agent) (out []ChainEntry, err error) {
	list, err := s.allProviders(tx, org)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, func(a, b Provider) int {
		switch {
		case a.IsDefault == b.IsDefault:
			return 0
		case a.IsDefault:
			return -1
		}
		return 1
	})
	size := catalog.Medium
	if small[agent] {
		size = catalog.Small
	}
	for i := range list {
		p := &list[i]
		if p.Status == Disabled || p.Kind == ai.Demo || len(out) == maxChain {
			continue
		}
		name, err := s.defaultModel(tx, org, p.Kind, size)
		if err != nil {
			return nil, err
		}
		if name != "" {
			out = append(out, ChainEntry{ProviderID: p.ID, Model: name})
		}
	}
	if out == nil && s.o.Demo && !slices.ContainsFunc(list, func(p Provider) bool { return p.Kind != ai.Demo && p.Status != Disabled }) {
		out = []ChainEntry{{ProviderID: demoID, Model: demoModelName}}
	}
	return out, nil
}

// defaultModel is the model of a kind that is chosen when nobody chose, "" for none.
func (s *Service) defaultModel(tx *store.Tx, org string, kind ai.Kind, size catalog.Size) (string, error) {
	if k, ok := catalog.Default(kind, size, tx.DB().Now()); ok {
		m, known, err := findModel(tx, org, kind, k.Name)
		if err != nil || known && m.active && m.price != nil {
			return k.Name, err
		}
	}
	list, err := s.allModels(tx, org)
	for i := range list {
		if m := &list[i]; m.kind == kind && m.source == FromOrganization && m.active && m.price != nil && !m.traits.Supports.Embedding {
			return m.name, err
		}
	}
	return "", err
}

// link is an entry of a chain that can be asked, with what it costs.
type link struct {
	entry    router.Entry
	price    catalog.Price
	provider Provider
}

// links makes a chain ready. Entries that cannot be asked stay, with the reason.
func (s *Service) links(tx *store.Tx, org string, chain []ChainEntry) ([]link, error) {
	out := make([]link, 0, len(chain))
	for _, e := range chain {
		l := link{entry: router.Entry{Provider: e.ProviderID, Model: e.Model, Temperature: e.Temperature}}
		p, err := s.provider(tx, org, e.ProviderID)
		if store.IsNotFound(err) {
			l.entry.Skip = router.Disabled
			out = append(out, l)
			continue
		}
		if err != nil {
			return nil, err
		}
		m, known, err := findModel(tx, org, p.Kind, e.Model)
		if err != nil {
			return nil, err
		}
		l.provider = p
		switch {
		case p.Status == Disabled, known && !m.active:
			l.entry.Skip = router.Disabled
		case !known || m.price == nil:
			l.entry.Skip = router.Unpriced
		default:
			l.price = *m.price
			if err := s.fill(org, &l, &m, &e); err != nil {
				return nil, err
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// fill completes an entry that can be asked.
func (s *Service) fill(org string, l *link, m *model, e *ChainEntry) error {
	h, err := s.handle(org, &l.provider)
	if err != nil {
		return err
	}
	x := &l.entry
	x.Handle, x.ContextTokens, x.MaxOutput, x.FixedSampling = h, m.traits.ContextTokens, m.traits.MaxOutputTokens, m.traits.FixedSampling
	if m.traits.Thinks {
		x.Least = catalog.ThinkingRoom
	}
	x.Timeout = time.Duration(l.provider.TimeoutSeconds) * time.Second
	if e.TimeoutSeconds != nil {
		x.Timeout = time.Duration(*e.TimeoutSeconds) * time.Second
	}
	if e.MaxOutputTokens != nil {
		x.MaxTokens = *e.MaxOutputTokens
	}
	if found, tested := l.provider.Found[e.Model]; tested {
		x.Format = found.format()
	} else if l.provider.Kind == ai.Compatible {
		x.Format = ai.FormatSchemaAndPrompt
	}
	return nil
}

// checkChain refuses a chain that cannot work.
func (s *Service) checkChain(tx *store.Tx, org string, chain []ChainEntry) error {
	if len(chain) == 0 || len(chain) > maxChain {
		return api.Wrong("chain", "must have 1 to %d entries; delete the configuration for the default chain", maxChain)
	}
	real := slices.ContainsFunc(chain, func(e ChainEntry) bool { return e.ProviderID != demoID })
	for i, e := range chain {
		at := fmt.Sprintf("chain[%d]", i)
		p, err := s.provider(tx, org, e.ProviderID)
		switch {
		case store.IsNotFound(err):
			return api.Wrong(at+".provider_id", "names no AI provider of this organization")
		case err != nil:
			return err
		case p.Kind == ai.Demo && real:
			return api.Wrong(at+".provider_id", "is the demo model, which stands beside no real provider")
		}
		m, known, err := findModel(tx, org, p.Kind, e.Model)
		switch {
		case err != nil:
			return err
		case !known || m.price == nil:
			return api.Wrong(at+".model", "has no known price; describe it with its price first (POST /ai/models), 0 if it costs nothing")
		case !m.active:
			return api.Wrong(at+".model", "is not active any more; choose another")
		case m.traits.Supports.Embedding && !m.traits.Supports.JSON:
			return api.Wrong(at+".model", "makes vectors and cannot write; choose another")
		case e.MaxOutputTokens != nil && m.traits.MaxOutputTokens > 0 && int64(*e.MaxOutputTokens) > m.traits.MaxOutputTokens:
			return api.Wrong(at+".max_output_tokens", "must be at most %d for this model", m.traits.MaxOutputTokens)
		}
		for j, other := range chain[:i] {
			if other.ProviderID == e.ProviderID && other.Model == e.Model {
				return api.Wrong(at, "is the same model as chain[%d]", j)
			}
		}
	}
	return nil
}

func parseAgent(name string) (Agent, error) {
	a := Agent(strings.ToUpper(name))
	if !slices.Contains(agents, a) {
		return "", api.ErrNotFound.WithMessage("There is no such agent.")
	}
	return a, nil
}
