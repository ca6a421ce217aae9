// Package offline works on the files of stores that nobody has open: it puts a backup in the place
// of a database, and rewrites one without its free pages.
//
// It promises that a database which is replaced is kept beside the new one. It refuses files that
// somebody has open, and backups that do not pass their verification.
package offline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"svc/store"
	"svc/store/internal/backup"
	"svc/store/kv"
	"svc/store/kv/files"
)

// Replaced is added to the name of the database that Restore takes away.
const Replaced = ".replaced"

// Restore verifies a backup and puts a copy of it in the place of the database,
// which nobody may have open. The database that was there is kept beside it under
// its name and Replaced.
func Restore(ctx context.Context, from, path string, o store.Options) error {
	if backup.Same(from, path) {
		return fmt.Errorf("restore from %s: that is the database itself; give the backup", from)
	}
	if err := store.Verify(ctx, from, o); err != nil {
		return fmt.Errorf("the backup cannot be restored: %w", err)
	}
	unlock, err := kv.Lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	tmp := path + backup.Restoring
	err = copyFile(ctx, from, tmp)
	if err == nil {
		err = kv.VerifyFile(tmp, true)
	}
	if err == nil {
		err = exchange(tmp, path)
	}
	if err != nil {
		_ = os.Remove(tmp) // perhaps never made; the reason is in err
		return fmt.Errorf("restore: %w", err)
	}
	return files.SyncFolder(filepath.Dir(path))
}

// Files are those that a database with that path has: it and its logs.
func Files(path string) []string { return append(kv.Logs(path), path) }

// exchange moves a database aside and another into its place.
func exchange(from, path string) error {
	to := Files(path + Replaced)
	for i, name := range Files(path) {
		err := os.Rename(name, to[i])
		if errors.Is(err, fs.ErrNotExist) {
			err = os.Remove(to[i]) // of an earlier one
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return os.Rename(from, path)
}

// copyFile copies into a new file and syncs it.
func copyFile(ctx context.Context, from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if _, err := io.Copy(out, readerWith{ctx, in}); err != nil {
		return err
	}
	return out.Sync()
}

// readerWith stops reading when the context ends.
type readerWith struct {
	ctx context.Context
	r   io.Reader
}

func (r readerWith) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// Compact rewrites a database that nobody has open without its free pages, and
// answers its length before and after, in bytes.
func Compact(ctx context.Context, path string) (before, after int64, err error) {
	return kv.Compact(ctx, path)
}

// IsBackup says whether a file is a whole backup that this program, or another version
// of it, made: a database whose pages are sound and which has its checksum. Backups of
// versions that wrote none are not recognised. Who has the database open may not ask
// about it.
func IsBackup(ctx context.Context, path string) (bool, error) { return backup.Is(ctx, path) }
