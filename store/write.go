package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"svc/store/kv"
)

// how a record may be written.
type how int

const (
	insert  how = iota // only new
	replace            // new or over an old one
)

// Insert saves a new record: ErrExists when its id is taken, a DuplicateError when
// a unique value is.
func (t *Table[T]) Insert(tx *Tx, org string, rec *T) error { return t.save(tx, org, rec, insert) }

// Put saves a record, over the old one of its id if there is one. A DuplicateError
// says that another record has one of its unique values.
func (t *Table[T]) Put(tx *Tx, org string, rec *T) error { return t.save(tx, org, rec, replace) }

// PutMany is Put of many records, which reads the old ones and the unique values
// in one journey. It stops at the first error; the records
// before it are saved.
func (t *Table[T]) PutMany(tx *Tx, org string, recs []*T) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	var keys [][]byte
	for _, rec := range recs {
		id, ok := t.idBytes(t.id(rec))
		if !ok {
			return t.badID(rec)
		}
		keys = append(keys, t.recordKey(o, id))
		for _, p := range t.all {
			if p.kind != kindUnique {
				continue
			}
			for _, e := range t.entries(p, place{org: o, id: id}, rec) {
				keys = append(keys, e.Key)
			}
		}
	}
	if err := tx.expect(keys); err != nil {
		return err
	}
	for _, rec := range recs {
		if err := t.save(tx, org, rec, replace); err != nil {
			return err
		}
	}
	return nil
}

// Edit reads a record, changes it and saves it. The record is ErrNotFound when it
// is not there; an error of the function saves nothing. It answers the new record.
func (t *Table[T]) Edit(tx *Tx, org, id string, change func(*T) error) (T, error) {
	rec, err := t.Get(tx, org, id)
	if err != nil {
		return rec, err
	}
	if err := change(&rec); err != nil {
		return rec, err
	}
	if now := t.id(&rec); now != id {
		return rec, fmt.Errorf("table %s: the id of a record changed from %s to %s", t.name, id, now)
	}
	return rec, t.Put(tx, org, &rec)
}

func (t *Table[T]) badID(rec *T) error {
	return fmt.Errorf("table %s: %q is no id of its records (prefix %q)", t.name, t.id(rec), t.prefix)
}

func (t *Table[T]) save(tx *Tx, org string, rec *T, mode how) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	id, ok := t.idBytes(t.id(rec))
	if !ok {
		return t.badID(rec)
	}
	at := place{org: o, id: id}
	n, old, err := t.read(tx, o, id)
	switch {
	case errors.Is(err, ErrNotFound):
		old = nil
	case err != nil:
		return err
	case mode == insert:
		return ErrExists
	}
	at.number = n
	if old == nil && t.numbered {
		if at.number, err = tx.number(&t.core, o); err != nil {
			return err
		}
	}
	b, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("table %s: a record does not encode: %w", t.name, err)
	}
	if err := t.writeParts(tx, at, old, rec); err != nil {
		return err
	}
	return tx.spoil(tx.put(t.recordKey(o, id), packRecord(at.number, b)))
}

// Delete removes a record: ErrNotFound when it is not there.
func (t *Table[T]) Delete(tx *Tx, org, id string) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	b, ok := t.idBytes(id)
	if !ok {
		return ErrNotFound
	}
	n, old, err := t.read(tx, o, b)
	if err != nil {
		return err
	}
	if err := t.writeParts(tx, place{o, b, n}, old, nil); err != nil {
		return err
	}
	return tx.spoil(tx.delete(t.recordKey(o, b)))
}

// writeParts brings everything beside the records from old to new. Either may be
// nil. A duplicate is found before anything is written, so that a closure may go
// on after one; any later error spoils the transaction.
func (t *Table[T]) writeParts(tx *Tx, at place, old, rec *T) error {
	now := make([][]kv.Pair, len(t.all))
	for i, p := range t.all {
		now[i] = t.entries(p, at, rec)
		if err := t.refuseTaken(tx, p, at, now[i]); err != nil {
			return err
		}
	}
	for i, p := range t.all {
		var err error
		switch p.kind {
		case kindUnique, kindSorted:
			err = writeEntries(tx, t.entries(p, at, old), now[i])
		case kindCount, kindFacet:
			err = t.writeValues(tx, p, at, old, rec)
		}
		if err != nil {
			return tx.spoil(err)
		}
	}
	if (old == nil) == (rec == nil) {
		return nil
	}
	return tx.spoil(t.writePresence(tx, at, rec != nil))
}

// writePresence counts a record that came or went, and keeps its number.
func (t *core) writePresence(tx *Tx, at place, here bool) error {
	by := int64(1)
	if !here {
		by = -1
	}
	tx.count(counter{t: t, org: at.org}, by)
	if !t.numbered {
		return nil
	}
	if err := tx.setBit(t, 0, at.org, "", at.number, here); err != nil {
		return err
	}
	if here {
		return tx.put(t.numberKey(at.org, at.number), at.id)
	}
	return tx.delete(t.numberKey(at.org, at.number))
}

// writeEntries brings index entries from what they were to what they are.
func writeEntries(tx *Tx, was, now []kv.Pair) error {
	for _, e := range was {
		if !holdsKey(now, e.Key) {
			if err := tx.delete(e.Key); err != nil {
				return err
			}
		}
	}
	for _, e := range now {
		if holdsKey(was, e.Key) {
			continue
		}
		if err := tx.put(e.Key, e.Value); err != nil {
			return err
		}
	}
	return nil
}

// refuseTaken fails when another record has one of the record's unique values, whose
// entries are given.
func (t *Table[T]) refuseTaken(tx *Tx, p *part[T], at place, entries []kv.Pair) error {
	if p.kind != kindUnique {
		return nil
	}
	for _, e := range entries {
		v, err := tx.get(e.Key)
		if err != nil {
			return err
		}
		if v == nil || bytes.Equal(v, e.Value) {
			continue
		}
		h, err := t.holder(v, p.org(at.org))
		if err != nil {
			return err
		}
		id, err := t.idString(h.id)
		if err != nil {
			return err
		}
		return &DuplicateError{Table: t.name, Index: p.name, ID: id}
	}
	return nil
}

func holdsKey(entries []kv.Pair, key []byte) bool {
	for _, e := range entries {
		if bytes.Equal(e.Key, key) {
			return true
		}
	}
	return false
}

func (t *Table[T]) writeValues(tx *Tx, p *part[T], at place, old, rec *T) error {
	was, now := valuesOf(p, old), valuesOf(p, rec)
	for _, v := range was {
		if !slices.Contains(now, v) {
			if err := t.writeValue(tx, p, at, v, false); err != nil {
				return err
			}
		}
	}
	for _, v := range now {
		if !slices.Contains(was, v) {
			if err := t.writeValue(tx, p, at, v, true); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *Table[T]) writeValue(tx *Tx, p *part[T], at place, v string, here bool) error {
	by := int64(1)
	if !here {
		by = -1
	}
	c := counter{t: &t.core, part: p.num, org: at.org, across: p.all, value: v}
	if p.all {
		c.org = orgID{}
	}
	tx.count(c, by)
	if p.kind == kindFacet {
		return tx.setBit(&t.core, p.num, at.org, v, at.number, here)
	}
	return nil
}

// valuesOf gives each value of a record once.
func valuesOf[T any](p *part[T], rec *T) (out []string) {
	if rec == nil {
		return nil
	}
	for _, v := range p.values(rec) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
