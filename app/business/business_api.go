package business

import (
	"slices"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/booking"
	"svc/app/business/hours"
	"svc/app/business/texts"
	"svc/app/org"
	"svc/app/signal"
	"svc/store"
)

// maxName is the length of names in characters.
const maxName = 120

// Shown is a business as the API answers it.
type Shown struct {
	Business
	Creator *api.Named `json:"creator"`
}

func (b Business) shown(org string) Shown { return Shown{b, api.Ref(org, b.CreatedBy)} }

type listBusinessesIn struct {
	api.PageIn
	Status Status `query:"status" enum:"ACTIVE,ARCHIVED"`
	Sort   string `query:"sort" enum:"created_at,-created_at,name,-name" default:"-created_at"`
}

func (s *Service) list(c *api.Call, in listBusinessesIn) (out api.Page[Shown], err error) {
	q := store.Query[Business]{Offset: in.Offset, Limit: in.Limit, After: in.Behind(), Reverse: in.Sort[0] == '-'}
	if in.Sort == "name" || in.Sort == "-name" {
		q.Sort = byName
	}
	if in.Status != "" {
		q.Where = append(q.Where, businessStatus.Any(string(in.Status)))
	}
	return api.ListOf(c, s.db, businesses, q, in.PageIn, func(_ *store.Tx, x *Business) (Shown, error) { return x.shown(c.Org), nil })
}

func (s *Service) get(c *api.Call, in idIn) (out Shown, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		b, err := businesses.Get(tx, c.Org, in.ID)
		out = b.shown(c.Org)
		return err
	})
	return out, err
}

type createIn struct {
	Body struct {
		Name            string         `json:"name" required:"true" maxLength:"120" example:"Gul do‘koni"`
		Industry        *string        `json:"industry" maxLength:"120" example:"flowers"`
		Description     *string        `json:"description" maxLength:"4000"`
		TargetCustomer  *string        `json:"target_customer" maxLength:"2000"`
		Website         *string        `json:"website" maxLength:"2048" example:"https://gul.example.uz"`
		Languages       []Language     `json:"languages" enum:"uz,ru,en" nullable:"false" minItems:"1" maxItems:"3" doc:"uz, ru and en when left out."`
		DefaultLanguage Language       `json:"default_language" enum:"uz,ru,en" doc:"The first of languages when left out."`
		Timezone        string         `json:"timezone" maxLength:"64" example:"Asia/Tashkent" doc:"That of the organization when left out."`
		Hours           *hours.Week    `json:"business_hours"`
		Calendar        *booking.Rules `json:"calendar_config"`
		AsksCustomer    *bool          `json:"require_customer_confirmation" doc:"true when left out."`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	made := in.business(c, s.db.NewID("bus"))
	funnel := defaultFunnel(s.db.NewID("fnl"), &made)
	err = s.db.Update(c, func(tx *store.Tx) error {
		rec := made
		if err := rec.setZone(tx, c.Org); err != nil {
			return err
		}
		if err := rec.check(); err != nil {
			return err
		}
		if err := checkLimit(tx, c.Org); err != nil {
			return err
		}
		if err := rec.insert(tx, c.Org, &funnel); err != nil {
			return err
		}
		out = api.New(rec.shown(c.Org))
		return audit.Write(tx, c, "business.created", rec.resource())
	})
	return out, err
}

// business is what the body describes, with the defaults of what it leaves out but the zone.
func (in *createIn) business(c *api.Call, id string) Business {
	b := &in.Body
	made := Business{
		ID: id, Name: b.Name, Industry: b.Industry, Description: b.Description, TargetCustomer: b.TargetCustomer, Website: b.Website,
		Languages: b.Languages, DefaultLanguage: b.DefaultLanguage, Timezone: b.Timezone, AsksCustomer: b.AsksCustomer == nil || *b.AsksCustomer,
		Calendar: booking.Default(), Status: Active, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	set(&made.Hours, b.Hours)
	set(&made.Calendar, b.Calendar)
	if len(made.Languages) == 0 {
		made.Languages = []Language{Uzbek, Russian, English}
	}
	if made.DefaultLanguage == "" {
		made.DefaultLanguage = made.Languages[0]
	}
	return made
}

// setZone gives a business without a time zone that of its organization.
func (b *Business) setZone(tx *store.Tx, orgID string) error {
	if b.Timezone != "" {
		return nil
	}
	o, err := org.Get(tx, orgID)
	b.Timezone = o.Timezone
	return err
}

// checkLimit refuses a business more than the plan of the organization includes.
func checkLimit(tx *store.Tx, orgID string) error {
	used, err := Count(tx, orgID)
	if err != nil {
		return err
	}
	return org.CheckLimit(tx, orgID, org.LimitAIBusinesses, used, 1)
}

func (b *Business) insert(tx *store.Tx, org string, first *Funnel) error {
	if err := businesses.Insert(tx, org, b); err != nil {
		return nameTaken(err)
	}
	return funnels.Insert(tx, org, first)
}

// nameTaken makes the answer of a name that another record has.
func nameTaken(err error) error {
	if store.Duplicate(err, "name") {
		return api.ErrConflict.WithMessage("Another one has this name; choose a different name.")
	}
	return err
}

// check brings a business into form, or says what is wrong with each field.
func (b *Business) check() error {
	b.Name = texts.OneLine(b.Name)
	b.Industry, b.Description, b.TargetCustomer, b.Website = texts.Trimmed(b.Industry), texts.Trimmed(b.Description), texts.Trimmed(b.TargetCustomer), texts.Trimmed(b.Website)
	return api.AllWrong(checkName("name", b.Name), api.CheckPage("website", b.Website), b.checkLanguages(), hours.CheckZone("timezone", b.Timezone), b.Hours.Check(), b.Calendar.Check())
}

func checkName(field, name string) error {
	if n := utf8.RuneCountInString(name); n == 0 || n > maxName {
		return api.Wrong(field, "must have 1 to %d characters", maxName)
	}
	return nil
}

func (b *Business) checkLanguages() error {
	for i, l := range b.Languages {
		if slices.Contains(b.Languages[:i], l) {
			return api.Wrong("languages", "names a language twice")
		}
	}
	switch {
	case len(b.Languages) == 0:
		return api.Wrong("languages", "must name a language at least: uz, ru or en")
	case !slices.Contains(b.Languages, b.DefaultLanguage):
		return api.Wrong("default_language", "must be one of languages")
	}
	return nil
}

type updateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name            api.Patch[string]        `json:"name" maxLength:"120"`
		Industry        api.PatchNull[string]    `json:"industry" maxLength:"120"`
		Description     api.PatchNull[string]    `json:"description" maxLength:"4000"`
		TargetCustomer  api.PatchNull[string]    `json:"target_customer" maxLength:"2000"`
		Website         api.PatchNull[string]    `json:"website" maxLength:"2048"`
		Languages       api.Patch[[]Language]    `json:"languages" enum:"uz,ru,en" minItems:"1" maxItems:"3"`
		DefaultLanguage api.Patch[Language]      `json:"default_language" enum:"uz,ru,en"`
		Timezone        api.Patch[string]        `json:"timezone" maxLength:"64"`
		Hours           api.Patch[hours.Week]    `json:"business_hours"`
		Calendar        api.Patch[booking.Rules] `json:"calendar_config"`
		AsksCustomer    api.Patch[bool]          `json:"require_customer_confirmation"`
		Status          api.Patch[Status]        `json:"status" enum:"ACTIVE,ARCHIVED"`
	}
}

// apply changes a business and lists the fields that changed.
func (in *updateIn) apply(b *Business) (changed []string) {
	p := &in.Body
	note := func(name string, did bool) {
		if did {
			changed = append(changed, name)
		}
	}
	note("name", p.Name.Apply(&b.Name))
	note("industry", p.Industry.Apply(&b.Industry))
	note("description", p.Description.Apply(&b.Description))
	note("target_customer", p.TargetCustomer.Apply(&b.TargetCustomer))
	note("website", p.Website.Apply(&b.Website))
	note("languages", p.Languages.Apply(&b.Languages))
	note("default_language", p.DefaultLanguage.Apply(&b.DefaultLanguage))
	note("timezone", p.Timezone.Apply(&b.Timezone))
	note("business_hours", p.Hours.Apply(&b.Hours))
	note("calendar_config", p.Calendar.Apply(&b.Calendar))
	note("require_customer_confirmation", p.AsksCustomer.Apply(&b.AsksCustomer))
	note("status", p.Status.Apply(&b.Status))
	return changed
}

func (s *Service) update(c *api.Call, tx *store.Tx, in updateIn) (out Shown, err error) {
	b, err := businesses.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	before := b
	b.Languages = slices.Clone(b.Languages)
	changed := in.apply(&b)
	if err := b.check(); err != nil {
		return out, err
	}
	if len(changed) == 0 {
		out = before.shown(c.Org)
		return out, nil
	}
	b.UpdatedAt = c.Now
	if err := nameTaken(businesses.Put(tx, c.Org, &b)); err != nil {
		return out, err
	}
	out = b.shown(c.Org)
	return out, audit.Write(tx, c, "business.updated", b.resource(), audit.Changed("name", before.Name, b.Name),
		audit.Changed("status", before.Status, b.Status), audit.Changed("fields", nil, changed))
}

// remove deletes a business with what only it has.
func (s *Service) remove(c *api.Call, tx *store.Tx, in idIn) (out api.NoContent, err error) {
	b, err := businesses.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	for _, remove := range []func(*store.Tx, string, string) error{
		deleteAll(offers, offersOf), deleteAll(funnels, funnelsOf), deleteAll(identities, identitiesOf), deleteAll(mappings, mappingsOf),
	} {
		if err := remove(tx, c.Org, b.ID); err != nil {
			return out, err
		}
	}
	if err := store.IgnoreNotFound(settingsTable.Delete(tx, c.Org, b.ID)); err != nil {
		return out, err
	}
	if err := businesses.Delete(tx, c.Org, b.ID); err != nil {
		return out, err
	}
	if err := signal.Publish(s.o.Bus, tx, c, Deleted{c.Org, b.ID}); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "business.deleted", b.resource())
}

// deleteAll removes the records of a table that belong to a business. Each kind is bounded
// (contract 11), so one transaction holds them.
func deleteAll[T any](t *store.Table[T], of func(tx *store.Tx, org, business string) ([]T, error)) func(*store.Tx, string, string) error {
	return func(tx *store.Tx, org, business string) error {
		list, err := of(tx, org, business)
		for i := range list {
			if err = t.Delete(tx, org, t.ID(&list[i])); err != nil {
				break
			}
		}
		return err
	}
}
