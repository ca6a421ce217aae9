package kv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

const (
	pageSize    = 4096
	lockTimeout = time.Second // for a server that is just stopping to let go of the file
	// initialMap is address space, not memory: 16 GiB, or 64 MiB where addresses
	// have 32 bits. A commit that has to map more waits for every reader (storage 5).
	initialMap = 1 << (26 + 8*(bits.UintSize/64))
)

var errNotOurs = errors.New("it is a database, but not one of this program; give another data folder")

// root is the one bucket: flat prefixes are faster than nested buckets.
var root = []byte("kv")

// Bolt is a bbolt file. Close it to let go of its lock.
type Bolt struct {
	path  string
	db    *bolt.DB
	group *group
	many  int // free pages that a commit lists: maxListed, save in tests
	// unlisted says that the last commit did not write the list of free pages. It is
	// the committer's.
	unlisted bool
	broken   atomic.Bool // bbolt panicked; it must not be called again, not even to close
	once     sync.Once
	closed   atomic.Bool
	subscribers
}

var _ Engine = (*Bolt)(nil)

// OpenBolt opens the file, or makes an empty one (0600, its folder 0700).
// Damaged files are refused with an error that matches ErrDamaged.
func OpenBolt(path string) (*Bolt, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	free, err := verifyFile(path, false)
	if err != nil {
		return nil, err
	}
	b := &Bolt{path: path, many: maxListed}
	err = b.guard(func() (err error) {
		b.db, err = bolt.Open(path, 0o600, options(false, free))
		return err
	})
	if err != nil {
		return nil, openError(path, err)
	}
	if err := b.guard(b.makeRoot); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", path, err), b.shut())
	}
	b.group = newGroup(b)
	return b, nil
}

func options(readOnly bool, free uint64) *bolt.Options {
	o := *bolt.DefaultOptions
	o.Timeout = lockTimeout
	o.PageSize = pageSize
	o.FreelistType = freelistFor(free)
	o.ReadOnly = readOnly
	if !readOnly {
		o.InitialMmapSize = initialMap
	}
	return &o
}

func openError(path string, err error) error {
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return fmt.Errorf("database %s: another process has it open; stop the svc that serves from it, or give another data folder", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("database %s: %w; it must be readable and writable for the user that runs svc", path, err)
	}
	return fmt.Errorf("database %s: %w", path, err)
}

// makeRoot makes the bucket of a new file and refuses other people's files.
func (b *Bolt) makeRoot() error {
	var made, others bool
	err := b.db.View(func(tx *bolt.Tx) error {
		name, _ := tx.Cursor().First()
		made, others = tx.Bucket(root) != nil, name != nil
		return nil
	})
	switch {
	case err != nil || made:
		return err
	case others:
		return errNotOurs
	}
	return b.db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucket(root)
		return err
	})
}

// guard runs fn with page faults of the memory-mapped file turned into panics,
// and any panic into an error that retires the file.
func (b *Bolt) guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			b.broken.Store(true)
			err = b.damaged(r)
		}
	}()
	return fn()
}

func (b *Bolt) damaged(r any) error {
	if isFault(r) {
		return fmt.Errorf("%w: page fault in %s, it is shorter than it was or its disk fails; restore a backup", ErrDamaged, b.path)
	}
	return fmt.Errorf("%w: %s: %v; restore a backup", ErrDamaged, b.path, r)
}

// isFault recognises a page fault among recovered values.
func isFault(r any) bool {
	_, ok := r.(interface{ Addr() uintptr })
	return ok
}

func (b *Bolt) usable() error {
	switch {
	case b.broken.Load():
		return fmt.Errorf("%w: %s failed before; restart, and restore a backup if it stays so", ErrDamaged, b.path)
	case b.closed.Load():
		return ErrClosed
	}
	return nil
}

// View implements Engine.
func (b *Bolt) View(ctx context.Context, fn func(Tx) error) (err error) {
	if err := errors.Join(b.usable(), ctx.Err()); err != nil {
		return err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			if !isFault(r) {
				panic(r)
			}
			b.broken.Store(true)
			err = b.damaged(r)
		}
	}()
	err = b.db.View(func(tx *bolt.Tx) error {
		t := &boltTx{ctx: ctx, b: tx.Bucket(root)}
		defer t.end()
		return fn(t)
	})
	if errors.Is(err, berrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return err
}

// Update implements Engine.
func (b *Bolt) Update(ctx context.Context, fn func(Tx) error) error {
	if err := b.usable(); err != nil {
		return err
	}
	return b.group.update(ctx, fn)
}

// Exclusive implements Engine: the file is locked.
func (b *Bolt) Exclusive() bool { return true }

// Size is the length of the file in bytes.
func (b *Bolt) Size() (int64, error) {
	info, err := os.Stat(b.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Close waits for the updates that were asked for and lets go of the file, with the
// list of its free pages. A second Close does nothing.
func (b *Bolt) Close() (err error) {
	b.once.Do(func() {
		b.group.close()
		err = b.list()
		b.closed.Store(true)
		err = errors.Join(err, b.shut())
	})
	return err
}

// shut closes what bbolt holds. A broken one keeps its lock until the process
// ends, because bbolt may not be entered again.
func (b *Bolt) shut() error {
	if b.broken.Load() || b.db == nil {
		return nil
	}
	return b.guard(b.db.Close)
}
