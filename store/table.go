package store

import (
	"svc/store/internal/layout"
	"svc/store/internal/record"
)

// Platform is the organization of what belongs to none.
const Platform = layout.Platform

// AnyTable is a table of whatever type. Only this package makes them.
type AnyTable interface{ base() *table }

// Table keeps records of one type as JSON, each under the id of an organization
// and its own. It is declared once, as a package variable, with its parts
// (Unique, Index, Tally, Facet, Sealed), and listed in Options.Tables; methods may
// be called from many goroutines, each with its own transaction.
//
// Records of another organization are not found. Indexes, counts and facets change
// in the same transaction as the record, always.
type Table[T any] struct{ core table }

// NewTable declares a table. The name never changes on disk. The prefix is that of
// its ids, made by DB.NewID; with "" ids are any text of 1 to 256 bytes, for
// records found by a name or by a pair of other ids. It panics on what no program
// should start with.
func NewTable[T any](name, prefix string, id func(*T) string) *Table[T] {
	if name == "" {
		panic("store: a table without a name")
	}
	return &Table[T]{table{Table: record.Table{
		Table: layout.Table{Name: name, Num: layout.TableNumber(name), Prefix: prefix},
		New:   func() any { return new(T) },
		ID:    func(rec any) string { return id(rec.(*T)) },
	}}}
}

func (t *Table[T]) base() *table { return &t.core }

// Global makes it a table of records that belong to no organization: its methods
// are called with Platform.
func (t *Table[T]) Global() *Table[T] {
	t.core.Scope = layout.ScopeGlobal
	return t
}

// Shared lets records belong to an organization or to the platform.
func (t *Table[T]) Shared() *Table[T] {
	t.core.Scope = layout.ScopeBoth
	return t
}

// Name is the table's name on disk.
func (t *Table[T]) Name() string { return t.core.Name }

// ID is the id of a record.
func (t *Table[T]) ID(rec *T) string { return t.core.ID(rec) }

// NewID makes the id of a record that is inserted in this transaction: nobody can have it, so
// Insert does not look.
func (t *Table[T]) NewID(tx *Tx) string {
	id := tx.db.NewID(t.core.Prefix)
	if b, ok := t.core.IDBytes(id); ok {
		tx.buf.NoteFresh(b)
	}
	return id
}

// Get reads one record: ErrNotFound when this organization has none of that id.
func (t *Table[T]) Get(tx *Tx, org, id string) (T, error) { return typed[T](t.core.get(tx, org, id)) }

// Has reports whether the organization has a record of that id.
func (t *Table[T]) Has(tx *Tx, org, id string) (bool, error) { return t.core.has(tx, org, id) }

// GetMany reads records in the order of ids; nil stands for one that is not there.
func (t *Table[T]) GetMany(tx *Tx, org string, ids []string) ([]*T, error) {
	found, err := t.core.getMany(tx, org, ids)
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(found))
	for i, rec := range found {
		if rec != nil {
			out[i] = rec.(*T)
		}
	}
	return out, nil
}

// Count is how many records the organization has. It is kept, not counted.
func (t *Table[T]) Count(tx *Tx, org string) (int, error) { return t.core.count(tx, org) }

// Cursor is where a walk goes on. It is opaque and holds ids and indexed values;
// it stays good when records come and go.
type Cursor []byte

// Walk reads up to limit records in the order of their ids, which for ids of
// NewID is the order in which they were made, beginning behind a cursor when one
// is given. next is nil when nothing is left.
func (t *Table[T]) Walk(tx *Tx, org string, after Cursor, limit int) ([]T, Cursor, error) {
	recs, next, err := t.core.walk(tx, org, after, limit)
	return allTyped[T](recs), next, err
}

// Behind is the cursor of Walk behind the record of an id, whether or not there is
// one; false when the table can have no such id.
func (t *Table[T]) Behind(id string) (Cursor, bool) {
	b, ok := t.core.IDBytes(id)
	return b, ok
}
