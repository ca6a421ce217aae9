package send

import (
	"svc/store"
	"svc/store/queue"
)

// maxCounted bounds the messages on their way that are counted; there are no more than
// Options.Concurrency.
const maxCounted = 1000

// Backlog is what waits to be sent and what is on its way, of all organizations, as
// administrators see it beside the jobs of the queue send.
func Backlog(tx *store.Tx) (queue.Stats, error) {
	out := queue.Stats{Name: queue.Send, Counts: map[queue.State]int{}}
	w, err := waitsOf(tx)
	if err != nil {
		return out, err
	}
	out.Counts[queue.Active], out.Counts[queue.Pending], out.Counts[queue.Retry] = len(w.inFlight), max(0, w.pending), max(0, w.retry)
	now := tx.DB().Now()
	since, due, err := work.Oldest(tx, string(queue.Send), now)
	if due {
		out.OldestPending = now.Sub(since)
	}
	return out, err
}
