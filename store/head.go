package store

import (
	"context"
	"encoding/json"

	"svc/store/internal/catalog"
)

func (db *DB) readHead(ctx context.Context) (h catalog.Head, fresh bool, err error) {
	err = db.View(ctx, func(tx *Tx) error {
		b, err := tx.buf.Get(HeadKey)
		if err != nil {
			return err
		}
		if fresh = b == nil; fresh {
			return nil
		}
		h = catalog.Head{}
		if err := json.Unmarshal(b, &h); err != nil {
			return corrupt("the head of %s does not decode: %w", db.path, err)
		}
		return nil
	})
	return h, fresh, err
}

func (tx *Tx) writeHead(h catalog.Head) error {
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return tx.buf.Put(HeadKey, b)
}

// writeFresh makes the head of a new file, which has nothing to migrate.
func (db *DB) writeFresh(ctx context.Context, list []Migration) error {
	h := catalog.New(names(list))
	for _, t := range db.catalogued() {
		h.Parts[t.Name] = t.Versions()
	}
	return db.Update(ctx, func(tx *Tx) error { return tx.writeHead(h) })
}

func (tx *Tx) head() (h catalog.Head, err error) {
	b, err := tx.buf.Get(HeadKey)
	if err == nil {
		err = json.Unmarshal(b, &h)
	}
	return h, err
}

// editHead changes the head.
func (tx *Tx) editHead(edit func(*catalog.Head)) error {
	h, err := tx.head()
	if err != nil {
		return err
	}
	edit(&h)
	return tx.writeHead(h)
}

// catalogued are the tables as the head knows them.
func (db *DB) catalogued() []catalog.Table {
	out := make([]catalog.Table, len(db.list))
	for i, t := range db.list {
		out[i] = catalog.Table{Table: t.base(), Parts: t.parts()}
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
