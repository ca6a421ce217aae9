package webtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"svc/geo/osm/osmtest"
)

// geopyVersion is what .cache/geopy is made with.
const geopyVersion = "2.5.0"

// Geopy is a Python that has it: a virtual environment below .cache, made once. A
// test that needs it says so and is skipped without Python or the network, and fails
// with CI=true.
func Geopy(tb testing.TB) (python string) {
	tb.Helper()
	dir := filepath.Join(osmtest.Root(tb), ".cache", "geopy")
	python, mark := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "version")
	if v, err := os.ReadFile(mark); err == nil && string(v) == geopyVersion {
		return python
	}
	cannot := func(why string, err error, out []byte) {
		tb.Helper()
		if os.Getenv("CI") == "true" {
			tb.Fatalf("not run: %s: %v\n%s", why, err, out)
		}
		tb.Skipf("not run: %s: %v\n%s", why, err, out)
	}
	if err := os.RemoveAll(dir); err != nil {
		tb.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), ".gitignore"), []byte("*\n"), 0o600); err != nil { // nothing in here is ever committed
		tb.Fatal(err)
	}
	if out, err := exec.CommandContext(tb.Context(), "python3", "-m", "venv", dir).CombinedOutput(); err != nil {
		cannot("it needs python3 with venv", err, out)
	}
	pip := exec.CommandContext(tb.Context(), python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "geopy=="+geopyVersion)
	if out, err := pip.CombinedOutput(); err != nil {
		cannot("PyPI did not give geopy "+geopyVersion, err, out)
	}
	if err := os.WriteFile(mark, []byte(geopyVersion), 0o600); err != nil {
		tb.Fatal(err)
	}
	return python
}
