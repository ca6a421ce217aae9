package draft

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life of a draft (contract 60.27).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/draft.golden", *update, life, Statuses(), Events())
}
