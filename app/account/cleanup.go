package account

import (
	"context"
	"time"

	"svc/store"
)

// tendedAtATime bounds one transaction of the tending.
const tendedAtATime = 100

// Cleanup ends sign-ins whose time is over, forgets old ones, sums up the hours that are
// past, and removes old activity.
func (s *Service) Cleanup(ctx context.Context) error {
	for _, part := range []func(*store.Tx) (int, error){endFlows, sumUp, dropActivity} {
		for n := tendedAtATime; n == tendedAtATime; {
			err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
				n, err = part(tx)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// endFlows ends the open sign-ins that ran out, whose secrets go with it, and forgets
// those that were over a day ago.
func endFlows(tx *store.Tx) (int, error) {
	until := tx.DB().Now().Add(time.Millisecond) // exclusive, and now is due
	page, _, err := flowsDue.Walk(tx, store.Range{Span: store.Between(nil, store.Time(until)), Limit: tendedAtATime})
	for i := range page {
		f, org := &page[i].Record, page[i].Org
		if err != nil {
			return 0, err
		}
		if !f.open() {
			err = flows.Delete(tx, org, f.ID)
			continue
		}
		if err = f.happens(tx, org, ranOut); err == nil {
			err = flows.Put(tx, org, f)
		}
	}
	return len(page), err
}

// sumUp writes the summaries of hours that are past.
func sumUp(tx *store.Tx) (int, error) {
	hour := tx.DB().Now().Truncate(time.Hour) // the one that is under way is left alone
	page, _, err := unsummed.Walk(tx, store.Range{Span: store.Between(nil, store.Time(hour)), Limit: tendedAtATime})
	for i := range page {
		p, org := &page[i].Record, page[i].Org
		if err == nil {
			err = summarize(tx, org, p)
		}
		if err == nil {
			err = paces.Put(tx, org, p)
		}
	}
	return len(page), err
}

func dropActivity(tx *store.Tx) (int, error) {
	before := tx.DB().Now().Add(-activityKept)
	page, _, err := oldActivity.Walk(tx, store.Range{Span: store.Between(nil, store.Time(before)), Limit: tendedAtATime})
	for i := range page {
		if err == nil {
			err = activities.Delete(tx, page[i].Org, page[i].Record.ID)
		}
	}
	return len(page), err
}
