package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// TestAnInterruptedBuildSaysSo: Ctrl-C in a build names what was not written,
// and leaves no file.
func TestAnInterruptedBuildSaysSo(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.osm.pbf"), filepath.Join(dir, "a.svcmap")
	f, err := os.Create(in)
	if err != nil {
		t.Fatal(err)
	}
	node := osm.Node{ID: 1, Lat: 413000000, Lon: 692000000, Tags: osm.Tags{{Key: "place", Value: "village"}, {Key: "name", Value: "Bahor"}}}
	if err := osmtest.Write(f, osmtest.Options{}, []osm.Node{node}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	cmd := New(Parts{Stdout: io.Discard, Stderr: io.Discard})
	cmd.SetArgs([]string{"map", "build", in, "--out", out})
	err = cmd.ExecuteContext(ctx)
	if err == nil || !strings.Contains(err.Error(), "interrupted") || !strings.Contains(err.Error(), out) {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "a.*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
