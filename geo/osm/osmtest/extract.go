package osmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Extract gives the path of a real extract, such as "malta.osm.pbf". Extracts
// are no part of the product: they are looked for in the folder the variable
// SVC_TEST_OSM names, or without it in shared/osm beside the repository. When
// the extract is not there the test is skipped with the reason; with CI=true
// and SVC_TEST_OSM set it fails.
func Extract(tb testing.TB, name string) string {
	tb.Helper()
	dir, set := os.LookupEnv("SVC_TEST_OSM")
	if !set || dir == "" {
		set = false
		dir = filepath.Join(Root(tb), "..", "shared", "osm")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		if set && os.Getenv("CI") == "true" {
			tb.Fatalf("the extract %s is not in the folder SVC_TEST_OSM names: %v", name, err)
		}
		tb.Skipf("not run: it needs the real extract %s, set SVC_TEST_OSM to a folder that has it", name)
	}
	return path
}

// Root gives the folder of go.mod: with -trimpath no source tells where it is.
func Root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Delaware gives the path of the extract that the module
// github.com/paulmach/osm carries: 8 MB, on every machine that builds the
// product. Not finding it fails the test.
func Delaware(tb testing.TB) string {
	tb.Helper()
	cmd := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/paulmach/osm")
	cmd.Dir = Root(tb)
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("find the module github.com/paulmach/osm: %v", err)
	}
	path := filepath.Join(strings.TrimSpace(string(out)), "testdata", "delaware-latest.osm.pbf")
	if _, err := os.Stat(path); err != nil {
		tb.Fatalf("the extract of the module github.com/paulmach/osm: %v", err)
	}
	return path
}
