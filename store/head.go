package store

import (
	"context"

	"svc/store/internal/catalog"
)

func (db *DB) readHead(ctx context.Context) (h catalog.Head, fresh bool, err error) {
	err = db.View(ctx, func(tx *Tx) error {
		head, found, err := catalog.Read(&tx.buf, db.path)
		h, fresh = head, !found
		return err
	})
	return h, fresh, err
}

// writeFresh makes the head of a new file, which has nothing to migrate.
func (db *DB) writeFresh(ctx context.Context, list []Migration) error {
	h := catalog.New(names(list))
	for _, t := range db.catalogued() {
		h.Parts[t.Name] = t.Versions()
	}
	return db.Update(ctx, func(tx *Tx) error { return h.Write(&tx.buf) })
}

func (tx *Tx) head() (catalog.Head, error) {
	h, _, err := catalog.Read(&tx.buf, tx.db.path)
	return h, err
}

// catalogued are the tables as the head knows them.
func (db *DB) catalogued() []catalog.Table {
	out := make([]catalog.Table, len(db.list))
	for i, t := range db.list {
		out[i] = catalog.Table{Table: t.layout(), Parts: t.Layouts()}
	}
	return out
}

// plans are what has to be built or dropped.
func (db *DB) plans(h catalog.Head) []catalog.Plan { return h.Plans(db.catalogued()) }

// names are those of migrations.
func names(list []Migration) (out []string) {
	for _, m := range list {
		out = append(out, m.Name)
	}
	return out
}

// Migrations says how many migrations the file has been through.
func (db *DB) Migrations(ctx context.Context) (int, error) {
	h, _, err := db.readHead(ctx)
	return len(h.Migrated), err
}
