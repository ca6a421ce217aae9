package store

import (
	"context"

	"svc/store/internal/catalog"
	"svc/store/internal/index"
	"svc/store/internal/layout"
)

// rebuildKeys is how many keys one transaction of a rebuilding writes, at least
// where there are so many: the last record may go beyond.
const rebuildKeys = 4000

// rebuild clears and builds the parts of a plan. Killed half-way it begins again
// at the next start, because the head still has the old versions.
func (db *DB) rebuild(ctx context.Context, p catalog.Plan) error {
	// The head first forgets what is about to change: should the old program be
	// started on the file meanwhile, it builds what it needs.
	if err := db.Update(ctx, func(tx *Tx) error { return catalog.Edit(&tx.buf, db.path, p.Forget) }); err != nil {
		return err
	}
	for _, prefix := range p.Prefixes() {
		if err := db.clear(ctx, prefix); err != nil {
			return err
		}
	}
	build := p.Build
	if p.All {
		build = append([]layout.Part{{}}, build...) // the table itself
	}
	if len(build) > 0 {
		t := db.tables[p.Table.Num]
		err := db.inChunks(ctx, func(tx *Tx, after []byte) ([]byte, error) { return t.Rebuild(&tx.buf, build, after, rebuildKeys) })
		if err != nil {
			return err
		}
	}
	return db.Update(ctx, func(tx *Tx) error { return catalog.Edit(&tx.buf, db.path, p.Done) })
}

// clear deletes all keys that begin with a prefix.
func (db *DB) clear(ctx context.Context, prefix []byte) error {
	return db.inChunks(ctx, func(tx *Tx, _ []byte) (next []byte, err error) {
		if more, err := index.Clear(&tx.buf, prefix, rebuildKeys); err != nil || !more {
			return nil, err
		}
		return prefix, nil
	})
}
