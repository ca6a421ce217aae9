package hook

import (
	"context"

	"svc/app/api"
	"svc/store"
	"svc/store/dispatch"
)

// settle writes what came of an attempt, and counts it in the record of its endpoint. A
// delivery that was cancelled or removed meanwhile stays so.
func (s *Service) settle(tx *store.Tx, e *dispatch.Entry[Webhook], a *attempt, o outcome) error {
	if o.verdict != tried && o.verdict != eventGone {
		return nil
	}
	d, err := deliveries.Get(tx, e.Org, a.delivery)
	if err != nil || !d.Status.open() {
		return store.IgnoreNotFound(err)
	}
	was := d.Status
	if o.verdict == eventGone {
		d.end(Cancelled, e.Now)
		return save(tx, e.Org, &d, was)
	}
	d.record(o.at, e.Now, o.answer, o.took, waitAfter(d.Attempts+1, o.random, o.answer.RetryAfter))
	if err := save(tx, e.Org, &d, was); err != nil {
		return err
	}
	switch {
	case o.answer.Failure != "":
		e.Failed()
	case d.Attempts == 1: // it was due when its delivery was made
		e.Took(e.Now.Sub(d.CreatedAt))
	default:
		e.Took(e.Now.Sub(o.at))
	}
	return s.tally(tx, e, o)
}

// tally counts an attempt in the record of its endpoint, and gives the endpoint up when
// too many failed in a row.
func (s *Service) tally(tx *store.Tx, e *dispatch.Entry[Webhook], o outcome) error {
	w, now := e.Record, e.Now
	w.LastDeliveryAt = &now
	if o.answer.Failure == "" {
		w.FailureStreak, w.LastSuccessAt = 0, &now
		return nil
	}
	if w.FailureStreak++; w.FailureStreak < maxStreak || w.Status != Active {
		return nil
	}
	return s.apply(tx, api.System(context.Background(), e.Org, now), w, gaveUp)
}
