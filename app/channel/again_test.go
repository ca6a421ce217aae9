package channel

import (
	"testing"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileChecking: an account that is connected anew while its former token is checked is checked again.
func TestAskedWhileChecking(t *testing.T) {
	queuetest.Again[checking](t, func(tx *store.Tx) error { return (&Service{}).askCheck(tx, "org_1", "cha_1") })
}
