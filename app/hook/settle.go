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

// tally counts an attempt in the record of its endpoint, which is probed when some failed
// in a row, and given up when too many did.
func (s *Service) tally(tx *store.Tx, e *dispatch.Entry[Webhook], o outcome) error {
	w, now := e.Record, e.Now
	w.LastDeliveryAt = &now
	if o.answer.Failure == "" {
		w.LastSuccessAt = &now
		return w.works(tx, e.Org)
	}
	w.FailureStreak++
	switch {
	case w.Status != Active:
		return nil
	case w.FailureStreak < maxStreak:
		return w.failed(tx, e.Org, o.at, now)
	}
	return s.apply(tx, api.System(context.Background(), e.Org, now), w, gaveUp)
}
