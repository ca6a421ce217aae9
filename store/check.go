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
			s.Tables = append(s.Tables, check.Table{Layout: t.base(), Parts: t.parts(), Imply: imply})
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

// imply says what should stand beside a stored record.
func (t *Table[T]) imply(tx *Tx, p kv.Pair) (check.Record, error) {
	at, rec, err := t.placed(p)
	if err != nil {
		return check.Record{}, err
	}
	out := check.Record{At: at, ID: t.id(rec), Parts: make([]check.Implied, len(t.all))}
	for i, p := range t.all {
		out.Parts[i] = check.Implied{Entries: t.entries(p, at, rec), Values: p.valuesOf(rec)}
	}
	if tx.db.sealer == nil {
		return out, nil
	}
	for _, f := range t.sealed {
		if _, err := f.Open(tx.db, at.Org.String(), rec); err != nil {
			out.Secrets = append(out.Secrets, err)
		}
	}
	return out, nil
}
