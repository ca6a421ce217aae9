package lead

import (
	"reflect"
	"slices"
	"time"

	"svc/app/business"
	"svc/app/business/price"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/seller/figure"
	"svc/store"
)

// Source says who moved a conversation.
type Source string

// The sources.
const (
	ByAI     Source = "AI"
	BySystem Source = "SYSTEM"
)

// Seen is what a turn says of a sale.
type Seen struct {
	Business, Funnel string
	// Stage is the stage that the conversation should be in; "" for where it is.
	Stage    string
	Interest Interest
	Quality  Quality
	// PriceAsked: the customer asks what something costs that is offered.
	PriceAsked bool
	// Offers are what the customer is interested in.
	Offers []string
	// NextStep says in a sentence what is to be done next.
	NextStep string
	// Purchase: the customer buys or books, and it stands in the offers.
	Purchase bool
}

// opens says whether a lead begins with it (contract 13.2).
func (s *Seen) opens() bool {
	return s.Purchase || s.Interest == Medium || s.Interest == High || s.PriceAsked && len(s.Offers) > 0
}

// next is the stage after a turn: at most one step forward, never back, into the last one
// only for a purchase.
func next(f *business.Funnel, now, proposed string, purchased bool) string {
	if len(f.Stages) == 0 {
		return ""
	}
	at, _, _ := f.Stage(now)
	if to, _, ok := f.Stage(proposed); ok && to > at && (at+1 < len(f.Stages)-1 || purchased) {
		at++
	}
	return f.Stages[at].Key
}

// Observe notes what a turn says of a sale: it moves the conversation, opens a lead when
// interest shows, and brings the lead up to date.
func Observe(tx *store.Tx, org string, k *conversation.Conversation, s Seen) error {
	if k.Personal || k.AIState == conversation.Stopped {
		return nil
	}
	f, err := business.FunnelOf(tx, org, s.Business, s.Funnel)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	was, err := Of(tx, org, k.ID, s.Business)
	known := err == nil
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	l, before := was, &was
	if !known {
		l, before = Lead{}, nil
	}
	l.Purchased = l.Purchased || s.Purchase
	stage := next(&f, k.Stage, s.Stage, l.Purchased)
	opened := !known && s.opens()
	if opened {
		now := tx.DB().Now()
		l.ID, l.Conversation, l.Account, l.Business, l.Status = tx.DB().NewID("led"), k.ID, k.AccountID, s.Business, Open
		l.Quality, l.Interest, l.OpenedAt = Cold, s.Interest, now
		if err := l.count(tx, org, figure.Leads{Opened: 1}); err != nil {
			return err
		}
	}
	if !known && !opened {
		return move(tx, org, k, stage, k.LeadQuality, ByAI, nil)
	}
	return l.see(tx, org, k, &f, &s, stage, before, opened)
}

// see brings a lead up to date with what a turn says.
func (l *Lead) see(tx *store.Tx, org string, k *conversation.Conversation, f *business.Funnel, s *Seen, stage string, before *Lead, opened bool) error {
	if l.Status == Lost && s.opens() {
		if err := l.settle(tx, org, Interested); err != nil {
			return err
		}
	}
	l.Funnel, l.Stage = f.ID, stage
	if l.Status == Open {
		if err := l.learn(tx, org, s); err != nil {
			return err
		}
		if stage != "" && stage == f.Last() && l.Purchased {
			if err := l.settle(tx, org, Bought); err != nil {
				return err
			}
		}
	}
	changed := before == nil || !reflect.DeepEqual(before, l)
	if changed {
		l.UpdatedAt = tx.DB().Now()
		if err := put(tx, org, before, l); err != nil {
			return err
		}
	}
	if err := move(tx, org, k, stage, string(l.Quality), ByAI, l); err != nil || !changed {
		return err
	}
	return l.emitUpdated(tx, org, k, opened)
}

// learn takes what a turn says of an open lead.
func (l *Lead) learn(tx *store.Tx, org string, s *Seen) error {
	if s.Quality != "" {
		l.Quality = s.Quality
	}
	if s.Interest != "" {
		l.Interest = s.Interest
	}
	if s.NextStep != "" {
		if now, err := l.Next(tx.DB(), org); err != nil {
			return err
		} else if now != s.NextStep {
			if err := l.setNext(tx, org, s.NextStep); err != nil {
				return err
			}
		}
	}
	l.Offers = joined(l.Offers, s.Offers)
	return l.worth(tx, org)
}

// joined are the offers of a lead with those of an answer; the newest stay.
func joined(list, more []string) []string {
	list = slices.Clone(list)
	for _, id := range more {
		if !slices.Contains(list, id) {
			list = append(list, id)
		}
	}
	return list[max(0, len(list)-maxOffers):]
}

// Worth is what the lead of a conversation with a business is worth, 0 for none, and what it
// is with more offers. Both are in the currency of the lead.
func Worth(tx *store.Tx, org, conversation, business string, more []string) (before, after price.Amount, err error) {
	l, err := Of(tx, org, conversation, business)
	if store.IgnoreNotFound(err) != nil {
		return 0, 0, err
	}
	if err == nil && l.Status != Open {
		return l.Value, l.Value, nil
	}
	before, l.Offers = l.Value, joined(l.Offers, more)
	err = l.worth(tx, org)
	return before, l.Value, err
}

// maxOffers bounds the offers of a lead; the newest stay.
const maxOffers = 20

// worth is the sum of the lowest prices of what the customer is interested in, in the
// currency that most of it has.
func (l *Lead) worth(tx *store.Tx, org string) error {
	list, err := business.OffersByID(tx, org, l.Offers)
	if err != nil {
		return err
	}
	worth, of := map[string]price.Amount{}, map[string]int{}
	l.Value, l.Currency = 0, ""
	for _, o := range list {
		if o.Price == nil || o.Currency == nil {
			continue
		}
		worth[*o.Currency] += *o.Price
		of[*o.Currency]++
		if l.Currency == "" || of[*o.Currency] > of[l.Currency] {
			l.Currency = *o.Currency
		}
	}
	l.Value = worth[l.Currency]
	return nil
}

// move puts a conversation into a stage, with its event. Nobody else does.
func move(tx *store.Tx, org string, k *conversation.Conversation, stage, quality string, by Source, l *Lead) error {
	was := k.Stage
	if err := conversation.SetSale(tx, org, k, stage, quality); err != nil || was == stage {
		return err
	}
	data := map[string]any{"stage": nothing(stage), "previous_stage": nothing(was), "source": by, "lead_id": nil}
	if l != nil {
		data["lead_id"] = l.ID
	}
	return conversation.Emit(tx, org, k, event.StageChanged, data)
}

func nothing(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// age is how many whole days a lead is open.
func (l *Lead) age(now time.Time) int { return max(0, int(now.Sub(l.OpenedAt)/(24*time.Hour))) }
