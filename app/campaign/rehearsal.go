package campaign

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/rehearse"
	"svc/app/content"
	"svc/store"
	"svc/store/queue"
)

// rehearsal is the last rehearsal of a campaign as it is kept: the report and nothing
// else (contract 20.12).
type rehearsal struct {
	ID         string           `json:"id"`  // of the campaign
	Run        string           `json:"run"` // of the rehearsal
	Job        string           `json:"job"` // that plays it through
	Status     rehearsalStatus  `json:"status"`
	Error      string           `json:"error,omitempty"`
	At         time.Time        `json:"at"`
	StartsAt   time.Time        `json:"starts_at,omitzero"`
	FinishedAt *time.Time       `json:"finished_at,omitempty"`
	Report     *rehearse.Report `json:"report,omitempty"`
	Skipped    map[string]int   `json:"skipped,omitempty"`
	// Sample are the ten texts, which are message text: sealed.
	Sample store.Sealed `json:"sample,omitzero"`
}

type rehearsalStatus string

const (
	rehearsalQueued  rehearsalStatus = "QUEUED"
	rehearsalRunning rehearsalStatus = "RUNNING"
	rehearsalDone    rehearsalStatus = "DONE"
	rehearsalFailed  rehearsalStatus = "FAILED"
)

var (
	rehearsals     = store.NewTable("campaign_rehearsal", "cmp", func(r *rehearsal) string { return r.ID })
	rehearsalTexts = rehearsals.Sealed("sample", func(r *rehearsal) *store.Sealed { return &r.Sample })
)

// AskedRehearsal is the answer to whoever asks for a rehearsal.
type AskedRehearsal struct {
	ID     string          `json:"id"`
	Status rehearsalStatus `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED"`
}

// ShownRehearsal is what a rehearsal found.
type ShownRehearsal struct {
	ID     string          `json:"id"`
	Status rehearsalStatus `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED"`
	Error  *string         `json:"error" doc:"Why it failed."`
	rehearse.Report
	StartsAt   *time.Time     `json:"starts_at" doc:"When the rehearsed campaign begins."`
	Skipped    map[string]int `json:"skipped" doc:"People who would be skipped, by reason."`
	Sample     []string       `json:"sample" doc:"Ten texts as they would be read."`
	CreatedAt  time.Time      `json:"created_at"`
	FinishedAt *time.Time     `json:"rehearsed_at"`
}

func (s *Service) askRehearsal(c *api.Call, in IDIn) (AskedRehearsal, error) {
	return update(c, s.db, func(tx *store.Tx) (out AskedRehearsal, err error) {
		k, err := campaigns.Get(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		if k.StartedAt != nil || k.Status.ended() {
			return out, api.ErrState.WithMessage("The campaign has begun; only one that has not is rehearsed.")
		}
		m, err := k.message(tx.DB(), c.Org)
		if err != nil {
			return out, err
		}
		if _, err := content.Parse(m.Text, m.Format); err != nil {
			return out, api.ErrState.WithMessage("The text of the message cannot be read: %v; correct it, then rehearse.", err)
		}
		r, err := rehearsals.Get(tx, c.Org, k.ID)
		if store.IgnoreNotFound(err) != nil {
			return out, err
		}
		if on, err := r.underWay(tx); err != nil || on {
			return out, cmp.Or(err, error(errRehearsing))
		}
		r = rehearsal{ID: k.ID, Run: tx.DB().NewID("rhs"), Status: rehearsalQueued, At: c.Now}
		r.Job, err = queue.Add(tx, rehearsing{Org: c.Org, Campaign: k.ID, Run: r.Run}, time.Time{}, queue.For(c.Org, k.ID), queue.Attempts(3))
		if err != nil {
			return out, err
		}
		if err := rehearsals.Put(tx, c.Org, &r); err != nil {
			return out, err
		}
		return AskedRehearsal{r.Run, r.Status}, audit.Write(tx, c, "campaign.rehearsed", k.resource())
	})
}

// underWay says whether somebody still plays it through: not when an administrator dropped
// the job.
func (r *rehearsal) underWay(tx *store.Tx) (bool, error) {
	if r.Status != rehearsalQueued && r.Status != rehearsalRunning {
		return false, nil
	}
	j, err := queue.Get(tx, r.Job)
	return err == nil && j.State != queue.Archived && j.State != queue.Done, store.IgnoreNotFound(err)
}

func (s *Service) getRehearsal(c *api.Call, in IDIn) (ShownRehearsal, error) {
	return view(c, s.db, func(tx *store.Tx) (out ShownRehearsal, err error) {
		if _, err := campaigns.Get(tx, c.Org, in.ID); err != nil {
			return out, err
		}
		r, err := rehearsals.Get(tx, c.Org, in.ID)
		if store.IsNotFound(err) {
			return out, errNoRehearsal
		}
		if err != nil {
			return out, err
		}
		on, err := r.underWay(tx)
		if err != nil {
			return out, err
		}
		if !on && r.Status != rehearsalDone && r.Status != rehearsalFailed {
			r.Status, r.Error = rehearsalFailed, "It was taken out of the queue; ask for it again."
		}
		out = ShownRehearsal{
			ID: r.Run, Status: r.Status, Error: api.Optional(r.Error), Skipped: r.Skipped, Sample: []string{}, CreatedAt: r.At, FinishedAt: r.FinishedAt,
			Report: rehearse.Report{Timeline: []rehearse.Hour{}, ByAccount: []rehearse.Done{}, Floods: []rehearse.Flood{}},
		}
		if !r.StartsAt.IsZero() {
			out.StartsAt = &r.StartsAt
		}
		if out.Skipped == nil {
			out.Skipped = map[string]int{}
		}
		if r.Report != nil {
			out.Report = *r.Report
		}
		texts, err := rehearsalTexts.Open(tx.DB(), c.Org, &r)
		if err == nil && texts != nil {
			err = json.Unmarshal(texts, &out.Sample)
		}
		return out, err
	})
}

// rehearsing plays a campaign through.
type rehearsing struct {
	Org      string `json:"org"`
	Campaign string `json:"campaign"`
	Run      string `json:"run"`
}

// Kind names the job.
func (rehearsing) Kind() string { return "campaign.rehearse" }

// Queue is where it waits.
func (rehearsing) Queue() queue.Name { return queue.Analysis }

func (s *Service) rehearse(ctx context.Context, j queue.Job, a rehearsing) error {
	if err := s.store(ctx, a, func(_ *store.Tx, r *rehearsal) error { r.Status = rehearsalRunning; return nil }); err != nil {
		return store.IgnoreNotFound(err)
	}
	cast, err := s.readRehearsalInput(ctx, a)
	if err == nil {
		report := rehearse.Run(&cast.plan)
		return s.store(ctx, a, func(tx *store.Tx, r *rehearsal) error {
			now := tx.DB().Now()
			r.Status, r.FinishedAt, r.StartsAt, r.Report, r.Skipped = rehearsalDone, &now, cast.plan.Start, &report, cast.skipped
			texts, err := json.Marshal(cast.sample)
			if err != nil {
				return err
			}
			return rehearsalTexts.Set(tx, a.Org, r, texts)
		})
	}
	if store.IsNotFound(err) || ctx.Err() != nil || j.Attempts < j.MaxAttempts {
		return store.IgnoreNotFound(err)
	}
	return errors.Join(err, s.store(ctx, a, func(_ *store.Tx, r *rehearsal) error {
		r.Status, r.Error = rehearsalFailed, "The campaign could not be played through; run its checks, correct what they say, and try again."
		return nil
	}))
}

// store changes the record of a rehearsal, unless another took its place.
func (s *Service) store(ctx context.Context, a rehearsing, change func(*store.Tx, *rehearsal) error) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := rehearsals.Get(tx, a.Org, a.Campaign)
		if err != nil || r.Run != a.Run {
			return store.IgnoreNotFound(err)
		}
		if err := change(tx, &r); err != nil {
			return err
		}
		return rehearsals.Put(tx, a.Org, &r)
	})
}
