package store

import (
	"context"
	"fmt"

	"svc/store/internal/backup"
	"svc/store/internal/catalog"
)

// Migration changes what is stored when a newer program opens an older file. The
// list of a program only ever grows at its end, and names never change:
// every release upgrades any earlier one (contract 19).
type Migration struct {
	// Name says what it does: "2026-03 recipients: language from locale".
	Name string
	// Step does a part of the work in one transaction, at most some thousand keys,
	// and answers where to go on; nil ends the migration. What it wrote and where
	// it goes on are committed together, so a killed program goes on there.
	Step func(tx *Tx, after []byte) (next []byte, err error)
}

// upgrade brings an older file up to this program.
func (db *DB) upgrade(ctx context.Context, h catalog.Head, o Options) error {
	plans := db.plans(h)
	if len(h.Migrated) == len(o.Migrations) && len(plans) == 0 && h.Format == catalog.Format {
		return nil
	}
	if o.BeforeUpgrade != nil {
		if err := o.BeforeUpgrade(ctx, db); err != nil {
			return fmt.Errorf("before the upgrade of %s: %w", db.path, err)
		}
	}
	if err := db.raiseFormat(ctx, h); err != nil {
		return err
	}
	for _, m := range o.Migrations[len(h.Migrated):] {
		db.log.Info("migrating the database", "migration", m.Name)
		if err := db.migrate(ctx, m); err != nil {
			return fmt.Errorf("migration %q: %w", m.Name, err)
		}
	}
	for _, p := range plans {
		db.log.Info("building indexes", "table", p.Table.Name, "parts", p.What())
		if err := db.rebuild(ctx, p); err != nil {
			return fmt.Errorf("build the indexes of %s: %w", p.Table.Name, err)
		}
	}
	return nil
}

func (db *DB) migrate(ctx context.Context, m Migration) error {
	for done := false; !done; {
		err := db.Update(ctx, func(tx *Tx) error {
			h, err := tx.head()
			if err != nil {
				return err
			}
			next, err := m.Step(tx, h.Cursor)
			if err != nil {
				return err
			}
			h.Running, h.Cursor, done = m.Name, next, next == nil
			if done {
				h.Running = ""
				h.Migrated = append(h.Migrated, m.Name)
				if s := db.sealer; s != nil {
					if err := tx.saveKeys(len(h.Migrated), s.Sealed); err != nil {
						return err
					}
				}
			}
			return h.Write(&tx.buf)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// raiseFormat keeps programs that do not know this format away: they would leave out what
// is in the logs of the engine.
func (db *DB) raiseFormat(ctx context.Context, h catalog.Head) error {
	if h.Format == catalog.Format {
		return nil
	}
	err := db.Update(ctx, func(tx *Tx) error {
		return catalog.Edit(&tx.buf, db.path, func(h *catalog.Head) { h.Format = catalog.Format })
	})
	if b, ok := db.engine.(backup.Engine); ok && err == nil {
		err = b.Checkpoint(ctx) // they read the tree alone
	}
	return err
}
