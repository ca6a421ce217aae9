// Package model knows what can be asked of which language model, and at what price: the
// catalogue of the program, what the platform described over it, and what an organization
// described for itself.
//
// It promises that an organization's own words win over the platform's, and those over the
// catalogue's (contract 12.8). It refuses to ask a model anything.
package model

import (
	"cmp"
	"slices"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/engine/agent"
	"svc/store"
)

// Options of New.
type Options struct {
	// Demo: there is a model for demonstrations.
	Demo bool
	// Asked are the kinds of providers that an organization has and that are not disabled.
	Asked func(tx *store.Tx, org string) (map[ai.Kind]bool, error)
}

// Service does the operations about models.
type Service struct {
	db *store.DB
	o  Options
}

// New makes the service.
func New(db *store.DB, o Options) *Service { return &Service{db, o} }

// record is a model that an organization or the platform described, over the
// catalogue of the program.
type record struct {
	ID              string           `json:"id"`
	Kind            ai.Kind          `json:"kind"`
	Name            string           `json:"name"`
	Label           string           `json:"label"`
	ContextTokens   int64            `json:"context_tokens,omitempty"`
	MaxOutputTokens int64            `json:"max_output_tokens,omitempty"`
	Rates           *catalog.Rates   `json:"rates,omitempty"`
	Tiers           []catalog.Tier   `json:"tiers,omitempty"`
	From            time.Time        `json:"from,omitzero"`
	Until           time.Time        `json:"until,omitzero"`
	Supports        catalog.Supports `json:"supports"`
	Inactive        bool             `json:"inactive,omitempty"`
	AsOf            string           `json:"as_of,omitempty"`
	CreatedAt       time.Time        `json:"created_at"`
	UpdatedAt       time.Time        `json:"updated_at"`
}

var (
	table  = store.NewTable("ai_model", "mdl", func(m *record) string { return m.ID }).Shared()
	byName = table.Unique("name", func(m *record) store.Key { return store.Tuple(store.Text(string(m.Kind)), store.Text(m.Name)) })
)

// Tables are what a store that holds models is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// maxModels bounds the models that one organization, or the platform, describes.
const maxModels = 500

// Model is one as a chain uses it.
type Model struct {
	ID     string
	Kind   ai.Kind
	Name   string
	Label  string
	Source agent.Source
	Active bool
	Price  *catalog.Price // nil: not known
	AsOf   string         // the day on which the price was read
	Traits catalog.Model  // contexts, supports, size, sampling
}

func (r *record) model(source agent.Source, now time.Time) Model {
	m := Model{ID: r.ID, Kind: r.Kind, Name: r.Name, Label: r.Label, Source: source, Active: !r.Inactive, AsOf: r.AsOf}
	if known, ok := catalog.Find(r.Kind, r.Name, now); ok {
		m.Traits = known // how it is asked does not depend on its price
	}
	m.Traits.ContextTokens, m.Traits.MaxOutputTokens, m.Traits.Supports = r.ContextTokens, r.MaxOutputTokens, r.Supports
	m.Traits.From, m.Traits.Until = r.From, r.Until
	if r.Rates != nil {
		m.Price = &catalog.Price{Rates: *r.Rates, Tiers: r.Tiers}
	}
	return m
}

func ofCatalogue(k *catalog.Model) Model {
	return Model{
		ID: catalog.ID(k.Kind, k.Name), Kind: k.Kind, Name: k.Name, Label: k.Label, Source: agent.FromPlatform, Active: true, Price: &k.Price, AsOf: catalog.AsOf, Traits: *k,
	}
}

// Find is what is known of a model: the organization's words before the platform's,
// and those before the catalogue's. false: nothing is.
func Find(tx *store.Tx, org string, kind ai.Kind, name string) (Model, bool, error) {
	now := tx.DB().Now()
	key := store.Tuple(store.Text(string(kind)), store.Text(name))
	for _, from := range []struct {
		org    string
		source agent.Source
	}{{org, agent.FromOrganization}, {store.Platform, agent.FromPlatform}} {
		if from.org == store.Platform && from.source == agent.FromOrganization {
			continue // asked by the platform itself
		}
		r, err := byName.Find(tx, from.org, key)
		if err == nil {
			return r.model(from.source, now), true, nil
		}
		if !store.IsNotFound(err) {
			return Model{}, false, err
		}
	}
	if k, ok := catalog.Find(kind, name, now); ok {
		return ofCatalogue(&k), true, nil
	}
	return Model{}, false, nil
}

// All are all that an organization can know of, in the order of kind and name. With
// store.Platform those of the platform.
func (s *Service) All(tx *store.Tx, org string) ([]Model, error) {
	now := tx.DB().Now()
	by := map[string]Model{}
	for _, k := range catalog.All(now) {
		if k.Kind != ai.Demo || s.o.Demo {
			by[string(k.Kind)+"\n"+k.Name] = ofCatalogue(&k)
		}
	}
	scopes := []string{store.Platform}
	if org != store.Platform {
		scopes = append(scopes, org)
	}
	for i, scope := range scopes {
		list, _, err := table.Walk(tx, scope, nil, maxModels)
		if err != nil {
			return nil, err
		}
		for j := range list {
			by[string(list[j].Kind)+"\n"+list[j].Name] = list[j].model([]agent.Source{agent.FromPlatform, agent.FromOrganization}[i], now)
		}
	}
	out := make([]Model, 0, len(by))
	for _, m := range by {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b Model) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name)) })
	return out, nil
}

// Default is the model of a kind that is chosen when nobody chose, "" for none.
func (s *Service) Default(tx *store.Tx, org string, kind ai.Kind, size catalog.Size) (string, error) {
	if k, ok := catalog.Default(kind, size, tx.DB().Now()); ok {
		m, known, err := Find(tx, org, kind, k.Name)
		if err != nil || known && m.Active && m.Price != nil {
			return k.Name, err
		}
	}
	list, err := s.All(tx, org)
	for i := range list {
		if m := &list[i]; m.Kind == kind && m.Source == agent.FromOrganization && m.Active && m.Price != nil && !m.Traits.Supports.Embedding {
			return m.Name, err
		}
	}
	return "", err
}
