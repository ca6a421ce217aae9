package provider

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestLife draws the state table (contract 12.1).
func TestLife(t *testing.T) {
	apitest.Table(t, "testdata/life.golden", *update, providerLife, []Status{Active, Failing, Disabled},
		[]transition{rejected, answered, changed, enabled, disabled})
}
