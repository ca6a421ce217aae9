package kv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"

	"svc/store/kv/files"
	"svc/store/kv/pages"
)

// compactTx is how many bytes one transaction of a compaction writes.
const compactTx = 4 << 20

// Compacting is added to the name of a file while its compacted copy is written.
const Compacting = ".compact.tmp"

// compactAlloc is the step in bytes by which a compacted file grows.
const compactAlloc = 1 << 20

// Backup writes a consistent copy while others read and write. finish is given the
// copy under a temporary name: it may change it (Amend), and it says whether the copy
// is good. Only then the copy gets its own name (storage 7), and an
// older file of that name is replaced.
func (b *Bolt) Backup(ctx context.Context, path string, finish func(tmp string) error) error {
	if err := errors.Join(b.usable(), ctx.Err()); err != nil {
		return err
	}
	return files.Replace(path, func(tmp string) error {
		if err := b.Checkpoint(ctx); err != nil {
			return err
		}
		if err := b.copyPages(ctx, tmp); err != nil {
			return err
		}
		return finish(tmp)
	})
}

// copyPages writes every page of one state into a file and syncs it.
func (b *Bolt) copyPages(ctx context.Context, path string) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	err = b.guard(func() error {
		return b.db.View(func(tx *bolt.Tx) error {
			_, err := tx.WriteTo(writerWith{ctx, f})
			return err
		})
	})
	if err != nil {
		return err
	}
	return f.Sync()
}

// Amend changes a file that nobody has open, in one transaction, after it walked
// every page of it. The file then ends with its last page.
func Amend(ctx context.Context, path string, fn func(Tx) error) error {
	if err := amend(ctx, path, fn); err != nil {
		return err
	}
	return trim(path)
}

// trim cuts off the room for pages to come, so that a file that is cut short shows.
func trim(path string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	m, err := pages.FindMeta(f, info.Size())
	if err != nil {
		return err
	}
	if err := f.Truncate(int64(m.High * m.PageSize)); err != nil {
		return err
	}
	return f.Sync()
}

func amend(ctx context.Context, path string, fn func(Tx) error) (err error) {
	b, err := openFile(path, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.shut()) }()
	// It is a copy: the logs of what it was copied from are not its own.
	if err := b.guard(func() error { return b.db.Update(makeLogBucket) }); err != nil {
		return err
	}
	if err := b.readDone(); err != nil {
		return err
	}
	err = b.reading(ctx, func(tx *bolt.Tx, _ *state) error {
		w := &batch{e: b, table: newMemtable()}
		w.v = newView(tx, w.table)
		t := &boltTx{ctx: ctx, v: w.v, w: w}
		defer t.end()
		if err := fn(t); err != nil {
			return err
		}
		b.moving = &moving{entries: w.table.entries.Items()}
		return nil
	})
	if err != nil {
		return err
	}
	return b.move()
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
	tmp := path + Compacting
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
	return info.Size(), small.Size(), files.SyncFolder(filepath.Dir(path))
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

// Check moves what was committed into the tree, and runs bbolt's own check over the whole
// file, in one read transaction.
func (b *Bolt) Check(ctx context.Context) error {
	if err := b.Checkpoint(ctx); err != nil {
		return err
	}
	return b.check(ctx)
}

func (b *Bolt) check(ctx context.Context) error {
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
