package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"svc/store/internal/layout"
	"svc/store/kv"
	"svc/store/kv/files"
)

// underWay is where a store keeps the paths of the backups that are being made, as JSON.
var underWay = layout.Meta("backups")

// remember notes that a backup begins or ended.
func (db *DB) remember(ctx context.Context, path string, begins bool) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return db.Update(ctx, func(tx *Tx) error {
		list, err := tx.backupsUnderWay()
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(p string) bool { return p == path })
		if begins {
			list = append(list, path)
		}
		return tx.putBackupsUnderWay(list)
	})
}

func (tx *Tx) backupsUnderWay() (list []string, err error) {
	b, err := tx.buf.Get(underWay)
	if err != nil || b == nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, corrupt("the list of backups under way does not decode: %w", err)
	}
	return list, nil
}

func (tx *Tx) putBackupsUnderWay(list []string) error {
	if len(list) == 0 {
		return tx.buf.Delete(underWay)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return tx.buf.Put(underWay, b)
}

// sweep removes what killed processes left: of backups that this store remembers, and of
// a restoring or a compaction of this file, which both need the file for themselves
// (contract 21.3, Leftovers). A backup that a living process makes stays.
func (db *DB) sweep(ctx context.Context) error {
	if _, file := db.engine.(fileEngine); !file {
		return nil
	}
	for _, tmp := range []string{db.path + restoring, db.path + kv.Compacting} {
		if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("a file that was left behind cannot be removed: %w", err)
		}
	}
	var list []string
	err := db.View(ctx, func(tx *Tx) (err error) {
		list, err = tx.backupsUnderWay()
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	var busy []string
	for _, path := range list {
		lives, err := files.Sweep(path)
		switch {
		case lives:
			busy = append(busy, path)
		case err != nil: // perhaps on a disk that is not mounted now
			db.log.Warn("what is left of a backup that was interrupted cannot be removed", "backup", path, "error", err)
		default:
			db.log.Info("removed what was left of a backup that was interrupted", "backup", path)
		}
	}
	return db.Update(ctx, func(tx *Tx) error { return tx.putBackupsUnderWay(busy) })
}
