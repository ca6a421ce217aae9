package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"svc/store/kv"
	"svc/store/kv/files"
)

// Same reports whether two paths are one file.
func Same(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// restoring is added to the name of the database while a backup is copied beside it.
const restoring = ".restore.tmp"

// Replaced is added to the name of the database that Replace takes away.
const Replaced = ".replaced"

// Replace puts a copy of a file in the place of a database, which nobody may have open. The one
// that was there is kept beside it.
func Replace(ctx context.Context, from, path string) error {
	unlock, err := kv.Lock(path)
	if err != nil {
		return err
	}
	defer unlock()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("restore: %w", err)
	}
	tmp := path + restoring
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
