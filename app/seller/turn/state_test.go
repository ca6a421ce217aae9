package turn

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life of a turn (contract 60.28).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/turn.golden", *update, phases, Phases(), Events())
}
