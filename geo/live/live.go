// Package live keeps a map open while it serves, and changes it for a newer
// one without dropping a request.
//
// It promises that a request sees one map from beginning to end, that a new
// file is checked whole before it serves, and that a bad one leaves the old one
// serving and is told to the log and to the metrics. A map that was written over
// in place is taken out as soon as that is noticed. It refuses nothing at
// start: without a map the service runs and says that it has none.
package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"svc/geo/index"
	"svc/geo/search"
)

// Observer hears what happens to the map; metrics implement it.
type Observer interface {
	MapLoaded(entries int, bytes int64, builtAt time.Time)
	MapFailed()
}

// Map is the map that serves now, if any.
type Map struct {
	path     string
	every    time.Duration
	log      *slog.Logger
	observer Observer

	mu      sync.Mutex // held by whoever loads
	tried   fileState  // the last file looked at, good or bad
	trouble string     // why the system could not open it, when that was told last
	current atomic.Pointer[open]
	wake    chan struct{}
}

// open is one open map and its users.
type open struct {
	engine *search.Engine
	users  sync.WaitGroup
	mu     sync.RWMutex // users enter under read lock; retiring takes the write lock
	closed bool
}

// fileState tells one version of a file from another.
type fileState struct {
	modified time.Time
	size     int64
	inode    any
}

// New opens the map at path, or says in the log why it cannot. An empty path
// is a service without a map. reload is how often the file is looked at; 0 is
// never. observer may be nil.
func New(path string, reload time.Duration, log *slog.Logger, observer Observer) *Map {
	m := &Map{path: path, every: reload, log: log, observer: observer, wake: make(chan struct{}, 1)}
	if path != "" {
		m.load(false, false)
	}
	return m
}

// Run looks at the file until ctx ends, and whenever Reload asks.
func (m *Map) Run(ctx context.Context) error {
	var tick <-chan time.Time
	if m.every > 0 && m.path != "" {
		t := time.NewTicker(m.every)
		defer t.Stop()
		tick = t.C
	}
	m.verifyFirst()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick:
			m.load(false, true)
		case <-m.wake:
			m.load(true, true)
		}
	}
}

// Reload asks Run to load the file again, changed or not.
func (m *Map) Reload() {
	select {
	case m.wake <- struct{}{}:
	default: // asked already
	}
}

// verifyFirst reads the whole map that serving began with, beside serving: a
// damaged one is taken out.
func (m *Map) verifyFirst() {
	if err := m.check(); err != nil {
		m.failed(err)
	}
}

// check reads the whole map that serves and takes it out when it is damaged.
// No answer is better than a wrong one.
func (m *Map) check() error {
	o := m.current.Load()
	if o == nil || !o.enter() {
		return nil
	}
	err := o.engine.Index().Verify()
	o.users.Done()
	if err != nil && m.current.CompareAndSwap(o, nil) {
		go o.retire()
	}
	return err
}

// Acquire gives the engine of the map that serves now, and the function that
// lets it go. Without a map the engine is nil. What was read from the engine is
// valid until then.
func (m *Map) Acquire() (*search.Engine, func()) {
	for {
		o := m.current.Load()
		if o == nil {
			return nil, func() {}
		}
		if o.enter() {
			return o.engine, o.users.Done
		}
	}
}

func (o *open) enter() bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return false
	}
	o.users.Add(1)
	return true
}

// retire waits for the last user and gives the pages back.
func (o *open) retire() {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	o.users.Wait()
	_ = o.engine.Index().Close() // nothing is left to do about a mapping that will not go
}

// load opens the file when it has changed, or in any case when asked to.
// whole reads all of it before it serves; at start that is done beside serving.
func (m *Map) load(asked, whole bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		return
	}
	state, err := stateOf(m.path)
	if err != nil {
		if m.tried != (fileState{size: -1}) {
			m.tried = fileState{size: -1}
			m.failed(fmt.Errorf("find the map: %w", err))
		}
		return
	}
	if state == m.tried && !asked {
		return
	}
	m.tried = state
	x, err := index.Open(m.path)
	if err == nil && whole {
		if err = x.Verify(); err != nil {
			_ = x.Close() // the map is refused already
		}
	}
	if err != nil {
		m.refused(err)
		return
	}
	m.trouble = ""
	m.swap(x)
}

// refused is told why a file was not taken over. A file that the system cannot
// open now (no descriptor, no memory, no permission) may be a good one, so it is
// tried again at the next look, and told again only when the reason changes.
//
// Whoever copies over the file in place changes the map that serves as well,
// because it is the same file; so that one is read again too.
func (m *Map) refused(err error) {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		m.tried = fileState{}
		if m.trouble == err.Error() {
			return
		}
		m.trouble = err.Error()
	}
	if damage := m.check(); damage != nil {
		err = fmt.Errorf("%w; what served until now is damaged as well", err)
	}
	m.failed(err)
}

func (m *Map) swap(x *index.Index) {
	old := m.current.Swap(&open{engine: search.New(x)})
	if old != nil {
		go old.retire()
	}
	m.log.Info("map loaded", "path", m.path, "entries", x.Meta.Entries, "bytes", x.Size(), "built_at", x.Meta.BuiltAt)
	if m.observer != nil {
		m.observer.MapLoaded(x.Meta.Entries, x.Size(), x.Meta.BuiltAt)
	}
}

func (m *Map) failed(err error) {
	serving := "no map"
	if m.current.Load() != nil {
		serving = "the map loaded before"
	}
	m.log.Error("map not loaded", "error", err.Error(), "serving", serving)
	if m.observer != nil {
		m.observer.MapFailed()
	}
}

func stateOf(path string) (fileState, error) {
	info, err := os.Stat(path)
	if err != nil {
		return fileState{}, err
	}
	return fileState{modified: info.ModTime(), size: info.Size(), inode: inode(info)}, nil
}
