package record

import (
	"errors"
	"fmt"

	json "github.com/go-json-experiment/json/v1"

	"svc/store/internal/buffer"
	"svc/store/internal/index"
	"svc/store/internal/layout"
)

// How says how a record may be written.
type How int

// Ways to write a record.
const (
	Insert  How = iota // only new
	Replace            // new or over an old one
)

// Encoded is a record that is ready to be saved: its JSON, and what its parts keep of it.
type Encoded struct {
	id      []byte
	json    []byte
	entries []index.Entries
}

// Encode makes a record ready to be saved. Later changes of the record are not in it.
func (t *Table) Encode(rec any) (*Encoded, error) {
	id, ok := t.IDBytes(t.ID(rec))
	if !ok {
		return nil, t.badID(rec)
	}
	b, err := json.Marshal(rec)
	if err != nil {
		return nil, fmt.Errorf("table %s: a record does not encode: %w", t.Name, err)
	}
	return &Encoded{id: id, json: b, entries: t.entries(rec)}, nil
}

func (t *Table) badID(rec any) error {
	return fmt.Errorf("table %s: %q is no id of its records (prefix %q)", t.Name, t.ID(rec), t.Prefix)
}

// Save encodes a record and saves it.
func (t *Table) Save(tx *buffer.Tx, org layout.Org, rec any, how How) error {
	e, err := t.Encode(rec)
	if err != nil {
		return err
	}
	return t.SaveEncoded(tx, org, e, how)
}

// SaveEncoded saves a record that was made ready.
func (t *Table) SaveEncoded(tx *buffer.Tx, org layout.Org, e *Encoded, how How) error {
	at := layout.Ref{Org: org, ID: e.id}
	n, old, err := t.before(tx, at, how)
	switch {
	case errors.Is(err, ErrNotFound):
		old = nil
	case err != nil:
		return err
	case how == Insert:
		return ErrExists
	}
	at.Number = n
	if old == nil && t.Numbered {
		if at.Number, err = tx.Next(&t.Table, org); err != nil {
			return err
		}
	}
	return t.write(tx, at, t.entries(old), e, old != nil)
}

// before is what stands where a record is saved. Nothing does where its id is new.
func (t *Table) before(tx *buffer.Tx, at layout.Ref, how How) (number uint32, rec any, err error) {
	if how == Insert && tx.TakeFresh(at.ID) {
		return 0, nil, ErrNotFound
	}
	return t.Get(tx, at)
}

// write saves a record at its place. was is what stands beside the old one, if there
// is one.
func (t *Table) write(tx *buffer.Tx, at layout.Ref, was []index.Entries, e *Encoded, replaces bool) error {
	if err := index.Write(tx, &t.Table, at, was, e.entries); err != nil {
		return err
	}
	if !replaces {
		if err := index.Presence(tx, &t.Table, at, true); err != nil {
			return tx.Spoil(err)
		}
	}
	return tx.Spoil(tx.Put(t.RecordKey(at.Org, at.ID), layout.PackRecord(at.Number, e.json)))
}

// Fetch reads the old records of these, and their unique values, in one journey.
func (t *Table) Fetch(tx *buffer.Tx, org layout.Org, recs []any) error {
	var keys [][]byte
	for _, rec := range recs {
		id, ok := t.IDBytes(t.ID(rec))
		if !ok {
			return t.badID(rec)
		}
		keys = append(keys, t.RecordKey(org, id))
		for _, p := range t.Parts {
			if p.Kind != layout.KindUnique {
				continue
			}
			for _, e := range t.pairs(p, layout.Ref{Org: org, ID: id}, rec) {
				keys = append(keys, e.Key)
			}
		}
	}
	return tx.Fetch(keys)
}

// Edit reads a record, changes it and saves it. It answers the record as it is after the change,
// also when the change failed, and nil when there is none.
func (t *Table) Edit(tx *buffer.Tx, org layout.Org, id string, change func(rec any) error) (rec any, err error) {
	b, ok := t.IDBytes(id)
	if !ok {
		return nil, ErrNotFound
	}
	at := layout.Ref{Org: org, ID: b}
	at.Number, rec, err = t.Get(tx, at)
	if err != nil {
		return nil, err
	}
	key := t.RecordKey(org, b)
	was, version := t.entries(rec), tx.Version(key)
	if err := change(rec); err != nil {
		return rec, err
	}
	if now := t.ID(rec); now != id {
		return rec, fmt.Errorf("table %s: the id of a record changed from %s to %s", t.Name, id, now)
	}
	if tx.Version(key) != version { // the function saved the record too
		return rec, t.Save(tx, org, rec, Replace)
	}
	e, err := t.Encode(rec)
	if err != nil {
		return rec, err
	}
	return rec, t.write(tx, at, was, e, true)
}

// Delete removes a record: ErrNotFound when it is not there.
func (t *Table) Delete(tx *buffer.Tx, at layout.Ref) error {
	n, old, err := t.Get(tx, at)
	if err != nil {
		return err
	}
	at.Number = n
	if err := index.Write(tx, &t.Table, at, t.entries(old), t.entries(nil)); err != nil {
		return err
	}
	if err := index.Presence(tx, &t.Table, at, false); err != nil {
		return tx.Spoil(err)
	}
	return tx.Spoil(tx.Delete(t.RecordKey(at.Org, at.ID)))
}
