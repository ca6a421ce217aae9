package account

import (
	"context"
	"time"

	"svc/app/account/login"
	"svc/store"
)

// cleanedAtATime bounds one transaction of the cleanup.
const cleanedAtATime = 100

// Cleanup ends sign-ins whose time is over, forgets old ones, sums up the hours that are
// past, and removes old activity.
func (s *Service) Cleanup(ctx context.Context) error {
	for _, part := range []func(*store.Tx, int) (int, error){login.Cleanup, sumUp, dropActivity} {
		for n := cleanedAtATime; n == cleanedAtATime; {
			err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
				n, err = part(tx, cleanedAtATime)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// sumUp writes the summaries of hours that are past.
func sumUp(tx *store.Tx, limit int) (int, error) {
	hour := tx.DB().Now().Truncate(time.Hour) // the one that is under way is left alone
	page, _, err := unsummed.Walk(tx, store.Range{Span: store.Between(nil, store.Time(hour)), Limit: limit})
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

func dropActivity(tx *store.Tx, limit int) (int, error) {
	before := tx.DB().Now().Add(-activityKept)
	page, _, err := oldActivity.Walk(tx, store.Range{Span: store.Between(nil, store.Time(before)), Limit: limit})
	for i := range page {
		if err == nil {
			err = activities.Delete(tx, page[i].Org, page[i].Record.ID)
		}
	}
	return len(page), err
}
