package store

import (
	"fmt"
	"slices"

	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// part is one thing that a table keeps beside its records. Either keys or values
// is set; both are pure functions of the record.
type part[T any] struct {
	layout.Part
	keys   func(*T) []Key
	values func(*T) []string
}

// add registers a part. It panics on what no program should start with.
func (t *Table[T]) add(p part[T]) *part[T] {
	p.Part = p.Numbered()
	for _, other := range t.all {
		if other.Num == p.Num {
			panic(fmt.Sprintf("store: table %s: %s and %s collide: rename one", t.core.Name, p.Label(), other.Label()))
		}
	}
	p.Version = 1
	t.all = append(t.all, &p)
	return &p
}

func (t *Table[T]) parts() []layout.Part {
	out := make([]layout.Part, len(t.all))
	for i, p := range t.all {
		out[i] = p.Part
	}
	return out
}

// indexEntries is what the parts keep of a record, nothing of nil. It shares no memory with
// the record that a change of the record writes to.
func (t *Table[T]) indexEntries(rec *T) []index.Entries {
	out := make([]index.Entries, len(t.all))
	for i, p := range t.all {
		out[i] = index.Entries{Part: &p.Part, Keys: p.keysOf(rec), Values: p.valuesOf(rec)}
	}
	return out
}

// keysOf are the keys of the entries of a record; nil where a part has no entry for
// one without a value.
func (p *part[T]) keysOf(rec *T) []Key {
	if rec == nil || p.keys == nil {
		return nil
	}
	keys := p.keys(rec)
	isNil := func(k Key) bool { return k == nil }
	if p.Total || !slices.ContainsFunc(keys, isNil) {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), isNil)
}

// valuesOf gives each value of a record once.
func (p *part[T]) valuesOf(rec *T) (out []string) {
	if rec == nil || p.values == nil {
		return nil
	}
	values := p.values(rec)
	if len(values) > 0 {
		out = make([]string, 0, len(values))
	}
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// entries are the index entries of a record, for unique and sorted parts.
func (t *Table[T]) entries(p *part[T], at layout.Ref, rec *T) []kv.Pair {
	return t.core.Entries(p.Part, at, p.keysOf(rec))
}
