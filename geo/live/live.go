// Package live keeps a file of data open while it serves, and changes it for a
// newer one without dropping a request: the map, the tiles, the terrain.
//
// It promises that a request sees one version from beginning to end, that a new
// file is checked whole before it serves, and that a bad one leaves the old one
// serving and is told to the log and to the metrics. A file that was written over
// in place is taken out as soon as that is noticed. It refuses nothing at
// start: without a file the service runs and says what it does not have.
package live

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Version is one open version of a file.
type Version interface {
	// Verify reads the whole file and says whether it is damaged.
	Verify() error
	// Close gives it back; nothing uses it any more.
	Close() error
}

// Kind is what a File holds: how it is opened, and who hears of it.
type Kind[V Version] struct {
	// Name is one word for log lines: "map", "tiles", "terrain".
	Name string
	// Open opens a version. It reads enough to serve, not the whole.
	Open func(path string) (V, error)
	// Optional is a file that may be missing: that is told once, as no failure,
	// and the file serves from when it appears.
	Optional bool
	// Loaded hears of a version that was checked and serves from now on, and
	// gives the fields of its log line; Failed of one that could not be taken
	// over. Both may be nil.
	Loaded func(V) []any
	Failed func()
}

// File is the version of a file that serves now, if any.
type File[V Version] struct {
	path  string
	every time.Duration
	log   *slog.Logger
	kind  Kind[V]

	mu      sync.Mutex // held by whoever loads
	tried   fileState  // the last file looked at, good or bad
	trouble string     // why the system could not open it, when that was told last
	current atomic.Pointer[open[V]]
	wake    chan struct{}
}

// open is one open version and its users.
type open[V Version] struct {
	version V
	users   sync.WaitGroup
	mu      sync.RWMutex // users enter under read lock; retiring takes the write lock
	closed  bool
}

// fileState tells one version of a file from another.
type fileState struct {
	modified time.Time
	size     int64
	inode    any
}

// Open opens the file at path, or says in the log why it cannot. An empty path
// is a service without it. reload is how often the file is looked at; 0 is never.
func Open[V Version](path string, reload time.Duration, log *slog.Logger, kind Kind[V]) *File[V] {
	f := &File[V]{path: path, every: reload, log: log, kind: kind, wake: make(chan struct{}, 1)}
	if path != "" {
		f.load(false, false)
	}
	return f
}

// Run looks at the file until ctx ends, and whenever Reload asks.
func (f *File[V]) Run(ctx context.Context) error {
	var tick <-chan time.Time
	if f.every > 0 && f.path != "" {
		t := time.NewTicker(f.every)
		defer t.Stop()
		tick = t.C
	}
	f.verifyFirst()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
			f.load(false, true)
		case <-f.wake:
			f.load(true, true)
		}
	}
}

// Reload asks Run to load the file again, changed or not.
func (f *File[V]) Reload() {
	select {
	case f.wake <- struct{}{}:
	default: // asked already
	}
}

// Path is the file that is watched; "" without one.
func (f *File[V]) Path() string { return f.path }

// verifyFirst reads the whole version that serving began with, beside serving: a
// damaged one is taken out.
func (f *File[V]) verifyFirst() {
	if err := f.check(); err != nil {
		f.failed(err)
	}
}

// check reads the whole version that serves and takes it out when it is damaged.
// No answer is better than a wrong one.
func (f *File[V]) check() error {
	o := f.current.Load()
	if o == nil || !o.enter() {
		return nil
	}
	err := o.version.Verify()
	o.users.Done()
	if err != nil && f.current.CompareAndSwap(o, nil) {
		go o.retire()
	}
	return err
}

// Acquire gives the version that serves now, and the function that lets it go;
// ok is false without one. What was read from the version is valid until then.
func (f *File[V]) Acquire() (version V, release func(), ok bool) {
	for {
		o := f.current.Load()
		if o == nil {
			return version, func() {}, false
		}
		if o.enter() {
			return o.version, o.users.Done, true
		}
	}
}

func (o *open[V]) enter() bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return false
	}
	o.users.Add(1)
	return true
}

// retire waits for the last user and gives the version back.
func (o *open[V]) retire() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.users.Wait()
	_ = o.version.Close() // nothing is left to do about a mapping that will not go
}

// load opens the file when it has changed, or in any case when asked to.
// whole reads all of it before it serves; at start that is done beside serving.
func (f *File[V]) load(asked, whole bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return
	}
	state, err := stateOf(f.path)
	if err != nil {
		f.missing(err)
		return
	}
	if state == f.tried && !asked {
		return
	}
	f.tried = state
	v, err := f.kind.Open(f.path)
	if err == nil && whole {
		if err = v.Verify(); err != nil {
			_ = v.Close() // the file is refused already
		}
	}
	if err != nil {
		f.refused(err)
		return
	}
	f.trouble = ""
	f.swap(v)
}

// missing is told once that the file cannot be found.
func (f *File[V]) missing(err error) {
	if f.tried == (fileState{size: -1}) {
		return
	}
	f.tried = fileState{size: -1}
	if f.kind.Optional && errors.Is(err, fs.ErrNotExist) && f.current.Load() == nil {
		f.log.Info("no "+f.kind.Name, "path", f.path)
		return
	}
	f.failed(fmt.Errorf("find the %s: %w", f.kind.Name, err))
}

// refused is told why a file was not taken over. A file that the system cannot
// open now (no descriptor, no memory, no permission) may be a good one, so it is
// tried again at the next look, and told again only when the reason changes.
//
// Whoever copies over the file in place changes the version that serves as well,
// because it is the same file; so that one is read again too.
func (f *File[V]) refused(err error) {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		f.tried = fileState{}
		if f.trouble == err.Error() {
			return
		}
		f.trouble = err.Error()
	}
	if damage := f.check(); damage != nil {
		err = fmt.Errorf("%w; what served until now is damaged as well", err)
	}
	f.failed(err)
}

func (f *File[V]) swap(v V) {
	fields := []any{"path", f.path}
	if f.kind.Loaded != nil {
		fields = append(fields, f.kind.Loaded(v)...)
	}
	if old := f.current.Swap(&open[V]{version: v}); old != nil {
		go old.retire()
	}
	f.log.Info(f.kind.Name+" loaded", fields...)
}

func (f *File[V]) failed(err error) {
	serving := "no " + f.kind.Name
	if f.current.Load() != nil {
		serving = "the " + f.kind.Name + " loaded before"
	}
	f.log.Error(f.kind.Name+" not loaded", "error", err.Error(), "serving", serving)
	if f.kind.Failed != nil {
		f.kind.Failed()
	}
}

func stateOf(path string) (fileState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	return fileState{modified: info.ModTime(), size: info.Size(), inode: inode(info)}, nil
}
