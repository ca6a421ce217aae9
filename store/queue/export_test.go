package queue

import (
	"testing"

	"svc/store"
)

// CheckHours checks that at most n hours are remembered.
func CheckHours(t *testing.T, db *store.DB, n int) {
	t.Helper()
	err := db.View(t.Context(), func(tx *store.Tx) error {
		list, _, err := hours.Walk(tx, store.Platform, nil, 1000)
		if len(list) == 0 || len(list) > n {
			t.Errorf("%d hours are remembered, want at most %d", len(list), n)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
