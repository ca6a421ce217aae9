package business

import (
	"slices"
	"time"

	"svc/ai/check"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/texts"
	"svc/store"
)

// Identity is the persona that answers: a name and a role. It never claims to be a person
// (contract 11.4).
type Identity struct {
	ID          string    `json:"id"`
	BusinessID  string    `json:"business_id"`
	Name        string    `json:"name" doc:"How the team calls it."`
	PersonaName string    `json:"persona_name" doc:"How it calls itself."`
	Role        string    `json:"role"`
	Biography   *string   `json:"biography"`
	Signature   *string   `json:"signature" doc:"Stands below what it writes."`
	IsDefault   bool      `json:"is_default"`
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

const maxIdentities = 50 // of a business

var (
	identities = store.NewTable("identity", "idn", func(i *Identity) string { return i.ID })
	_          = identities.Unique("name", func(i *Identity) store.Key {
		return store.Tuple(store.Text(i.BusinessID), store.Text(store.Fold(i.Name)))
	})
	defaultIdentityOf = identities.Unique("default", func(i *Identity) store.Key {
		if !i.IsDefault {
			return nil
		}
		return store.Text(i.BusinessID)
	})
	identityBusiness = identities.Facet("business", func(i *Identity) []string { return []string{i.BusinessID} })
)

func identitiesOf(tx *store.Tx, org, business string) ([]Identity, error) {
	return allOf(tx, org, identities, nil, maxIdentities, identityBusiness.Any(business))
}

// IdentityOf is a persona of a business: the one with that id, the default for "".
func IdentityOf(tx *store.Tx, org, business, id string) (Identity, error) {
	if id == "" {
		return defaultIdentityOf.Find(tx, org, store.Text(business))
	}
	return identities.Get(tx, org, id)
}

// ShownIdentity is one as the API answers it.
type ShownIdentity struct {
	Identity
	Business *api.Named `json:"business"`
}

func (i Identity) shown(org string) ShownIdentity {
	return ShownIdentity{i, api.Ref(org, i.BusinessID)}
}

func (i *Identity) resource() audit.Resource { return audit.On("identity", i.ID, i.Name) }

// check brings a persona into form, or says what is wrong with each field.
func (i *Identity) check() error {
	i.Name, i.PersonaName, i.Role = texts.OneLine(i.Name), texts.OneLine(i.PersonaName), texts.OneLine(i.Role)
	i.Biography, i.Signature = texts.Trimmed(i.Biography), texts.Trimmed(i.Signature)
	checks := []error{checkName("name", i.Name), checkName("persona_name", i.PersonaName), checkName("role", i.Role)}
	biography, signature := "", ""
	if i.Biography != nil {
		biography = *i.Biography
	}
	if i.Signature != nil {
		signature = *i.Signature
	}
	for _, f := range []struct{ field, text string }{
		{"name", i.Name}, {"persona_name", i.PersonaName}, {"role", i.Role}, {"biography", biography}, {"signature", signature},
	} {
		if span, claims := check.PersonaClaimsHuman(f.text); claims {
			checks = append(checks, api.Wrong(f.field, "claims to be a person (%q); the seller says honestly that it is an assistant", span))
		}
	}
	return api.AllWrong(checks...)
}

func (s *Service) listIdentities(c *api.Call, tx *store.Tx, in listIn) (out api.Page[ShownIdentity], err error) {
	return pageOf(tx, c.Org, identities, Identity.shown, in.ID, in.PageIn, []store.Cond[Identity]{identityBusiness.Any(in.ID)}, nil)
}

type createIdentityIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name        string  `json:"name" required:"true" maxLength:"120" example:"Assistant"`
		PersonaName string  `json:"persona_name" required:"true" maxLength:"120" example:"Lola"`
		Role        string  `json:"role" required:"true" maxLength:"120" example:"sales assistant"`
		Biography   *string `json:"biography" maxLength:"2000"`
		Signature   *string `json:"signature" maxLength:"200"`
		IsDefault   bool    `json:"is_default" doc:"The first one is the default anyway."`
	}
}

func (s *Service) createIdentity(c *api.Call, in createIdentityIn) (out api.Created[ShownIdentity], err error) {
	made := in.identity(c, s.db.NewID("idn"))
	if err := made.check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := canAdd(tx, c.Org, identityBusiness, in.ID, maxIdentities, "identities"); err != nil {
			return err
		}
		i := made
		if err := i.firstDefault(tx, c); err != nil {
			return err
		}
		if err := nameTaken(identities.Insert(tx, c.Org, &i)); err != nil {
			return err
		}
		out = api.New(i.shown(c.Org))
		return audit.Write(tx, c, "identity.created", i.resource())
	})
	return out, err
}

func (in *createIdentityIn) identity(c *api.Call, id string) Identity {
	b := &in.Body
	return Identity{
		ID: id, BusinessID: in.ID, Name: b.Name, PersonaName: b.PersonaName, Role: b.Role, Biography: b.Biography, Signature: b.Signature,
		IsDefault: b.IsDefault, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
}

// firstDefault makes the first persona of a business its default, whatever the caller says.
func (i *Identity) firstDefault(tx *store.Tx, c *api.Call) error {
	n, err := identityBusiness.Count(tx, c.Org, i.BusinessID)
	if err != nil {
		return err
	}
	i.IsDefault = i.IsDefault || n == 0
	return i.changeDefault(tx, c, false)
}

// changeDefault follows a change of whether a persona is the default of its business.
func (i *Identity) changeDefault(tx *store.Tx, c *api.Call, was bool) error {
	return changeDefault(was, i.IsDefault, func() error {
		return otherDefault(tx, c.Org, identities, defaultIdentityOf, i.BusinessID, func(i *Identity) { i.IsDefault, i.UpdatedAt = false, c.Now })
	})
}

type updateIdentityIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name        api.Patch[string]     `json:"name" maxLength:"120"`
		PersonaName api.Patch[string]     `json:"persona_name" maxLength:"120"`
		Role        api.Patch[string]     `json:"role" maxLength:"120"`
		Biography   api.PatchNull[string] `json:"biography" maxLength:"2000"`
		Signature   api.PatchNull[string] `json:"signature" maxLength:"200"`
		IsDefault   api.Patch[bool]       `json:"is_default"`
	}
}

func (in *updateIdentityIn) apply(i *Identity) bool {
	b := &in.Body
	return slices.Contains([]bool{
		b.Name.Apply(&i.Name), b.PersonaName.Apply(&i.PersonaName), b.Role.Apply(&i.Role), b.Biography.Apply(&i.Biography), b.Signature.Apply(&i.Signature),
		b.IsDefault.Apply(&i.IsDefault),
	}, true)
}

func (s *Service) updateIdentity(c *api.Call, tx *store.Tx, in updateIdentityIn) (out ShownIdentity, err error) {
	i, err := identities.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	before := i
	changed := in.apply(&i)
	if err := i.check(); err != nil {
		return out, err
	}
	if err := i.changeDefault(tx, c, before.IsDefault); err != nil {
		return out, err
	}
	if out = i.shown(c.Org); !changed {
		return out, nil
	}
	i.UpdatedAt = c.Now
	out = i.shown(c.Org)
	if err := nameTaken(identities.Put(tx, c.Org, &i)); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "identity.updated", i.resource(), audit.Changed("name", before.Name, i.Name),
		audit.Changed("persona_name", before.PersonaName, i.PersonaName), audit.Changed("role", before.Role, i.Role), audit.Changed("is_default", before.IsDefault, i.IsDefault))
}

func (s *Service) deleteIdentity(c *api.Call, tx *store.Tx, in idIn) (out api.NoContent, err error) {
	i, err := identities.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	set, _, err := settingsOf(tx, c.Org, i.BusinessID)
	if err != nil {
		return out, err
	}
	n, err := identityBusiness.Count(tx, c.Org, i.BusinessID)
	switch {
	case err != nil:
		return out, err
	case set.IdentityID != nil && *set.IdentityID == i.ID:
		return out, api.ErrConflict.WithMessage("The seller settings use this identity; choose another one there first.")
	case i.IsDefault && n > 1:
		return out, api.ErrConflict.WithMessage("This is the default identity; make another one the default first.")
	}
	if err := identities.Delete(tx, c.Org, i.ID); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "identity.deleted", i.resource())
}
