package engine

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// PlatformBudgets are the budgets that the platform set for an organization.
func (s *Service) PlatformBudgets(c *api.Call, org string) (out api.List[ShownBudget], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		rows, err := shownBudgets(tx, org, FromPlatform)
		out = api.NewList(rows)
		return err
	})
	return out, err
}

// SetPlatformBudgets replaces them. note runs in the same transaction.
func (s *Service) SetPlatformBudgets(c *api.Call, org string, list []BudgetFields, note func(tx *store.Tx, before, after []ShownBudget) error) (api.List[ShownBudget], error) {
	return s.replaceBudgets(c, org, FromPlatform, list, note)
}

// CostsOf adds up the costs of an organization.
func (s *Service) CostsOf(c *api.Call, org string, in CostsIn) (Costs, error) {
	return s.costsOf(c, org, in)
}

// PlatformModels are the models of the catalogue as the platform has them.
func (s *Service) PlatformModels(c *api.Call, in api.PageIn) (out api.Page[ShownModel], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		out, err = s.page(tx, store.Platform, modelsIn{PageIn: in}, func(*model) bool { return true })
		return err
	})
	return out, err
}

// PutPlatformModel describes a model for all organizations.
func (s *Service) PutPlatformModel(c *api.Call, f *ModelFields) (out api.MaybeCreated[ShownModel], err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		out, err = s.saveModel(tx, c, store.Platform, f)
		return err
	})
	return out, err
}

// ModelPatch changes a model of the platform.
type ModelPatch struct {
	Label           api.Patch[string]           `json:"label" minLength:"1" maxLength:"200"`
	ContextTokens   api.Patch[int64]            `json:"context_tokens" minimum:"256" maximum:"100000000"`
	MaxOutputTokens api.Patch[int64]            `json:"max_output_tokens" minimum:"1" maximum:"10000000"`
	Price           api.Patch[catalog.Rates]    `json:"price" doc:"Rates that are left out stay as they are."`
	PriceTiers      api.Patch[[]catalog.Tier]   `json:"price_tiers" maxItems:"5"`
	PriceFrom       api.PatchNull[time.Time]    `json:"price_from"`
	PriceUntil      api.PatchNull[time.Time]    `json:"price_until"`
	Supports        api.Patch[catalog.Supports] `json:"supports"`
	Active          api.Patch[bool]             `json:"active" doc:"false takes it out of chains."`
}

// PatchPlatformModel changes a model for all organizations.
func (s *Service) PatchPlatformModel(c *api.Call, id string, in *ModelPatch) (out ShownModel, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		r, err := s.platformRecord(tx, id, c.Now)
		if err != nil {
			return err
		}
		before, active := r, !r.Inactive
		priced := in.Price.Set || in.PriceTiers.Set
		if r.Rates == nil {
			r.Rates = &catalog.Rates{}
		}
		rates := *r.Rates
		in.Price.Apply(&rates)
		r.Rates = &rates
		in.Label.Apply(&r.Label)
		in.ContextTokens.Apply(&r.ContextTokens)
		in.MaxOutputTokens.Apply(&r.MaxOutputTokens)
		in.PriceTiers.Apply(&r.Tiers)
		in.Supports.Apply(&r.Supports)
		in.Active.Apply(&active)
		patchTime(in.PriceFrom, &r.From)
		patchTime(in.PriceUntil, &r.Until)
		r.Inactive, r.UpdatedAt = !active, c.Now
		if priced {
			r.AsOf = c.Now.UTC().Format(time.DateOnly)
		}
		if err := r.check(); err != nil {
			return err
		}
		if err := modelTable.Put(tx, store.Platform, &r); err != nil {
			return err
		}
		m := r.model(FromPlatform, c.Now)
		out = m.shown()
		return audit.WriteTo(tx, store.Platform, c, "ai_model.saved", audit.On("ai_model", r.ID, r.Name),
			audit.Changed("price", before.Rates, r.Rates), audit.Changed("active", !before.Inactive, active), audit.Changed("label", before.Label, r.Label))
	})
	return out, err
}

func patchTime(p api.PatchNull[time.Time], to *time.Time) {
	if !p.Set {
		return
	}
	*to = time.Time{}
	if p.Value != nil {
		*to = p.Value.UTC()
	}
}

// platformRecord is a model of the platform by id, made from the catalogue when nobody
// changed it yet.
func (s *Service) platformRecord(tx *store.Tx, id string, now time.Time) (modelRecord, error) {
	r, err := modelTable.Get(tx, store.Platform, id)
	if !store.IsNotFound(err) {
		return r, err
	}
	for _, k := range catalog.All(now) {
		if catalog.ID(k.Kind, k.Name) != id || k.Kind == ai.Demo {
			continue
		}
		rates := k.Price.Rates
		return modelRecord{
			ID: id, Kind: k.Kind, Name: k.Name, Label: k.Label, ContextTokens: k.ContextTokens, MaxOutputTokens: k.MaxOutputTokens, Rates: &rates,
			Tiers: k.Price.Tiers, From: k.From, Until: k.Until, Supports: k.Supports, AsOf: catalog.AsOf, CreatedAt: now, UpdatedAt: now,
		}, nil
	}
	return r, errors.Join(store.ErrNotFound)
}

// PlatformUse is what one organization, or one kind of provider, cost.
type PlatformUse struct {
	Key          string     `json:"key" doc:"A kind of provider, or the id of an organization."`
	Organization *api.Named `json:"organization"`
	Executions   int64      `json:"executions"`
	CostUSD      float64    `json:"cost_usd"`
}

// FailingProvider is one whose key is rejected.
type FailingProvider struct {
	ID           string     `json:"id"`
	Name         string     `json:"name"`
	Kind         ai.Kind    `json:"kind" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE"`
	Organization *api.Named `json:"organization"`
	LastError    *string    `json:"last_error"`
}

// PlatformOverview is the AI of all organizations at one glance (contract 17).
type PlatformOverview struct {
	Cost24h        float64           `json:"cost_24h_usd" doc:"To the hour."`
	Cost30d        float64           `json:"cost_30d_usd"`
	ByProvider     []PlatformUse     `json:"by_provider" doc:"By kind, over 30 days, the dearest first."`
	ByOrganization []PlatformUse     `json:"by_organization" doc:"The 20 dearest over 30 days."`
	Failing        []FailingProvider `json:"failing_providers" doc:"At most 100."`
}

const (
	topOrganizations = 20
	mostFailing      = 100
)

// PlatformOverview adds up the last 30 days.
func (s *Service) PlatformOverview(c *api.Call) (out PlatformOverview, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		kinds, orgs := map[string]*counters{}, map[string]*counters{}
		var today, month counters
		from, to := c.Now.AddDate(0, 0, -costDays), c.Now.Add(time.Hour) // the hour that began, too
		err := eachPlatform(tx, from, to, func(r *platformRow) {
			sum := within(r.Day, r.Hours, from, to)
			last := within(r.Day, r.Hours, c.Now.Add(-day), to)
			today.add(last)
			month.add(sum)
			for key, in := range map[string]map[string]*counters{r.Kind: kinds, "\x00" + r.Org: orgs} {
				if in[key] == nil {
					in[key] = &counters{}
				}
				in[key].add(sum)
			}
		})
		if err != nil {
			return err
		}
		out = PlatformOverview{Cost24h: today.Cost.USD(), Cost30d: month.Cost.USD(), ByProvider: dearest(kinds), ByOrganization: dearest(orgs)}
		out.Failing, err = failing(tx)
		return err
	})
	return out, err
}

func eachPlatform(tx *store.Tx, from, to time.Time, visit func(*platformRow)) error {
	after, _ := platformCosts.Behind(from.UTC().Format(time.DateOnly))
	last := to.UTC().Format(time.DateOnly) + "~"
	for {
		list, next, err := platformCosts.Walk(tx, store.Platform, after, 500)
		if err != nil {
			return err
		}
		for i := range list {
			if list[i].ID > last {
				return nil
			}
			visit(&list[i])
		}
		if after = next; after == nil {
			return nil
		}
	}
}

// dearest sorts sums by cost. Keys of organizations begin with a zero byte.
func dearest(of map[string]*counters) []PlatformUse {
	out := []PlatformUse{}
	for key, c := range of {
		u := PlatformUse{Key: key, Executions: c.Executions, CostUSD: c.Cost.USD()}
		if len(key) > 0 && key[0] == 0 {
			u.Key = key[1:]
			u.Organization = api.Ref(store.Platform, u.Key)
		} else if key == "" {
			u.Key = everyone
		}
		out = append(out, u)
	}
	slices.SortFunc(out, func(a, b PlatformUse) int {
		return cmp.Or(cmp.Compare(b.CostUSD, a.CostUSD), cmp.Compare(a.Key, b.Key))
	})
	return out[:min(len(out), topOrganizations)]
}

func failing(tx *store.Tx) ([]FailingProvider, error) {
	list, _, err := failingAcross.Walk(tx, store.Range{Limit: mostFailing})
	out := []FailingProvider{}
	for i := range list {
		p := &list[i].Record
		out = append(out, FailingProvider{p.ID, p.Name, p.Kind, api.Ref(store.Platform, list[i].Org), api.Optional(p.LastFault.Sentence())})
	}
	return out, err
}
