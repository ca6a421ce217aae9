package business

import (
	"slices"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/texts"
	"svc/store"
)

// profiles does what communication and language profiles have in common: built-in ones that
// nobody changes but everybody can copy, and those of an organization.
type profiles[T any] struct {
	kind    string // in the audit log
	what    string // in sentences
	table   *store.Table[T]
	builtin func() []T
	base    func(*T) *ProfileBase
	check   func(*T) error
	// used says whether the seller settings of a business name the profile.
	used func(tx *store.Tx, org, id string) (bool, error)
}

const maxProfiles = 100 // of an organization, of a kind

// find reads a profile, built in or not.
func (p *profiles[T]) find(tx *store.Tx, org, id string) (T, error) {
	for _, b := range p.builtin() {
		if p.base(&b).ID == id {
			return b, nil
		}
	}
	return p.table.Get(tx, org, id)
}

// own reads one that can be changed.
func (p *profiles[T]) own(tx *store.Tx, org, id string) (T, error) {
	rec, err := p.find(tx, org, id)
	if err == nil && p.base(&rec).Builtin {
		err = api.ErrState.WithMessage("A built-in profile cannot be changed or deleted; copy it and change the copy.")
	}
	return rec, err
}

func (p *profiles[T]) resource(rec *T) audit.Resource {
	b := p.base(rec)
	return audit.On(p.kind, b.ID, b.Name)
}

// list gives the built-in ones first, then those of the organization, oldest first.
func (p *profiles[T]) list(db *store.DB, c *api.Call, in api.PageIn) (out api.Page[T], err error) {
	err = db.View(c, func(tx *store.Tx) error {
		rows := p.builtin()
		own, _, err := p.table.Walk(tx, c.Org, nil, maxProfiles)
		out = api.Rising(append(rows, own...), in, func(r *T) string { return p.base(r).ID })
		return err
	})
	return out, err
}

// create saves a new one.
func (p *profiles[T]) create(db *store.DB, c *api.Call, rec T, did string) (out api.Created[T], err error) {
	b := p.base(&rec)
	b.CreatedAt, b.UpdatedAt = &c.Now, &c.Now
	if err := p.check(&rec); err != nil {
		return out, err
	}
	err = db.Update(c, func(tx *store.Tx) error {
		n, err := p.table.Count(tx, c.Org)
		if err != nil {
			return err
		}
		if n >= maxProfiles {
			return api.ErrConflict.WithMessage("An organization has at most %d %ss; delete some that are not used.", maxProfiles, p.what)
		}
		if err := p.nameFree(&rec); err != nil {
			return err
		}
		if err := nameTaken(p.table.Insert(tx, c.Org, &rec)); err != nil {
			return err
		}
		out = api.New(rec)
		return audit.Write(tx, c, p.kind+"."+did, p.resource(&rec))
	})
	return out, err
}

// nameFree refuses the name of a built-in one.
func (p *profiles[T]) nameFree(rec *T) error {
	for _, b := range p.builtin() {
		if store.Fold(p.base(&b).Name) == store.Fold(p.base(rec).Name) {
			return api.ErrConflict.WithMessage("A built-in profile has this name; choose a different name.")
		}
	}
	return nil
}

// copy saves a copy of one, under the name that was asked for or the next free one.
func (p *profiles[T]) copy(db *store.DB, c *api.Call, id, newID, name string) (out api.Created[T], err error) {
	var rec T
	err = db.View(c, func(tx *store.Tx) error {
		if rec, err = p.find(tx, c.Org, id); err != nil {
			return err
		}
		if name != "" {
			return nil
		}
		own, _, err := p.table.Walk(tx, c.Org, nil, maxProfiles)
		taken := make([]string, len(own))
		for i := range own {
			taken[i] = store.Fold(p.base(&own[i]).Name)
		}
		name = freeName(p.base(&rec).Name, taken)
		return err
	})
	if err != nil {
		return out, err
	}
	*p.base(&rec) = ProfileBase{ID: newID, Name: name}
	return p.create(db, c, rec, "copied")
}

// freeName is a name with the first number behind it that is not taken.
func freeName(name string, taken []string) string {
	runes := []rune(name)
	name = string(runes[:min(len(runes), maxName-4)])
	for n := 2; ; n++ {
		with := name + " " + itoa(n)
		if !slices.Contains(taken, store.Fold(with)) {
			return with
		}
	}
}

// update changes one of the organization's own.
func (p *profiles[T]) update(db *store.DB, c *api.Call, id string, apply func(*T) bool) (out T, err error) {
	err = db.Update(c, func(tx *store.Tx) error {
		rec, err := p.own(tx, c.Org, id)
		if err != nil {
			return err
		}
		before := p.base(&rec).Name
		changed := apply(&rec)
		if err := p.check(&rec); err != nil {
			return err
		}
		if out = rec; !changed {
			return nil
		}
		if err := p.nameFree(&rec); err != nil {
			return err
		}
		p.base(&rec).UpdatedAt = &c.Now
		out = rec
		if err := nameTaken(p.table.Put(tx, c.Org, &rec)); err != nil {
			return err
		}
		return audit.Write(tx, c, p.kind+".updated", p.resource(&rec), audit.Changed("name", before, p.base(&rec).Name))
	})
	return out, err
}

// remove deletes one that no business uses.
func (p *profiles[T]) remove(db *store.DB, c *api.Call, id string) (out api.NoContent, err error) {
	err = db.Update(c, func(tx *store.Tx) error {
		rec, err := p.own(tx, c.Org, id)
		if err != nil {
			return err
		}
		used, err := p.used(tx, c.Org, id)
		if err != nil {
			return err
		}
		if used {
			return api.ErrConflict.WithMessage("Seller settings use this %s; choose another one there first.", p.what)
		}
		if err := p.table.Delete(tx, c.Org, id); err != nil {
			return err
		}
		return audit.Write(tx, c, p.kind+".deleted", p.resource(&rec))
	})
	return out, err
}

// check is the part of checking that every profile has.
func (b *ProfileBase) check() error {
	b.Name = texts.OneLine(b.Name)
	return checkName("name", b.Name)
}
