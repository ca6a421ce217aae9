package hook

import (
	"context"

	"svc/app/event"
	"svc/store"
	"svc/store/queue"
)

// changedAtATime bounds the deliveries that one transaction of a job changes.
const changedAtATime = 200

// Work registers the jobs of the slice.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.clear)
	queue.Register(w, s.recoverEvents)
}

// clearing cancels what an endpoint that was disabled would still send, or removes
// all deliveries of one that was removed.
type clearing struct {
	Org     string `json:"org"`
	Webhook string `json:"webhook"`
	Remove  bool   `json:"remove,omitempty"`
}

// Kind names the job.
func (clearing) Kind() string { return "webhook.clear" }

// Queue is where it waits.
func (clearing) Queue() queue.Name { return queue.Webhooks }

func (s *Service) clear(ctx context.Context, j queue.Job, a clearing) error {
	for done := false; !done; {
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			if a.Remove {
				done, err = removeSome(tx, a)
			} else {
				done, err = cancelSome(tx, a)
			}
			if err == nil && done {
				err = queue.Finish(tx, j)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func removeSome(tx *store.Tx, a clearing) (done bool, err error) {
	of := store.Is(store.Tuple(store.Text(a.Webhook)))
	list, next, err := byWebhook.Walk(tx, a.Org, store.Range{Span: of, Limit: changedAtATime})
	for i := range list {
		if err == nil {
			err = remove(tx, a.Org, &list[i])
		}
	}
	return next == nil, err
}

// cancelSome stops when the endpoint is active again.
func cancelSome(tx *store.Tx, a clearing) (done bool, err error) {
	w, err := webhooks.Get(tx, a.Org, a.Webhook)
	if err != nil || w.Status == Active {
		return true, store.IgnoreNotFound(err)
	}
	list, next, err := open.Walk(tx, store.Range{Span: store.Is(store.Tuple(store.Text(a.Webhook))), Limit: changedAtATime})
	for i := range list {
		d := &list[i].Record
		was := d.Status
		d.end(Cancelled, tx.DB().Now())
		if err == nil {
			err = save(tx, a.Org, d, was)
		}
	}
	return next == nil, err
}

// recovery queues the events that an endpoint missed.
type recovery struct {
	Org        string `json:"org"`
	Webhook    string `json:"webhook"`
	After      string `json:"after"` // an event: those behind it, as far as the job has come
	UpTo       string `json:"up_to"` // the newest event when it was asked for
	OnlyFailed bool   `json:"only_failed,omitempty"`
	Waiting    bool   `json:"waiting,omitempty"` // those that wait for another attempt come at once
}

// Kind names the job.
func (recovery) Kind() string { return "webhook.recover" }

// Queue is where it waits.
func (recovery) Queue() queue.Name { return queue.Webhooks }

func (s *Service) recoverEvents(ctx context.Context, j queue.Job, a recovery) error {
	for done := false; !done; {
		next := a
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			if next, done, err = s.recoverSome(tx, a); err != nil {
				return err
			}
			if done {
				return queue.Finish(tx, j)
			}
			return queue.Progress(tx, j, next)
		})
		if err != nil {
			return err
		}
		a = next
	}
	return nil
}

// recoverSome queues the next events. It stops when the endpoint is disabled again
// or gone.
func (s *Service) recoverSome(tx *store.Tx, a recovery) (next recovery, done bool, err error) {
	w, err := webhooks.Get(tx, a.Org, a.Webhook)
	if err != nil || w.Status != Active {
		return a, true, store.IgnoreNotFound(err)
	}
	list, err := event.After(tx, a.Org, a.After, changedAtATime)
	if err != nil {
		return a, false, err
	}
	for i := range list {
		e := &list[i]
		if e.ID > a.UpTo {
			done = true
			break
		}
		a.After = e.ID
		if e.Type == event.WebhookTest || e.Type == event.WebhookDisabled || !w.subscribed(e.Type) {
			continue
		}
		if err := recoverOne(tx, a, &w, e); err != nil {
			return a, false, err
		}
	}
	return a, done || len(list) < changedAtATime, wakeNow(tx, a.Org, a.Webhook)
}

// recoverOne queues an event that the endpoint has not received. What was received,
// or is on its way, is left alone.
func recoverOne(tx *store.Tx, a recovery, w *Webhook, e *event.Stored) error {
	d, err := byPair.Find(tx, a.Org, store.Tuple(store.Text(w.ID), store.Text(e.ID)))
	switch {
	case store.IsNotFound(err) && a.OnlyFailed:
		return nil
	case store.IsNotFound(err):
		if err := insert(tx, a.Org, w, &e.Event); err != nil {
			return err
		}
		return event.Delivered(tx, a.Org, e.ID, event.Deliveries{Pending: 1})
	case err != nil:
		return err
	case d.Status == Failed, d.Status == Cancelled && !a.OnlyFailed, d.Status == Retrying && a.Waiting:
		was := d.Status
		d.again(tx.DB().Now())
		return save(tx, a.Org, &d, was)
	}
	return nil
}
