package model

import (
	"errors"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/engine/agent"
	"svc/store"
)

// Platform lists the models of the catalogue as the platform has them.
func (s *Service) Platform(c *api.Call, in api.PageIn) (out api.Page[ShownModel], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		out, err = s.page(tx, store.Platform, modelsIn{PageIn: in}, func(*Model) bool { return true })
		return err
	})
	return out, err
}

// PutPlatform describes a model for all organizations.
func (s *Service) PutPlatform(c *api.Call, f *ModelFields) (out api.MaybeCreated[ShownModel], err error) {
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

// PatchPlatform changes a model for all organizations.
func (s *Service) PatchPlatform(c *api.Call, id string, in *ModelPatch) (out ShownModel, err error) {
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
		if err := table.Put(tx, store.Platform, &r); err != nil {
			return err
		}
		m := r.model(agent.FromPlatform, c.Now)
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
func (s *Service) platformRecord(tx *store.Tx, id string, now time.Time) (record, error) {
	r, err := table.Get(tx, store.Platform, id)
	if !store.IsNotFound(err) {
		return r, err
	}
	for _, k := range catalog.All(now) {
		if catalog.ID(k.Kind, k.Name) != id || k.Kind == ai.Demo {
			continue
		}
		rates := k.Price.Rates
		return record{
			ID: id, Kind: k.Kind, Name: k.Name, Label: k.Label, ContextTokens: k.ContextTokens, MaxOutputTokens: k.MaxOutputTokens, Rates: &rates,
			Tiers: k.Price.Tiers, From: k.From, Until: k.Until, Supports: k.Supports, AsOf: catalog.AsOf, CreatedAt: now, UpdatedAt: now,
		}, nil
	}
	return r, errors.Join(store.ErrNotFound)
}
