package geotest

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMaps runs every file of geo/testdata.
func TestMaps(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.geo")
	if err != nil || len(files) == 0 {
		t.Fatalf("no map files: %v", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".geo"), func(t *testing.T) { Run(t, f) })
	}
}

// TestRefuses keeps a misspelt file from passing.
func TestRefuses(t *testing.T) {
	for _, line := range []string{
		"x1 0,0 a=b", "n1 0 a=b", "n1 0,0 1,1 a=b", "w1 0,0 here a=b", "r1 w1", "r1 outer:x1",
		"option colour=red", "repeat 3 n1 0,0", `n1 0,0 name="open`, "serach nothing", "option bounds=1,2,3",
	} {
		if err := newWorld().draw(line); err == nil {
			t.Errorf("%s: accepted", line)
		}
	}
	w := newWorld()
	if err := w.draw("n1 0,0 place=city name=X"); err != nil {
		t.Fatal(err)
	}
	b := w.build(t)
	for _, line := range []string{
		"search", `search "x" nearby=0,0`, `search "x" show=colour`, `search "x" kinds=cafe`, `search "x" near=0`,
		"reverse", "reverse north", "lookup x", "nearby 0,0 limit=many", "place x", "geometry x1", "reverse 0,0 radius=3",
	} {
		if out, err := b.ask(line); err == nil {
			t.Errorf("%s: answered %q", line, out)
		}
	}
}
