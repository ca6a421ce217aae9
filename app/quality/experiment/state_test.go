package experiment

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life that contract 60.47 describes.
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/experiment.golden", *update, life, Statuses(), Transitions())
}
