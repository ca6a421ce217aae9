package store

import (
	"context"

	"svc/store/internal/layout"
	"svc/store/kv"
)

// inChunks runs a step in transaction after transaction until it answers nil.
func (db *DB) inChunks(ctx context.Context, step func(tx *Tx, after []byte) (next []byte, err error)) error {
	for after, more := []byte(nil), true; more; more = after != nil {
		from := after
		err := db.Update(ctx, func(tx *Tx) (err error) {
			after, err = step(tx, from)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// chunkRecords is how many records one transaction of a migration, a rebuilding or
// a rotation looks at.
const chunkRecords = 500

// chunk reads records of all organizations, in the order of their keys.
func (t *Table[T]) chunk(tx *Tx, after []byte, visit func(layout.Ref, *T) error) (next []byte, err error) {
	return t.chunkRaw(tx, after, func(p kv.Pair) error {
		at, rec, err := t.placed(p)
		if err != nil {
			return err
		}
		return visit(at, rec)
	})
}

// chunkRaw is chunk for the stored form. What it visits is valid meanwhile only.
func (t *Table[T]) chunkRaw(tx *Tx, after []byte, visit func(kv.Pair) error) (next []byte, err error) {
	r := kv.Under(layout.Space(t.core.Num, layout.KindRecord))
	r.Limit = chunkRecords
	if after != nil {
		r.From = append(append([]byte(nil), after...), 0)
	}
	n := 0
	for p, err := range tx.buf.Scan(r) {
		if err != nil {
			return nil, err
		}
		if err := visit(p); err != nil {
			return nil, err
		}
		if n++; n == chunkRecords {
			next = append([]byte(nil), p.Key...)
		}
	}
	return next, nil
}

// placed takes a stored record apart. The place is a copy.
func (t *Table[T]) placed(p kv.Pair) (at layout.Ref, rec *T, err error) {
	rest := p.Key[len(layout.Space(t.core.Num, layout.KindRecord)):]
	if len(rest) < 17 {
		return at, nil, corrupt("a record of %s with a short key", t.core.Name)
	}
	at.Org, at.ID = layout.Org(rest[:16]), append([]byte(nil), rest[16:]...)
	at.Number, rec, err = t.decode(p.Value)
	if err != nil {
		return at, nil, err
	}
	id, err := t.core.IDString(at.ID)
	if err != nil {
		return at, nil, err
	}
	if t.id(rec) != id {
		return at, nil, corrupt("record %s of %s says it is %s", id, t.core.Name, t.id(rec))
	}
	return at, rec, nil
}
