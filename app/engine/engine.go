// Package engine gives the service access to language models, and puts together the parts
// below it:
//
//	agent      the jobs that models do, and how each is set
//	model      what can be asked of which model, and at what price
//	provider   providers with their keys, their health, and what a test finds
//	prompt     the prompts of agents, in versions
//	chain      which models an agent asks
//	budget     limits, what is spent and reserved, the sums of costs
//	execution  runs: planned, opened, asked, settled, and kept
//	compose    a model writes the text of a message
//
// Slices above it that need a model ask [Service].Runs.
//
// It promises that the key of a provider is sealed and shown to nobody, that what a run
// may cost at most is reserved before it begins and settled when it ends, so that no
// number of runs at once passes a budget (contract 12.3), and that the sums of costs are
// those of the executions.
//
// It refuses to speak to the network itself (package ai and its providers do), to let a
// model without a price into a chain, and to read anything of recipients.
package engine

import (
	"context"
	"log/slog"
	"slices"

	"svc/ai/providers"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/budget"
	"svc/app/engine/chain"
	"svc/app/engine/compose"
	"svc/app/engine/execution"
	"svc/app/engine/model"
	"svc/app/engine/prompt"
	"svc/app/engine/provider"
	"svc/store"
)

// Quality is what a slice that evaluates prompts offers to the engine.
type Quality struct {
	Versions prompt.Quality
	// CheckGate refuses a quality gate that names no dataset of its agent.
	CheckGate func(tx *store.Tx, org string, who agent.Agent, g *agent.QualityGate) error
}

// Options of New.
type Options struct {
	// Providers reaches them; nil: those at public addresses.
	Providers *providers.Opener
	// Demo: the messenger is a simulator, so there is a model for demonstrations.
	Demo bool
	// Calls is how many one provider has at a time on this node; 0 is the default.
	Calls int
	// Log hears of what fails on our side; nil: nobody does.
	Log *slog.Logger
}

// Service is the parts of the slice.
type Service struct {
	db        *store.DB
	Models    *model.Service
	Providers *provider.Service
	Prompts   *prompt.Service
	Chains    *chain.Service
	Budgets   *budget.Service
	// Runs runs models for other slices.
	Runs    *execution.Service
	compose *compose.Service
}

// New makes the service. It starts nothing: see Watch.
func New(db *store.DB, o Options) *Service {
	s := &Service{db: db, Models: model.New(db, model.Options{Demo: o.Demo, Asked: provider.Asked(o.Demo)}), Prompts: prompt.New(db)}
	s.Providers = provider.New(db, provider.Options{Opener: o.Providers, Demo: o.Demo, Models: s.Models, Calls: o.Calls, Log: o.Log})
	s.Chains = chain.New(db, s.Providers, s.Models)
	s.Budgets = budget.New(db, s.Providers.NamesOf)
	s.Runs = execution.New(db, s.Chains, s.Providers, o.Log)
	s.compose = compose.New(db, s.Chains, s.Runs)
	return s
}

// Tables are what a store that holds the engine is opened with.
func Tables() []store.AnyTable {
	return slices.Concat(provider.Tables(), model.Tables(), agent.Tables(), prompt.Tables(), execution.Tables(), budget.Tables())
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return slices.Concat(s.Providers.Endpoints(), s.Models.Endpoints(), s.compose.Endpoints(), s.Chains.Endpoints(), s.Prompts.Endpoints(),
		s.Runs.Endpoints(), s.Budgets.Endpoints())
}

// Watch settles what nodes that ended left behind, until the context ends.
func (s *Service) Watch(ctx context.Context) error { return s.Runs.Watch(ctx) }

// PlatformOverview is the AI of all organizations at one glance (contract 17).
type PlatformOverview struct {
	budget.PlatformCosts
	Failing []provider.FailingProvider `json:"failing_providers" doc:"At most 100."`
}

// PlatformOverview adds up the last 30 days.
func (s *Service) PlatformOverview(c *api.Call) (out PlatformOverview, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if out.PlatformCosts, err = budget.PlatformCostsOf(tx, c.Now); err != nil {
			return err
		}
		out.Failing, err = provider.FailingOf(tx)
		return err
	})
	return out, err
}
