// Package queuetest helps the tests of what waits for a queue under a scheduler of its
// own: messages and deliveries, which administrators see as tasks.
package queuetest

import (
	"slices"
	"testing"

	"svc/store"
	"svc/store/queue"
)

// Lister lists tasks of a state.
type Lister interface {
	Tasks(tx *store.Tx, state queue.State, w queue.Window) (queue.Jobs, error)
}

// Tasks are all tasks of a state, read in pages of two: by offset and by cursor. The test
// fails when the two are not the same, or not as many as the figures say.
func Tasks(tb testing.TB, tx *store.Tx, of Lister, figures func(*store.Tx) (queue.Stats, error), state queue.State) (list []queue.Job) {
	tb.Helper()
	read := func(w queue.Window) queue.Jobs {
		page, err := of.Tasks(tx, state, w)
		if err != nil {
			tb.Fatal(err)
		}
		return page
	}
	for {
		page := read(queue.Window{Offset: len(list), Limit: 2})
		if list = append(list, page.List...); len(page.List) > 0 {
			continue
		}
		stats, err := figures(tx)
		if err != nil || page.Total != len(list) || stats.Counts[state] != page.Total {
			tb.Errorf("%s: %d tasks of %d, and the figures say %d (%v)", state, len(list), page.Total, stats.Counts[state], err)
		}
		break
	}
	var followed []string
	for w := (queue.Window{Limit: 2}); ; {
		page := read(w)
		for i := range page.List {
			followed = append(followed, page.List[i].ID)
		}
		if w.After = page.Next; w.After == nil {
			break
		}
		if len(page.List) != 2 {
			tb.Errorf("%s: a page of %d tasks, and more are left", state, len(page.List))
		}
	}
	if !slices.EqualFunc(list, followed, func(j queue.Job, id string) bool { return j.ID == id }) {
		tb.Errorf("%s: by cursor %q, by offset %d tasks", state, followed, len(list))
	}
	return list
}
