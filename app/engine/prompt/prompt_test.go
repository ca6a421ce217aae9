package prompt

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestLife draws the state table (contract 12.1).
func TestLife(t *testing.T) {
	apitest.Table(t, "testdata/life.golden", *update, versionLife, []VersionStatus{Draft, Testing, InUse, Archived},
		[]versionTransition{tested, activated, replaced, lost})
}
