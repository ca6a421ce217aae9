package route_test

import (
	"flag"
	"os"
	"testing"

	"svc/geo/route"
	"svc/geo/route/routetest"
)

var update = flag.Bool("update", false, "record the real engine's answers again")

func TestMain(m *testing.M) { os.Exit(routetest.Main(m)) }

// TestRecorded holds the client to what the real engine once answered
// (testdata; data © OpenStreetMap contributors, ODbL). With -update it asks the
// real one and records.
func TestRecorded(t *testing.T) {
	var url string
	if *update {
		url = routetest.Record(t, "testdata", routetest.Start(t).URL).URL
	} else {
		url = routetest.Replay(t, "testdata").URL
	}
	routetest.Conform(t, &route.Client{BaseURL: url})
}

// TestRealEngine holds the client, the printed configuration and the engine to
// the same.
func TestRealEngine(t *testing.T) {
	routetest.Conform(t, &route.Client{BaseURL: routetest.Start(t).URL})
}
