package campaign

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/record"
	"svc/app/event"
	"svc/app/recipient/audience"
	"svc/store"
	"svc/store/queue"
)

// enroll makes the series of a repeating campaign that is launched, and is its first
// run.
func enroll(tx *store.Tx, orgID string, k *record.Campaign, at time.Time) error {
	if k.Repeat == nil || k.Series != nil {
		return nil
	}
	r := record.Run{ID: tx.DB().NewID("ser"), First: at, Newest: k.ID, Number: 1, At: at}
	k.Series = &record.Series{ID: r.ID, RunNumber: 1}
	return record.PutRun(tx, orgID, &r)
}

// met notes whom a run is planned for.
func met(tx *store.Tx, orgID string, k *record.Campaign, who audience.Frozen) error {
	r, ok, err := k.NewOnlySeries(tx, orgID)
	if err != nil || !ok {
		return err
	}
	if r.Met, err = audience.Together(tx, orgID, r.Met, who); err != nil {
		return err
	}
	return record.PutRun(tx, orgID, &r)
}

// hasNext says whether a run that ended so is followed by another (contract 4.3):
// who cancels one does not end the series, /stop-repeating does; a run that failed
// ends it, and so does an administrator of the platform who cancels one.
func hasNext(k *record.Campaign) bool {
	return k.Status == record.Completed || k.Status == record.Cancelled && k.AdminReason == nil
}

// afterRun goes on with the series of a campaign that has ended.
func (s *Service) afterRun(tx *store.Tx, orgID string, k *record.Campaign) error {
	if k.Series == nil {
		return nil
	}
	r, err := record.GetRun(tx, orgID, k.Series.ID)
	if err != nil || r.Stopped || r.Newest != k.ID {
		return store.IgnoreNotFound(err)
	}
	next, ok := time.Time{}, false
	if hasNext(k) && k.Repeat != nil && (k.Repeat.MaxRuns == nil || r.Number < *k.Repeat.MaxRuns) {
		now, last := tx.DB().Now(), r.At
		if k.Status == record.Cancelled && now.After(last) {
			last = now // who cancels does not want the run that was missed meanwhile
		}
		if next, ok, err = nextSlot(k.Repeat, r.First, last, now); err != nil {
			return err
		}
	}
	if !ok {
		r.Stopped = true
		if err := record.PutRun(tx, orgID, &r); err != nil {
			return err
		}
		return hold(tx, orgID, k)
	}
	_, err = queue.Add(tx, nextRun{Org: orgID, Series: r.ID, At: next}, next, queue.For(orgID, k.ID), queue.Once(r.ID))
	return err
}

// goesOn says whether the next run of a series will be a copy of this one, which has
// ended: until then its attachments are needed, for a year if need be.
func goesOn(tx *store.Tx, orgID string, k *record.Campaign) (bool, error) {
	if k.Series == nil || !hasNext(k) {
		return false, nil
	}
	r, err := record.GetRun(tx, orgID, k.Series.ID)
	return err == nil && !r.Stopped && r.Newest == k.ID, store.IgnoreNotFound(err)
}

// maxMissed bounds the runs that are passed over at once.
const maxMissed = 10_000

// nextSlot is when the next run is due. Runs that were missed while the last one was
// under way are one, the latest of them.
func nextSlot(by *record.Repeat, first, last, now time.Time) (time.Time, bool, error) {
	rule := by.Rule()
	at, ok, err := rule.Next(first, last)
	for range maxMissed {
		if err != nil || !ok || at.After(now) {
			return at, ok, err
		}
		later, more, err := rule.Next(first, at)
		if err != nil || !more || later.After(now) {
			return at, true, err
		}
		at = later
	}
	return at, ok, err
}

// nextRun makes the next run of a series and starts it.
type nextRun struct {
	Org    string    `json:"org"`
	Series string    `json:"series"`
	At     time.Time `json:"at"`
}

// Kind names the job.
func (nextRun) Kind() string { return "campaign.repeat" }

// Queue is where it waits.
func (nextRun) Queue() queue.Name { return queue.Send }

func (s *Service) repeat(ctx context.Context, j queue.Job, a nextRun) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		c := api.System(ctx, a.Org, tx.DB().Now())
		r, err := record.GetRun(tx, a.Org, a.Series)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		last, err := record.Get(tx, a.Org, r.Newest)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		// Somebody may have stopped it meanwhile; and one run at a time is unfinished.
		if r.Stopped || last.Repeat == nil || !last.Status.Ended() {
			return queue.Finish(tx, j)
		}
		if err := s.makeRun(tx, c, &r, &last, a.At); err != nil {
			return err
		}
		return queue.Finish(tx, j)
	})
}

// makeRun copies the newest run of a series into one that is due now. The job that
// launches it runs the checks again.
func (s *Service) makeRun(tx *store.Tx, c *api.Call, r *record.Run, last *record.Campaign, at time.Time) error {
	k, err := s.copyOf(tx, c.Org, last)
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	k.Status, k.StatusChangedAt, k.CreatedBy = record.Scheduled, now, last.CreatedBy
	k.ScheduledAt, k.Repeat = &at, last.Repeat
	k.Series = &record.Series{ID: r.ID, RunNumber: r.Number + 1, PreviousID: &last.ID}
	if last.EndAt != nil {
		end := at.Add(last.EndAt.Sub(r.At)) // as long after the start
		k.EndAt = &end
	}
	r.Newest, r.Number, r.At = k.ID, r.Number+1, at
	if err := record.PutRun(tx, c.Org, r); err != nil {
		return err
	}
	if err := record.Put(tx, c.Org, k); err != nil {
		return err
	}
	if err := s.follow(tx, c.Org, k); err != nil {
		return err
	}
	if err := hold(tx, c.Org, last); err != nil {
		return err
	}
	if err := audit.Write(tx, c, "campaign.created", k.Resource()); err != nil {
		return err
	}
	return event.Emit(tx, c.Org, event.CampaignScheduled, map[string]any{"campaign_id": k.ID, "name": k.Name, "status": k.Status})
}

// stop ends a series: its runs that have not ended lose the rule and go on.
func (s *Service) stop(tx *store.Tx, c *api.Call, k *record.Campaign) error {
	stopped, err := stopSeries(tx, c.Org, k)
	if err != nil {
		return err
	}
	if k.Repeat == nil && !stopped || k.Status.Ended() && !stopped {
		return ErrNotRepeating
	}
	unfinished := []*record.Campaign{k}
	if k.Series != nil {
		if unfinished, err = unfinishedWith(tx, c.Org, k); err != nil {
			return err
		}
	}
	for _, u := range unfinished {
		if u.Repeat == nil || u.Status.Ended() {
			continue
		}
		u.Repeat, u.UpdatedAt = nil, tx.DB().Now()
		if err := record.Put(tx, c.Org, u); err != nil {
			return err
		}
	}
	return audit.Write(tx, c, "campaign.repeat_stopped", k.Resource())
}

// stopSeries says whether there was a series to stop.
func stopSeries(tx *store.Tx, orgID string, k *record.Campaign) (bool, error) {
	if k.Series == nil {
		return false, nil
	}
	r, err := record.GetRun(tx, orgID, k.Series.ID)
	if err != nil || r.Stopped {
		return false, store.IgnoreNotFound(err)
	}
	r.Stopped = true
	if err := record.PutRun(tx, orgID, &r); err != nil {
		return true, err
	}
	newest, err := record.Get(tx, orgID, r.Newest)
	if err != nil {
		return true, store.IgnoreNotFound(err)
	}
	return true, hold(tx, orgID, &newest)
}

// unfinishedWith are the runs of a series that have not ended, k itself among them as
// the pointer that was given.
func unfinishedWith(tx *store.Tx, orgID string, k *record.Campaign) ([]*record.Campaign, error) {
	const most = 10
	list, err := record.UnfinishedRuns(tx, orgID, k.Series.ID, most)
	out := []*record.Campaign{k}
	for i := range list {
		if list[i].ID != k.ID {
			out = append(out, &list[i])
		}
	}
	return out, err
}
