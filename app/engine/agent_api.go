package engine

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/store"
)

func (s *Service) agentEndpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/agents", "ai.list_agents", perm.AIRead, "List the agents with their configuration.", s.listAgents),
		api.E("GET /ai/agents/{agent}/config", "ai.get_agent_config", perm.AIRead, "Read how an agent works.", s.getConfig, api.Errors(api.ErrNotFound)),
		api.E("PATCH /ai/agents/{agent}/config", "ai.update_agent_config", perm.AIManage, "Change how an agent works; what was the default becomes your own.",
			s.updateConfig, api.Errors(api.ErrNotFound)),
		api.E("DELETE /ai/agents/{agent}/config", "ai.delete_agent_config", perm.AIManage, "Return an agent to its default.", s.deleteConfig,
			api.Errors(api.ErrNotFound)),
	}
}

// Origin says whether an organization set something.
type Origin string

// The origins.
const (
	ByDefault      Origin = "DEFAULT"
	ByOrganization Origin = "ORGANIZATION"
)

// ShownEntry is an entry of a chain in the API.
type ShownEntry struct {
	ChainEntry
	Provider *api.Named `json:"provider"`
}

// ShownConfig is the configuration of an agent in the API.
type ShownConfig struct {
	Agent          Agent             `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	BusinessID     *string           `json:"business_id"`
	Enabled        bool              `json:"enabled"`
	Chain          []ShownEntry      `json:"chain" doc:"Asked in this order; empty: no provider is connected."`
	Tools          Tools             `json:"tool_permissions"`
	Source         Origin            `json:"source" enum:"DEFAULT,ORGANIZATION"`
	DefaultPrompts map[string]string `json:"default_prompts" doc:"The prompts in uz, ru and en that hold until a version of your own is active."`
	UpdatedAt      *time.Time        `json:"updated_at"`
}

func (s *Service) shownConfig(tx *store.Tx, org string, agent Agent, business string) (out ShownConfig, err error) {
	c, ours, err := configOf(tx, org, agent, business)
	if err != nil {
		return out, err
	}
	chain := c.Chain
	if len(chain) == 0 {
		if chain, err = s.defaultChain(tx, org, agent); err != nil {
			return out, err
		}
	}
	out = ShownConfig{
		Agent: agent, BusinessID: api.Optional(business), Enabled: c.Enabled, Chain: make([]ShownEntry, len(chain)), Tools: c.Tools, Source: ByDefault,
		DefaultPrompts: defaultPrompts[agent], UpdatedAt: optionalTime(c.UpdatedAt),
	}
	for i, e := range chain {
		out.Chain[i] = ShownEntry{e, api.Ref(org, e.ProviderID)}
	}
	if ours {
		out.Source = ByOrganization
	}
	return out, nil
}

// ForBusiness are the parameters of what may be of one business.
type ForBusiness struct {
	BusinessID string `query:"business_id" maxLength:"64" doc:"There are no businesses yet: leave it out."`
}

func (b ForBusiness) check() error { return noBusiness("business_id", &b.BusinessID) }

type agentsIn struct {
	api.PageIn
	ForBusiness
}

func (s *Service) listAgents(c *api.Call, in agentsIn) (out api.Page[ShownConfig], err error) {
	if err := in.check(); err != nil {
		return out, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		rows := make([]ShownConfig, len(agents))
		for i, a := range agents {
			if rows[i], err = s.shownConfig(tx, c.Org, a, ""); err != nil {
				return err
			}
		}
		out = api.Window(rows, in.PageIn, func(x *ShownConfig) string { return string(rune('a' + len(agents) - slices.Index(agents, x.Agent))) })
		return nil
	})
	return out, err
}

// AgentIn names an agent.
type AgentIn struct {
	Agent string `path:"agent" maxLength:"40" example:"SELLER"`
	ForBusiness
}

func (in *AgentIn) read() (Agent, error) {
	if err := in.check(); err != nil {
		return "", err
	}
	return parseAgent(in.Agent)
}

func (s *Service) getConfig(c *api.Call, in AgentIn) (out ShownConfig, err error) {
	agent, err := in.read()
	if err != nil {
		return out, err
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		out, err = s.shownConfig(tx, c.Org, agent, "")
		return err
	})
	return out, err
}

type updateConfigIn struct {
	AgentIn
	Body struct {
		Enabled api.Patch[bool]         `json:"enabled"`
		Chain   api.Patch[[]ChainEntry] `json:"chain" maxItems:"5"`
		Tools   api.Patch[Tools]        `json:"tool_permissions"`
	}
}

func (s *Service) updateConfig(c *api.Call, in updateConfigIn) (out ShownConfig, err error) {
	agent, err := in.read()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		k, ours, err := configOf(tx, c.Org, agent, "")
		if err != nil {
			return err
		}
		before := k
		if in.Body.Chain.Set {
			if err := s.checkChain(tx, c.Org, in.Body.Chain.Value); err != nil {
				return err
			}
		}
		in.Body.Enabled.Apply(&k.Enabled)
		in.Body.Chain.Apply(&k.Chain)
		in.Body.Tools.Apply(&k.Tools)
		k.UpdatedAt = c.Now
		if !ours {
			k.CreatedAt = c.Now
		}
		if err := configTable.Put(tx, c.Org, &k); err != nil {
			return err
		}
		if out, err = s.shownConfig(tx, c.Org, agent, ""); err != nil {
			return err
		}
		return audit.Write(tx, c, "ai_agent.updated", audit.On("ai_agent", string(agent), string(agent)),
			audit.Changed("enabled", before.Enabled, k.Enabled), audit.Changed("chain", before.Chain, k.Chain), audit.Changed("tool_permissions", before.Tools, k.Tools))
	})
	return out, err
}

func (s *Service) deleteConfig(c *api.Call, in AgentIn) (out api.NoContent, err error) {
	agent, err := in.read()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		_, ours, err := configOf(tx, c.Org, agent, "")
		if err != nil || !ours {
			return err
		}
		if err := configTable.Delete(tx, c.Org, configID(agent, "")); err != nil {
			return err
		}
		return audit.Write(tx, c, "ai_agent.reset", audit.On("ai_agent", string(agent), string(agent)))
	})
	return out, err
}
