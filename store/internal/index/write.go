package index

import (
	"bytes"
	"fmt"
	"slices"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
)

// Entries is what a part keeps of one record.
type Entries struct {
	Part   *layout.Part
	Keys   []layout.Key // of index entries
	Values []string     // of counts and sets, each once
}

// DuplicateError says which unique index refused a record.
type DuplicateError struct {
	Table, Index string
	ID           string // of the record that holds the value
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("%s: another record has the same %s", e.Table, e.Index)
}

// Write brings everything beside a record from what it was to what it is. A
// duplicate is found before anything is written, so that a closure may go on after
// one; any later error spoils the transaction.
func Write(tx *buffer.Tx, t *layout.Table, at layout.Ref, was, now []Entries) error {
	for i, e := range now {
		if e.Part.Kind == layout.KindUnique {
			if err := refuseTaken(tx, t, e.Part, at, missing(e.Keys, was[i].Keys)); err != nil {
				return err
			}
		}
	}
	for i, e := range now {
		var err error
		switch e.Part.Kind {
		case layout.KindUnique, layout.KindSorted:
			err = writeEntries(tx, t, e.Part, at, was[i].Keys, e.Keys)
		case layout.KindCount, layout.KindFacet:
			writeValues(tx, t, e.Part, at, was[i].Values, e.Values)
		}
		if err != nil {
			return tx.Spoil(err)
		}
	}
	return nil
}

// Presence counts a record that came or went, and keeps its number.
func Presence(tx *buffer.Tx, t *layout.Table, at layout.Ref, here bool) error {
	by := int64(1)
	if !here {
		by = -1
	}
	tx.Count(buffer.Counter{Table: t, Org: at.Org}, by)
	if !t.Numbered {
		return nil
	}
	tx.SetMember(t, 0, at.Org, "", at.Number, here)
	if here {
		return tx.Put(t.NumberKey(at.Org, at.Number), at.ID)
	}
	return tx.Delete(t.NumberKey(at.Org, at.Number))
}

// writeEntries brings index entries from those of some keys to those of others. What
// stays is not touched, which spares a record that changed a little most of its work.
func writeEntries(tx *buffer.Tx, t *layout.Table, p *layout.Part, at layout.Ref, was, now []layout.Key) error {
	for _, e := range t.Entries(*p, at, missing(was, now)) {
		if err := tx.Delete(e.Key); err != nil {
			return err
		}
	}
	for _, e := range t.Entries(*p, at, missing(now, was)) {
		if err := tx.Put(e.Key, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// refuseTaken fails when another record has one of the unique keys.
func refuseTaken(tx *buffer.Tx, t *layout.Table, p *layout.Part, at layout.Ref, keys []layout.Key) error {
	for _, e := range t.Entries(*p, at, keys) {
		v, err := tx.Get(e.Key)
		if err != nil {
			return err
		}
		if v == nil || bytes.Equal(v, e.Value) {
			continue
		}
		h, err := t.ReadUnique(v, p.Org(at.Org))
		if err != nil {
			return err
		}
		id, err := t.IDString(h.ID)
		if err != nil {
			return err
		}
		return &DuplicateError{Table: t.Name, Index: p.Name, ID: id}
	}
	return nil
}

func writeValues(tx *buffer.Tx, t *layout.Table, p *layout.Part, at layout.Ref, was, now []string) {
	for _, v := range was {
		if !slices.Contains(now, v) {
			writeValue(tx, t, p, at, v, false)
		}
	}
	for _, v := range now {
		if !slices.Contains(was, v) {
			writeValue(tx, t, p, at, v, true)
		}
	}
}

func writeValue(tx *buffer.Tx, t *layout.Table, p *layout.Part, at layout.Ref, v string, here bool) {
	by := int64(1)
	if !here {
		by = -1
	}
	c := buffer.Counter{Table: t, Part: p.Num, Org: at.Org, Across: p.Across, Value: v}
	if p.Across {
		c.Org = layout.Org{}
	}
	tx.Count(c, by)
	if p.Kind == layout.KindFacet {
		tx.SetMember(t, p.Num, at.Org, v, at.Number, here)
	}
}

// missing are the keys that others lack. No key and an empty one are two.
func missing(keys, others []layout.Key) (out []layout.Key) {
	if len(others) == 0 {
		return keys
	}
	for i, k := range keys {
		same := func(o layout.Key) bool { return bytes.Equal(k, o) && (k == nil) == (o == nil) }
		if i < len(others) && same(others[i]) || slices.ContainsFunc(others, same) {
			continue
		}
		out = append(out, k)
	}
	return out
}
