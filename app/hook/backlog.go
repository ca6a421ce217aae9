package hook

import (
	"svc/store"
	"svc/store/queue"
)

// Backlog is what waits to be delivered, of all organizations, as administrators see
// it beside the jobs of the queue webhooks.
func Backlog(tx *store.Tx) (queue.Stats, error) {
	open, err := openCount.Counts(tx)
	return queue.Stats{Name: queue.Webhooks, Counts: map[queue.State]int{
		queue.Pending: open[string(Pending)], queue.Retry: open[string(Retrying)],
	}}, err
}
