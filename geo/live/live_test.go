package live

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm"
	"svc/geo/osm/osmtest"
	"svc/geo/search"
)

// told counts what the observer hears.
type told struct {
	mu             sync.Mutex
	loaded, failed int
	entries        int
}

func (o *told) MapLoaded(entries int, _ int64, _ time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.loaded++
	o.entries = entries
}

func (o *told) MapFailed() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed++
}

func (o *told) counts() (loaded, failed int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.loaded, o.failed
}

// makeMap builds a map of n villages at path.
func makeMap(t testing.TB, path string, n int) {
	t.Helper()
	var nodes []osm.Node
	for i := range n {
		nodes = append(nodes, osm.Node{ID: int64(i + 1), Lat: 413000000 + int32(i)*1000000, Lon: 692000000, Tags: osm.Tags{
			{Key: "place", Value: "village"}, {Key: "name", Value: fmt.Sprintf("Bahor %d", n)},
		}})
	}
	in := filepath.Join(t.TempDir(), "in.osm.pbf")
	f, err := os.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	if err := osmtest.Write(f, osmtest.Options{}, nodes, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: []string{in}, Out: path}); err != nil {
		t.Fatal(err)
	}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// answer asks the map that serves now: the number of villages, -1 without a map.
func answer(m *Map) int {
	engine, release := m.Acquire()
	defer release()
	if engine == nil {
		return -1
	}
	return len(engine.Search(search.Query{Text: "bahor", Limit: 50}).Results)
}

func TestWithoutMap(t *testing.T) {
	for name, path := range map[string]string{"no path": "", "missing": filepath.Join(t.TempDir(), "none.svcmap")} {
		var log bytes.Buffer
		o := &told{}
		m := New(path, time.Second, false, slog.New(slog.NewTextHandler(&log, nil)), o)
		if got := answer(m); got != -1 {
			t.Errorf("%s: answered %d", name, got)
		}
		loaded, failed := o.counts()
		if wantFailed := map[string]int{"no path": 0, "missing": 1}[name]; loaded != 0 || failed != wantFailed {
			t.Errorf("%s: loaded %d, failed %d", name, loaded, failed)
		}
		if (path != "") != bytes.Contains(log.Bytes(), []byte("map not loaded")) {
			t.Errorf("%s: log %s", name, log.String())
		}
	}
}

// TestReload drives a map through its life on a clock of its own: a change is
// seen at the next look, a bad or missing file keeps the old one, Reload does
// not wait.
func TestReload(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svcmap")
	makeMap(t, path, 1)
	for _, n := range []int{2, 3, 4} {
		makeMap(t, filepath.Join(dir, fmt.Sprintf("%d.svcmap", n)), n)
	}
	replace := func(n int) {
		t.Helper()
		if err := os.Rename(filepath.Join(dir, fmt.Sprintf("%d.svcmap", n)), path); err != nil {
			t.Fatal(err)
		}
	}
	good, err := os.ReadFile(filepath.Join(dir, "2.svcmap"))
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		o := &told{}
		m := New(path, 5*time.Second, false, quiet(), o)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- m.Run(ctx) }()
		expect := func(what string, want, loaded, failed int) {
			t.Helper()
			synctest.Wait()
			l, f := o.counts()
			if got := answer(m); got != want || l != loaded || f != failed {
				t.Fatalf("%s: answers %d, loaded %d, failed %d; want %d, %d, %d", what, got, l, f, want, loaded, failed)
			}
		}
		tick := func() { <-time.After(6 * time.Second) }
		expect("at start", 1, 1, 0)
		tick()
		expect("unchanged", 1, 1, 0)
		replace(2)
		expect("changed, not looked at", 1, 1, 0)
		tick()
		expect("changed", 2, 2, 0)

		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		tick()
		expect("gone", 2, 2, 1)
		tick()
		expect("still gone: told once", 2, 2, 1)
		write := func(b []byte) {
			if err := os.WriteFile(path, b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write([]byte("no map"))
		tick()
		expect("foreign", 2, 2, 2)
		tick()
		expect("still foreign: told once", 2, 2, 2)
		damaged := bytes.Clone(good)
		damage(t, damaged)
		write(damaged)
		tick()
		expect("damaged inside", 2, 2, 3)
		write(good[:len(good)/2])
		tick()
		expect("truncated", 2, 2, 4)
		replace(3)
		tick()
		expect("whole again", 3, 3, 4)

		replace(4)
		m.Reload()
		expect("asked to reload", 4, 4, 4)
		m.Reload()
		expect("asked again, unchanged", 4, 5, 4)
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

// damage changes one byte of a name: opening does not see it.
func damage(t *testing.T, file []byte) {
	t.Helper()
	at := bytes.Index(file, []byte("Bahor"))
	if at < 0 {
		t.Fatal("the file holds no name")
	}
	file[at] ^= 1
}

// TestDamagedFirst takes out a map that opens but is damaged inside.
func TestDamagedFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svcmap")
	makeMap(t, path, 1)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damage(t, data)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		o := &told{}
		m := New(path, 0, false, quiet(), o)
		if loaded, _ := o.counts(); loaded != 1 {
			t.Fatalf("loaded %d: the damage is in what opening reads", loaded)
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _ = m.Run(ctx) }()
		synctest.Wait()
		if _, failed := o.counts(); failed != 1 || answer(m) != -1 {
			t.Errorf("a damaged map serves: answers %d, failed %d", answer(m), failed)
		}
		cancel()
		synctest.Wait()
	})
}

// TestCutWhileRead: a file that shrinks under its mapping is an error, not the
// end of the process.
func TestCutWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svcmap")
	makeMap(t, path, 50)
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := x.Verify(); err == nil {
		t.Error("a map without bytes is whole")
	}
}

// TestSwapWhileServing changes the map under requests: each sees one map from
// beginning to end, and none is refused.
func TestSwapWhileServing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.svcmap")
	makeMap(t, path, 1)
	const rounds = 20
	for n := 2; n < 2+rounds; n++ {
		makeMap(t, filepath.Join(dir, fmt.Sprint(n)), n)
	}
	m := New(path, 0, false, quiet(), nil)
	stop := make(chan struct{})
	var users sync.WaitGroup
	for range 4 {
		users.Go(func() {
			last := 0
			for {
				select {
				case <-stop:
					return
				default:
				}
				engine, release := m.Acquire()
				entries := engine.Index().Meta.Entries
				got := len(engine.Search(search.Query{Text: "bahor", Limit: 50}).Results)
				release()
				if got != entries || entries < last {
					t.Errorf("%d results of a map of %d after one of %d", got, entries, last)
					return
				}
				last = entries
			}
		})
	}
	for n := 2; n < 2+rounds; n++ {
		if err := os.Rename(filepath.Join(dir, fmt.Sprint(n)), path); err != nil {
			t.Fatal(err)
		}
		m.load(false, true)
		if got := answer(m); got != n {
			t.Fatalf("map %d answers %d", n, got)
		}
	}
	close(stop)
	users.Wait()
}
