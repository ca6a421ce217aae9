package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/campaign/rehearse"
	"svc/app/recipient"
	"svc/app/send"
	"svc/store"
	"svc/store/queue"
)

// rehearsal is the last rehearsal of a campaign as it is kept: the report and nothing
// else (messaging decisions, 20, Rehearsal).
type rehearsal struct {
	ID         string           `json:"id"`  // of the campaign
	Run        string           `json:"run"` // of the rehearsal
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
			return out, api.ErrState.Saying("The campaign has begun; only one that has not is rehearsed.")
		}
		r, err := rehearsals.Get(tx, c.Org, k.ID)
		if ignoreNotFound(err) != nil {
			return out, err
		}
		if r.Status == rehearsalQueued || r.Status == rehearsalRunning {
			return out, errRehearsing
		}
		r = rehearsal{ID: k.ID, Run: tx.DB().NewID("rhs"), Status: rehearsalQueued, At: c.Now}
		if err := rehearsals.Put(tx, c.Org, &r); err != nil {
			return out, err
		}
		if _, err := queue.Add(tx, rehearsing{Org: c.Org, Campaign: k.ID, Run: r.Run}, time.Time{}, queue.For(c.Org, k.ID), queue.Attempts(3)); err != nil {
			return out, err
		}
		return AskedRehearsal{r.Run, r.Status}, audit.Write(tx, c, "campaign.rehearsed", k.resource())
	})
}

func (s *Service) getRehearsal(c *api.Call, in IDIn) (ShownRehearsal, error) {
	return view(c, s.db, func(tx *store.Tx) (out ShownRehearsal, err error) {
		if _, err := campaigns.Get(tx, c.Org, in.ID); err != nil {
			return out, err
		}
		r, err := rehearsals.Get(tx, c.Org, in.ID)
		if isNotFound(err) {
			return out, errNoRehearsal
		}
		if err != nil {
			return out, err
		}
		out = ShownRehearsal{
			ID: r.Run, Status: r.Status, Error: optional(r.Error), Skipped: r.Skipped, Sample: []string{}, CreatedAt: r.At, FinishedAt: r.FinishedAt,
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
		return ignoreNotFound(err)
	}
	cast, err := s.cast(ctx, a)
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
	if isNotFound(err) || ctx.Err() != nil || j.Attempts < j.MaxAttempts {
		return ignoreNotFound(err)
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
			return ignoreNotFound(err)
		}
		if err := change(tx, &r); err != nil {
			return err
		}
		return rehearsals.Put(tx, a.Org, &r)
	})
}

// cast is the audience with the parts that it plays.
type cast struct {
	plan    rehearse.Plan
	index   map[string]int // of accounts in the plan
	skipped map[string]int
	sample  []string
}

// cast plans the audience as a launch would, and keeps nothing.
func (s *Service) cast(ctx context.Context, a rehearsing) (*cast, error) {
	out := &cast{index: map[string]int{}, skipped: map[string]int{}, sample: []string{}}
	var k Campaign
	var who recipient.Frozen
	err := s.db.View(ctx, func(tx *store.Tx) (err error) {
		if k, err = campaigns.Get(tx, a.Org, a.Campaign); err != nil {
			return err
		}
		crowd, err := k.audience(tx, a.Org)
		if err != nil {
			return err
		}
		n := 0
		if who, n, err = crowd.Freeze(tx, a.Org); err != nil {
			return err
		}
		if who, _, err = s.onlyNew(tx, a.Org, &k, who, n); err != nil {
			return err
		}
		out.plan, err = s.stage(tx, a.Org, &k)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range out.plan.Accounts {
		out.index[out.plan.Accounts[i].ID] = i
	}
	return out, s.enter(ctx, a.Org, &k, who, out)
}

// stage is the plan of a rehearsal without its people.
func (s *Service) stage(tx *store.Tx, orgID string, k *Campaign) (rehearse.Plan, error) {
	now := tx.DB().Now()
	p := rehearse.Plan{Start: startOf(k, nil, now), Window: k.Window.in(k.Timezone), Model: rehearse.Usual()}
	if k.EndAt != nil {
		p.End = *k.EndAt
	}
	for _, id := range k.AccountIDs {
		acc, err := account.Get(tx, orgID, id)
		if err != nil || !acc.Sends() {
			if ignoreNotFound(err) != nil {
				return p, err
			}
			continue
		}
		l, err := laneOf(tx, orgID, &acc, p.Start, s.o.NoPacing)
		if err != nil {
			return p, err
		}
		play := rehearse.Account{ID: id, Interval: l.Interval, Limit: l.Limit, SentToday: l.SentToday, NotBefore: l.NotBefore}
		if play.Others, err = s.waitingOthers(tx, orgID, k.ID, id); err != nil {
			return p, err
		}
		p.Accounts = append(p.Accounts, play)
	}
	return p, nil
}

// waitingOthers is what other running campaigns have left to send from an account.
func (s *Service) waitingOthers(tx *store.Tx, orgID, id, accountID string) (left int, err error) {
	const most = 50
	page, err := campaigns.Page(tx, orgID, store.Query[Campaign]{
		Where: []store.Cond[Campaign]{statusFacet.Any(string(Running)), accountFacet.Any(accountID)}, Limit: most,
	})
	for i := range page.Data {
		if err != nil || page.Data[i].ID == id {
			continue
		}
		n, failed := send.CountsOfAccount(tx, orgID, page.Data[i].ID, accountID)
		left, err = left+n[send.Waiting], failed
	}
	return left, err
}

// entrance is somebody with the part that was found.
type entrance struct {
	account string
	person  rehearse.Person
	skipped string
	text    string
}

// enter gives everybody of the audience a part, page by page.
func (s *Service) enter(ctx context.Context, orgID string, k *Campaign, who recipient.Frozen, out *cast) error {
	load := map[string]int{}
	for after := (store.Cursor)(nil); ; {
		type page struct {
			list []entrance
			load map[string]int
			next store.Cursor
		}
		p, err := view(ctx, s.db, func(tx *store.Tx) (p page, err error) {
			people, next, err := recipient.PageOf(tx, orgID, who, after, plannedAtATime)
			if err != nil {
				return p, err
			}
			p.load, p.next = maps.Clone(load), next
			p.list, err = s.parts(tx, orgID, k, p.load, people, sampleSize-len(out.sample))
			return p, err
		})
		if err != nil {
			return err
		}
		out.add(p.list)
		load = p.load
		if after = p.next; after == nil {
			return nil
		}
	}
}

func (out *cast) add(list []entrance) {
	for _, e := range list {
		if e.skipped != "" {
			out.skipped[e.skipped]++
			continue
		}
		if i, ok := out.index[e.account]; ok {
			a := &out.plan.Accounts[i]
			a.People = append(a.People, e.person)
		}
		if e.text != "" {
			out.sample = append(out.sample, e.text)
		}
	}
}

// parts decides about a page of people as the planner does.
func (s *Service) parts(tx *store.Tx, orgID string, k *Campaign, load map[string]int, people []recipient.Recipient, texts int) ([]entrance, error) {
	pl, err := s.planner(tx, orgID, k, load)
	if err != nil {
		return nil, err
	}
	out := make([]entrance, 0, len(people))
	for i := range people {
		r := &people[i]
		e := entrance{}
		if e.skipped, err = pl.skip(r); err != nil {
			return nil, err
		}
		if e.skipped == "" {
			if e.account, err = pl.bind(tx, r); err != nil {
				return nil, err
			}
			if e.person, err = personFor(tx, orgID, e.account, r); err != nil {
				return nil, err
			}
			if texts > 0 {
				text, _, err := s.render(pl.draft, orgID, r)
				if err != nil {
					return nil, err
				}
				e.text = text.Text
				texts--
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// personFor is what the model must know of somebody.
func personFor(tx *store.Tx, orgID, accountID string, r *recipient.Recipient) (rehearse.Person, error) {
	if slices.Contains(r.KnownTo, accountID) {
		return rehearse.Known, nil
	}
	if r.MessengerID != 0 && accountID != "" {
		knows, err := account.IfKnows(tx, orgID, accountID, r.MessengerID)
		if err != nil || knows {
			return rehearse.Known, err
		}
	}
	if r.Username == "" {
		return rehearse.Unreached, nil
	}
	return rehearse.Stranger, nil
}
