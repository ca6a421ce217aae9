package model

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/store"
)

// ShownModel is a model in the API.
type ShownModel struct {
	ID              string           `json:"id"`
	ProviderKind    ai.Kind          `json:"provider_kind" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE,DEMO"`
	Model           string           `json:"model" example:"gpt-6-luna"`
	Label           string           `json:"label"`
	ContextTokens   *int64           `json:"context_tokens" doc:"null: not known."`
	MaxOutputTokens *int64           `json:"max_output_tokens"`
	Price           *catalog.Rates   `json:"price" doc:"null: not known, so no chain takes it."`
	PriceTiers      []catalog.Tier   `json:"price_tiers" doc:"Other rates for longer prompts."`
	PriceFrom       *time.Time       `json:"price_from"`
	PriceUntil      *time.Time       `json:"price_until" doc:"Exclusive."`
	PriceAsOf       *string          `json:"price_as_of" doc:"The day on which the price was read." example:"2026-10-31"`
	PriceSource     *string          `json:"price_source" doc:"Where it was read."`
	Supports        catalog.Supports `json:"supports"`
	Source          agent.Source     `json:"source" enum:"PLATFORM,ORGANIZATION"`
	Active          bool             `json:"active"`
}

func (m *Model) shown() ShownModel {
	out := ShownModel{
		ID: m.ID, ProviderKind: m.Kind, Model: m.Name, Label: m.Label, ContextTokens: api.Optional(m.Traits.ContextTokens),
		MaxOutputTokens: api.Optional(m.Traits.MaxOutputTokens), PriceTiers: []catalog.Tier{}, PriceFrom: api.Optional(m.Traits.From),
		PriceUntil: api.Optional(m.Traits.Until), Supports: m.Traits.Supports, Source: m.Source, Active: m.Active,
	}
	if m.Price != nil {
		out.Price, out.PriceAsOf = &m.Price.Rates, api.Optional(m.AsOf)
		out.PriceTiers = append(out.PriceTiers, m.Price.Tiers...)
		if m.AsOf == catalog.AsOf && m.Source == agent.FromPlatform {
			out.PriceSource = api.Optional(m.Traits.Source)
		}
	}
	return out
}

// Endpoints are the operations of this package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /ai/catalog", "ai.catalog", perm.AIRead, "List every model that is known, with its price.", s.listCatalogue),
		api.E("GET /ai/models", "ai.list_models", perm.AIRead, "List the models that chains can take now: of active providers, with a price.", s.listModels),
		api.E("POST /ai/models", "ai.put_model", perm.AIManage, "Describe a model of your own with its price, or describe it anew.", s.putModel),
	}
}

type modelsIn struct {
	api.PageIn
	ProviderKind ai.Kind `query:"provider_kind" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE,DEMO"`
}

// page shows models that pass a test.
func (s *Service) page(tx *store.Tx, org string, in modelsIn, pass func(*Model) bool) (out api.Page[ShownModel], err error) {
	list, err := s.All(tx, org)
	rows := []ShownModel{}
	for i := range list {
		if m := &list[i]; (in.ProviderKind == "" || m.Kind == in.ProviderKind) && pass(m) {
			rows = append(rows, m.shown())
		}
	}
	slices.SortFunc(rows, func(a, b ShownModel) int { return cmp.Compare(modelSort(&b), modelSort(&a)) })
	return api.Window(rows, in.PageIn, modelSort), err
}

// modelSort is the order of the list, falling as api.Window wants it.
func modelSort(m *ShownModel) string {
	turn := func(r rune) rune { return 0x10FFFF - r }
	return strings.Map(turn, string(m.ProviderKind)+"\t"+m.Model) + "\U0010FFFF"
}

func (s *Service) listCatalogue(c *api.Call, in modelsIn) (out api.Page[ShownModel], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		out, err = s.page(tx, c.Org, in, func(*Model) bool { return true })
		return err
	})
	return out, err
}

func (s *Service) listModels(c *api.Call, in modelsIn) (out api.Page[ShownModel], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		kinds, err := s.o.Asked(tx, c.Org)
		if err != nil {
			return err
		}
		out, err = s.page(tx, c.Org, in, func(m *Model) bool { return m.Active && m.Price != nil && kinds[m.Kind] })
		return err
	})
	return out, err
}

// ModelFields are what describes a model.
type ModelFields struct {
	ProviderKind    ai.Kind           `json:"provider_kind" required:"true" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE"`
	Model           string            `json:"model" required:"true" minLength:"1" maxLength:"200" doc:"As the provider calls it." example:"qwen4:8b"`
	Label           *string           `json:"label" maxLength:"200"`
	ContextTokens   *int64            `json:"context_tokens" minimum:"256" maximum:"100000000"`
	MaxOutputTokens *int64            `json:"max_output_tokens" minimum:"1" maximum:"10000000"`
	Price           *catalog.Rates    `json:"price" required:"true" doc:"0 means that it costs nothing."`
	PriceTiers      []catalog.Tier    `json:"price_tiers" maxItems:"5"`
	PriceFrom       *time.Time        `json:"price_from"`
	PriceUntil      *time.Time        `json:"price_until"`
	Supports        *catalog.Supports `json:"supports" doc:"Tools and JSON when left out."`
	Active          *bool             `json:"active" default:"true"`
}

// record makes what is kept of the fields.
func (f *ModelFields) record(id string, now time.Time) (record, error) {
	r := record{
		ID: id, Kind: f.ProviderKind, Name: strings.TrimSpace(f.Model), Label: strings.TrimSpace(f.Model), Rates: f.Price, Tiers: f.PriceTiers,
		Supports: catalog.Supports{Tools: true, JSON: true}, Inactive: f.Active != nil && !*f.Active, AsOf: now.UTC().Format(time.DateOnly),
		CreatedAt: now, UpdatedAt: now,
	}
	if f.Label != nil && strings.TrimSpace(*f.Label) != "" {
		r.Label = strings.TrimSpace(*f.Label)
	}
	if f.ContextTokens != nil {
		r.ContextTokens = *f.ContextTokens
	}
	if f.MaxOutputTokens != nil {
		r.MaxOutputTokens = *f.MaxOutputTokens
	}
	if f.Supports != nil {
		r.Supports = *f.Supports
	}
	if f.PriceFrom != nil {
		r.From = f.PriceFrom.UTC()
	}
	if f.PriceUntil != nil {
		r.Until = f.PriceUntil.UTC()
	}
	return r, r.check()
}

// check refuses what contradicts itself.
func (r *record) check() error {
	var price, tiers, until error
	if r.Rates == nil {
		price = api.Wrong("price", "is required; 0 means that it costs nothing")
	}
	for i := 1; i < len(r.Tiers); i++ {
		if r.Tiers[i].Above <= r.Tiers[i-1].Above {
			tiers = api.Wrong("price_tiers", "must rise by above_input_tokens")
		}
	}
	if !r.Until.IsZero() && !r.Until.After(r.From) {
		until = api.Wrong("price_until", "must be later than price_from")
	}
	return api.AllWrong(price, tiers, until)
}

type putModelIn struct{ Body ModelFields }

func (s *Service) putModel(c *api.Call, in putModelIn) (out api.MaybeCreated[ShownModel], err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		out, err = s.saveModel(tx, c, c.Org, &in.Body)
		return err
	})
	return out, err
}

// saveModel saves a model of an organization, or of the platform, over the one of its kind
// and name.
func (s *Service) saveModel(tx *store.Tx, c *api.Call, org string, f *ModelFields) (out api.MaybeCreated[ShownModel], err error) {
	id := tx.DB().NewID("mdl")
	if org == store.Platform { // it takes the place of the catalogue's
		id = catalog.ID(f.ProviderKind, strings.TrimSpace(f.Model))
	}
	r, err := f.record(id, c.Now)
	if err != nil {
		return out, err
	}
	old, err := byName.Find(tx, org, store.Tuple(store.Text(string(r.Kind)), store.Text(r.Name)))
	switch {
	case store.IsNotFound(err):
		n, err := table.Count(tx, org)
		if err != nil {
			return out, err
		}
		if n >= maxModels {
			return out, api.Wrong("model", "is one more than the %d that can be described", maxModels)
		}
		out.Made = true
	case err != nil:
		return out, err
	default:
		r.ID, r.CreatedAt = old.ID, old.CreatedAt
	}
	if err := table.Put(tx, org, &r); err != nil {
		return out, err
	}
	source := agent.FromOrganization
	if org == store.Platform {
		source = agent.FromPlatform
	}
	m := r.model(source, c.Now)
	out.Value = m.shown()
	return out, audit.WriteTo(tx, org, c, "ai_model.saved", audit.On("ai_model", r.ID, r.Name),
		audit.Changed("price", old.Rates, r.Rates), audit.Changed("active", !old.Inactive, !r.Inactive), audit.Changed("label", old.Label, r.Label))
}
