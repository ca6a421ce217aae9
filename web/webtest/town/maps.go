package town

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"svc/app/cli"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/tilebuild"
)

// The maps that a story can ask for.
const (
	Town     = "town"     // the invented town of town.go
	Delaware = "delaware" // the extract that every clone has
	None     = "none"
)

// Maps builds each map once.
type Maps struct {
	dir string
	mu  sync.Mutex
}

// NewMaps builds into a folder that lives as long as the test.
func NewMaps(tb testing.TB) *Maps { return &Maps{dir: tb.TempDir()} }

// mapTime is the modification time of built maps, which is their built_at.
var mapTime = time.Date(2026, time.November, 19, 20, 30, 0, 0, time.UTC)

// Path is the file of a map, "" for None.
func (m *Maps) Path(tb testing.TB, name string) string {
	tb.Helper()
	if name == None {
		return ""
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	out := filepath.Join(m.dir, name+".svcmap")
	if _, err := os.Stat(out); err == nil {
		return out
	}
	in := ""
	switch name {
	case Town:
		in = filepath.Join(m.dir, "town.osm.pbf")
		writeTown(tb, in)
	case Delaware:
		in = osmtest.Delaware(tb)
	default:
		tb.Fatalf("no map is called %q", name)
	}
	tiles := tilebuild.Options{Inputs: []string{in}, Out: cli.TilesPath(out), Version: "test"}
	if _, err := tilebuild.Run(tb.Context(), tiles); err != nil {
		tb.Fatalf("build the tiles of %s: %v", name, err)
	}
	if _, err := mapbuild.Run(tb.Context(), mapbuild.Options{Inputs: []string{in}, Out: out, Version: "test"}); err != nil {
		tb.Fatalf("build the map %s: %v", name, err)
	}
	if err := os.Chtimes(out, mapTime, mapTime); err != nil {
		tb.Fatal(err)
	}
	return out
}

func writeTown(tb testing.TB, path string) {
	tb.Helper()
	f, err := os.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	t := newTown()
	if err := osmtest.Write(f, t.options(), t.nodes, t.ways, t.relations); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
}
