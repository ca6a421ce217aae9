package store

import (
	"context"

	"svc/store/internal/index"
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

// chunk reads records of all organizations, in the order of their keys.
func (t *Table[T]) chunk(tx *Tx, after []byte, visit func(layout.Ref, *T) error) (next []byte, err error) {
	return index.Chunk(&tx.buf, &t.core, after, func(p kv.Pair) error {
		at, rec, err := t.placed(p)
		if err != nil {
			return err
		}
		return visit(at, rec)
	})
}

// placed takes a stored record apart. The place is a copy.
func (t *Table[T]) placed(p kv.Pair) (at layout.Ref, rec *T, err error) {
	rest := p.Key[len(layout.Space(t.core.Num, layout.KindRecord)):]
	if len(rest) < 17 {
		return at, nil, layout.Corrupt("a record of %s with a short key", t.core.Name)
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
		return at, nil, layout.Corrupt("record %s of %s says it is %s", id, t.core.Name, t.id(rec))
	}
	return at, rec, nil
}
