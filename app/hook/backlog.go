package hook

import (
	"time"

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

// figures are what one transaction adds to those of the queue webhooks.
type figures struct {
	took   []time.Duration // of deliveries that arrived, since they were due
	failed int
}

// note counts an attempt. A first one was due when its delivery was made.
func (f *figures) note(o *outcome, d *Delivery, now time.Time) {
	switch {
	case o.answer.Failure != "":
		f.failed++
	case d.Attempts == 1:
		f.took = append(f.took, now.Sub(d.CreatedAt))
	default:
		f.took = append(f.took, now.Sub(o.at))
	}
}

func (f *figures) save(tx *store.Tx) error {
	return queue.Counted(tx, queue.Webhooks, f.took, f.failed)
}
