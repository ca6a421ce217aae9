package send

import (
	"svc/store"
	"svc/store/queue"
)

// Backlog is what waits to be sent and what is on its way, of all organizations, as
// administrators see it beside the jobs of the queue send.
func Backlog(tx *store.Tx) (queue.Stats, error) {
	n, err := everywhere.Counts(tx)
	out := queue.Stats{Name: queue.Send, Counts: map[queue.State]int{
		queue.Pending: n[string(Waiting)], queue.Active: n[string(Sending)],
	}}
	if err != nil {
		return out, err
	}
	first, _, err := due.Walk(tx, store.Range{Span: store.All(), Limit: 1})
	if err == nil && len(first) > 0 {
		out.OldestPending = max(0, tx.DB().Now().Sub(first[0].Record.NextAt))
	}
	return out, err
}
