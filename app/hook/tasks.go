package hook

import (
	"strings"

	"svc/store"
	"svc/store/queue"
)

// Tasks lists the deliveries of all organizations that wait, as tasks of the queue
// webhooks: endpoint after endpoint, each in the order in which they go out. One that is
// under way waits until its answer is saved. A page costs the
// endpoints before it; a cursor is the id of an endpoint, and behind a blank where to go
// on in it.
func (s *Service) Tasks(tx *store.Tx, state queue.State, w queue.Window) (out queue.Jobs, err error) {
	part, status := first, Pending
	switch state {
	case queue.Pending:
	case queue.Retry:
		part, status = retry, Retrying
	default:
		return out, nil
	}
	if out.Total, err = openCount.Count(tx, string(status)); err != nil || w.Offset >= out.Total {
		return out, err
	}
	begin, after, _ := strings.Cut(string(w.After), " ")
	from := store.All()
	if begin != "" {
		from = store.Between(store.Tuple(store.Text(begin)), store.Key(nil))
	}
	// What is open of an endpoint lies together, and of that what has this status.
	for {
		next, _, err := open.Walk(tx, store.Range{Span: from, Limit: 1})
		if err != nil || len(next) == 0 {
			return out, err
		}
		id := next[0].Record.WebhookID
		webhook, room := store.Text(id), w.Limit-len(out.List)
		r := store.Range{Span: store.Is(store.Tuple(webhook, part)), Limit: w.Offset + max(1, room)}
		if id == begin && after != "" {
			r.After = store.Cursor(after)
		}
		found, behind, err := open.Walk(tx, r)
		switch {
		case err != nil:
			return out, err
		case room == 0 && len(found) > 0:
			out.Next = store.Cursor(id + " ") // its beginning
			return out, nil
		}
		passed := min(w.Offset, len(found))
		w.Offset -= passed
		for i := range found[passed:] {
			of := &found[passed+i]
			out.List = append(out.List, of.Record.task(of.Org, state))
		}
		if behind != nil {
			out.Next = append(store.Cursor(id+" "), behind...)
			return out, nil
		}
		from = store.Between(store.Tuple(webhook, behindAll), store.Key(nil))
	}
}

// task is a delivery as administrators see it: nothing of what it says.
func (d *Delivery) task(org string, state queue.State) queue.Job {
	t := queue.Job{
		ID: d.ID, Queue: queue.Webhooks, Kind: "webhook.deliver", State: state, At: d.CreatedAt, Attempts: d.Attempts, MaxAttempts: d.MaxAttempts,
		Org: org, Resource: d.WebhookID, CreatedAt: d.CreatedAt,
	}
	if d.NextAttemptAt != nil {
		t.At = *d.NextAttemptAt
	}
	if d.Error != nil {
		t.LastError = string(*d.Error)
	}
	if n := len(d.AttemptLog); n > 0 && d.AttemptLog[n-1].Error != nil {
		t.LastFailedAt = d.AttemptLog[n-1].At
	}
	return t
}

// Task finds a delivery that waits, in any organization: store.ErrNotFound when there
// is none of that id.
func (s *Service) Task(tx *store.Tx, id string) (queue.Job, error) {
	of, err := deliveries.Anywhere(tx, id)
	if err != nil {
		return queue.Job{}, err
	}
	switch d := &of.Record; d.Status {
	case Pending:
		return d.task(of.Org, queue.Pending), nil
	case Retrying:
		return d.task(of.Org, queue.Retry), nil
	}
	return queue.Job{}, store.ErrNotFound
}

// RetryTask lets a delivery be tried now that waits for another try.
func (s *Service) RetryTask(tx *store.Tx, t queue.Job) error {
	return s.changeTask(tx, t, func(d *Delivery) { d.again(tx.DB().Now()) })
}

// DropTask cancels a delivery. An attempt that is under way changes nothing about that.
func (s *Service) DropTask(tx *store.Tx, t queue.Job) error {
	return s.changeTask(tx, t, func(d *Delivery) { d.end(Cancelled, tx.DB().Now()) })
}

func (s *Service) changeTask(tx *store.Tx, t queue.Job, change func(*Delivery)) error {
	d, err := deliveries.Get(tx, t.Org, t.ID)
	if err != nil {
		return err
	}
	was := d.Status
	change(&d)
	if err := wakeNow(tx, t.Org, d.WebhookID); err != nil {
		return err
	}
	return save(tx, t.Org, &d, was)
}
