package engine

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
	"svc/store"
)

// Source says who knows a model or set a budget.
type Source string

// The sources.
const (
	FromPlatform     Source = "PLATFORM"
	FromOrganization Source = "ORGANIZATION"
)

// modelRecord is a model that an organization or the platform described, over the
// catalogue of the program.
type modelRecord struct {
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
	modelTable  = store.NewTable("ai_model", "mdl", func(m *modelRecord) string { return m.ID }).Shared()
	modelByName = modelTable.Unique("name", func(m *modelRecord) store.Key { return store.Tuple(store.Text(string(m.Kind)), store.Text(m.Name)) })
)

// maxModels bounds the models that one organization, or the platform, describes.
const maxModels = 500

// model is one as a chain uses it.
type model struct {
	id     string
	kind   ai.Kind
	name   string
	label  string
	source Source
	active bool
	price  *catalog.Price // nil: not known
	asOf   string
	traits catalog.Model // contexts, supports, size, sampling
}

func (r *modelRecord) model(source Source, now time.Time) model {
	m := model{id: r.ID, kind: r.Kind, name: r.Name, label: r.Label, source: source, active: !r.Inactive, asOf: r.AsOf}
	if known, ok := catalog.Find(r.Kind, r.Name, now); ok {
		m.traits = known // how it is asked does not depend on its price
	}
	m.traits.ContextTokens, m.traits.MaxOutputTokens, m.traits.Supports = r.ContextTokens, r.MaxOutputTokens, r.Supports
	m.traits.From, m.traits.Until = r.From, r.Until
	if r.Rates != nil {
		m.price = &catalog.Price{Rates: *r.Rates, Tiers: r.Tiers}
	}
	return m
}

func ofCatalogue(k *catalog.Model) model {
	return model{
		id: catalog.ID(k.Kind, k.Name), kind: k.Kind, name: k.Name, label: k.Label, source: FromPlatform, active: true, price: &k.Price, asOf: catalog.AsOf, traits: *k,
	}
}

// findModel is what is known of a model: the organization's words before the platform's,
// and those before the catalogue's. false: nothing is.
func findModel(tx *store.Tx, org string, kind ai.Kind, name string) (model, bool, error) {
	now := tx.DB().Now()
	key := store.Tuple(store.Text(string(kind)), store.Text(name))
	for _, from := range []struct {
		org    string
		source Source
	}{{org, FromOrganization}, {store.Platform, FromPlatform}} {
		if from.org == store.Platform && from.source == FromOrganization {
			continue // asked by the platform itself
		}
		r, err := modelByName.Find(tx, from.org, key)
		if err == nil {
			return r.model(from.source, now), true, nil
		}
		if !store.IsNotFound(err) {
			return model{}, false, err
		}
	}
	if k, ok := catalog.Find(kind, name, now); ok {
		return ofCatalogue(&k), true, nil
	}
	return model{}, false, nil
}

// allModels are all that an organization can know of, in the order of kind and name. With
// store.Platform those of the platform.
func (s *Service) allModels(tx *store.Tx, org string) ([]model, error) {
	now := tx.DB().Now()
	by := map[string]model{}
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
		list, _, err := modelTable.Walk(tx, scope, nil, maxModels)
		if err != nil {
			return nil, err
		}
		for j := range list {
			by[string(list[j].Kind)+"\n"+list[j].Name] = list[j].model([]Source{FromPlatform, FromOrganization}[i], now)
		}
	}
	out := make([]model, 0, len(by))
	for _, m := range by {
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b model) int { return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name)) })
	return out, nil
}

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
	Source          Source           `json:"source" enum:"PLATFORM,ORGANIZATION"`
	Active          bool             `json:"active"`
}

func (m *model) shown() ShownModel {
	out := ShownModel{
		ID: m.id, ProviderKind: m.kind, Model: m.name, Label: m.label, ContextTokens: api.Optional(m.traits.ContextTokens),
		MaxOutputTokens: api.Optional(m.traits.MaxOutputTokens), PriceTiers: []catalog.Tier{}, PriceFrom: optionalTime(m.traits.From),
		PriceUntil: optionalTime(m.traits.Until), Supports: m.traits.Supports, Source: m.source, Active: m.active,
	}
	if m.price != nil {
		out.Price, out.PriceAsOf = &m.price.Rates, api.Optional(m.asOf)
		out.PriceTiers = append(out.PriceTiers, m.price.Tiers...)
		if m.asOf == catalog.AsOf && m.source == FromPlatform {
			out.PriceSource = api.Optional(m.traits.Source)
		}
	}
	return out
}

func (s *Service) modelEndpoints() []api.Endpoint {
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
func (s *Service) page(tx *store.Tx, org string, in modelsIn, pass func(*model) bool) (out api.Page[ShownModel], err error) {
	list, err := s.allModels(tx, org)
	rows := []ShownModel{}
	for i := range list {
		if m := &list[i]; (in.ProviderKind == "" || m.kind == in.ProviderKind) && pass(m) {
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
		out, err = s.page(tx, c.Org, in, func(*model) bool { return true })
		return err
	})
	return out, err
}

func (s *Service) listModels(c *api.Call, in modelsIn) (out api.Page[ShownModel], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		list, err := s.allProviders(tx, c.Org)
		if err != nil {
			return err
		}
		kinds := map[ai.Kind]bool{}
		for i := range list {
			kinds[list[i].Kind] = kinds[list[i].Kind] || list[i].Status != Disabled
		}
		out, err = s.page(tx, c.Org, in, func(m *model) bool { return m.active && m.price != nil && kinds[m.kind] })
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
func (f *ModelFields) record(id string, now time.Time) (modelRecord, error) {
	r := modelRecord{
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
func (r *modelRecord) check() error {
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
	old, err := modelByName.Find(tx, org, store.Tuple(store.Text(string(r.Kind)), store.Text(r.Name)))
	switch {
	case store.IsNotFound(err):
		n, err := modelTable.Count(tx, org)
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
	if err := modelTable.Put(tx, org, &r); err != nil {
		return out, err
	}
	source := FromOrganization
	if org == store.Platform {
		source = FromPlatform
	}
	m := r.model(source, c.Now)
	out.Value = m.shown()
	return out, audit.WriteTo(tx, org, c, "ai_model.saved", audit.On("ai_model", r.ID, r.Name),
		audit.Changed("price", old.Rates, r.Rates), audit.Changed("active", !old.Inactive, !r.Inactive), audit.Changed("label", old.Label, r.Label))
}
