package store

import (
	"context"
	"testing"

	"svc/store/kv"
)

// SetLoadCost makes lists prefer sorting in memory (0) or walking an index.
func SetLoadCost(t *testing.T, cost int) {
	old := loadCost
	loadCost = cost
	t.Cleanup(func() { loadCost = old })
}

// SetFirstStep makes Among look at the other side after that many entries.
func SetFirstStep(t *testing.T, n int) {
	old := firstStep
	firstStep = n
	t.Cleanup(func() { firstStep = old })
}

// Raw runs a closure on the engine below a store.
func Raw(db *DB, fn func(kv.Tx) error) error { return db.engine.Update(context.Background(), fn) }
