package calendar

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates are the lives of a connection and of an action (contract 60.70 and 60.71).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/connection.golden", *update, connections, Statuses(), Events())
	apitest.Table(t, "testdata/action.golden", *update, actions, append([]ActionStatus{unborn}, ActionStatuses()...), ActionEvents())
}
