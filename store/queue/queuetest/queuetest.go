// Package queuetest helps the tests of what waits for a queue under a scheduler of its
// own: messages and deliveries, which administrators see as tasks.
package queuetest

import (
	"testing"

	"svc/store"
	"svc/store/queue"
)

// Lister lists tasks of a state.
type Lister interface {
	Tasks(tx *store.Tx, state queue.State, offset, limit int) (list []queue.Job, total int, err error)
}

// Tasks are all tasks of a state, read in pages of two. The test fails when they are not
// as many as the figures say.
func Tasks(tb testing.TB, tx *store.Tx, of Lister, figures func(*store.Tx) (queue.Stats, error), state queue.State) (list []queue.Job) {
	tb.Helper()
	for {
		page, total, err := of.Tasks(tx, state, len(list), 2)
		if err != nil {
			tb.Fatal(err)
		}
		if list = append(list, page...); len(page) > 0 {
			continue
		}
		stats, err := figures(tx)
		if err != nil || total != len(list) || stats.Counts[state] != total {
			tb.Errorf("%s: %d tasks of %d, and the figures say %d (%v)", state, len(list), total, stats.Counts[state], err)
		}
		return list
	}
}
