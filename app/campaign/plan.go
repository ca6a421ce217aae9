package campaign

import (
	"context"
	"errors"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/recipient"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
)

// plan is who was in the audience when a campaign began. It is written once, and kept:
// who was sent the same text lately is found by it (checks, duplicate_send).
type plan struct {
	ID     string           `json:"id"` // of the campaign
	Frozen recipient.Frozen `json:"frozen"`
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

// begin freezes the audience of a campaign that starts, and asks for its planning.
func (s *Service) begin(tx *store.Tx, orgID string, k *Campaign) error {
	a, err := k.audience(tx, orgID)
	if err != nil {
		return err
	}
	frozen, n, err := a.Freeze(tx, orgID)
	if err != nil {
		return err
	}
	if frozen, n, err = s.onlyNew(tx, orgID, k, frozen, n); err != nil {
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
	if err := steps.Put(tx, orgID, &step{ID: k.ID, Load: map[string]int{}}); err != nil {
		return err
	}
	_, err = queue.Add(tx, planning{Org: orgID, Campaign: k.ID}, time.Time{}, queue.For(orgID, k.ID), queue.Once(k.ID))
	return err
}

// audience is who the campaign is for.
func (k *Campaign) audience(tx *store.Tx, orgID string) (recipient.Audience, error) {
	a := recipient.Audience{Lists: k.ListIDs, Tags: k.Tags}
	if k.Picked == 0 {
		return a, nil
	}
	p, err := pickTable.Get(tx, orgID, k.ID)
	a.Picked, a.Kept = p.IDs, p.Kept
	return a, err
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

// plannedAtATime bounds the people of one transaction.
const plannedAtATime = 500

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
			return ignoreNotFound(err)
		}
		counts, err := send.Counts(tx, a.Org, a.Campaign)
		if err != nil || counts[send.Delivered] > 0 {
			return err
		}
		return s.apply(tx, api.System(ctx, a.Org, tx.DB().Now()), a.Org, &k, happening{event: Unbuildable})
	})
}

// planSome plans the next people. It goes on while the campaign is paused, and stops
// when it has ended.
func (s *Service) planSome(tx *store.Tx, c *api.Call, a planning) (done bool, err error) {
	k, err := campaigns.Get(tx, a.Org, a.Campaign)
	if err != nil || k.Status.ended() || k.Planned {
		return true, ignoreNotFound(err)
	}
	st, err := steps.Get(tx, a.Org, a.Campaign)
	if err != nil {
		return false, err
	}
	p, err := plans.Get(tx, a.Org, a.Campaign)
	if err != nil {
		return false, err
	}
	people, next, err := recipient.PageOf(tx, a.Org, p.Frozen, st.After, plannedAtATime)
	if err != nil {
		return false, err
	}
	if err := s.planPeople(tx, &k, &st, a.Org, people); err != nil {
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

func (s *Service) planPeople(tx *store.Tx, k *Campaign, st *step, orgID string, people []recipient.Recipient) error {
	pl, err := s.planner(tx, orgID, k, st.Load)
	if err != nil {
		return err
	}
	rows := make([]*send.Job, 0, len(people))
	for i := range people {
		r := &people[i]
		j := &send.Job{ID: tx.DB().NewID("job"), Kind: send.Campaign, Batch: k.ID, RecipientID: r.ID, Username: r.Username, MessengerID: r.MessengerID}
		if j.SkipReason, err = pl.skip(r); err != nil {
			return err
		}
		if j.SkipReason != "" {
			j.Status = send.Skipped
		} else if j.AccountID, err = pl.bind(tx, r); err != nil {
			return err
		}
		rows = append(rows, j)
	}
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
	st.Load = pl.binding.load
	return nil
}

// planner decides about people. It writes nothing.
type planner struct {
	s            *Service
	org          string
	draft        *draft
	allowUnknown bool
	since        time.Time // who got a message since then is skipped; zero: nobody
	binding      *binding
}

func (s *Service) planner(tx *store.Tx, orgID string, k *Campaign, load map[string]int) (*planner, error) {
	d, err := s.draftOf(tx, orgID, k.ID)
	if err != nil {
		return nil, err
	}
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	p := &planner{s: s, org: orgID, draft: d, allowUnknown: set.AllowUnknownConsent, since: k.since(tx.DB().Now())}
	if load == nil {
		load = map[string]int{}
	}
	p.binding = &binding{org: orgID, load: load}
	for _, id := range k.AccountIDs {
		a, err := account.Get(tx, orgID, id)
		if isNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p.binding.accounts = append(p.binding.accounts, slot{id: id, sends: a.Sends(), perDay: perDay(&a)})
	}
	return p, nil
}

// since is from when on a message to somebody keeps this one away; zero for never.
func (k *Campaign) since(now time.Time) time.Time {
	if k.MinDays == nil || *k.MinDays == 0 {
		return time.Time{}
	}
	return now.AddDate(0, 0, -*k.MinDays)
}

// skip is why a person gets no message, "" when there is no reason. The claim asks all
// of it again.
func (p *planner) skip(r *recipient.Recipient) (string, error) {
	if why := barred(r, p.allowUnknown, p.since); why != "" {
		return why, nil
	}
	_, ok, err := p.s.render(p.draft, p.org, r)
	if err != nil || ok {
		return "", err
	}
	return send.MissingVariables, nil
}

// slot is an account as the binding sees it.
type slot struct {
	id     string
	sends  bool // it may send now
	perDay float64
}

// binding gives people to accounts (messaging decisions, 20, Binding): to one that
// knows the person, else to the one with most capacity, which is the one that would be
// done first.
type binding struct {
	org      string
	accounts []slot
	load     map[string]int
}

// bind chooses the account of a person, "" when the campaign has none at all.
func (b *binding) bind(tx *store.Tx, r *recipient.Recipient) (string, error) {
	known := func(a *slot) (bool, error) {
		if slices.Contains(r.KnownTo, a.id) {
			return true, nil
		}
		if r.MessengerID == 0 || r.Username != "" {
			return false, nil // any account finds the username
		}
		return account.IfKnows(tx, b.org, a.id, r.MessengerID)
	}
	var knows, may []*slot
	for i := range b.accounts {
		a := &b.accounts[i]
		yes, err := known(a)
		if err != nil {
			return "", err
		}
		if yes {
			knows = append(knows, a)
		}
		if a.sends {
			may = append(may, a)
		}
	}
	id := b.choose(r, knows, may)
	if id != "" {
		b.load[id]++
	}
	return id, nil
}

// choose: a person with a username does not wait for an account that is not active
// although another could write.
func (b *binding) choose(r *recipient.Recipient, knows, may []*slot) string {
	for _, list := range [][]*slot{active(knows), onlyIf(r.Username == "", knows), may} {
		if a := b.freest(list); a != nil {
			return a.id
		}
	}
	all := make([]*slot, len(b.accounts))
	for i := range b.accounts {
		all[i] = &b.accounts[i]
	}
	if a := b.freest(all); a != nil {
		return a.id
	}
	return ""
}

func active(list []*slot) (out []*slot) {
	for _, a := range list {
		if a.sends {
			out = append(out, a)
		}
	}
	return out
}

func onlyIf(b bool, list []*slot) []*slot {
	if b {
		return list
	}
	return nil
}

// freest is the account that would be done first with one person more.
func (b *binding) freest(list []*slot) (best *slot) {
	days := func(a *slot) float64 { return float64(b.load[a.id]+1) / max(a.perDay, 1) }
	for _, a := range list {
		if best == nil || days(a) < days(best) {
			best = a
		}
	}
	return best
}

func (p *planner) bind(tx *store.Tx, r *recipient.Recipient) (string, error) {
	return p.binding.bind(tx, r)
}

// perDay is how many messages an account sends in a day.
func perDay(a *account.Account) float64 {
	const day = 24 * 60 * 60
	return min(float64(a.DailyLimit), day/float64(max(a.MinInterval, 1)))
}
