// Package chain says which models an agent asks, in which order: the chain that an
// organization set, or the default, and each entry with all that asking it needs. Its
// operations are those of the configuration of agents.
//
// It promises that no chain is set that cannot work: each model has a price, is active, and
// can write. It refuses to ask a model (package router does).
package chain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/router"
	"svc/app/api"
	"svc/app/engine/agent"
	"svc/app/engine/model"
	"svc/app/engine/provider"
	"svc/store"
)

// Service does the operations about agents and makes chains.
type Service struct {
	db        *store.DB
	providers *provider.Service
	models    *model.Service
	checkGate func(*store.Tx, string, agent.Agent, *agent.QualityGate) error // nil: there are no datasets
}

// New makes the service.
func New(db *store.DB, p *provider.Service, m *model.Service) *Service {
	return &Service{db: db, providers: p, models: m}
}

// Default is the chain of an agent when nobody set one (contract 12).
func (s *Service) Default(tx *store.Tx, org string, who agent.Agent) (out []agent.ChainEntry, err error) {
	list, err := s.providers.All(tx, org)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(list, defaultFirst)
	size := catalog.Medium
	if who.Small() {
		size = catalog.Small
	}
	for i := range list {
		p := &list[i]
		if p.Status == provider.Disabled || p.Kind == ai.Demo || len(out) == agent.MaxChain {
			continue
		}
		name, err := s.models.Default(tx, org, p.Kind, size)
		if err != nil {
			return nil, err
		}
		if name != "" {
			out = append(out, agent.ChainEntry{ProviderID: p.ID, Model: name})
		}
	}
	if out == nil && s.providers.HasDemo() && !slices.ContainsFunc(list, func(p provider.Provider) bool { return p.Kind != ai.Demo && p.Status != provider.Disabled }) {
		out = []agent.ChainEntry{{ProviderID: provider.DemoID, Model: provider.DemoModel}}
	}
	return out, nil
}

// Link is an entry of a chain that can be asked, with what it costs.
type Link struct {
	Entry    router.Entry
	Price    catalog.Price
	Provider provider.Provider
}

// Links makes a chain ready. Entries that cannot be asked stay, with the reason.
func (s *Service) Links(tx *store.Tx, org string, list []agent.ChainEntry) ([]Link, error) {
	out := make([]Link, 0, len(list))
	for _, e := range list {
		l := Link{Entry: router.Entry{Provider: e.ProviderID, Model: e.Model, Temperature: e.Temperature}}
		p, err := s.providers.Get(tx, org, e.ProviderID)
		if store.IsNotFound(err) {
			l.Entry.Skip = router.Disabled
			out = append(out, l)
			continue
		}
		if err != nil {
			return nil, err
		}
		m, known, err := model.Find(tx, org, p.Kind, e.Model)
		if err != nil {
			return nil, err
		}
		l.Provider = p
		switch {
		case p.Status == provider.Disabled, known && !m.Active:
			l.Entry.Skip = router.Disabled
		case !known || m.Price == nil:
			l.Entry.Skip = router.Unpriced
		default:
			l.Price = *m.Price
			if err := s.fill(org, &l, &m, &e); err != nil {
				return nil, err
			}
		}
		out = append(out, l)
	}
	return out, nil
}

// fill completes an entry that can be asked.
func (s *Service) fill(org string, l *Link, m *model.Model, e *agent.ChainEntry) error {
	h, err := s.providers.Handle(org, &l.Provider)
	if err != nil {
		return err
	}
	x := &l.Entry
	x.Handle, x.ContextTokens, x.MaxOutput, x.FixedSampling = h, m.Traits.ContextTokens, m.Traits.MaxOutputTokens, m.Traits.FixedSampling
	if m.Traits.Thinks {
		x.Least = catalog.ThinkingRoom
	}
	x.Timeout = time.Duration(l.Provider.TimeoutSeconds) * time.Second
	if e.TimeoutSeconds != nil {
		x.Timeout = time.Duration(*e.TimeoutSeconds) * time.Second
	}
	if e.MaxOutputTokens != nil {
		x.MaxTokens = *e.MaxOutputTokens
	}
	x.NoTools = !m.Traits.Supports.Tools
	if found, tested := l.Provider.Found[e.Model]; tested {
		x.Format, x.NoTools = found.Format(), !found.Tools
	} else if l.Provider.Kind == ai.Compatible {
		x.Format = ai.FormatSchemaAndPrompt
	}
	return nil
}

// Check refuses a chain that cannot work.
func (s *Service) Check(tx *store.Tx, org string, list []agent.ChainEntry) error {
	if len(list) == 0 || len(list) > agent.MaxChain {
		return api.Wrong("chain", "must have 1 to %d entries; delete the configuration for the default chain", agent.MaxChain)
	}
	real := slices.ContainsFunc(list, func(e agent.ChainEntry) bool { return e.ProviderID != provider.DemoID })
	for i, e := range list {
		at := fmt.Sprintf("chain[%d]", i)
		p, err := s.providers.Get(tx, org, e.ProviderID)
		switch {
		case store.IsNotFound(err):
			return api.Wrong(at+".provider_id", "names no AI provider of this organization")
		case err != nil:
			return err
		case p.Kind == ai.Demo && real:
			return api.Wrong(at+".provider_id", "is the demo model, which stands beside no real provider")
		}
		m, known, err := model.Find(tx, org, p.Kind, e.Model)
		switch {
		case err != nil:
			return err
		case !known || m.Price == nil:
			return api.Wrong(at+".model", "has no known price; describe it with its price first (POST /ai/models), 0 if it costs nothing")
		case !m.Active:
			return api.Wrong(at+".model", "is not active any more; choose another")
		case m.Traits.Supports.Embedding && !m.Traits.Supports.JSON:
			return api.Wrong(at+".model", "makes vectors and cannot write; choose another")
		case e.MaxOutputTokens != nil && m.Traits.MaxOutputTokens > 0 && int64(*e.MaxOutputTokens) > m.Traits.MaxOutputTokens:
			return api.Wrong(at+".max_output_tokens", "must be at most %d for this model", m.Traits.MaxOutputTokens)
		}
		for j, other := range list[:i] {
			if other.ProviderID == e.ProviderID && other.Model == e.Model {
				return api.Wrong(at, "is the same model as chain[%d]", j)
			}
		}
	}
	return nil
}

// One is a chain of one model that a caller names in the fields provider_id and model; it
// refuses one that cannot be asked.
func (s *Service) One(tx *store.Tx, org, providerID, name string) ([]agent.ChainEntry, error) {
	list := []agent.ChainEntry{{ProviderID: providerID, Model: name}}
	err := s.Check(tx, org, list)
	var wrong *api.Error
	if !errors.As(err, &wrong) || len(wrong.Details) == 0 {
		return list, err
	}
	details := map[string]string{}
	for field, what := range wrong.Details {
		details[strings.TrimPrefix(strings.TrimPrefix(field, "chain[0]"), ".")] = what
	}
	return nil, api.WrongFields(details)
}
