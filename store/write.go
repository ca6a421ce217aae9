package store

import (
	"errors"
	"fmt"

	"svc/store/internal/index"
	"svc/store/internal/layout"
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
		id, ok := t.core.IDBytes(t.id(rec))
		if !ok {
			return t.badID(rec)
		}
		keys = append(keys, t.core.RecordKey(o, id))
		for _, p := range t.all {
			if p.Kind != layout.KindUnique {
				continue
			}
			for _, e := range t.entries(p, layout.Ref{Org: o, ID: id}, rec) {
				keys = append(keys, e.Key)
			}
		}
	}
	if err := tx.buf.Fetch(keys); err != nil {
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
func (t *Table[T]) Edit(tx *Tx, org, id string, change func(*T) error) (rec T, err error) {
	o, err := t.at(tx, org)
	if err != nil {
		return rec, err
	}
	b, ok := t.core.IDBytes(id)
	if !ok {
		return rec, ErrNotFound
	}
	at := layout.Ref{Org: o, ID: b}
	n, found, err := t.read(tx, o, b)
	if err != nil {
		return rec, err
	}
	at.Number = n
	was, version := t.indexEntries(found), tx.buf.Version(t.core.RecordKey(o, b))
	err = change(found)
	rec = *found
	if err != nil {
		return rec, err
	}
	if now := t.id(&rec); now != id {
		return rec, fmt.Errorf("table %s: the id of a record changed from %s to %s", t.core.Name, id, now)
	}
	if tx.buf.Version(t.core.RecordKey(o, b)) != version { // the function saved the record too
		return rec, t.Put(tx, org, &rec)
	}
	e, err := t.encode(&rec)
	if err != nil {
		return rec, err
	}
	return rec, t.write(tx, at, was, e, true)
}

func (t *Table[T]) badID(rec *T) error {
	return fmt.Errorf("table %s: %q is no id of its records (prefix %q)", t.core.Name, t.id(rec), t.core.Prefix)
}

func (t *Table[T]) save(tx *Tx, org string, rec *T, mode how) error {
	e, err := t.encode(rec)
	if err != nil {
		return err
	}
	return t.saveEncoded(tx, org, e, mode)
}

func (t *Table[T]) saveEncoded(tx *Tx, org string, e *Encoded[T], mode how) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	at := layout.Ref{Org: o, ID: e.id}
	n, old, err := t.read(tx, o, e.id)
	switch {
	case errors.Is(err, ErrNotFound):
		old = nil
	case err != nil:
		return err
	case mode == insert:
		return ErrExists
	}
	at.Number = n
	if old == nil && t.core.Numbered {
		if at.Number, err = tx.buf.Next(&t.core, o); err != nil {
			return err
		}
	}
	return t.write(tx, at, t.indexEntries(old), e, old != nil)
}

// write saves a record at its place. was is what stands beside the old one, if there
// is one.
func (t *Table[T]) write(tx *Tx, at layout.Ref, was []index.Entries, e *Encoded[T], replaces bool) error {
	if err := index.Write(&tx.buf, &t.core, at, was, e.entries); err != nil {
		return err
	}
	if !replaces {
		if err := index.Presence(&tx.buf, &t.core, at, true); err != nil {
			return tx.buf.Spoil(err)
		}
	}
	return tx.buf.Spoil(tx.buf.Put(t.core.RecordKey(at.Org, at.ID), layout.PackRecord(at.Number, e.json)))
}

// Delete removes a record: ErrNotFound when it is not there.
func (t *Table[T]) Delete(tx *Tx, org, id string) error {
	o, err := t.at(tx, org)
	if err != nil {
		return err
	}
	b, ok := t.core.IDBytes(id)
	if !ok {
		return ErrNotFound
	}
	n, old, err := t.read(tx, o, b)
	if err != nil {
		return err
	}
	at := layout.Ref{Org: o, ID: b, Number: n}
	if err := index.Write(&tx.buf, &t.core, at, t.indexEntries(old), t.indexEntries(nil)); err != nil {
		return err
	}
	if err := index.Presence(&tx.buf, &t.core, at, false); err != nil {
		return tx.buf.Spoil(err)
	}
	return tx.buf.Spoil(tx.buf.Delete(t.core.RecordKey(o, b)))
}
