package chain

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/app/engine/prompt"
	"svc/store"
)

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/agents", "ai.list_agents", perm.AIRead, "List the agents with their configuration.", s.listAgents),
		api.E("GET /ai/agents/{agent}/config", "ai.get_agent_config", perm.AIRead, "Read how an agent works.", api.Read(s.db, s.getConfig), api.Errors(api.ErrNotFound)),
		api.E("PATCH /ai/agents/{agent}/config", "ai.update_agent_config", perm.AIManage, "Change how an agent works; what was the default becomes your own.",
			api.Write(s.db, s.updateConfig), api.Errors(api.ErrNotFound)),
		api.E("DELETE /ai/agents/{agent}/config", "ai.delete_agent_config", perm.AIManage, "Return an agent to its default, or that of a business to what holds for the organization.", api.Write(s.db, s.deleteConfig),
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
	agent.ChainEntry
	Provider *api.Named `json:"provider"`
}

// ShownConfig is the configuration of an agent in the API.
type ShownConfig struct {
	Agent          agent.Agent        `json:"agent" enum:"SELLER,DECISION,SUMMARY,MEMORY,CASES,ANALYSIS,NARRATIVE,CALENDAR,RESEARCH,COMPOSER,SOCIAL,JUDGE"`
	BusinessID     *string            `json:"business_id" doc:"null for what holds for the whole organization, and for a business without a configuration of its own."`
	Enabled        bool               `json:"enabled"`
	Chain          []ShownEntry       `json:"chain" doc:"Asked in this order; empty: no provider is connected."`
	Tools          agent.Tools        `json:"tool_permissions"`
	Gate           *agent.QualityGate `json:"quality_gate" doc:"What an evaluation must have shown before a version of the prompt is activated; null: nothing."`
	Source         Origin             `json:"source" enum:"DEFAULT,ORGANIZATION"`
	DefaultPrompts map[string]string  `json:"default_prompts" doc:"The prompts in uz, ru and en that hold until a version of your own is active."`
	UpdatedAt      *time.Time         `json:"updated_at"`
}

func (s *Service) shownConfig(tx *store.Tx, org string, who agent.Agent, business string) (out ShownConfig, err error) {
	c, ours, err := agent.Effective(tx, org, who, business)
	if err != nil {
		return out, err
	}
	chain := c.Chain
	if len(chain) == 0 {
		if chain, err = s.Default(tx, org, who); err != nil {
			return out, err
		}
	}
	out = ShownConfig{
		Agent: who, BusinessID: api.Optional(c.BusinessID), Enabled: c.Enabled, Chain: make([]ShownEntry, len(chain)), Tools: c.Tools, Gate: c.Gate, Source: ByDefault,
		DefaultPrompts: prompt.Defaults(who), UpdatedAt: api.Optional(c.UpdatedAt),
	}
	for i, e := range chain {
		out.Chain[i] = ShownEntry{e, api.Ref(org, e.ProviderID)}
	}
	if ours {
		out.Source = ByOrganization
	}
	return out, nil
}

type agentsIn struct {
	api.PageIn
	agent.ForBusiness
}

func (s *Service) listAgents(c *api.Call, in agentsIn) (out api.Page[ShownConfig], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if err := in.Check(tx, c.Org); err != nil {
			return err
		}
		rows := make([]ShownConfig, len(agent.All))
		for i, a := range agent.All {
			if rows[i], err = s.shownConfig(tx, c.Org, a, in.BusinessID); err != nil {
				return err
			}
		}
		out = api.Window(rows, in.PageIn, func(x *ShownConfig) string {
			return string(rune('a' + len(agent.All) - slices.Index(agent.All, x.Agent)))
		})
		return nil
	})
	return out, err
}

// AgentIn names an agent.
type AgentIn struct {
	Agent string `path:"agent" maxLength:"40" example:"SELLER"`
	agent.ForBusiness
}

// agent is the agent that a request names, of a business that there is.
func (in *AgentIn) agent(tx *store.Tx, org string) (agent.Agent, error) {
	who, err := agent.Parse(in.Agent)
	if err != nil {
		return who, err
	}
	return who, in.Check(tx, org)
}

func (s *Service) getConfig(c *api.Call, tx *store.Tx, in AgentIn) (out ShownConfig, err error) {
	who, err := in.agent(tx, c.Org)
	if err != nil {
		return out, err
	}
	return s.shownConfig(tx, c.Org, who, in.BusinessID)
}

type updateConfigIn struct {
	AgentIn
	Body struct {
		Enabled api.Patch[bool]                  `json:"enabled"`
		Chain   api.Patch[[]agent.ChainEntry]    `json:"chain" maxItems:"5"`
		Tools   api.Patch[agent.Tools]           `json:"tool_permissions"`
		Gate    api.PatchNull[agent.QualityGate] `json:"quality_gate"`
	}
}

func (s *Service) updateConfig(c *api.Call, tx *store.Tx, in updateConfigIn) (out ShownConfig, err error) {
	who, err := in.agent(tx, c.Org)
	if err != nil {
		return out, err
	}
	before, ours, err := agent.ForChange(tx, c.Org, who, in.BusinessID)
	if err != nil {
		return out, err
	}
	after, err := s.changed(c, tx, before, &in)
	if err != nil {
		return out, err
	}
	if !ours {
		after.CreatedAt = c.Now
	}
	if err := after.Save(tx, c.Org); err != nil {
		return out, err
	}
	if out, err = s.shownConfig(tx, c.Org, who, in.BusinessID); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "ai_agent.updated", audit.On("ai_agent", string(who), string(who)), changes(&before, &after)...)
}

// changed gives the configuration with what a request says, checked.
func (s *Service) changed(c *api.Call, tx *store.Tx, k agent.Config, in *updateConfigIn) (agent.Config, error) {
	if in.Body.Chain.Set {
		if err := s.Check(tx, c.Org, in.Body.Chain.Value); err != nil {
			return k, err
		}
	}
	in.Body.Enabled.Apply(&k.Enabled)
	in.Body.Chain.Apply(&k.Chain)
	in.Body.Tools.Apply(&k.Tools)
	k.UpdatedAt = c.Now
	err := s.setGate(tx, c.Org, &k, in.Body.Gate)
	return k, err
}

// changes are what the audit log tells of a change.
func changes(before, after *agent.Config) []audit.Detail {
	return []audit.Detail{
		audit.Changed("enabled", before.Enabled, after.Enabled), audit.Changed("chain", before.Chain, after.Chain),
		audit.Changed("tool_permissions", before.Tools, after.Tools), audit.Changed("quality_gate", before.Gate, after.Gate),
	}
}

// setGate changes the quality gate of a configuration, which must name a dataset of the agent.
func (s *Service) setGate(tx *store.Tx, org string, k *agent.Config, to api.PatchNull[agent.QualityGate]) error {
	if !to.Apply(&k.Gate) || k.Gate == nil {
		return nil
	}
	if s.checkGate == nil {
		return api.Wrong("quality_gate.dataset_id", "names no dataset of this agent")
	}
	return s.checkGate(tx, org, k.Agent, k.Gate)
}

// CheckGates sets what refuses a quality gate that names no dataset of its agent.
func (s *Service) CheckGates(check func(tx *store.Tx, org string, who agent.Agent, g *agent.QualityGate) error) {
	s.checkGate = check
}

func (s *Service) deleteConfig(c *api.Call, tx *store.Tx, in AgentIn) (out api.NoContent, err error) {
	who, err := in.agent(tx, c.Org)
	if err != nil {
		return out, err
	}
	_, ours, err := agent.ConfigOf(tx, c.Org, who, in.BusinessID)
	if err != nil || !ours {
		return out, err
	}
	if err := agent.Reset(tx, c.Org, who, in.BusinessID); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "ai_agent.reset", audit.On("ai_agent", string(who), string(who)))
}
