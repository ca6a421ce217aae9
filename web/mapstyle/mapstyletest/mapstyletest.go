// Package mapstyletest finds the fonts, sprites and styles that tests of the
// real files need. It promises that a test without them says so, and fails on
// the build machine. It refuses to build them.
package mapstyletest

import (
	"io/fs"
	"os"
	"testing"

	"svc/embed/assets"
)

// Files gives the files that the binary carries. When they were not built the
// test is skipped with the reason; with CI=true it fails.
func Files(tb testing.TB) fs.FS {
	tb.Helper()
	if assets.Built() {
		return assets.Files()
	}
	if os.Getenv("CI") == "true" {
		tb.Fatalf("the fonts, sprites and styles are not built: run %q first", assets.Command)
	}
	tb.Skipf("not run: it needs the built fonts, sprites and styles, run %q", assets.Command)
	return nil
}
