package campaign

import (
	"context"
	"maps"
	"slices"
	"time"

	"svc/app/account"
	"svc/app/campaign/rehearse"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/send"
	"svc/app/send/figures"
	"svc/app/setting"
	"svc/store"
)

// rehearsalInput is the audience of a campaign as a rehearsal takes it: who is written to from which account,
// and who is skipped.
type rehearsalInput struct {
	plan    rehearse.Plan
	index   map[string]int // of accounts in the plan
	skipped map[string]int
	sample  []string
}

// readRehearsalInput plans the audience as a launch would, and keeps nothing.
func (s *Service) readRehearsalInput(ctx context.Context, a rehearsing) (*rehearsalInput, error) {
	out := &rehearsalInput{index: map[string]int{}, skipped: map[string]int{}, sample: []string{}}
	var k Campaign
	var who audience.Frozen
	people, err := s.readAudience(ctx, a.Org, a.Campaign)
	if err != nil {
		return nil, err
	}
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if k, err = campaigns.Get(tx, a.Org, a.Campaign); err != nil {
			return err
		}
		if who, _, err = s.meant(tx, a.Org, &k, people); err != nil {
			return err
		}
		out.plan, err = s.rehearsalPlan(tx, a.Org, &k)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range out.plan.Accounts {
		out.index[out.plan.Accounts[i].ID] = i
	}
	return out, s.addAudience(ctx, a.Org, &k, who, out)
}

// rehearsalPlan is the plan of a rehearsal without its participants.
func (s *Service) rehearsalPlan(tx *store.Tx, orgID string, k *Campaign) (rehearse.Plan, error) {
	now := tx.DB().Now()
	p := rehearse.Plan{Start: startOf(k, now), Window: k.Window.in(k.Timezone), Model: rehearse.Usual()}
	if k.EndAt != nil {
		p.End = *k.EndAt
	}
	set, err := setting.Get(tx)
	if err != nil {
		return p, err
	}
	failing, err := failures(tx, orgID, now)
	if err != nil {
		return p, err
	}
	for _, id := range k.AccountIDs {
		acc, err := account.Get(tx, orgID, id)
		if err != nil || !acc.Sends() {
			if store.IgnoreNotFound(err) != nil {
				return p, err
			}
			p.Accounts = append(p.Accounts, rehearse.Account{ID: id}) // without a limit it sends nothing
			continue
		}
		l, err := workloadOf(tx, orgID, &acc, &set, p.Start, s.o.NoPacing)
		if err != nil {
			return p, err
		}
		play := rehearse.Account{ID: id, Pace: l.Pace, Failing: failing(id)}
		if play.Others, err = s.waitingOthers(tx, orgID, k.ID, id); err != nil {
			return p, err
		}
		p.Accounts = append(p.Accounts, play)
	}
	return p, nil
}

// What is expected to fail is what failed lately, of so many messages at least (contract 20.12).
const (
	failuresSince = 30 * 24 * time.Hour
	failuresOf    = 50
)

// failures says which share of the messages of an account is expected to fail: what failed of its own, else of
// the organization's, else the usual.
func failures(tx *store.Tx, orgID string, now time.Time) (func(accountID string) float64, error) {
	rows, err := figures.Analytics(tx, orgID, now.Add(-failuresSince), now, figures.ByAccount, time.UTC)
	if err != nil {
		return nil, err
	}
	shares, all := map[string]float64{}, figures.Counters{}
	for _, r := range rows {
		all.Delivered, all.Failed, all.Unreachable = all.Delivered+r.Delivered, all.Failed+r.Failed, all.Unreachable+r.Unreachable
		if share, ok := failedShare(r.Counters); ok {
			shares[r.Key] = share
		}
	}
	other, ok := failedShare(all)
	if !ok {
		other = rehearse.UsualFailing
	}
	return func(id string) float64 {
		if share, known := shares[id]; known {
			return share
		}
		return other
	}, nil
}

// failedShare is what of messages failed; false when they are too few to tell.
func failedShare(c figures.Counters) (float64, bool) {
	failed := c.Failed + c.Unreachable
	tried := c.Delivered + failed
	if tried < failuresOf {
		return 0, false
	}
	return float64(failed) / float64(tried), true
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

// participant is somebody of the audience with the account that writes to them, or the reason why nobody does.
type participant struct {
	account string
	person  rehearse.Person
	skipped string
	text    string
}

// addAudience reads the audience page by page and adds everybody to out.
func (s *Service) addAudience(ctx context.Context, orgID string, k *Campaign, who audience.Frozen, out *rehearsalInput) error {
	load := map[string]int{}
	for after := (store.Cursor)(nil); ; {
		type page struct {
			list []participant
			load map[string]int
			next store.Cursor
		}
		p, err := view(ctx, s.db, func(tx *store.Tx) (p page, err error) {
			people, next, err := recipient.PageOf(tx, orgID, who, after, plannedAtATime)
			if err != nil {
				return p, err
			}
			p.load, p.next = maps.Clone(load), next
			p.list, err = s.participants(tx, orgID, k, p.load, people, sampleSize-len(out.sample))
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

func (out *rehearsalInput) add(list []participant) {
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

// participants decides about a page of people as the planner does.
func (s *Service) participants(tx *store.Tx, orgID string, k *Campaign, load map[string]int, people []recipient.Recipient, texts int) ([]participant, error) {
	pl, err := s.planner(tx, orgID, k, load)
	if err != nil {
		return nil, err
	}
	out := make([]participant, 0, len(people))
	for i := range people {
		r := &people[i]
		e := participant{}
		if e.skipped, err = pl.skip(r); err != nil {
			return nil, err
		}
		if e.skipped == "" {
			e.account = pl.binding.bind(r)
			e.person = personFor(e.account, r)
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
func personFor(accountID string, r *recipient.Recipient) rehearse.Person {
	switch {
	case slices.Contains(r.KnownTo, accountID):
		return rehearse.Known
	case r.Username == "":
		return rehearse.Unreached
	}
	return rehearse.Stranger
}
