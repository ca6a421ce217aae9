package network

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life of a part of a reply (contract 60.53).
func TestStates(t *testing.T) {
	states := []PartState{Waiting, Calling, Uncertain, Sent, Refused}
	apitest.Table(t, "testdata/part.golden", *update, partLife, states, states)
}
