package layout

import (
	"strings"

	"svc/store/kv"
)

// Part is one thing that a table keeps beside its records.
type Part struct {
	Name    string
	Num     uint16
	Kind    byte // KindUnique, KindSorted, KindCount or KindFacet
	Across  bool // spans all organizations
	Version int
	Total   bool // every record has exactly one entry
}

// Numbered is the part with the number that its label gives it.
func (p Part) Numbered() Part {
	p.Num = partNumber(p.Label())
	return p
}

// Label names a part in the catalogue and in errors.
func (p Part) Label() string {
	return map[byte]string{KindUnique: "unique", KindSorted: "index", KindCount: "tally", KindFacet: "facet"}[p.Kind] + " " + p.Name
}

// Org gives the organization that stands in front of the part's values.
func (p Part) Org(o Org) *Org {
	if p.Across {
		return nil
	}
	return &o
}

// tail is what identifies a record behind a value, or in a unique entry.
func (p Part) tail(at Ref) []byte {
	if !p.Across {
		return at.ID
	}
	return append(append(make([]byte, 0, 16+len(at.ID)), at.Org[:]...), at.ID...)
}

// Entries are the index entries of keys of a record, for unique and sorted parts.
func (t *Table) Entries(p Part, at Ref, keys []Key) []kv.Pair {
	if len(keys) == 0 {
		return nil
	}
	out := make([]kv.Pair, 0, len(keys))
	prefix, tail := t.PartKey(p.Kind, p.Num, p.Org(at.Org)), p.tail(at)
	for i, k := range keys {
		key := Key(prefix)
		if i+1 < len(keys) { // the last one, which mostly is the only one, goes on in place
			key = append(make(Key, 0, len(prefix)+len(k)+1+len(tail)), prefix...)
		}
		key = AppendOptional(key, k)
		if p.Kind == KindUnique {
			out = append(out, kv.Pair{Key: key, Value: t.uniqueValue(at.Number, tail)})
			continue
		}
		out = append(out, kv.Pair{Key: append(key, tail...), Value: t.entryValue(at.Number, len(tail))})
	}
	return out
}

// FromLabel is the kind, name and number of the part with a label.
func FromLabel(label string) Part {
	kind, name, _ := strings.Cut(label, " ")
	p := Part{Name: name, Num: partNumber(label)}
	for _, k := range []byte{KindUnique, KindSorted, KindCount, KindFacet} {
		p.Kind = k
		if strings.HasPrefix(p.Label(), kind+" ") {
			return p
		}
	}
	return Part{}
}
