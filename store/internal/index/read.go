// Package index has what stands beside records without their types: index entries, counts and
// sets, written from what they were to what they are, and read.
//
// It promises that a duplicate is found before anything is written, and that any later error
// keeps the transaction from committing. It refuses to know how entries follow from a record.
package index

import (
	"bytes"
	"encoding/binary"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// Find is where the record lies that has a value in a unique index.
func Find(tx *buffer.Tx, t *layout.Table, p *layout.Part, org *layout.Org, k layout.Key) (at layout.Ref, found bool, err error) {
	if k == nil {
		return at, false, nil
	}
	v, err := tx.Get(layout.AppendOptional(t.PartKey(layout.KindUnique, p.Num, org), k))
	if err != nil || v == nil {
		return at, false, err
	}
	at, err = t.ReadUnique(v, org)
	return at, true, err
}

// Range says which entries of a sorted index a walk visits: those of a span, behind a cursor, up
// to Limit of them, the highest value first with Reverse.
type Range struct {
	Span    layout.Span
	After   []byte
	Limit   int
	Reverse bool
}

// In are the keys of a span of a part that begins with a prefix.
func In(prefix []byte, s layout.Span) kv.Range { return Range{Span: s}.KeysUnder(prefix) }

// Walk finds where the records of a range lie. next is nil when nothing is left.
func Walk(tx *buffer.Tx, t *layout.Table, p *layout.Part, org *layout.Org, r Range) (out []layout.Ref, next []byte, err error) {
	prefix := t.PartKey(layout.KindSorted, p.Num, org)
	scan := r.KeysUnder(prefix)
	scan.Limit = r.Limit + 1
	for pair, err := range tx.Scan(scan) {
		if err != nil {
			return nil, nil, err
		}
		if len(out) == r.Limit {
			return out, next, nil
		}
		e, err := t.ReadEntry(pair, len(prefix), org)
		if err != nil {
			return nil, nil, err
		}
		out = append(out, layout.Ref{Org: e.Org, ID: append([]byte(nil), e.ID...), Number: e.Number})
		next = append(next[:0:0], pair.Key[len(prefix):]...)
	}
	return out, nil, nil
}

// KeysUnder is the range of keys of a walk through a part that begins with a prefix.
func (r Range) KeysUnder(prefix []byte) kv.Range {
	out := kv.Under(prefix)
	join := func(b []byte) []byte { return append(append(make([]byte, 0, len(prefix)+len(b)), prefix...), b...) }
	if r.Span.From != nil {
		out.From = join(r.Span.From)
	}
	if r.Span.To != nil {
		out.To = join(r.Span.To)
	}
	return Beyond(out, prefix, r.After, r.Reverse)
}

// Beyond narrows a range to what comes behind a cursor.
func Beyond(r kv.Range, prefix, after []byte, reverse bool) kv.Range {
	r.Reverse = reverse
	if after == nil {
		return r
	}
	key := append(append(make([]byte, 0, len(prefix)+len(after)+1), prefix...), after...)
	if reverse {
		if r.To == nil || bytes.Compare(key, r.To) < 0 {
			r.To = key
		}
		return r
	}
	key = append(key, 0) // the first key behind it
	if bytes.Compare(key, r.From) > 0 {
		r.From = key
	}
	return r
}

// Records resolves numbers to the keys of their records.
func Records(tx *buffer.Tx, t *layout.Table, org layout.Org, numbers []uint32) ([][]byte, error) {
	keys := make([][]byte, len(numbers))
	for i, n := range numbers {
		keys[i] = t.NumberKey(org, n)
	}
	ids, err := tx.GetMany(keys)
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if id == nil {
			return nil, layout.Corrupt("number %d of %s belongs to no record", binary.BigEndian.Uint32(keys[i][len(keys[i])-4:]), t.Name)
		}
		ids[i] = t.RecordKey(org, id)
	}
	return ids, nil
}

// Owners lists the organizations that have records, at most limit of them, beginning behind a
// cursor. next is nil when nothing is left. It looks at keys alone.
func Owners(tx *buffer.Tx, t *layout.Table, after []byte, limit int) (orgs []string, next []byte, err error) {
	prefix := layout.Space(t.Num, layout.KindRecord)
	r := kv.Under(prefix)
	r.KeysOnly, r.Limit = true, 1
	for {
		if after != nil { // over all records of the one before
			r.From = kv.After(append(prefix[:len(prefix):len(prefix)], after...))
		}
		org, found, err := owner(tx, t, r)
		switch {
		case err != nil:
			return nil, nil, err
		case !found:
			return orgs, nil, nil
		case len(orgs) == limit:
			return orgs, next, nil
		}
		orgs, after = append(orgs, org.String()), org[:]
		next = after
	}
}

// owner reads whose the first record of a range is.
func owner(tx *buffer.Tx, t *layout.Table, r kv.Range) (org layout.Org, found bool, err error) {
	for p, err := range tx.Scan(r) {
		if err != nil {
			return org, false, err
		}
		rest := p.Key[len(layout.Space(t.Num, layout.KindRecord)):]
		if len(rest) < len(org) {
			return org, false, layout.Corrupt("a record of %s without an organization", t.Name)
		}
		return layout.Org(rest[:len(org)]), true, nil
	}
	return org, false, nil
}
