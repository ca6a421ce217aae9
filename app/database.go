package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"svc/store"
	"svc/store/coord"
	"svc/store/kv/postgres"
)

// Database is where the database of a data folder is.
func Database(data string) string { return filepath.Join(data, "svc.db") }

// openStore opens the database of these options, wherever it is.
func (o Options) openStore(ctx context.Context, so store.Options) (*store.DB, error) {
	so.Engine, so.BeforeUpgrade = o.Engine, o.beforeUpgrade
	if o.Store == "" {
		return store.Open(ctx, Database(o.Data), so)
	}
	e, err := postgres.Open(ctx, o.Store, postgres.Options{})
	if err != nil {
		return nil, err
	}
	// Whoever runs the server of the database keeps copies of it (contract 19).
	so.Engine = e
	so.BeforeUpgrade = func(ctx context.Context, db *store.DB) error {
		return coord.Outlast(ctx, db, coord.Options{Log: o.Log})
	}
	return store.Open(ctx, postgres.Name(o.Store), so)
}

// beforeUpgradeName is added to the name of the database for its copy from before an
// upgrade.
const beforeUpgradeName = ".before-upgrade"

// beforeUpgrade keeps a copy of a database that a newer program is about to change
// (contract 19).
func (o Options) beforeUpgrade(ctx context.Context, db *store.DB) error {
	file := Database(o.Data) + beforeUpgradeName
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return db.Backup(ctx, file)
}
