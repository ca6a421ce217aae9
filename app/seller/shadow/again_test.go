package shadow

import (
	"testing"

	"svc/store"
	"svc/store/queue/queuetest"
)

// TestAskedWhileComparing: the next case of a conversation is compared too.
func TestAskedWhileComparing(t *testing.T) {
	queuetest.Again[compare](t, func(tx *store.Tx) error { return ask(tx, "org_1", "cnv_1") })
}
