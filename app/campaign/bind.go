package campaign

import (
	"slices"
	"time"

	"svc/app/account"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// planner decides about people. It writes nothing.
type planner struct {
	s       *Service
	org     string
	draft   *draft
	message policy.Message
	binding *binding
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
	p := &planner{s: s, org: orgID, draft: d, message: k.rules(&set, tx.DB().Now())}
	p.binding, err = bindingOf(tx, orgID, k, load)
	return p, err
}

// rules are what the policy must know of the messages of a campaign.
func (k *Campaign) rules(set *setting.Settings, now time.Time) policy.Message {
	m := policy.Message{Campaign: true, AllowUnknown: set.AllowUnknownConsent}
	if k.MinDays != nil {
		m.RestSince = policy.Since(now, *k.MinDays)
	}
	return m
}

// skip is why a person gets no message, "" when there is no reason. The claim asks all
// of it again.
func (p *planner) skip(r *recipient.Recipient) (string, error) {
	if why := p.message.Objection(r.Person()); why != "" {
		return string(why), nil
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

// binding gives people to accounts (contract 20.2): to one that
// knows the person, else to the one with most capacity, which is the one that would be
// done first.
type binding struct {
	accounts []slot
	load     map[string]int
}

// bindingOf begins with how many people the accounts of a campaign were given before.
func bindingOf(tx *store.Tx, orgID string, k *Campaign, load map[string]int) (*binding, error) {
	b := &binding{load: load}
	if load == nil {
		b.load = map[string]int{}
	}
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	for _, id := range k.AccountIDs {
		a, err := account.Get(tx, orgID, id)
		if store.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		b.accounts = append(b.accounts, slot{id: id, sends: a.Sends(), perDay: perDay(&a, &set)})
	}
	return b, nil
}

// bind chooses the account of a person, "" when the campaign has none at all.
func (b *binding) bind(r *recipient.Recipient) string {
	var knows, may []*slot
	for i := range b.accounts {
		a := &b.accounts[i]
		if slices.Contains(r.KnownTo, a.id) {
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
	return id
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

// perDay is how many messages an account sends in a day.
func perDay(a *account.Account, set *setting.Settings) float64 {
	const day = 24 * 60 * 60
	daily, interval := a.Pacing(set)
	return min(float64(daily), day/float64(max(interval, 1)))
}
