package api

import (
	"reflect"
	"slices"
	"sync"

	"svc/store"
)

// Named is another record that a row names, for people who read the row (contract 21.2).
// A handler makes one with Ref; its name is filled in before the answer is written.
type Named struct {
	ID   string  `json:"id"`
	Name *string `json:"name" doc:"null when it is gone, has no name, or the caller may not read it." example:"Olga Karimova"`

	org string // whose record it is; store.Platform for one that no organization has
	ask bool   // the name is to be filled in
}

// Ref names a record of an organization, or one that belongs to none (a person, an
// organization); nil for no id. The name is read when the handler has ended: those of all
// rows of an answer together, one read for each kind of record.
func Ref(org, id string) *Named {
	if id == "" {
		return nil
	}
	return &Named{ID: id, org: org, ask: true}
}

// RefTo is Ref for an id that may be missing.
func RefTo(org string, id *string) *Named {
	if id == nil {
		return nil
	}
	return Ref(org, *id)
}

// Refs is Ref for several; never nil.
func Refs(org string, ids []string) []*Named {
	out := make([]*Named, 0, len(ids))
	for _, id := range ids {
		out = append(out, Ref(org, id))
	}
	return out
}

// NameReader reads the display names of records of an organization by id: of those that
// are there and that the caller may read.
type NameReader func(c *Call, org string, ids []string) (map[string]string, error)

// ReadNames sets who reads the names of records that answers of the operation mention.
// Without one they have none.
func (e *Endpoint) ReadNames(r NameReader) { e.names = r }

// fillNames reads the names that out, a pointer to an answer, mentions.
func (c *Call) fillNames(out reflect.Value) error {
	if c.Endpoint == nil || c.Endpoint.names == nil || !mentions(out.Type()) {
		return nil
	}
	var found []*Named
	gather(out, &found)
	byOrg := map[string][]*Named{}
	for _, n := range found {
		if n.ask {
			byOrg[n.org] = append(byOrg[n.org], n)
		}
	}
	for org, list := range byOrg {
		ids := make([]string, len(list))
		for i, n := range list {
			ids[i] = n.ID
		}
		names, err := c.Endpoint.names(c, org, ids)
		if err != nil {
			return err
		}
		for _, n := range list {
			n.Name = Optional(names[n.ID])
		}
	}
	return nil
}

var (
	namedType = typeOf[Named]()
	mentioned sync.Map // reflect.Type to bool: what mentions said
)

// mentions says whether values of a type can hold a Named.
func mentions(t reflect.Type) bool {
	known, ok := mentioned.Load(t)
	if !ok {
		known = looksForNamed(t, nil)
		mentioned.Store(t, known)
	}
	return known.(bool)
}

// looksForNamed is mentions for a type within others, which have been looked at.
func looksForNamed(t reflect.Type, within []reflect.Type) bool {
	if t == namedType {
		return true
	}
	if slices.Contains(within, t) {
		return false
	}
	switch within = append(slices.Clip(within), t); t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return looksForNamed(t.Elem(), within)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.IsExported() && looksForNamed(f.Type, within) {
				return true
			}
		}
	}
	return false
}

// gather adds every Named within v, which is or was reached through a pointer.
func gather(v reflect.Value, to *[]*Named) {
	switch t := v.Type(); {
	case t == namedType:
		*to = append(*to, v.Addr().Interface().(*Named))
	case t.Kind() == reflect.Pointer && !v.IsNil():
		gather(v.Elem(), to)
	case t.Kind() == reflect.Slice && mentions(t.Elem()):
		for i := range v.Len() {
			gather(v.Index(i), to)
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && mentions(f.Type) {
				gather(v.Field(i), to)
			}
		}
	}
}

// Names reads the names of the records of a table in one go: an id that none has, or
// that is empty, has no name.
func Names[T any](tx *store.Tx, org string, t *store.Table[T], ids []string, name func(*T) string) (map[string]string, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == "" })
	found, err := t.GetMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]string, len(ids))
	for i, rec := range found {
		if rec != nil {
			out[ids[i]] = name(rec)
		}
	}
	return out, nil
}
