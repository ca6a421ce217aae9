package store

import (
	"fmt"

	json "github.com/go-json-experiment/json/v1"

	"svc/store/internal/buffer"
	"svc/store/internal/check"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/kv"
)

// Platform is the organization of what belongs to none.
const Platform = layout.Platform

// AnyTable is a table of whatever type. Only this package makes them.
type AnyTable interface {
	base() *layout.Table
	parts() []layout.Part
	rebuild(tx *Tx, what []layout.Part, after []byte) (next []byte, err error)
	imply(tx *Tx, p kv.Pair) (check.Record, error)
	reseal(tx *Tx, after []byte) (next []byte, err error)
	seals() bool
}

// Table keeps records of one type as JSON, each under the id of an organization
// and its own. It is declared once, as a package variable, with its parts
// (Unique, Index, Tally, Facet, Sealed), and listed in Options.Tables; methods may
// be called from many goroutines, each with its own transaction.
//
// Records of another organization are not found. Indexes, counts and facets change
// in the same transaction as the record, always.
type Table[T any] struct {
	core   layout.Table
	id     func(*T) string
	all    []*part[T]
	sealed []*SealedField[T]
}

// NewTable declares a table. The name never changes on disk. The prefix is that of
// its ids, made by DB.NewID; with "" ids are any text of 1 to 256 bytes, for
// records found by a name or by a pair of other ids. It panics on what no program
// should start with.
func NewTable[T any](name, prefix string, id func(*T) string) *Table[T] {
	if name == "" {
		panic("store: a table without a name")
	}
	return &Table[T]{core: layout.Table{Name: name, Num: layout.TableNumber(name), Prefix: prefix}, id: id}
}

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
func (t *Table[T]) ID(rec *T) string { return t.id(rec) }

func (t *Table[T]) base() *layout.Table { return &t.core }

// known refuses a table that the store was not opened with.
func (t *Table[T]) known(tx *Tx) error {
	if _, ok := tx.db.tables[t.core.Num]; !ok {
		return fmt.Errorf("store: table %s is not in Options.Tables", t.core.Name)
	}
	return nil
}

// at checks that a table is the store's and resolves an organization.
func (t *Table[T]) at(tx *Tx, org string) (layout.Org, error) {
	if err := t.known(tx); err != nil {
		return layout.Org{}, err
	}
	return t.core.OrgBytes(org)
}

// Get reads one record: ErrNotFound when this organization has none of that id.
func (t *Table[T]) Get(tx *Tx, org, id string) (T, error) {
	var none T
	o, err := t.at(tx, org)
	if err != nil {
		return none, err
	}
	b, ok := t.core.IDBytes(id)
	if !ok {
		return none, ErrNotFound
	}
	_, rec, err := t.read(tx, o, b)
	if err != nil {
		return none, err
	}
	return *rec, nil
}

// Has reports whether the organization has a record of that id.
func (t *Table[T]) Has(tx *Tx, org, id string) (bool, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return false, err
	}
	b, ok := t.core.IDBytes(id)
	if !ok {
		return false, nil
	}
	v, err := tx.buf.Get(t.core.RecordKey(o, b))
	return v != nil, err
}

// GetMany reads records in the order of ids; nil stands for one that is not there.
func (t *Table[T]) GetMany(tx *Tx, org string, ids []string) ([]*T, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, err
	}
	keys, at := make([][]byte, 0, len(ids)), make([]int, 0, len(ids))
	for i, id := range ids {
		if b, ok := t.core.IDBytes(id); ok {
			keys, at = append(keys, t.core.RecordKey(o, b)), append(at, i)
		}
	}
	found, err := t.load(tx, keys)
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(ids))
	for i, rec := range found {
		out[at[i]] = rec
	}
	return out, nil
}

// load reads records by key; nil for those that are not there.
func (t *Table[T]) load(tx *Tx, keys [][]byte) ([]*T, error) {
	values, err := tx.buf.GetMany(keys)
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(keys))
	for i, v := range values {
		if v == nil {
			continue
		}
		if _, out[i], err = t.decode(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// loadAll reads records that must be there.
func (t *Table[T]) loadAll(tx *Tx, keys [][]byte) ([]T, error) {
	found, err := t.load(tx, keys)
	if err != nil {
		return nil, err
	}
	out := make([]T, len(found))
	for i, rec := range found {
		if rec == nil {
			return nil, layout.Corrupt("an index of %s names a record that is not there", t.core.Name)
		}
		out[i] = *rec
	}
	return out, nil
}

// Count is how many records the organization has. It is kept, not counted.
func (t *Table[T]) Count(tx *Tx, org string) (int, error) {
	o, err := t.at(tx, org)
	if err != nil {
		return 0, err
	}
	return tx.buf.Sum(buffer.Counter{Table: &t.core, Org: o})
}

// read finds a record for reading or before a write.
func (t *Table[T]) read(tx *Tx, org layout.Org, id []byte) (number uint32, rec *T, err error) {
	v, err := tx.buf.Get(t.core.RecordKey(org, id))
	if err != nil {
		return 0, nil, err
	}
	if v == nil {
		return 0, nil, ErrNotFound
	}
	return t.decode(v)
}

func (t *Table[T]) decode(v []byte) (number uint32, rec *T, err error) {
	number, b, err := layout.UnpackRecord(v)
	if err != nil {
		return 0, nil, err
	}
	rec = new(T)
	if err := json.Unmarshal(b, rec); err != nil {
		return 0, nil, layout.Corrupt("a record of %s does not decode: %w", t.core.Name, err)
	}
	return number, rec, nil
}

// Cursor is where a walk goes on. It is opaque and holds ids and indexed values;
// it stays good when records come and go.
type Cursor []byte

// Walk reads up to limit records in the order of their ids, which for ids of
// NewID is the order in which they were made, beginning behind a cursor when one
// is given. next is nil when nothing is left.
func (t *Table[T]) Walk(tx *Tx, org string, after Cursor, limit int) (recs []T, next Cursor, err error) {
	o, err := t.at(tx, org)
	if err != nil {
		return nil, nil, err
	}
	return t.walk(tx, t.core.RecordKey(o, nil), after, limit, false)
}

// Behind is the cursor of Walk behind the record of an id, whether or not there is
// one; false when the table can have no such id.
func (t *Table[T]) Behind(id string) (Cursor, bool) {
	b, ok := t.core.IDBytes(id)
	return b, ok
}

// walk reads records whose keys begin with prefix; cursors are what follows it.
func (t *Table[T]) walk(tx *Tx, prefix []byte, after Cursor, limit int, reverse bool) (recs []T, next Cursor, err error) {
	r := index.Beyond(kv.Under(prefix), prefix, after, reverse)
	if limit > 0 {
		r.Limit = limit + 1
	}
	for p, err := range tx.buf.Scan(r) {
		if err != nil {
			return nil, nil, err
		}
		if limit > 0 && len(recs) == limit {
			return recs, next, nil
		}
		_, rec, err := t.decode(p.Value)
		if err != nil {
			return nil, nil, err
		}
		recs, next = append(recs, *rec), append(next[:0:0], p.Key[len(prefix):]...)
	}
	return recs, nil, nil
}
