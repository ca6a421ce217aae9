package backfill

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life of a run (contract 60.59).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/backfill.golden", *update, life, Statuses(), Events())
}
