package browsertest

import (
	"io/fs"
	"os"
	"testing"

	"svc/embed/console"
	"svc/embed/sdk"
)

// page reports whether the page itself was built.
func page() bool {
	for _, name := range []string{"index.html", "index.html.gz"} {
		if _, err := fs.Stat(sdk.Files(), name); err == nil {
			return true
		}
	}
	return false
}

// Console ends the test, saying why, when this tree has no console: that of the
// binary would be a placeholder.
func Console(tb testing.TB) {
	tb.Helper()
	for _, name := range []string{"index.html", "index.html.gz"} {
		if _, err := fs.Stat(console.Files(), name); err == nil {
			return
		}
	}
	const why = "it needs the console: run make assets"
	if os.Getenv("CI") == "true" {
		tb.Fatal("not run: " + why)
	}
	tb.Skip("not run: " + why)
}
