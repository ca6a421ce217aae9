// Package record reads and writes the records of a table together with all that stands beside
// them: index entries, counts, sets. It does not know the type of a record: it holds pointers to
// them as any, so that its code is compiled once for all tables. Package store gives it types.
//
// It promises that what stands beside a record changes with it. It refuses to know who may use
// a table, and secrets.
package record

import (
	"errors"
	"fmt"

	json "github.com/go-json-experiment/json/v1"

	"svc/store/internal/buffer"
	"svc/store/internal/index"
	"svc/store/internal/layout"
	"svc/store/kv"
)

var (
	// ErrNotFound is the answer for a record that is not there.
	ErrNotFound = errors.New("not found")
	// ErrExists is the answer of Insert for an id that is taken.
	ErrExists = errors.New("a record with this id exists")
)

// Table is a table. Records are pointers to values of one type: those that New makes.
type Table struct {
	layout.Table
	New   func() any
	ID    func(rec any) string
	Parts []*Part
}

// Part is one thing that a table keeps beside its records. Either Keys or Values
// is set; both are pure functions of the record.
type Part struct {
	layout.Part
	Keys   func(rec any) []layout.Key
	Values func(rec any) []string
}

// Add registers a part. It panics on what no program should start with.
func (t *Table) Add(p *Part) *Part {
	p.Part = p.Numbered()
	for _, other := range t.Parts {
		if other.Num == p.Num {
			panic(fmt.Sprintf("store: table %s: %s and %s collide: rename one", t.Name, p.Label(), other.Label()))
		}
	}
	p.Version = 1
	t.Parts = append(t.Parts, p)
	return p
}

// Layouts are the parts as they lie in the store.
func (t *Table) Layouts() []layout.Part {
	out := make([]layout.Part, len(t.Parts))
	for i, p := range t.Parts {
		out[i] = p.Part
	}
	return out
}

// Get finds a record for reading or before a write, with its number.
func (t *Table) Get(tx *buffer.Tx, at layout.Ref) (number uint32, rec any, err error) {
	v, err := tx.Get(t.RecordKey(at.Org, at.ID))
	if err != nil {
		return 0, nil, err
	}
	if v == nil {
		return 0, nil, ErrNotFound
	}
	return t.decode(v)
}

func (t *Table) decode(v []byte) (number uint32, rec any, err error) {
	number, b, err := layout.UnpackRecord(v)
	if err != nil {
		return 0, nil, err
	}
	rec = t.New()
	if err := json.Unmarshal(b, rec); err != nil {
		return 0, nil, layout.Corrupt("a record of %s does not decode: %w", t.Name, err)
	}
	return number, rec, nil
}

// GetMany reads records in the order of ids; nil stands for one that is not there.
func (t *Table) GetMany(tx *buffer.Tx, org layout.Org, ids []string) ([]any, error) {
	keys, at := make([][]byte, 0, len(ids)), make([]int, 0, len(ids))
	for i, id := range ids {
		if b, ok := t.IDBytes(id); ok {
			keys, at = append(keys, t.RecordKey(org, b)), append(at, i)
		}
	}
	found, err := t.load(tx, keys)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(ids))
	for i, rec := range found {
		out[at[i]] = rec
	}
	return out, nil
}

// load reads records by key; nil for those that are not there.
func (t *Table) load(tx *buffer.Tx, keys [][]byte) ([]any, error) {
	values, err := tx.GetMany(keys)
	if err != nil {
		return nil, err
	}
	out := make([]any, len(keys))
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

// Load reads records that must be there.
func (t *Table) Load(tx *buffer.Tx, keys ...[]byte) ([]any, error) {
	found, err := t.load(tx, keys)
	if err != nil {
		return nil, err
	}
	for _, rec := range found {
		if rec == nil {
			return nil, layout.Corrupt("an index of %s names a record that is not there", t.Name)
		}
	}
	return found, nil
}

// LoadAt reads records that must lie at these places.
func (t *Table) LoadAt(tx *buffer.Tx, at ...layout.Ref) ([]any, error) {
	keys := make([][]byte, len(at))
	for i, a := range at {
		keys[i] = t.RecordKey(a.Org, a.ID)
	}
	return t.Load(tx, keys...)
}

// Walk reads records of an organization in the order of their ids; cursors are ids as they lie in
// keys. next is nil when nothing is left. Without a limit it reads all.
func (t *Table) Walk(tx *buffer.Tx, org layout.Org, after []byte, limit int, reverse bool) (recs []any, next []byte, err error) {
	prefix := t.RecordKey(org, nil)
	r := index.Beyond(kv.Under(prefix), prefix, after, reverse)
	if limit > 0 {
		r.Limit = limit + 1
	}
	for p, err := range tx.Scan(r) {
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
		recs, next = append(recs, rec), append(next[:0:0], p.Key[len(prefix):]...)
	}
	return recs, nil, nil
}

// FromPair takes a stored record apart. The place is a copy.
func (t *Table) FromPair(p kv.Pair) (at layout.Ref, rec any, err error) {
	rest := p.Key[len(layout.Space(t.Num, layout.KindRecord)):]
	if len(rest) < 17 {
		return at, nil, layout.Corrupt("a record of %s with a short key", t.Name)
	}
	at.Org, at.ID = layout.Org(rest[:16]), append([]byte(nil), rest[16:]...)
	at.Number, rec, err = t.decode(p.Value)
	if err != nil {
		return at, nil, err
	}
	id, err := t.IDString(at.ID)
	if err != nil {
		return at, nil, err
	}
	if t.ID(rec) != id {
		return at, nil, layout.Corrupt("record %s of %s says it is %s", id, t.Name, t.ID(rec))
	}
	return at, rec, nil
}

// Chunk reads records of all organizations, in the order of their keys.
func (t *Table) Chunk(tx *buffer.Tx, after []byte, visit func(layout.Ref, any) error) (next []byte, err error) {
	return index.Chunk(tx, &t.Table, after, func(p kv.Pair) error {
		at, rec, err := t.FromPair(p)
		if err != nil {
			return err
		}
		return visit(at, rec)
	})
}
