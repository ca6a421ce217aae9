package chain

import (
	"slices"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/engine/agent"
	"svc/app/engine/model"
	"svc/app/engine/provider"
	"svc/store"
)

// Dims is how long vectors are where a model lets one choose.
const Dims = 512

// Embedder is the model that makes vectors of an organization's texts: the first of its
// providers, the default one first, that has one with a known price. ok is false when there
// is none; the demo model makes none. dims is the length to ask for, 0 for the model's own.
//
// only names one model, as SpaceModel does, such as that of the vectors that are there while
// those of another are made; "" is any.
func (s *Service) Embedder(tx *store.Tx, org, only string) (l Link, dims int, ok bool, err error) {
	list, err := s.providers.All(tx, org)
	if err != nil {
		return l, 0, false, err
	}
	models, err := s.models.All(tx, org)
	if err != nil {
		return l, 0, false, err
	}
	slices.SortStableFunc(list, defaultFirst)
	for i := range list {
		p := &list[i]
		if p.Status == provider.Disabled || p.Kind == ai.Demo {
			continue
		}
		name, dims := embedding(models, p, only)
		if name == "" {
			continue
		}
		links, err := s.Links(tx, org, []agent.ChainEntry{{ProviderID: p.ID, Model: name}})
		if err != nil {
			return l, 0, false, err
		}
		if links[0].Entry.Skip == "" {
			return links[0], dims, true, nil
		}
	}
	return l, 0, false, nil
}

// defaultFirst orders providers, the default one before the others.
func defaultFirst(a, b provider.Provider) int {
	switch {
	case a.IsDefault == b.IsDefault:
		return 0
	case a.IsDefault:
		return -1
	}
	return 1
}

// embedding is the cheapest model of a provider that makes vectors, "" for none, with the
// length that it can be asked for. A small server's is known by what a test found.
func embedding(models []model.Model, p *provider.Provider, only string) (name string, dims int) {
	var price catalog.Nano
	for i := range models {
		m := &models[i]
		if m.Kind != p.Kind || !m.Active || m.Price == nil || only != "" && only != SpaceModel(p.Kind, m.Name) {
			continue
		}
		makes, length := m.Traits.Supports.Embedding, Dims
		if p.Kind == ai.Compatible {
			makes, length = p.Found[m.Name].Embedding, 0
		}
		if cost := m.Price.Worst(priced, 0); makes && (name == "" || cost < price) {
			name, dims, price = m.Name, length, cost
		}
	}
	return name, dims
}

// SpaceModel is the beginning of the names of the spaces of a model's vectors.
func SpaceModel(kind ai.Kind, name string) string { return string(kind) + "/" + name + "/" }

// priced is how many tokens models are compared by.
const priced = 1_000_000
