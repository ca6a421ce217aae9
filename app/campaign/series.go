package campaign

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/recipient/audience"
	"svc/store"
	"svc/store/queue"
)

// run is the series of a repeating campaign: one record for all of its runs.
type run struct {
	ID    string    `json:"id"`    // ser_...
	First time.Time `json:"first"` // when the first run was due: the rule counts from there
	// Newest is the campaign of the run that was made last, Number its number, and At
	// when it was due.
	Newest string    `json:"newest"`
	Number int       `json:"number"`
	At     time.Time `json:"at"`
	// Met is everybody whom a run was planned for, with NEW_ONLY.
	Met     audience.Frozen `json:"met,omitempty"`
	Stopped bool            `json:"stopped,omitempty"`
}

var runs = store.NewTable("campaign_series", "ser", func(r *run) string { return r.ID })

// gatherSeries adds what the checks ask about the repetition.
func (f *inspection) gatherSeries(tx *store.Tx, orgID string, k *Campaign) error {
	rule, number := k.Repeat.rule(), 1
	if k.Series != nil {
		number = k.Series.RunNumber
	}
	f.Repeat, f.First, f.RunsLeft = &rule, f.Start, k.Repeat.MaxRuns == nil || *k.Repeat.MaxRuns > number
	if k.Series == nil {
		return nil
	}
	r, err := runs.Get(tx, orgID, k.Series.ID)
	if err != nil {
		return err
	}
	f.First, f.LaterRun = r.First, number > 1
	return nil
}

// enroll makes the series of a repeating campaign that is launched, and is its first
// run.
func enroll(tx *store.Tx, orgID string, k *Campaign, at time.Time) error {
	if k.Repeat == nil || k.Series != nil {
		return nil
	}
	r := run{ID: tx.DB().NewID("ser"), First: at, Newest: k.ID, Number: 1, At: at}
	k.Series = &Series{ID: r.ID, RunNumber: 1}
	return runs.Put(tx, orgID, &r)
}

// onlyNew leaves those out of the audience of a run whom an earlier run was planned
// for. When the campaign begins, they are noted (begin).
func (s *Service) onlyNew(tx *store.Tx, orgID string, k *Campaign, who audience.Frozen, n int) (audience.Frozen, int, error) {
	r, ok, err := k.newOnlySeries(tx, orgID)
	if err != nil || !ok {
		return who, n, err
	}
	return audience.Without(tx, orgID, who, r.Met)
}

// newOnlySeries is the series of a run that leaves out whom an earlier one was for; ok is
// false for other campaigns.
func (k *Campaign) newOnlySeries(tx *store.Tx, orgID string) (r run, ok bool, err error) {
	if k.Series == nil || k.Repeat == nil || k.Repeat.Audience != newOnly {
		return r, false, nil
	}
	r, err = runs.Get(tx, orgID, k.Series.ID)
	return r, err == nil, err
}

// met notes whom a run is planned for.
func met(tx *store.Tx, orgID string, k *Campaign, who audience.Frozen) error {
	r, ok, err := k.newOnlySeries(tx, orgID)
	if err != nil || !ok {
		return err
	}
	if r.Met, err = audience.Together(tx, orgID, r.Met, who); err != nil {
		return err
	}
	return runs.Put(tx, orgID, &r)
}

// hasNext says whether a run that ended so is followed by another (contract 4.3):
// who cancels one does not end the series, /stop-repeating does; a run that failed
// ends it, and so does an administrator of the platform who cancels one.
func (k *Campaign) hasNext() bool {
	return k.Status == Completed || k.Status == Cancelled && k.AdminReason == nil
}

// afterRun goes on with the series of a campaign that has ended.
func (s *Service) afterRun(tx *store.Tx, orgID string, k *Campaign) error {
	if k.Series == nil {
		return nil
	}
	r, err := runs.Get(tx, orgID, k.Series.ID)
	if err != nil || r.Stopped || r.Newest != k.ID {
		return store.IgnoreNotFound(err)
	}
	next, ok := time.Time{}, false
	if k.hasNext() && k.Repeat != nil && (k.Repeat.MaxRuns == nil || r.Number < *k.Repeat.MaxRuns) {
		now, last := tx.DB().Now(), r.At
		if k.Status == Cancelled && now.After(last) {
			last = now // who cancels does not want the run that was missed meanwhile
		}
		if next, ok, err = nextSlot(k.Repeat, r.First, last, now); err != nil {
			return err
		}
	}
	if !ok {
		r.Stopped = true
		if err := runs.Put(tx, orgID, &r); err != nil {
			return err
		}
		return k.hold(tx, orgID)
	}
	_, err = queue.Add(tx, nextRun{Org: orgID, Series: r.ID, At: next}, next, queue.For(orgID, k.ID), queue.Once(r.ID))
	return err
}

// goesOn says whether the next run of a series will be a copy of this one, which has
// ended: until then its attachments are needed, for a year if need be.
func (k *Campaign) goesOn(tx *store.Tx, orgID string) (bool, error) {
	if k.Series == nil || !k.hasNext() {
		return false, nil
	}
	r, err := runs.Get(tx, orgID, k.Series.ID)
	return err == nil && !r.Stopped && r.Newest == k.ID, store.IgnoreNotFound(err)
}

// maxMissed bounds the runs that are passed over at once.
const maxMissed = 10_000

// nextSlot is when the next run is due. Runs that were missed while the last one was
// under way are one, the latest of them.
func nextSlot(by *Repeat, first, last, now time.Time) (time.Time, bool, error) {
	rule := by.rule()
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
		r, err := runs.Get(tx, a.Org, a.Series)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		last, err := campaigns.Get(tx, a.Org, r.Newest)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		// Somebody may have stopped it meanwhile; and one run at a time is unfinished.
		if r.Stopped || last.Repeat == nil || !last.Status.ended() {
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
func (s *Service) makeRun(tx *store.Tx, c *api.Call, r *run, last *Campaign, at time.Time) error {
	k, err := s.copyOf(tx, c.Org, last)
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	k.Status, k.StatusChangedAt, k.CreatedBy = Scheduled, now, last.CreatedBy
	k.ScheduledAt, k.Repeat = &at, last.Repeat
	k.Series = &Series{ID: r.ID, RunNumber: r.Number + 1, PreviousID: &last.ID}
	if last.EndAt != nil {
		end := at.Add(last.EndAt.Sub(r.At)) // as long after the start
		k.EndAt = &end
	}
	r.Newest, r.Number, r.At = k.ID, r.Number+1, at
	if err := runs.Put(tx, c.Org, r); err != nil {
		return err
	}
	if err := campaigns.Put(tx, c.Org, k); err != nil {
		return err
	}
	if err := s.follow(tx, c.Org, k); err != nil {
		return err
	}
	if err := last.hold(tx, c.Org); err != nil {
		return err
	}
	if err := audit.Write(tx, c, "campaign.created", k.resource()); err != nil {
		return err
	}
	return event.Emit(tx, c.Org, event.CampaignScheduled, map[string]any{"campaign_id": k.ID, "name": k.Name, "status": k.Status})
}

// stop ends a series: its runs that have not ended lose the rule and go on.
func (s *Service) stop(tx *store.Tx, c *api.Call, k *Campaign) error {
	stopped, err := stopSeries(tx, c.Org, k)
	if err != nil {
		return err
	}
	if k.Repeat == nil && !stopped || k.Status.ended() && !stopped {
		return ErrNotRepeating
	}
	unfinished := []*Campaign{k}
	if k.Series != nil {
		if unfinished, err = unfinishedOf(tx, c.Org, k); err != nil {
			return err
		}
	}
	for _, u := range unfinished {
		if u.Repeat == nil || u.Status.ended() {
			continue
		}
		u.Repeat, u.UpdatedAt = nil, tx.DB().Now()
		if err := campaigns.Put(tx, c.Org, u); err != nil {
			return err
		}
	}
	return audit.Write(tx, c, "campaign.repeat_stopped", k.resource())
}

// stopSeries says whether there was a series to stop.
func stopSeries(tx *store.Tx, orgID string, k *Campaign) (bool, error) {
	if k.Series == nil {
		return false, nil
	}
	r, err := runs.Get(tx, orgID, k.Series.ID)
	if err != nil || r.Stopped {
		return false, store.IgnoreNotFound(err)
	}
	r.Stopped = true
	if err := runs.Put(tx, orgID, &r); err != nil {
		return true, err
	}
	newest, err := campaigns.Get(tx, orgID, r.Newest)
	if err != nil {
		return true, store.IgnoreNotFound(err)
	}
	return true, newest.hold(tx, orgID)
}

// unfinishedOf are the runs of a series that have not ended, k itself among them as
// the pointer that was given.
func unfinishedOf(tx *store.Tx, orgID string, k *Campaign) ([]*Campaign, error) {
	const most = 10
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{
		Where: []store.Cond[Campaign]{
			seriesFacet.Any(k.Series.ID), statusFacet.Any(string(Completed), string(Cancelled), string(Failed)).Not(),
		}, Limit: most,
	})
	out := []*Campaign{k}
	for i := range page.Data {
		if page.Data[i].ID != k.ID {
			out = append(out, &page.Data[i])
		}
	}
	return out, err
}
