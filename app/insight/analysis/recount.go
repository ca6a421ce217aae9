package analysis

import (
	"context"
	"time"

	"svc/app/insight/sums"
	"svc/store"
	"svc/store/queue"
)

// recounting is the nightly job that proves the sums.
type recounting struct{}

// Kind implements queue.Args.
func (recounting) Kind() string { return "insight.recount" }

// Queue implements queue.Args.
func (recounting) Queue() queue.Name { return queue.Maintenance }

const recountEvery = 24 * time.Hour

// Schedule asks for the nightly job.
func Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, recounting{}, tx.DB().Now().Add(recountEvery), queue.Once("nightly"))
	return err
}

func (s *Service) recountAll(ctx context.Context, _ queue.Job, _ recounting) error {
	var orgs []string
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		orgs, err = sums.Conversations.EachOwner(tx)
		return err
	})
	for _, org := range orgs {
		if err != nil {
			break
		}
		var wrong int
		if wrong, err = s.Recount(ctx, org); wrong > 0 {
			s.log.Error("sums of boards were not those of the conversations; they are put right", "organization", org, "places", wrong)
		}
	}
	if err != nil {
		return err
	}
	return queue.Snooze(recountEvery)
}

// placesAtOnce is how many places one transaction of a recount reads.
const placesAtOnce = 20

// Recount adds up the conversations of an organization again and answers at how many places
// the sums are not those that are kept. Such sums are put right.
func (s *Service) Recount(ctx context.Context, org string) (wrong int, err error) {
	var after store.Cursor
	for {
		var places []sums.Place
		var next store.Cursor
		err := s.db.View(ctx, func(tx *store.Tx) (err error) {
			places, next, err = sums.Conversations.Page(tx, org, after, placesAtOnce)
			return err
		})
		if err != nil {
			return wrong, err
		}
		for _, p := range places {
			bad, err := s.recount(ctx, org, p)
			if err != nil {
				return wrong, err
			}
			if bad {
				wrong++
			}
		}
		if after = next; after == nil {
			break
		}
	}
	lost, err := s.withoutSums(ctx, org)
	return wrong + lost, err
}

// recount compares one place, and puts its sums right when they differ.
func (s *Service) recount(ctx context.Context, org string, p sums.Place) (bad bool, err error) {
	compare := func(tx *store.Tx) (now sums.Counts, err error) {
		kept, err := sums.Conversations.Of(tx, org, p)
		if err != nil {
			return now, err
		}
		if now, err = countPlace(tx, org, p); err == nil {
			bad = !now.Equal(&kept)
		}
		return now, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) error { _, err := compare(tx); return err })
	if err != nil || !bad {
		return false, err
	}
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		now, err := compare(tx)
		if err != nil || !bad {
			return err
		}
		return sums.Conversations.Set(tx, org, p, now)
	})
	return bad, err
}

// rowsAtOnce is how many conversations one step of a walk reads.
const rowsAtOnce = 500

func countPlace(tx *store.Tx, org string, p sums.Place) (out sums.Counts, err error) {
	for a, err := range ofPlace.Each(tx, org, store.Is(placeKey(p))) {
		if err != nil {
			return out, err
		}
		c := a.counts()
		out.Add(&c, 1)
	}
	return out, nil
}

// withoutSums puts right places that have conversations and no sums, and counts them.
func (s *Service) withoutSums(ctx context.Context, org string) (wrong int, err error) {
	var after store.Cursor
	for {
		found := map[sums.Place]bool{}
		err := s.db.View(ctx, func(tx *store.Tx) error {
			list, next, err := table.Walk(tx, org, after, rowsAtOnce)
			if err != nil {
				return err
			}
			for i := range list {
				p := list[i].Place
				if _, seen := found[p]; seen {
					continue
				}
				kept, err := sums.Conversations.Of(tx, org, p)
				if err != nil {
					return err
				}
				found[p] = kept.Empty()
			}
			after = next
			return nil
		})
		if err != nil {
			return wrong, err
		}
		for p, lacks := range found {
			if !lacks {
				continue
			}
			bad, err := s.recount(ctx, org, p)
			if err != nil {
				return wrong, err
			}
			if bad {
				wrong++
			}
		}
		if after == nil {
			return wrong, nil
		}
	}
}
