package browsertest

import (
	"io/fs"

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
