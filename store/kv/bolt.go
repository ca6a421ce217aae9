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

	"svc/store/kv/group"
	"svc/store/kv/message"
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

// Bolt is a bbolt file with a write-ahead log. Close it to let go of its lock.
type Bolt struct {
	path        string
	db          *bolt.DB
	group       *group.Group[Tx]
	checkpoints *checkpointer
	lineage     lineage
	state       atomic.Pointer[state]

	// mu is held for a commit, and while a checkpoint begins or ends.
	mu     sync.Mutex
	log    *commitLog // nil: the next commit begins one
	moving *moving    // the checkpoint under way, or that failed
	done   uint64     // number of the last log whose changes are all in the tree
	arena  arena
	record record // room for the next commit

	tree   int         // the last transaction of the file; of who makes checkpoints
	broken atomic.Bool // bbolt panicked; it must not be called again, not even to close
	once   sync.Once
	closed atomic.Bool

	subscribers message.Subscribers
}

var _ Engine = (*Bolt)(nil)

// OpenBolt opens the file with its logs, or makes an empty one (0600, its folder 0700).
// Damaged files are refused with an error that matches ErrDamaged.
func OpenBolt(path string) (*Bolt, error) {
	b, err := openFile(path, false)
	if err != nil {
		return nil, err
	}
	if err := b.openLogs(); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", path, err), b.shut())
	}
	b.start()
	return b, nil
}

// openFile opens the file without looking at its logs.
func openFile(path string, full bool) (*Bolt, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	free, err := verifyFile(path, full)
	if err != nil {
		return nil, err
	}
	b := &Bolt{path: path, checkpoints: newCheckpointer()}
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
	return b, nil
}

// start begins to take commits.
func (b *Bolt) start() {
	b.group = group.New(b.commit)
	go b.checkpoints.run(b)
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

// makeRoot makes the buckets of a new file and refuses other people's files.
func (b *Bolt) makeRoot() error {
	var made, logs, others bool
	err := b.db.View(func(tx *bolt.Tx) error {
		name, _ := tx.Cursor().First()
		made, logs, others = tx.Bucket(root) != nil, tx.Bucket(logBucket) != nil, name != nil
		return nil
	})
	switch {
	case err != nil || made && logs:
		return err
	case others && !made:
		return errNotOurs
	}
	return b.db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(root)
		return errors.Join(err, makeLogBucket(tx))
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

// catchFault turns page faults of the memory-mapped file into an error that retires the
// file. What it answers is to be deferred.
func (b *Bolt) catchFault(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		r := recover()
		switch {
		case r == nil:
		case !isFault(r):
			panic(r)
		default:
			b.broken.Store(true)
			*err = b.damaged(r)
		}
	}
}

// Update implements Engine.
func (b *Bolt) Update(ctx context.Context, fn func(Tx) error) error {
	if err := b.usable(); err != nil {
		return err
	}
	return b.group.Update(ctx, fn)
}

// Subscribe implements Engine.
func (b *Bolt) Subscribe(f func(Message)) (stop func()) { return b.subscribers.Subscribe(f) }

// Exclusive implements Engine: the file is locked.
func (b *Bolt) Exclusive() bool { return true }

// Size is the length of the file and its logs in bytes.
func (b *Bolt) Size() (int64, error) {
	info, err := os.Stat(b.path)
	if err != nil {
		return 0, err
	}
	size := info.Size()
	for _, name := range Logs(b.path) {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size, nil
}

// Close waits for the updates that were asked for, moves what was committed into the tree,
// and lets go of the file, which then stands alone. A second Close does nothing.
func (b *Bolt) Close() (err error) {
	b.once.Do(func() {
		b.group.Close()
		b.checkpoints.close()
		if b.usable() == nil {
			if err = b.checkpoint(); err == nil {
				err = b.removeLogs()
			}
		}
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
