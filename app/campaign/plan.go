package campaign

import (
	"context"
	"errors"
	"maps"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/store"
	"svc/store/queue"
)

// plan is who was in the audience when a campaign began. It is written once, and kept:
// who was sent the same text lately is found by it (checks, duplicate_send).
type plan struct {
	ID     string          `json:"id"` // of the campaign
	Frozen audience.Frozen `json:"frozen"`
}

// step is how far the planning has come.
type step struct {
	ID    string       `json:"id"` // of the campaign
	After store.Cursor `json:"after,omitempty"`
	// Load is how many people each account was given.
	Load map[string]int `json:"load,omitempty"`
}

var (
	plans = store.NewTable("campaign_plan", "cmp", func(p *plan) string { return p.ID })
	steps = store.NewTable("campaign_step", "cmp", func(s *step) string { return s.ID })
)

// begin freezes the audience of a campaign that starts; its planning follows (ask).
// found is what readAudience answered before.
func (s *Service) begin(tx *store.Tx, orgID string, k *Campaign, found *audience.Frozen) error {
	frozen, n, err := s.meant(tx, orgID, k, found)
	if err != nil {
		return err
	}
	if err := met(tx, orgID, k, frozen); err != nil {
		return err
	}
	now := tx.DB().Now()
	k.SnapshotAt, k.Audience, k.Planned = &now, n, false
	if err := plans.Put(tx, orgID, &plan{ID: k.ID, Frozen: frozen}); err != nil {
		return err
	}
	return steps.Put(tx, orgID, &step{ID: k.ID, Load: map[string]int{}})
}

// planning gives everybody in a frozen audience a row: bound to an account, or skipped
// with the reason.
type planning struct {
	Org      string `json:"org"`
	Campaign string `json:"campaign"`
}

// Kind names the job.
func (planning) Kind() string { return "campaign.plan" }

// Queue is where it waits.
func (planning) Queue() queue.Name { return queue.Send }

// plannedAtATime bounds the people of one transaction: a row that waits is some 8 keys.
// One that is skipped is an event too, some 15: of a page with many of those a part is
// planned (see heavy).
const (
	plannedAtATime = 1000
	plannedIfHeavy = 500
	maxSkipped     = 200
)

func (s *Service) plan(ctx context.Context, j queue.Job, a planning) error {
	for {
		done := false
		err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
			if done, err = s.planSome(tx, api.System(ctx, a.Org, tx.DB().Now()), a); err != nil || !done {
				return err
			}
			return queue.Finish(tx, j)
		})
		if err != nil && j.Attempts >= j.MaxAttempts && ctx.Err() == nil {
			return errors.Join(err, s.giveUp(ctx, a))
		}
		if err != nil || done {
			return err
		}
	}
}

// giveUp ends a campaign whose audience cannot be put together, when nobody has got a
// message yet.
func (s *Service) giveUp(ctx context.Context, a planning) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		k, err := campaigns.Get(tx, a.Org, a.Campaign)
		if err != nil || k.Status != Running || k.Planned {
			return store.IgnoreNotFound(err)
		}
		counts, err := send.Counts(tx, a.Org, a.Campaign)
		if err != nil || counts[send.Delivered] > 0 {
			return err
		}
		return s.apply(tx, api.System(ctx, a.Org, tx.DB().Now()), a.Org, &k, transition{event: EventUnbuildable})
	})
}

// planSome plans the next people. It goes on while the campaign is paused, and stops
// when it has ended.
func (s *Service) planSome(tx *store.Tx, c *api.Call, a planning) (done bool, err error) {
	k, err := campaigns.Get(tx, a.Org, a.Campaign)
	if err != nil || k.Planned {
		return true, store.IgnoreNotFound(err)
	}
	if k.Status.ended() {
		return true, store.IgnoreNotFound(steps.Delete(tx, a.Org, k.ID))
	}
	if len(k.AccountIDs) == 0 {
		return true, nil // the last was deleted; who chooses another goes on (ask)
	}
	st, err := steps.Get(tx, a.Org, a.Campaign)
	if err != nil {
		return false, err
	}
	p, err := plans.Get(tx, a.Org, a.Campaign)
	if err != nil {
		return false, err
	}
	next, err := s.planPage(tx, &k, &st, a.Org, p.Frozen)
	if err != nil {
		return false, err
	}
	st.After = next
	if next != nil {
		return false, steps.Put(tx, a.Org, &st)
	}
	return true, s.planned(tx, c, a.Org, &k)
}

// planned ends the planning. Who was deleted since the audience was frozen has no row.
func (s *Service) planned(tx *store.Tx, c *api.Call, orgID string, k *Campaign) error {
	counts, err := send.Counts(tx, orgID, k.ID)
	if err != nil {
		return err
	}
	k.Planned, k.Audience = true, counts.Count()
	if err := campaigns.Put(tx, orgID, k); err != nil {
		return err
	}
	if err := steps.Delete(tx, orgID, k.ID); err != nil {
		return err
	}
	return s.finishIfDone(tx, c, orgID, k.ID)
}

// planPage plans the people behind a place, and answers the next place.
func (s *Service) planPage(tx *store.Tx, k *Campaign, st *step, orgID string, who audience.Frozen) (next store.Cursor, err error) {
	for _, limit := range []int{plannedAtATime, plannedIfHeavy} {
		people, behind, err := recipient.PageOf(tx, orgID, who, st.After, limit)
		if err != nil {
			return nil, err
		}
		pl, err := s.planner(tx, orgID, k, maps.Clone(st.Load))
		if err != nil {
			return nil, err
		}
		rows, skipped, err := pl.rows(tx, k.ID, people)
		if err != nil {
			return nil, err
		}
		if skipped > maxSkipped && limit > plannedIfHeavy {
			continue
		}
		st.Load = pl.binding.load
		return behind, s.queue(tx, orgID, rows)
	}
	return nil, nil
}

// rows decides about people.
func (p *planner) rows(tx *store.Tx, id string, people []recipient.Recipient) (rows []*send.Job, skipped int, err error) {
	rows = make([]*send.Job, 0, len(people))
	for i := range people {
		r := &people[i]
		j := &send.Job{ID: tx.DB().NewID("job"), Kind: send.Campaign, Batch: id, RecipientID: r.ID, Username: r.Username, MessengerID: r.MessengerID}
		if j.SkipReason, err = p.skip(r); err != nil {
			return nil, 0, err
		}
		if j.SkipReason != "" {
			j.Status = send.Skipped
			skipped++
		} else {
			j.AccountID = p.binding.bind(r)
		}
		rows = append(rows, j)
	}
	return rows, skipped, nil
}

// queue saves rows, and tells of those that begin skipped.
func (s *Service) queue(tx *store.Tx, orgID string, rows []*send.Job) error {
	if err := send.Queue(tx, orgID, rows); err != nil {
		return err
	}
	for _, j := range rows {
		if j.Status == send.Skipped {
			if err := s.announce(tx, orgID, j); err != nil {
				return err
			}
		}
	}
	return nil
}
