package targeting

import (
	"slices"

	"svc/app/account"
	"svc/app/campaign/record"
	"svc/app/campaign/workload"
	"svc/app/content/markup"
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/send"
	"svc/app/setting"
	"svc/store"
)

// Planner decides about people. It writes nothing.
type Planner struct {
	s       *Reader
	org     string
	draft   *draft
	message policy.Message
	binding *Binding
}

// Planner decides about the people of a campaign. load is how many people its accounts were given
// before; nil: nobody.
func (s *Reader) Planner(tx *store.Tx, orgID string, k *record.Campaign, load map[string]int) (*Planner, error) {
	d, err := s.draftOf(tx, orgID, k.ID)
	if err != nil {
		return nil, err
	}
	set, err := setting.Get(tx)
	if err != nil {
		return nil, err
	}
	p := &Planner{s: s, org: orgID, draft: d, message: k.PolicyRules(&set, tx.DB().Now())}
	p.binding, err = BindingOf(tx, orgID, k, load)
	return p, err
}

// Skip is why a person gets no message, "" when there is no reason. The claim asks all
// of it again.
func (p *Planner) Skip(r *recipient.Recipient) (string, error) {
	if why := p.message.Objection(r.Person()); why != "" {
		return string(why), nil
	}
	_, ok, err := p.Render(r)
	if err != nil || ok {
		return "", err
	}
	return send.MissingVariables, nil
}

// Bind chooses the account of a person, "" when the campaign has none at all.
func (p *Planner) Bind(r *recipient.Recipient) string { return p.binding.Bind(r) }

// Load is how many people each account was given.
func (p *Planner) Load() map[string]int { return p.binding.Load }

// Render is the message as one person gets it; ok is false when a variable has no value for them.
func (p *Planner) Render(r *recipient.Recipient) (out markup.Rendered, ok bool, err error) {
	return p.s.render(p.draft, p.org, r)
}

// slot is an account as the binding sees it.
type slot struct {
	id     string
	sends  bool // it may send now
	perDay float64
}

// Binding gives people to accounts (contract 20.2): to one that
// knows the person, else to the one with most capacity, which is the one that would be
// done first.
type Binding struct {
	accounts []slot
	Load     map[string]int
}

// BindingOf begins with how many people the accounts of a campaign were given before.
func BindingOf(tx *store.Tx, orgID string, k *record.Campaign, load map[string]int) (*Binding, error) {
	b := &Binding{Load: load}
	if load == nil {
		b.Load = map[string]int{}
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
		b.accounts = append(b.accounts, slot{id: id, sends: a.Sends(), perDay: workload.PerDay(&a, &set)})
	}
	return b, nil
}

// Bind chooses the account of a person, "" when the campaign has none at all.
func (b *Binding) Bind(r *recipient.Recipient) string {
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
		b.Load[id]++
	}
	return id
}

// choose: a person with a username does not wait for an account that is not active
// although another could write.
func (b *Binding) choose(r *recipient.Recipient, knows, may []*slot) string {
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
func (b *Binding) freest(list []*slot) (best *slot) {
	days := func(a *slot) float64 { return float64(b.Load[a.id]+1) / max(a.perDay, 1) }
	for _, a := range list {
		if best == nil || days(a) < days(best) {
			best = a
		}
	}
	return best
}
