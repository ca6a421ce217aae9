package hook

import (
	"context"
	"time"

	"svc/app/api"
	"svc/store"
)

const (
	// settledAtATime bounds the outcomes of one transaction.
	settledAtATime = 200
	// parkedFor is when an endpoint that was found disabled is looked at again.
	parkedFor = 30 * time.Second
)

// save writes outcomes until there are no more: all that came during one commit
// are the next one.
func (s *Service) save(ctx context.Context, ended <-chan outcome) {
	for o := range ended {
		list := []outcome{o}
		for len(list) < settledAtATime {
			select {
			case next, more := <-ended:
				if more {
					list = append(list, next)
					continue
				}
			default:
			}
			break
		}
		s.saveAll(ctx, list)
	}
}

// saveAll writes outcomes in one transaction, again until it can: what is not saved
// would be sent again.
func (s *Service) saveAll(ctx context.Context, list []outcome) {
	for {
		var done []settled
		err := s.db.Update(context.WithoutCancel(ctx), func(tx *store.Tx) (err error) {
			done, err = s.settle(tx, list)
			return err
		})
		if err == nil {
			s.lanes.note(func(n *notes) { n.settled = append(n.settled, done...) })
			return
		}
		s.log.Error("what came of deliveries cannot be saved", "error", err)
		if sleep(ctx, afterError); ctx.Err() != nil {
			return // they are open on the disk, and sent again at the next start
		}
	}
}

// settle writes outcomes in the order in which they came, each endpoint once.
func (s *Service) settle(tx *store.Tx, list []outcome) (done []settled, err error) {
	hooks, figures := map[laneID]*Webhook{}, figures{}
	for i := range list {
		o := &list[i]
		x := settled{lane: o.lane, delivery: o.delivery, parked: o.verdict == parked}
		if o.verdict == tried || o.verdict == eventGone {
			if x.next, err = s.settleOne(tx, o, hooks, &figures); err != nil {
				return nil, err
			}
		}
		switch o.verdict {
		case unknown:
			x.next = tx.DB().Now()
		case parked: // it may have been enabled since
			x.next = tx.DB().Now().Add(parkedFor)
		}
		done = append(done, x)
	}
	for id, w := range hooks {
		if w == nil {
			continue
		}
		if err := webhooks.Put(tx, id.org, w); err != nil {
			return nil, err
		}
	}
	return done, figures.save(tx)
}

// settleOne writes one outcome. A delivery that was cancelled or removed meanwhile
// stays so.
func (s *Service) settleOne(tx *store.Tx, o *outcome, hooks map[laneID]*Webhook, f *figures) (next time.Time, err error) {
	org, now := o.lane.org, tx.DB().Now()
	d, err := deliveries.Get(tx, org, o.delivery)
	if err != nil || !d.Status.open() {
		return next, store.IgnoreNotFound(err)
	}
	was := d.Status
	if o.verdict == eventGone {
		d.end(Cancelled, now)
		return next, save(tx, org, &d, was)
	}
	d.record(o.at, now, o.answer, o.took, waitAfter(d.Attempts+1, o.random, o.answer.RetryAfter))
	if err := save(tx, org, &d, was); err != nil {
		return next, err
	}
	f.note(o, &d, now)
	if d.NextAttemptAt != nil {
		next = *d.NextAttemptAt
	}
	return next, s.tally(tx, o, hooks)
}

// tally counts an attempt in the record of its endpoint, which settle saves, and
// gives the endpoint up when too many failed in a row.
func (s *Service) tally(tx *store.Tx, o *outcome, hooks map[laneID]*Webhook) error {
	w, known := hooks[o.lane]
	if !known {
		rec, err := webhooks.Get(tx, o.lane.org, o.lane.webhook)
		if err == nil {
			w = &rec
		} else if !store.IsNotFound(err) {
			return err
		}
		hooks[o.lane] = w
	}
	if w == nil {
		return nil
	}
	now := tx.DB().Now()
	w.LastDeliveryAt = &now
	if o.answer.Failure == "" {
		w.FailureStreak, w.LastSuccessAt = 0, &now
		return nil
	}
	if w.FailureStreak++; w.FailureStreak < maxStreak || w.Status != Active {
		return nil
	}
	return s.apply(tx, api.System(context.Background(), o.lane.org, now), w, gaveUp)
}
