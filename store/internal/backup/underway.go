package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"svc/store/internal/buffer"
	"svc/store/internal/layout"
	"svc/store/kv"
	"svc/store/kv/files"
)

// UnderWayKey is where a store keeps the paths of the backups that are being made, as JSON.
var UnderWayKey = layout.Meta("backups")

// Note remembers in the store that a backup begins, or forgets one that ended.
func Note(tx *buffer.Tx, path string, begins bool) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	list, err := UnderWay(tx)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(p string) bool { return p == path })
	if begins {
		list = append(list, path)
	}
	return PutUnderWay(tx, list)
}

// UnderWay are the paths of the backups that are being made, or were when a process was killed.
func UnderWay(tx *buffer.Tx) (list []string, err error) {
	b, err := tx.Get(UnderWayKey)
	if err != nil || b == nil {
		return nil, err
	}
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, layout.Corrupt("the list of backups under way does not decode: %w", err)
	}
	return list, nil
}

// PutUnderWay replaces the list.
func PutUnderWay(tx *buffer.Tx, list []string) error {
	if len(list) == 0 {
		return tx.Delete(UnderWayKey)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return tx.Put(UnderWayKey, b)
}

// Restoring is added to the name of the database while a backup is copied beside it.
const Restoring = ".restore.tmp"

// RemoveLeftovers removes what a restoring or a compaction of a database that was killed left.
func RemoveLeftovers(path string) error {
	for _, tmp := range []string{path + Restoring, path + kv.Compacting} {
		if err := os.Remove(tmp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("a file that was left behind cannot be removed: %w", err)
		}
	}
	return nil
}

// Sweep removes what is left of backups that were interrupted, and answers those that a living
// process makes.
func Sweep(list []string, log *slog.Logger) (busy []string) {
	for _, path := range list {
		lives, err := files.Sweep(path)
		switch {
		case lives:
			busy = append(busy, path)
		case err != nil: // perhaps on a disk that is not mounted now
			log.Warn("what is left of a backup that was interrupted cannot be removed", "backup", path, "error", err)
		default:
			log.Info("removed what was left of a backup that was interrupted", "backup", path)
		}
	}
	return busy
}
