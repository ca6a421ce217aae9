package store

import (
	"context"
	"testing"

	"svc/store/internal/query"
	"svc/store/kv"
)

// SetLoadCost makes lists prefer sorting in memory (0) or walking an index.
func SetLoadCost(t *testing.T, cost int) {
	old := query.LoadCost
	query.LoadCost = cost
	t.Cleanup(func() { query.LoadCost = old })
}

// SetFirstStep makes Among look at the other side after that many entries.
func SetFirstStep(t *testing.T, n int) {
	old := query.FirstStep
	query.FirstStep = n
	t.Cleanup(func() { query.FirstStep = old })
}

// Raw runs a closure on the engine below a store.
func Raw(db *DB, fn func(kv.Tx) error) error { return db.engine.Update(context.Background(), fn) }
