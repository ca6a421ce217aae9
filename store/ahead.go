package store

import (
	"svc/store/internal/buffer"
	"svc/store/internal/layout"
)

// Read names something that a transaction is going to read: Tx.Ahead fetches many in one
// journey.
type Read struct {
	key func(tx *Tx) ([]byte, error) // nil for what cannot be there
}

// Ahead fetches what the functions that follow are going to read, in one journey for an
// engine that is far away. It only saves time: what it fetched is what they would have read.
// In View it does nothing.
func (tx *Tx) Ahead(reads ...Read) error {
	if !tx.writable {
		return nil
	}
	keys := make([][]byte, 0, len(reads))
	for _, r := range reads {
		key, err := r.key(tx)
		if err != nil {
			return err
		}
		if key != nil {
			keys = append(keys, key)
		}
	}
	return tx.buf.Fetch(keys)
}

// Read is the record of an id, and with its id all that Get, Has, Put, Insert and Edit read
// of it.
func (t *Table[T]) Read(org, id string) Read {
	return t.core.read(org, func(o layout.Org) []byte {
		b, ok := t.core.IDBytes(id)
		if !ok {
			return nil
		}
		return t.core.RecordKey(o, b)
	})
}

// ReadNext is the number that the next new record of a table with facets gets.
func (t *Table[T]) ReadNext(org string) Read { return t.core.read(org, t.core.NextKey) }

// ReadCount is what Count reads.
func (t *Table[T]) ReadCount(org string) Read {
	return t.core.read(org, func(o layout.Org) []byte { return buffer.Counter{Table: t.core.layout(), Org: o}.Key() })
}

// Read is what Count of a value reads.
func (y *Tally[T]) Read(org, value string) Read {
	return y.t.read(org, func(o layout.Org) []byte {
		return buffer.Counter{Table: y.t.layout(), Part: y.p.Num, Org: o, Value: value}.Key()
	})
}

// Read is what says whether some record has a value. The record itself is read by Find.
func (u *Unique[T]) Read(org string, k Key) Read {
	return u.t.read(org, func(o layout.Org) []byte {
		if k == nil {
			return nil
		}
		return layout.AppendOptional(u.t.PartKey(layout.KindUnique, u.p.Num, &o), k)
	})
}

// read is a key of an organization's; nil for what cannot be there.
func (t *table) read(org string, key func(layout.Org) []byte) Read {
	return Read{func(tx *Tx) ([]byte, error) {
		o, err := t.at(tx, org)
		if err != nil {
			return nil, err
		}
		return key(o), nil
	}}
}
