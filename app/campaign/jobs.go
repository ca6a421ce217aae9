package campaign

import (
	"context"
	"errors"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/event"
	"svc/app/org"
	"svc/app/recipient/audience"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Work registers the jobs of the slice. Call Schedule once the store is open.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.plan, queue.WithTimeout(time.Hour))
	queue.Register(w, s.due, queue.WithTimeout(time.Hour))
	queue.Register(w, s.end)
	queue.Register(w, s.repeat)
	queue.Register(w, s.watch)
	queue.Register(w, s.rehearsals.Work, queue.WithTimeout(time.Hour))
}

// Schedule asks for the job that runs for ever, at every start.
func Schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, watching{}, time.Time{}, queue.Once("minutely"))
	return err
}

// ask asks for what a campaign does at its times, and for its planning as long as that
// is not done.
func (s *Service) ask(tx *store.Tx, orgID string, k *record.Campaign) error {
	if k.SnapshotAt != nil && !k.Planned && !k.Status.Ended() && len(k.AccountIDs) > 0 {
		a := planning{Org: orgID, Campaign: k.ID}
		if _, err := queue.Add(tx, a, time.Time{}, queue.For(orgID, k.ID), queue.Once(k.ID)); err != nil {
			return err
		}
	}
	if k.Status == record.Scheduled && k.ScheduledAt != nil {
		a := starting{Org: orgID, Campaign: k.ID, At: *k.ScheduledAt}
		if _, err := queue.Add(tx, a, a.At, queue.For(orgID, k.ID), queue.Once(k.ID+" "+a.At.UTC().Format(time.RFC3339Nano))); err != nil {
			return err
		}
	}
	if k.Status == record.Running && k.EndAt != nil {
		a := ending{Org: orgID, Campaign: k.ID}
		if _, err := queue.Add(tx, a, *k.EndAt, queue.For(orgID, k.ID), queue.Once(k.ID+" "+k.EndAt.UTC().Format(time.RFC3339Nano))); err != nil {
			return err
		}
	}
	return nil
}

// starting launches a scheduled campaign at its time.
type starting struct {
	Org      string    `json:"org"`
	Campaign string    `json:"campaign"`
	At       time.Time `json:"at"`
}

// Kind names the job.
func (starting) Kind() string { return "campaign.start" }

// Queue is where it waits.
func (starting) Queue() queue.Name { return queue.Send }

// due asks the checks again, and starts the campaign or fails it. Somebody who changes
// the campaign meanwhile makes it ask once more.
func (s *Service) due(ctx context.Context, j queue.Job, a starting) error {
	for {
		k, err := record.View(ctx, s.db, func(tx *store.Tx) (record.Campaign, error) { return record.Get(tx, a.Org, a.Campaign) })
		if err != nil || !a.still(&k) {
			return store.IgnoreNotFound(err)
		}
		report, people, err := s.checks.Report(ctx, a.Org, a.Campaign, nil)
		if err != nil {
			return err
		}
		again, err := record.Update(ctx, s.db, func(tx *store.Tx) (bool, error) { return s.startDue(ctx, tx, j, a, &k, report, people) })
		if err != nil || !again {
			return err
		}
	}
}

// still says whether the campaign waits for this time.
func (a starting) still(k *record.Campaign) bool {
	return k.Status == record.Scheduled && k.ScheduledAt != nil && k.ScheduledAt.Equal(a.At)
}

func (s *Service) startDue(ctx context.Context, tx *store.Tx, j queue.Job, a starting, checked *record.Campaign, report *check.Report, people *audience.Frozen) (again bool, err error) {
	k, err := record.Get(tx, a.Org, a.Campaign)
	if err != nil {
		return false, err
	}
	if !a.still(&k) {
		return false, queue.Finish(tx, j)
	}
	if !k.UpdatedAt.Equal(checked.UpdatedAt) {
		return true, nil
	}
	if report.OK {
		switch err := stillWell(tx, a.Org, &k); {
		case errors.Is(err, api.ErrState), errors.Is(err, ErrNoAccounts):
			return true, nil
		case err != nil:
			return false, err
		}
	}
	k.Validation = report
	h := transition{event: EventDue, found: people}
	if !report.OK {
		h = transition{event: EventRefused, failed: report.Failed()}
	}
	if err := s.apply(tx, api.System(ctx, a.Org, tx.DB().Now()), a.Org, &k, h); err != nil {
		return false, err
	}
	return false, queue.Finish(tx, j)
}

// ending pauses a campaign that has not done everything by its end.
type ending struct {
	Org      string `json:"org"`
	Campaign string `json:"campaign"`
}

// Kind names the job.
func (ending) Kind() string { return "campaign.end" }

// Queue is where it waits.
func (ending) Queue() queue.Name { return queue.Send }

func (s *Service) end(ctx context.Context, j queue.Job, a ending) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		k, err := record.Get(tx, a.Org, a.Campaign)
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		now := tx.DB().Now()
		if k.Status == record.Running && k.EndAt != nil && !k.EndAt.After(now) {
			if err := s.apply(tx, api.System(ctx, a.Org, now), a.Org, &k, transition{event: EventPaused, reason: record.EndAtPassed}); err != nil {
				return err
			}
		}
		return queue.Finish(tx, j)
	})
}

// watching looks at every running campaign once a minute: it tells how far it is, and
// pauses it when the policy is no longer accepted.
type watching struct{}

// Kind names the job.
func (watching) Kind() string { return "campaign.watch" }

// Queue is where it waits.
func (watching) Queue() queue.Name { return queue.Maintenance }

const (
	watchEvery     = time.Minute
	watchedAtATime = 50
)

func (s *Service) watch(ctx context.Context, _ queue.Job, _ watching) error {
	for after := (store.Cursor)(nil); ; {
		next, err := record.Update(ctx, s.db, func(tx *store.Tx) (store.Cursor, error) {
			list, next, err := record.AllRunning(tx, after, watchedAtATime)
			for i := range list {
				if err == nil {
					err = s.look(tx, api.System(ctx, list[i].Org, tx.DB().Now()), &list[i].Record)
				}
			}
			return next, err
		})
		if err != nil {
			return err
		}
		if after = next; after == nil {
			return queue.Snooze(watchEvery)
		}
	}
}

func (s *Service) look(tx *store.Tx, c *api.Call, k *record.Campaign) error {
	accepted, err := org.PolicyAccepted(tx, c.Org)
	if err != nil {
		return err
	}
	if !accepted {
		return s.apply(tx, c, c.Org, k, transition{event: EventPaused, reason: record.PolicyOutdated})
	}
	t, err := results.TotalsOf(tx, c.Org, k)
	if err != nil {
		return err
	}
	p, err := record.GetProgress(tx, c.Org, k.ID)
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	if done := t.Total - t.Pending; done != p.Emitted && now.Sub(p.EmittedAt) >= watchEvery {
		p.Emitted, p.EmittedAt = done, now
		if err := record.PutProgress(tx, c.Org, &p); err != nil {
			return err
		}
		if err := event.Emit(tx, c.Org, event.CampaignProgress, map[string]any{"campaign_id": k.ID, "totals": t}); err != nil {
			return err
		}
	}
	return nil
}

// subscribe hears what happens below: to accounts and to organizations. What happens to
// recipients is package send's, which tells the outcome (Settled).
func (s *Service) subscribe() {
	if s.o.Bus == nil {
		return
	}
	signal.On(s.o.Bus, s.accountChanged)
	signal.On(s.o.Bus, s.accountDeleted)
	signal.On(s.o.Bus, s.suspended)
}

// maxOfAccount bounds the campaigns of one account that one transaction pauses.
const maxOfAccount = 500

// accountChanged pauses the running campaigns of an account that left ACTIVE (contract 4.2 and 20.3).
func (s *Service) accountChanged(tx *store.Tx, c *api.Call, ch account.Changed) error {
	reason, always := trouble(ch)
	if reason == "" {
		return nil
	}
	list, err := record.RunningOf(tx, ch.Org, ch.ID, maxOfAccount)
	if err != nil {
		return err
	}
	for i := range list {
		k := &list[i]
		if !always {
			still, err := anySends(tx, ch.Org, k.AccountIDs)
			if err != nil {
				return err
			}
			if still {
				continue
			}
		}
		if err := s.apply(tx, c, ch.Org, k, transition{event: EventPaused, reason: reason, account: ch.ID}); err != nil {
			return err
		}
	}
	return nil
}

// anySends says whether one of some accounts may send.
func anySends(tx *store.Tx, orgID string, ids []string) (bool, error) {
	for _, id := range ids {
		a, err := account.Get(tx, orgID, id)
		if store.IgnoreNotFound(err) != nil {
			return false, err
		}
		if err == nil && a.Sends() {
			return true, nil
		}
	}
	return false, nil
}

// accountDeleted takes an account off the campaigns that have not ended; what it had to
// send for them is cancelled.
func (s *Service) accountDeleted(tx *store.Tx, _ *api.Call, d account.Deleted) error {
	list, err := record.UnfinishedOf(tx, d.Org, d.ID, maxOfAccount)
	if err != nil {
		return err
	}
	for i := range list {
		k := &list[i]
		k.AccountIDs = without(k.AccountIDs, d.ID)
		k.UpdatedAt = tx.DB().Now()
		if err := record.Put(tx, d.Org, k); err != nil {
			return err
		}
		if err := s.follow(tx, d.Org, k); err != nil {
			return err
		}
	}
	return nil
}

func without(list []string, gone string) (out []string) {
	for _, s := range list {
		if s != gone {
			out = append(out, s)
		}
	}
	return out
}

// suspended pauses what runs for an organization that was suspended. It stays so when
// the organization comes back: a person resumes it.
func (s *Service) suspended(tx *store.Tx, c *api.Call, w org.WasSuspended) error {
	list, err := record.RunningOf(tx, w.ID, "", maxOfAccount)
	if err != nil {
		return err
	}
	for i := range list {
		if err := s.apply(tx, c, w.ID, &list[i], transition{event: EventPaused, reason: record.OrgSuspended}); err != nil {
			return err
		}
	}
	return nil
}
