package business

import (
	"time"

	"svc/ai/check"
	"svc/app/api"
	"svc/app/audit"
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
	i.Name, i.PersonaName, i.Role = oneLine(i.Name), oneLine(i.PersonaName), oneLine(i.Role)
	i.Biography, i.Signature = trimmed(i.Biography), trimmed(i.Signature)
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
	b := in.Body
	made := Identity{
		ID: s.db.NewID("idn"), BusinessID: in.ID, Name: b.Name, PersonaName: b.PersonaName, Role: b.Role, Biography: b.Biography, Signature: b.Signature,
		CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if err := made.check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if _, err := businesses.Get(tx, c.Org, in.ID); err != nil {
			return err
		}
		n, err := identityBusiness.Count(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if n >= maxIdentities {
			return api.ErrConflict.WithMessage("A business has at most %d identities; delete some that are not used.", maxIdentities)
		}
		i := made
		if i.IsDefault = b.IsDefault || n == 0; i.IsDefault {
			if err := otherDefault(tx, c.Org, identities, defaultIdentityOf, in.ID, func(i *Identity) { i.IsDefault, i.UpdatedAt = false, c.Now }); err != nil {
				return err
			}
		}
		if err := nameTaken(identities.Insert(tx, c.Org, &i)); err != nil {
			return err
		}
		out = api.New(i.shown(c.Org))
		return audit.Write(tx, c, "identity.created", i.resource())
	})
	return out, err
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

func (s *Service) updateIdentity(c *api.Call, in updateIdentityIn) (out ShownIdentity, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		i, err := identities.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		before, b := i, &in.Body
		changed := false
		for _, did := range []bool{
			b.Name.Apply(&i.Name), b.PersonaName.Apply(&i.PersonaName), b.Role.Apply(&i.Role), b.Biography.Apply(&i.Biography), b.Signature.Apply(&i.Signature),
			b.IsDefault.Apply(&i.IsDefault),
		} {
			changed = changed || did
		}
		if err := i.check(); err != nil {
			return err
		}
		if before.IsDefault && !i.IsDefault {
			return api.Wrong("is_default", "%s", errOnlyDefault)
		}
		if out = i.shown(c.Org); !changed {
			return nil
		}
		if i.IsDefault && !before.IsDefault {
			if err := otherDefault(tx, c.Org, identities, defaultIdentityOf, i.BusinessID, func(i *Identity) { i.IsDefault, i.UpdatedAt = false, c.Now }); err != nil {
				return err
			}
		}
		i.UpdatedAt = c.Now
		out = i.shown(c.Org)
		if err := nameTaken(identities.Put(tx, c.Org, &i)); err != nil {
			return err
		}
		return audit.Write(tx, c, "identity.updated", i.resource(), audit.Changed("name", before.Name, i.Name),
			audit.Changed("persona_name", before.PersonaName, i.PersonaName), audit.Changed("role", before.Role, i.Role), audit.Changed("is_default", before.IsDefault, i.IsDefault))
	})
	return out, err
}

func (s *Service) deleteIdentity(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		i, err := identities.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		set, _, err := settingsOf(tx, c.Org, i.BusinessID)
		if err != nil {
			return err
		}
		n, err := identityBusiness.Count(tx, c.Org, i.BusinessID)
		switch {
		case err != nil:
			return err
		case set.IdentityID != nil && *set.IdentityID == i.ID:
			return api.ErrConflict.WithMessage("The seller settings use this identity; choose another one there first.")
		case i.IsDefault && n > 1:
			return api.ErrConflict.WithMessage("This is the default identity; make another one the default first.")
		}
		if err := identities.Delete(tx, c.Org, i.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "identity.deleted", i.resource())
	})
	return out, err
}
