package record

import (
	"slices"

	"svc/store/internal/check"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// entries is what the parts keep of a record, nothing of nil. It shares no memory with
// the record that a change of the record writes to.
func (t *Table) entries(rec any) []index.Entries {
	out := make([]index.Entries, len(t.Parts))
	for i, p := range t.Parts {
		out[i] = index.Entries{Part: &p.Part, Keys: p.keysOf(rec), Values: p.valuesOf(rec)}
	}
	return out
}

// keysOf are the keys of the entries of a record; nil where a part has no entry for
// one without a value.
func (p *Part) keysOf(rec any) []layout.Key {
	if rec == nil || p.Keys == nil {
		return nil
	}
	keys := p.Keys(rec)
	isNil := func(k layout.Key) bool { return k == nil }
	if p.Total || !slices.ContainsFunc(keys, isNil) {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), isNil)
}

// valuesOf gives each value of a record once.
func (p *Part) valuesOf(rec any) (out []string) {
	if rec == nil || p.Values == nil {
		return nil
	}
	values := p.Values(rec)
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

// pairs are the index entries of a record, for unique and sorted parts.
func (t *Table) pairs(p *Part, at layout.Ref, rec any) []kv.Pair {
	return t.Entries(p.Part, at, p.keysOf(rec))
}

// Imply says what should stand beside a record.
func (t *Table) Imply(at layout.Ref, rec any) check.Record {
	out := check.Record{At: at, ID: t.ID(rec), Parts: make([]check.Implied, len(t.Parts))}
	for i, p := range t.Parts {
		out.Parts[i] = check.Implied{Entries: t.pairs(p, at, rec), Values: p.valuesOf(rec)}
	}
	return out
}
