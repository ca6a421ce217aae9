package queue

import (
	"testing"

	"svc/store"
	"svc/store/dispatch"
)

// CheckHours checks that at most n hours are remembered.
func CheckHours(t *testing.T, db *store.DB, n int) {
	t.Helper()
	err := db.View(t.Context(), func(tx *store.Tx) error {
		hours, err := dispatch.Remembered(tx)
		if hours == 0 || hours > n {
			t.Errorf("%d hours are remembered, want at most %d", hours, n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
