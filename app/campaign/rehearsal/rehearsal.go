// Package rehearsal rehearses campaigns that have not begun: it plans one as a launch would, plays it
// through on a virtual clock (package rehearse) and keeps the report. Nothing is sent.
package rehearsal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/record"
	"svc/app/campaign/rehearse"
	"svc/app/campaign/targeting"
	"svc/app/content"
	"svc/store"
	"svc/store/queue"
)

// rehearsed is the last rehearsal of a campaign as it is kept: the report and nothing
// else (contract 20.12).
type rehearsed struct {
	ID         string           `json:"id"`  // of the campaign
	Run        string           `json:"run"` // of the rehearsal
	Job        string           `json:"job"` // that plays it through
	Status     Status           `json:"status"`
	Error      string           `json:"error,omitempty"`
	At         time.Time        `json:"at"`
	StartsAt   time.Time        `json:"starts_at,omitzero"`
	FinishedAt *time.Time       `json:"finished_at,omitempty"`
	Report     *rehearse.Report `json:"report,omitempty"`
	Skipped    map[string]int   `json:"skipped,omitempty"`
	// Sample are the ten texts, which are message text: sealed.
	Sample store.Sealed `json:"sample,omitzero"`
}

// Tables are what a store that holds rehearsals is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Service rehearses campaigns.
type Service struct {
	db       *store.DB
	people   *targeting.Reader
	noPacing bool
}

// New makes it. noPacing says that accounts send without pace and daily limit.
func New(db *store.DB, people *targeting.Reader, noPacing bool) *Service {
	return &Service{db: db, people: people, noPacing: noPacing}
}

// Remove removes what is kept of the rehearsals of a campaign, if there is anything.
func Remove(tx *store.Tx, orgID, id string) error {
	return store.IgnoreNotFound(table.Delete(tx, orgID, id))
}

// Status says where a rehearsal is.
type Status string

// The statuses.
const (
	Queued  Status = "QUEUED"
	Running Status = "RUNNING"
	Done    Status = "DONE"
	Failed  Status = "FAILED"
)

// table keeps the last rehearsal of each campaign.
var (
	table   = store.NewTable("campaign_rehearsal", "cmp", func(r *rehearsed) string { return r.ID })
	samples = table.Sealed("sample", func(r *rehearsed) *store.Sealed { return &r.Sample })
)

// AskedRehearsal is the answer to whoever asks for a rehearsal.
type AskedRehearsal struct {
	ID     string `json:"id"`
	Status Status `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED"`
}

// ShownRehearsal is what a rehearsal found.
type ShownRehearsal struct {
	ID     string  `json:"id"`
	Status Status  `json:"status" enum:"QUEUED,RUNNING,DONE,FAILED"`
	Error  *string `json:"error" doc:"Why it failed."`
	rehearse.Report
	StartsAt   *time.Time     `json:"starts_at" doc:"When the rehearsed campaign begins."`
	Skipped    map[string]int `json:"skipped" doc:"People who would be skipped, by reason."`
	Sample     []string       `json:"sample" doc:"Ten texts as they would be read."`
	CreatedAt  time.Time      `json:"created_at"`
	FinishedAt *time.Time     `json:"rehearsed_at"`
}

// Ask queues a rehearsal.
func (s *Service) Ask(c *api.Call, in record.IDIn) (AskedRehearsal, error) {
	return record.Update(c, s.db, func(tx *store.Tx) (out AskedRehearsal, err error) {
		k, err := s.rehearsable(tx, c.Org, in.ID)
		if err != nil {
			return out, err
		}
		r := rehearsed{ID: k.ID, Run: tx.DB().NewID("rhs"), Status: Queued, At: c.Now}
		r.Job, err = queue.Add(tx, rehearsing{Org: c.Org, Campaign: k.ID, Run: r.Run}, time.Time{}, queue.For(c.Org, k.ID), queue.Attempts(3))
		if err != nil {
			return out, err
		}
		if err := table.Put(tx, c.Org, &r); err != nil {
			return out, err
		}
		return AskedRehearsal{r.Run, r.Status}, audit.Write(tx, c, "campaign.rehearsed", k.Resource())
	})
}

// rehearsable is a campaign that has not begun, has a text that can be read, and is not being
// rehearsed.
func (s *Service) rehearsable(tx *store.Tx, orgID, id string) (k record.Campaign, err error) {
	if k, err = record.Get(tx, orgID, id); err != nil {
		return k, err
	}
	if k.StartedAt != nil || k.Status.Ended() {
		return k, api.ErrState.WithMessage("The campaign has begun; only one that has not is rehearsed.")
	}
	m, err := k.OpenMessage(tx.DB(), orgID)
	if err != nil {
		return k, err
	}
	if _, err := content.Parse(m.Text, m.Format); err != nil {
		return k, api.ErrState.WithMessage("The text of the message cannot be read: %v; correct it, then rehearse.", err)
	}
	r, err := table.Get(tx, orgID, k.ID)
	if store.IgnoreNotFound(err) != nil {
		return k, err
	}
	if on, err := r.underWay(tx); err != nil || on {
		return k, cmp.Or(err, error(ErrRehearsing))
	}
	return k, nil
}

// underWay says whether somebody still plays it through: not when an administrator dropped
// the job.
func (r *rehearsed) underWay(tx *store.Tx) (bool, error) {
	if r.Status != Queued && r.Status != Running {
		return false, nil
	}
	j, err := queue.Get(tx, r.Job)
	return err == nil && j.State != queue.Archived && j.State != queue.Done, store.IgnoreNotFound(err)
}

// Get shows the last rehearsal of a campaign.
func (s *Service) Get(c *api.Call, tx *store.Tx, in record.IDIn) (out ShownRehearsal, err error) {
	if _, err := record.Get(tx, c.Org, in.ID); err != nil {
		return out, err
	}
	r, err := table.Get(tx, c.Org, in.ID)
	if store.IsNotFound(err) {
		return out, errNoRehearsal
	}
	if err != nil {
		return out, err
	}
	if err := r.failUnqueued(tx); err != nil {
		return out, err
	}
	out = r.shown()
	texts, err := samples.Open(tx.DB(), c.Org, &r)
	if err == nil && texts != nil {
		err = json.Unmarshal(texts, &out.Sample)
	}
	return out, err
}

// failUnqueued shows a rehearsal that has no end, and no job any more, as failed.
func (r *rehearsed) failUnqueued(tx *store.Tx) error {
	if r.Status == Done || r.Status == Failed {
		return nil
	}
	on, err := r.underWay(tx)
	if err == nil && !on {
		r.Status, r.Error = Failed, "It was taken out of the queue; ask for it again."
	}
	return err
}

// shown is a rehearsal without its samples.
func (r *rehearsed) shown() ShownRehearsal {
	out := ShownRehearsal{
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
	return out
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

// Work plays a campaign through: the job of Ask.
func (s *Service) Work(ctx context.Context, j queue.Job, a rehearsing) error {
	if err := s.store(ctx, a, func(_ *store.Tx, r *rehearsed) error { r.Status = Running; return nil }); err != nil {
		return store.IgnoreNotFound(err)
	}
	in, err := s.readInput(ctx, a)
	if err == nil {
		report := rehearse.Run(&in.plan)
		return s.store(ctx, a, func(tx *store.Tx, r *rehearsed) error {
			now := tx.DB().Now()
			r.Status, r.FinishedAt, r.StartsAt, r.Report, r.Skipped = Done, &now, in.plan.Start, &report, in.skipped
			texts, err := json.Marshal(in.sample)
			if err != nil {
				return err
			}
			return samples.Set(tx, a.Org, r, texts)
		})
	}
	if store.IsNotFound(err) || ctx.Err() != nil || j.Attempts < j.MaxAttempts {
		return store.IgnoreNotFound(err)
	}
	return errors.Join(err, s.store(ctx, a, func(_ *store.Tx, r *rehearsed) error {
		r.Status, r.Error = Failed, "The campaign could not be played through; run its checks, correct what they say, and try again."
		return nil
	}))
}

// store changes the record of a rehearsal, unless another took its place.
func (s *Service) store(ctx context.Context, a rehearsing, change func(*store.Tx, *rehearsed) error) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		r, err := table.Get(tx, a.Org, a.Campaign)
		if err != nil || r.Run != a.Run {
			return store.IgnoreNotFound(err)
		}
		if err := change(tx, &r); err != nil {
			return err
		}
		return table.Put(tx, a.Org, &r)
	})
}

// The refusals of rehearsals.
var (
	errNoRehearsal = api.ErrNotFound.WithMessage("This campaign was not rehearsed; ask for it with POST.")
	ErrRehearsing  = api.ErrState.WithMessage("A rehearsal of this campaign is under way; wait until it has ended.")
)
