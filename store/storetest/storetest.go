// Package storetest opens stores for tests. Every store it opens is checked, with
// all indexes, counts and sets, and bbolt's own check, when its test ends.
package storetest

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
)

// Open opens a new store with those tables in a folder of the test's own.
func Open(t testing.TB, tables ...store.AnyTable) *store.DB {
	t.Helper()
	return OpenWith(t, "", store.Options{Tables: tables})
}

// OpenWith opens a store at a path ("": a new one in a folder of the test's own),
// with a master key beside it unless the options name one.
func OpenWith(t testing.TB, path string, o store.Options) *store.DB {
	t.Helper()
	if path == "" {
		path = filepath.Join(t.TempDir(), "test.db")
	}
	if o.KeyFile == "" && o.Key.IsZero() {
		o.KeyFile = filepath.Join(filepath.Dir(path), "master.key")
	}
	if o.Engine == nil {
		o.Engine = engine(t, path)
	}
	db, err := store.Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Close(t, db) })
	return db
}

// Twice opens a store on a file whose engine runs every closure twice, which shows
// closures that do more than change the store.
func Twice(t testing.TB, tables ...store.AnyTable) *store.DB {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	return OpenWith(t, path, store.Options{Tables: tables, Engine: kvtest.Twice{Engine: b}})
}

// Close checks a store and closes it. A store that is closed already is left alone.
func Close(t testing.TB, db *store.DB) {
	t.Helper()
	err := db.Check(context.Background())
	if errors.Is(err, store.ErrClosed) {
		return
	}
	if err != nil {
		t.Errorf("the store of this test does not pass its check: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// Clock is a clock that a test moves while the service reads it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock starts at a fixed time.
func NewClock() *Clock { return &Clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }

// Now is the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add moves the clock.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Nodes opens as many stores as there are options over one engine, nil for one in memory:
// what several processes have of one database. Each has a clock of its own.
func Nodes(t testing.TB, e kv.Engine, options ...store.Options) (out []*store.DB) {
	t.Helper()
	if e == nil {
		e = kv.NewMemory()
	}
	t.Cleanup(func() { _ = e.Close() })
	key := filepath.Join(t.TempDir(), "master.key")
	for _, o := range options {
		if o.Engine == nil {
			o.Engine = e
		}
		o.Engine, o.KeyFile = kvtest.Shared{Engine: o.Engine}, key
		out = append(out, OpenWith(t, "", o))
	}
	return out
}
