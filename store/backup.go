package store

import (
	"context"
	"errors"
	"fmt"
	"os"

	"svc/store/internal/backup"
	"svc/store/internal/catalog"
	"svc/store/internal/layout"
	"svc/store/internal/prepare"
	"svc/store/kv"
)

// Backup writes a copy of the store to a local file while it serves: under a
// temporary name, given a checksum of its content, verified as Verify does, then
// renamed (storage 7). A store that does not pass has no backup: the
// error says what is wrong with it. The master key is not in the copy: keep that file
// elsewhere, and keep it.
//
// It replaces whatever file has that path: callers that take paths from people look at
// it first. While the copy is made, the store remembers where, so that what is left of
// one that was killed is removed at the next start.
func (db *DB) Backup(ctx context.Context, path string) (err error) {
	b, ok := db.engine.(backup.Engine)
	if !ok {
		return fmt.Errorf("%s is no file of this machine: make backups with the tools of its server, as pg_dump, and copy the bucket or folder of --files", db.path)
	}
	if backup.Same(path, db.path) {
		return fmt.Errorf("backup to %s: that is the database itself; give another file", path)
	}
	if err := db.remember(ctx, path, true); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.remember(context.WithoutCancel(ctx), path, false)) }()
	return b.Backup(ctx, path, func(tmp string) error {
		if err := backup.AddChecksum(ctx, tmp, backup.UnderWayKey, prepare.Key); err != nil {
			return err
		}
		if err := Verify(ctx, tmp, db.options); err != nil {
			return fmt.Errorf("the copy does not pass its verification, so there is no new backup; keep the last one that is whole: %w", err)
		}
		return nil
	})
}

// Verify checks a file that is not served from, such as a backup, without changing
// it: pages, format, the checksum that a backup has, everything that DB.Check proves,
// and what Options.Prove does. With the master key it opens every secret too. A
// backup of an older version is proven without a checksum when it has none; when this
// program would have to upgrade it, only its pages and its checksum are proven.
func Verify(ctx context.Context, path string, o Options) (err error) {
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	db, err := newDB(path, o)
	if err != nil {
		return err
	}
	if db.engine, err = kv.OpenReadOnly(path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.engine.Close()) }()
	h, fresh, err := db.readHead(ctx)
	if err != nil {
		return err
	}
	if fresh {
		return fmt.Errorf("%s: %w", path, layout.Corrupt("it has no head"))
	}
	if err := h.Check(path, names(o.Migrations)); err != nil {
		return err
	}
	changed := backup.HoldsChecksum(ctx, db.engine)
	if changed != nil && !errors.Is(changed, ErrCorrupt) {
		return changed
	}
	return errors.Join(changed, db.verify(ctx, h, o))
}

// verify is Verify of what lies in a file whose head is known.
func (db *DB) verify(ctx context.Context, h catalog.Head, o Options) error {
	if len(h.Migrated) < len(o.Migrations) || len(db.plans(h)) > 0 {
		// Of an older version: its records and indexes have another shape, which
		// only the program that wrote it can check.
		return db.engine.(kv.ReadOnly).Check(ctx)
	}
	sealed, _, err := keysHome{db}.ReadKeys(ctx)
	if err != nil {
		return err
	}
	if from := o.key(); !from.IsZero() && sealed != nil {
		if err = db.openKeys(ctx, from); err != nil {
			return err
		}
	}
	if err = db.Check(ctx); err != nil && !errors.Is(err, ErrCorrupt) {
		return err
	}
	if o.Prove != nil { // also of what contradicts itself: it may name what was changed
		err = errors.Join(err, o.Prove(ctx, db))
	}
	return err
}

// remember notes that a backup begins or ended.
func (db *DB) remember(ctx context.Context, path string, begins bool) error {
	return db.Update(ctx, func(tx *Tx) error { return backup.Note(&tx.buf, path, begins) })
}

// sweep removes what killed processes left: of backups that this store remembers, and of
// a restoring or a compaction of this file, which both need the file for themselves
// (contract 21.3, Leftovers). A backup that a living process makes stays.
func (db *DB) sweep(ctx context.Context) error {
	if _, file := db.engine.(backup.Engine); !file {
		return nil
	}
	if err := backup.RemoveLeftovers(db.path); err != nil {
		return err
	}
	var list []string
	err := db.View(ctx, func(tx *Tx) (err error) {
		list, err = backup.UnderWay(&tx.buf)
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	busy := backup.Sweep(list, db.log)
	return db.Update(ctx, func(tx *Tx) error { return backup.PutUnderWay(&tx.buf, busy) })
}
