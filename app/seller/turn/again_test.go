package turn

import (
	"testing"
	"time"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileLooking: a silence that begins while the job of the one before looks is looked
// into too.
func TestAskedWhileLooking(t *testing.T) {
	queuetest.Again[followUp](t, func(tx *store.Tx) error { return wakeLater(tx, "org_1", "cnv_1", time.Time{}) })
}

// TestAskedWhileShadowing: of each message a text is written, also while that of the one before
// is.
func TestAskedWhileShadowing(t *testing.T) {
	seq := int64(0)
	queuetest.Again[shadowed](t, func(tx *store.Tx) error {
		seq++
		return askShadow(tx, shadowed{"org_1", "cnv_1", seq})
	})
}
