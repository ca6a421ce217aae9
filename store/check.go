package store

import (
	"context"
	"errors"
	"slices"

	"svc/store/internal/backup"
	"svc/store/internal/check"
	"svc/store/internal/layout"
	"svc/store/internal/prepare"
	"svc/store/kv"
)

// Check proves that the store agrees with itself: every record decodes and says
// its own id; it has every index entry, count, set and number it should have, and
// nothing else has any; its secrets open; no key belongs to nothing; and the file
// passes bbolt's own check. It answers nil, or an error that matches ErrCorrupt and
// lists what is wrong. It reads everything in one transaction: run it on a copy, or
// when nobody writes.
func (db *DB) Check(ctx context.Context) error {
	var problems []error
	err := db.engine.View(ctx, func(k kv.Tx) (err error) {
		tx := newTx(db, k, false)
		s := check.Store{Own: ownKeys(), Foreign: tx.foreignTables}
		for _, t := range db.list {
			imply := func(p kv.Pair) (check.Record, error) { return t.imply(tx, p) }
			s.Tables = append(s.Tables, check.Table{Layout: t.layout(), Parts: t.Layouts(), Imply: imply})
		}
		problems, err = s.Problems(k)
		return err
	})
	if b, ok := db.engine.(interface{ Check(context.Context) error }); ok && err == nil {
		err = b.Check(ctx)
	}
	return errors.Join(append(problems, err)...)
}

// ownKeys are what the file says about itself, in the order of keys.
func ownKeys() []kv.Range {
	one := func(key []byte) kv.Range { return kv.Range{From: key, To: append(slices.Clip(key), 0)} }
	return []kv.Range{one(backup.ChecksumKey), one(backup.UnderWayKey), kv.Under(changesKey("")), one(HeadKey), one(keysName), one(prepare.Key)}
}

// foreignTables are those that the head knows and the program does not: another version has
// them.
func (tx *Tx) foreignTables() (out []uint32, err error) {
	h, err := tx.head()
	if err != nil {
		return nil, err
	}
	for name := range h.Parts {
		if num := layout.TableNumber(name); tx.db.tables[num] == nil {
			out = append(out, num)
		}
	}
	return out, nil
}
