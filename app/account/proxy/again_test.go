package proxy

import (
	"testing"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileChecking: a proxy that is changed while it is checked is checked again.
func TestAskedWhileChecking(t *testing.T) {
	queuetest.Again[checking](t, func(tx *store.Tx) error { return checkLater(tx, "org_1", "prx_1") })
}
