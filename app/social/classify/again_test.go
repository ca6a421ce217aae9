package classify

import (
	"testing"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileJudging: what a sync brings while others are judged is judged too.
func TestAskedWhileJudging(t *testing.T) {
	queuetest.Again[judging](t, func(tx *store.Tx) error { return Ask(tx, "org_1") })
}
