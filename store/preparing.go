package store

import (
	"context"
	"errors"
	"fmt"

	"svc/store/internal/prepare"
	"svc/store/kv"
)

// prepareAlone is prepare, by one process at a time (storage 8). An engine that only one process
// can have open (kv.Engine.Exclusive) needs no turns. While it is prepared, no transaction of
// this store commits that another process has taken over from.
func (db *DB) prepareAlone(ctx context.Context, o Options) error {
	if db.engine.Exclusive() {
		return db.prepare(ctx, o)
	}
	return prepare.Alone(ctx, prepare.Database{Engine: db.engine, Name: db.path, Log: db.log}, func(ctx context.Context, fence func(kv.Tx) error) error {
		db.fence = fence
		defer func() { db.fence = nil }()
		return db.prepare(ctx, o)
	})
}

// ErrPreparing is the answer of Tx.Current while a process prepares the database.
var ErrPreparing = errors.New("a process prepares the database")

// Current says whether the database is as this process opened it: ErrPreparing while another
// one may be about to upgrade it, ErrNewer once one of a newer version did. Who joins those
// that work on it asks in the same transaction.
func (tx *Tx) Current() error {
	switch now, err := prepare.UnderWay(tx.kv); {
	case err != nil:
		return err
	case now:
		return ErrPreparing
	}
	h, err := tx.head()
	if err != nil {
		return err
	}
	if err := h.Check(tx.db.path, names(tx.db.options.Migrations)); err != nil {
		return err
	}
	if len(tx.db.plans(h)) > 0 {
		return fmt.Errorf("database %s has other indexes than this svc keeps: it was %w", tx.db.path, ErrNewer)
	}
	return nil
}
