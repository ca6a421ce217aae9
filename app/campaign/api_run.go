package campaign

import (
	"context"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/campaign/check"
	"svc/app/campaign/record"
	"svc/app/org"
	"svc/app/recipient/audience"
	"svc/app/recipient/imports"
	"svc/store"
)

func (s *Service) validate(c *api.Call, in record.IDIn) (check.Report, error) {
	k, err := record.View(c, s.db, func(tx *store.Tx) (record.Campaign, error) { return record.Get(tx, c.Org, in.ID) })
	if err != nil {
		return check.Report{}, err
	}
	report, _, err := s.checks.Report(c, c.Org, in.ID, nil)
	if err != nil {
		return check.Report{}, err
	}
	// The report is kept on the campaign, unless that changed meanwhile.
	err = s.db.Update(c, func(tx *store.Tx) error {
		now, err := record.Get(tx, c.Org, in.ID)
		if err != nil || !now.UpdatedAt.Equal(k.UpdatedAt) || now.Status.Ended() {
			return err
		}
		now.Validation = report
		return record.Put(tx, c.Org, &now)
	})
	return *report, err
}

type startIn struct {
	record.IDIn
	Body *startBody // may be absent
}

type startBody struct {
	ScheduledAt *time.Time `json:"scheduled_at" doc:"When to begin; the campaign's own when left out."`
}

// start launches a draft. The checks read the whole audience before the transaction;
// that is refused when anything they looked at changed meanwhile.
func (s *Service) start(c *api.Call, in startIn) (Shown, error) {
	var at *time.Time
	if in.Body != nil {
		at = inUTC(in.Body.ScheduledAt)
	}
	k, err := record.View(c, s.db, func(tx *store.Tx) (record.Campaign, error) { return s.launchable(tx, c.Org, in.ID) })
	if err != nil {
		return Shown{}, err
	}
	report, people, err := s.checks.Report(c, c.Org, k.ID, at)
	if err != nil {
		return Shown{}, err
	}
	out, err := record.Update(c, s.db, func(tx *store.Tx) (Shown, error) {
		if !report.OK {
			return Shown{}, s.keepReport(tx, c.Org, &k, report)
		}
		return s.launchChecked(tx, c, &k, report, people, at)
	})
	if err == nil && !report.OK {
		err = ErrInvalid.WithExtra("validation", report)
	}
	return out, err
}

// unchanged reads a draft again that may still be launched and was not changed since it was checked.
func (s *Service) unchanged(tx *store.Tx, orgID string, checked *record.Campaign) (record.Campaign, error) {
	now, err := s.launchable(tx, orgID, checked.ID)
	if err == nil && !now.UpdatedAt.Equal(checked.UpdatedAt) {
		err = api.ErrState
	}
	return now, err
}

// keepReport keeps what the checks found wrong with a draft.
func (s *Service) keepReport(tx *store.Tx, orgID string, checked *record.Campaign, report *check.Report) error {
	now, err := s.unchanged(tx, orgID, checked)
	if err != nil {
		return err
	}
	now.Validation = report
	return record.Put(tx, orgID, &now)
}

// launchChecked launches a draft in which the checks found nothing wrong.
func (s *Service) launchChecked(tx *store.Tx, c *api.Call, checked *record.Campaign, report *check.Report, people *audience.Frozen, at *time.Time) (Shown, error) {
	now, err := s.unchanged(tx, c.Org, checked)
	if err != nil {
		return Shown{}, err
	}
	now.Validation = report
	if at != nil {
		now.ScheduledAt = at
	}
	return s.launch(tx, c, &now, people)
}

// launchable reads a draft that its organization may launch
// (contract 5: suspension, policy and plan answer before the checks do; suspension was refused with the permission).
func (s *Service) launchable(tx *store.Tx, orgID, id string) (record.Campaign, error) {
	k, err := record.Get(tx, orgID, id)
	if err != nil {
		return k, err
	}
	if k.Status != record.Draft {
		return k, ErrNotDraft
	}
	if err := checkPolicyOf(tx, orgID); err != nil {
		return k, err
	}
	used, err := record.Active(tx, orgID)
	if err != nil {
		return k, err
	}
	if err := org.CheckLimit(tx, orgID, org.LimitActiveCampaigns, used, 1); err != nil {
		return k, err
	}
	there, err := imports.Used(tx, orgID)
	if err != nil {
		return k, err
	}
	most, none, err := org.Limit(tx, orgID, org.LimitRecipients)
	if err == nil && !none && there > most {
		err = api.ErrPlanLimit.WithMessage("The plan allows %d (%s), and there are %d; remove some of them, or ask for a larger plan.", most, org.LimitRecipients, there)
	}
	return k, err
}

func checkPolicyOf(tx *store.Tx, orgID string) error {
	accepted, err := org.PolicyAccepted(tx, orgID)
	if err == nil && !accepted {
		return org.ErrPolicyNotAccepted
	}
	return err
}

// launch starts a draft whose checks pass, or lets it wait for its time.
func (s *Service) launch(tx *store.Tx, c *api.Call, k *record.Campaign, people *audience.Frozen) (Shown, error) {
	now := tx.DB().Now()
	if err := stillWell(tx, c.Org, k); err != nil {
		return Shown{}, err
	}
	at := record.StartOf(k, now)
	if err := enroll(tx, c.Org, k, at); err != nil {
		return Shown{}, err
	}
	h := transition{event: EventLaunched, found: people}
	if at.After(now) {
		h.event = EventScheduled
	}
	if err := s.apply(tx, c, c.Org, k, h); err != nil {
		return Shown{}, err
	}
	return s.show(tx, c.Org, k, audience.MaxPicked)
}

// stillWell refuses to begin when an account has changed since the checks looked at them.
func stillWell(tx *store.Tx, orgID string, k *record.Campaign) error {
	sends := false
	for _, id := range k.AccountIDs {
		a, err := account.Get(tx, orgID, id)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return err
		}
		if ill(a.Status) {
			return api.ErrState
		}
		sends = sends || a.Sends()
	}
	if !sends {
		return ErrNoAccounts
	}
	return nil
}

// on is an operation that lets something happen to a campaign.
func (s *Service) on(c *api.Call, id string, do func(*store.Tx, *record.Campaign) error) (Shown, error) {
	return record.Update(c, s.db, func(tx *store.Tx) (Shown, error) {
		k, err := record.Get(tx, c.Org, id)
		if err != nil {
			return Shown{}, err
		}
		if err := do(tx, &k); err != nil {
			return Shown{}, err
		}
		return s.show(tx, c.Org, &k, audience.MaxPicked)
	})
}

func (s *Service) pause(c *api.Call, in record.IDIn) (Shown, error) {
	return s.on(c, in.ID, func(tx *store.Tx, k *record.Campaign) error {
		if k.Status == record.Paused {
			return nil
		}
		return s.apply(tx, c, c.Org, k, transition{event: EventPaused, reason: record.ByUser})
	})
}

func (s *Service) cancel(c *api.Call, in record.IDIn) (Shown, error) {
	return s.on(c, in.ID, func(tx *store.Tx, k *record.Campaign) error {
		return s.apply(tx, c, c.Org, k, transition{event: EventCancelled})
	})
}

func (s *Service) stopRepeating(c *api.Call, in record.IDIn) (Shown, error) {
	return s.on(c, in.ID, func(tx *store.Tx, k *record.Campaign) error { return s.stop(tx, c, k) })
}

// resume goes on with a paused campaign. One that never began is checked again, as if
// its time came now.
func (s *Service) resume(c *api.Call, in record.IDIn) (Shown, error) {
	k, err := record.View(c, s.db, func(tx *store.Tx) (record.Campaign, error) {
		k, err := record.Get(tx, c.Org, in.ID)
		if err == nil && k.Status == record.Paused && k.PauseReason != record.ByAdmin {
			err = s.resumable(tx, c.Org, &k)
		}
		return k, err
	})
	if err != nil {
		return Shown{}, err
	}
	if k.Status == record.Paused && k.PauseReason == record.ByAdmin {
		return Shown{}, ErrPausedByAdmin
	}
	return s.goOn(c, c, &k, "", nil)
}

// resumable says whether a paused campaign may go on (contract 4.2).
func (s *Service) resumable(tx *store.Tx, orgID string, k *record.Campaign) error {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return err
	}
	if o.Status == org.Suspended {
		return api.ErrSuspended
	}
	if err := checkPolicyOf(tx, orgID); err != nil {
		return err
	}
	if k.EndAt != nil && !k.EndAt.After(tx.DB().Now()) {
		return ErrEnded
	}
	sends, err := anySends(tx, orgID, k.AccountIDs)
	if err == nil && !sends {
		err = ErrNoAccounts
	}
	return err
}

// goOn resumes a campaign that was looked at before, for its organization or for an
// administrator, who gives a reason. also is done in the transaction that resumes it;
// nil: nothing more.
func (s *Service) goOn(ctx context.Context, c *api.Call, k *record.Campaign, words string, also func(*store.Tx) error) (Shown, error) {
	var report *check.Report
	var people *audience.Frozen
	if now := s.db.Now(); k.Status == record.Paused && k.StartedAt == nil && !record.StartOf(k, now).After(now) {
		var err error
		if report, people, err = s.checks.Report(ctx, c.Org, k.ID, nil); err != nil {
			return Shown{}, err
		}
		if !report.OK {
			return Shown{}, ErrInvalid.WithExtra("validation", report)
		}
	}
	return s.on(c, k.ID, func(tx *store.Tx, now *record.Campaign) error {
		switch {
		case now.Status == record.Running:
			return nil
		case !now.UpdatedAt.Equal(k.UpdatedAt):
			return api.ErrState
		case now.Status != record.Paused:
			return api.ErrState
		}
		if err := s.resumable(tx, c.Org, now); err != nil {
			return err
		}
		if report != nil {
			if err := stillWell(tx, c.Org, now); err != nil {
				return err
			}
		}
		h := transition{event: EventResumed, words: words, found: people}
		if record.StartOf(now, tx.DB().Now()).After(tx.DB().Now()) && now.StartedAt == nil {
			h.event = EventRescheduled
		}
		if report != nil {
			now.Validation = report
		}
		if err := s.apply(tx, c, c.Org, now, h); err != nil {
			return err
		}
		if also != nil {
			if err := also(tx); err != nil {
				return err
			}
		}
		return s.finishNow(tx, c, now)
	})
}

// finishNow completes a campaign that was resumed with nothing left to do.
func (s *Service) finishNow(tx *store.Tx, c *api.Call, k *record.Campaign) error {
	if k.Status != record.Running || !k.Planned {
		return nil
	}
	if err := s.finishIfDone(tx, c, c.Org, k.ID); err != nil {
		return err
	}
	fresh, err := record.Get(tx, c.Org, k.ID)
	*k = fresh
	return err
}
