package kv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	bolt "go.etcd.io/bbolt"
)

// compactTx is how many bytes one transaction of a compaction writes.
const compactTx = 4 << 20

// compactAlloc is the step in bytes by which a compacted file grows.
const compactAlloc = 1 << 20

// Backup writes a consistent copy while others read and write, verifies every
// page of it, and only then gives it its name (design, storage, rule 7). An older
// file of that name is replaced.
func (b *Bolt) Backup(ctx context.Context, path string) error {
	if err := errors.Join(b.usable(), ctx.Err()); err != nil {
		return err
	}
	return replaceFile(path, func(tmp *os.File) error {
		err := b.guard(func() error {
			return b.db.View(func(tx *bolt.Tx) error {
				_, err := tx.WriteTo(writerWith{ctx, tmp})
				return err
			})
		})
		if err != nil {
			return err
		}
		info, err := tmp.Stat()
		if err != nil {
			return err
		}
		return VerifyPages(tmp, info.Size(), true)
	})
}

// writerWith stops writing when the context ends.
type writerWith struct {
	ctx context.Context
	f   *os.File
}

func (w writerWith) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.f.Write(p)
}

// replaceFile makes a file under a temporary name beside the one it will be,
// syncs it, and renames it. On an error nothing is left; what a killed process left
// is overwritten the next time.
func replaceFile(path string, write func(*os.File) error) error {
	name := path + ".tmp"
	tmp, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	if syscall.Flock(int(tmp.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return errors.Join(fmt.Errorf("make %s: somebody is making it already", path), tmp.Close())
	}
	err = tmp.Truncate(0)
	if err == nil {
		err = write(tmp)
	}
	if err == nil {
		err = tmp.Sync()
	}
	if err == nil {
		err = os.Rename(name, path) // still locked: nobody else writes to it
	} else {
		err = errors.Join(err, os.Remove(name))
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return fmt.Errorf("make %s: %w", path, err)
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes the names in a folder durable.
func SyncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

// Compact rewrites a file that nobody has open without its free pages, which
// halves one that was changed much. It answers the sizes in bytes.
func Compact(ctx context.Context, path string) (before, after int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, fmt.Errorf("database: %w", err)
	}
	src, err := OpenBolt(path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	tmp := path + ".compact.tmp"
	_ = os.Remove(tmp) // of a compaction that was killed
	err = errors.Join(src.guard(func() error { return src.copyTo(ctx, tmp) }), VerifyFile(tmp, true))
	if err != nil {
		_ = os.Remove(tmp) // perhaps never made; the reason is in err
		return 0, 0, err
	}
	small, err := os.Stat(tmp)
	if err != nil {
		return 0, 0, err
	}
	if err := os.Rename(tmp, path); err != nil {
		return 0, 0, err
	}
	return info.Size(), small.Size(), SyncFolder(filepath.Dir(path))
}

func (b *Bolt) copyTo(ctx context.Context, path string) (err error) {
	dst, err := bolt.Open(path, 0o600, options(false, 0))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	dst.AllocSize = compactAlloc
	if err := ctx.Err(); err != nil {
		return err
	}
	return bolt.Compact(dst, b.db, compactTx)
}

// Check runs bbolt's own check over the whole file, in one read transaction.
func (b *Bolt) Check(ctx context.Context) error {
	if err := errors.Join(b.usable(), ctx.Err()); err != nil {
		return err
	}
	return b.guard(func() error {
		return b.db.View(func(tx *bolt.Tx) error {
			var first error
			for err := range tx.Check() { // drained: its goroutine waits for us
				if first == nil {
					first = fmt.Errorf("%w: %w", ErrDamaged, err)
				}
			}
			return first
		})
	})
}
