package agent

import (
	"encoding/json"
	"slices"
	"time"

	"svc/store"
)

// Tools are what an agent may do beside answering; calendar tools are off until granted. What
// an agent does not do at all is no use of a tool: WebResearch counts for RESEARCH alone.
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

// QualityGate is what an evaluation of a version of the agent's prompt must have shown before
// the version is activated (contract 13.33).
type QualityGate struct {
	DatasetID     string  `json:"dataset_id" required:"true" maxLength:"64"`
	MinPassRate   float64 `json:"min_pass_rate" required:"true" minimum:"0" maximum:"1" example:"0.9" doc:"Of the items of the dataset."`
	MaxRegression float64 `json:"max_regression" minimum:"0" maximum:"1" doc:"How far its pass rate may lie below that of the active version."`
}

// Config is how an agent works, as an organization set it.
type Config struct {
	ID         string       `json:"id"`
	Agent      Agent        `json:"agent"`
	BusinessID string       `json:"business_id,omitempty"`
	Enabled    bool         `json:"enabled"`
	Chain      []ChainEntry `json:"chain,omitempty"` // empty: the default
	Tools      Tools        `json:"tool_permissions"`
	Gate       *QualityGate `json:"quality_gate,omitempty"`
	CreatedAt  time.Time    `json:"created_at"`
	UpdatedAt  time.Time    `json:"updated_at"`
}

// configID is the key of an agent's configuration, for a business or for all.
func configID(agent Agent, business string) string { return string(agent) + "/" + business }

var configTable = store.NewTable("ai_agent_config", "", func(c *Config) string { return c.ID })

// ResearchMigration grants web_research to RESEARCH where its configuration was stored when
// nothing asked for that permission and the default was without it.
var ResearchMigration = store.Migration{Name: "2026-11 agents: RESEARCH may read the web", Step: configTable.RewriteRecords(
	func(_ *store.Tx, _ string, c *Config, _ json.RawMessage) (bool, error) {
		changed := c.Agent == Research && !c.Tools.WebResearch
		c.Tools.WebResearch = c.Tools.WebResearch || changed
		return changed, nil
	})}

// MaxChain is how many models a chain may have.
const MaxChain = 5

// defaultConfig is how an agent works when nobody said.
func defaultConfig(agent Agent, business string) Config {
	return Config{ID: configID(agent, business), Agent: agent, BusinessID: business, Enabled: true, Tools: Tools{KnowledgeSearch: true, WebResearch: agent == Research}}
}

// Effective is the configuration by which an agent works for a business: that of the
// business, else that of the organization, else the default. ours: somebody set it.
func Effective(tx *store.Tx, org string, agent Agent, business string) (c Config, ours bool, err error) {
	if business != "" {
		if c, ours, err = ConfigOf(tx, org, agent, business); ours || err != nil {
			return c, ours, err
		}
	}
	return ConfigOf(tx, org, agent, "")
}

// ForChange is the configuration of an agent for a business, or for the organization, to be
// changed and saved: that of a business begins as what holds for it. ours: it is stored.
func ForChange(tx *store.Tx, org string, agent Agent, business string) (c Config, ours bool, err error) {
	if c, ours, err = ConfigOf(tx, org, agent, business); ours || err != nil || business == "" {
		return c, ours, err
	}
	c, _, err = ConfigOf(tx, org, agent, "")
	c.ID, c.BusinessID = configID(agent, business), business
	return c, false, err
}

// Forget removes what was set of the agents for a business.
func Forget(tx *store.Tx, org, business string) error {
	for _, a := range All {
		if err := Reset(tx, org, a, business); err != nil {
			return err
		}
	}
	return nil
}

// ConfigOf is the configuration of an agent for a business, or for the organization; ours:
// the organization set it.
func ConfigOf(tx *store.Tx, org string, agent Agent, business string) (c Config, ours bool, err error) {
	c, err = configTable.Get(tx, org, configID(agent, business))
	if store.IsNotFound(err) {
		return defaultConfig(agent, business), false, nil
	}
	return c, err == nil, err
}

// With names the agents whose chain has a provider, for the organization or a business.
func With(tx *store.Tx, org, provider string) (out []string, err error) {
	err = each(tx, org, func(c *Config) bool {
		if slices.ContainsFunc(c.Chain, func(e ChainEntry) bool { return e.ProviderID == provider }) && !slices.Contains(out, string(c.Agent)) {
			out = append(out, string(c.Agent))
		}
		return true
	})
	return out, err
}

// Gated is an agent whose quality gate names a dataset, for the organization or a business.
func Gated(tx *store.Tx, org, dataset string) (who Agent, found bool, err error) {
	err = each(tx, org, func(c *Config) bool {
		if c.Gate != nil && c.Gate.DatasetID == dataset {
			who, found = c.Agent, true
		}
		return !found
	})
	return who, found, err
}

// each visits what was set, of the organization and of its businesses, until visit says false.
func each(tx *store.Tx, org string, visit func(c *Config) bool) error {
	for c, err := range configTable.Each(tx, org, "") {
		if err != nil || !visit(c) {
			return err
		}
	}
	return nil
}

// small are the agents for which the cheap models are enough.
var small = map[Agent]bool{Decision: true, Summary: true, Memory: true, Analysis: true, Social: true, Cases: true, Composer: true}

// Small says whether the cheap models are enough for an agent.
func (a Agent) Small() bool { return small[a] }

// Save keeps the configuration of an agent.
func (c *Config) Save(tx *store.Tx, org string) error { return configTable.Put(tx, org, c) }

// Reset returns an agent to its default; nothing happens to one that has it.
func Reset(tx *store.Tx, org string, agent Agent, business string) error {
	return store.IgnoreNotFound(configTable.Delete(tx, org, configID(agent, business)))
}

// Tables are what a store that holds configurations is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{configTable} }
