package sync

import (
	"testing"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileCopying: pictures of posts that a sync brings while others are copied are copied too.
func TestAskedWhileCopying(t *testing.T) {
	queuetest.Again[picturing](t, func(tx *store.Tx) error { return askPictures(tx, "org_1", "cha_1") })
}
