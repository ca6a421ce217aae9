package source

import (
	"testing"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileEmbedding: vectors that are asked for while some are made, as after another model was chosen, are made.
func TestAskedWhileEmbedding(t *testing.T) {
	queuetest.Again[Embed](t, func(tx *store.Tx) error { return askEmbed(tx, "org_00000000000000000000000001") })
}
