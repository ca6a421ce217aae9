// Package lead keeps what conversations may become: who is interested in what, how far in
// the funnel, and how it ended.
//
// It promises that a conversation has one lead at most with a business; that stages of
// conversations and leads move in one place, forward by one step a turn and never back, and
// into the last one only for a purchase; that the sums of the pipeline change in the same
// transaction; and that a funnel that loses stages takes its conversations along (contract
// 13.2). It refuses to judge a conversation: whoever calls Observe did.
package lead

import (
	"strings"
	"time"

	"svc/app/api"
	"svc/app/business/price"
	"svc/app/event"
	"svc/app/inbox/conversation"
	"svc/app/seller/figure"
	"svc/store"
)

// Status is how a lead stands.
type Status string

// The statuses (contract 60.29).
const (
	Open Status = "OPEN"
	Won  Status = "WON"
	Lost Status = "LOST"
)

// Statuses lists them.
func Statuses() []Status { return []Status{Open, Won, Lost} }

// Event is what happens to a lead.
type Event string

// The events.
const (
	Bought     Event = "reached the last stage"
	OptedOut   Event = "the customer opted out"
	Interested Event = "the customer is interested again"
)

// Events lists them.
func Events() []Event { return []Event{Bought, OptedOut, Interested} }

// life is that of a lead (contract 60.29).
var life = api.Table[Status, Event]{
	{From: []Status{Open}, On: Bought, To: Won},
	{From: []Status{Open}, On: OptedOut, To: Lost},
	{From: []Status{Lost}, On: Interested, To: Open},
}

// Quality says how likely a sale is.
type Quality string

// The qualities.
const (
	Cold Quality = "cold"
	Warm Quality = "warm"
	Hot  Quality = "hot"
)

// Interest is how interested a customer is.
type Interest string

// The interests.
const (
	None   Interest = "NONE"
	Low    Interest = "LOW"
	Medium Interest = "MEDIUM"
	High   Interest = "HIGH"
)

// Lead is one lead as it is kept.
type Lead struct {
	ID           string       `json:"id"`
	Conversation string       `json:"conversation"`
	Account      string       `json:"account"`
	Business     string       `json:"business"`
	Funnel       string       `json:"funnel"`
	Stage        string       `json:"stage"`
	Status       Status       `json:"status"`
	Quality      Quality      `json:"quality"`
	Interest     Interest     `json:"interest,omitempty"`
	Offers       []string     `json:"offers,omitempty"`
	Value        price.Amount `json:"value,omitempty"`
	Currency     string       `json:"currency,omitempty"` // "" without a value
	// Purchased: the customer bought or booked something that is offered.
	Purchased bool      `json:"purchased,omitempty"`
	OpenedAt  time.Time `json:"opened_at"`
	ClosedAt  time.Time `json:"closed_at,omitzero"`
	UpdatedAt time.Time `json:"updated_at"`
	// NextStep is sealed: it is about a customer.
	NextStep store.Sealed `json:"next_step,omitzero"`
}

// sum is what a stage of a funnel holds.
type sum struct {
	ID    string                  `json:"id"` // funnel/stage
	Open  int                     `json:"open,omitempty"`
	Won   int                     `json:"won,omitempty"`
	Lost  int                     `json:"lost,omitempty"`
	Value map[string]price.Amount `json:"value,omitempty"` // of Open, by currency
}

var (
	leads    = store.NewTable("seller_lead", "led", func(l *Lead) string { return l.ID })
	nextStep = leads.Sealed("next_step", func(l *Lead) *store.Sealed { return &l.NextStep })

	byConversation = leads.Unique("conversation", func(l *Lead) store.Key {
		return store.Tuple(store.Text(l.Conversation), store.Text(l.Business))
	})
	ofConversation = leads.Multi("of_conversation", func(l *Lead) []store.Key { return []store.Key{store.Text(l.Conversation)} })
	byOpened       = leads.Index("opened", func(l *Lead) store.Key { return store.Time(l.OpenedAt) })
	byUpdated      = leads.Index("updated", func(l *Lead) store.Key { return store.Time(l.UpdatedAt) })
	byValue        = leads.Index("value", func(l *Lead) store.Key { return store.Int(int64(l.Value)) })
	// openIn are the open leads of each stage, the oldest first.
	openIn = leads.Multi("open_in", func(l *Lead) []store.Key {
		if l.Status != Open {
			return nil
		}
		return []store.Key{store.Tuple(store.Text(l.Funnel), store.Text(l.Stage), store.Time(l.OpenedAt))}
	})
	businessFacet = leads.Facet("business", func(l *Lead) []string { return []string{l.Business} })
	funnelFacet   = leads.Facet("funnel", func(l *Lead) []string { return []string{l.Funnel} })
	stageFacet    = leads.Facet("stage", func(l *Lead) []string { return []string{l.Stage} })
	statusFacet   = leads.Facet("status", func(l *Lead) []string { return []string{string(l.Status)} })
	qualityFacet  = leads.Facet("quality", func(l *Lead) []string { return []string{string(l.Quality)} })
	interestFacet = leads.Facet("interest", func(l *Lead) []string { return []string{string(l.Interest)} })
	// currencies counts open leads with a value by its currency.
	currencies = leads.Tally("currency", func(l *Lead) []string {
		if l.Status != Open || l.Currency == "" {
			return nil
		}
		return []string{l.Currency}
	})

	sums = store.NewTable("seller_lead_sum", "", func(s *sum) string { return s.ID })
)

// Tables are what a store that holds leads is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{leads, sums} }

// Of is the lead of a conversation with a business; store.ErrNotFound when there is none.
func Of(tx *store.Tx, org, conversation, business string) (Lead, error) {
	return byConversation.Find(tx, org, store.Tuple(store.Text(conversation), store.Text(business)))
}

// Ordered says whether a customer has bought or booked in a conversation what is not handed
// over yet: its lead is open.
func Ordered(tx *store.Tx, org, conversation string) (bool, error) {
	list, _, err := ofConversation.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: ofOne})
	for i := range list {
		if list[i].Status == Open && list[i].Purchased {
			return true, err
		}
	}
	return false, err
}

// Next is what is to be done next, "" for nothing.
func (l *Lead) Next(db *store.DB, org string) (string, error) {
	b, err := nextStep.Open(db, org, l)
	return string(b), err
}

// add adds a lead to a sum, or with -1 takes it away.
func (s *sum) add(l *Lead, n int) {
	switch l.Status {
	case Won:
		s.Won += n
	case Lost:
		s.Lost += n
	default:
		s.Open += n
		if l.Currency != "" {
			if s.Value == nil {
				s.Value = map[string]price.Amount{}
			}
			if s.Value[l.Currency] += price.Amount(n) * l.Value; s.Value[l.Currency] == 0 {
				delete(s.Value, l.Currency)
			}
		}
	}
}

// put saves a lead with the sums of the pipeline. Nobody else writes one; before is nil for
// a new one, after for one that goes.
func put(tx *store.Tx, org string, before, after *Lead) error {
	for l, n := range map[*Lead]int{before: -1, after: 1} {
		if l == nil {
			continue
		}
		s, err := sums.Get(tx, org, sumID(l.Funnel, l.Stage))
		if store.IgnoreNotFound(err) != nil {
			return err
		}
		s.ID = sumID(l.Funnel, l.Stage)
		if s.add(l, n); s.Open+s.Won+s.Lost == 0 {
			err = sums.Delete(tx, org, s.ID)
		} else {
			err = sums.Put(tx, org, &s)
		}
		if err != nil {
			return err
		}
	}
	if after == nil {
		return leads.Delete(tx, org, before.ID)
	}
	return leads.Put(tx, org, after)
}

func sumID(funnel, stage string) string { return funnel + "/" + stage }

// settle changes the status of a lead, with the figures. The caller saves it. Nobody else
// sets one; what the table does not have is api.ErrState.
func (l *Lead) settle(tx *store.Tx, org string, e Event) error {
	to, ok := life.Next(l.Status, e)
	if !ok {
		return api.ErrState
	}
	now := tx.DB().Now()
	l.Status, l.ClosedAt = to, now
	f := figure.Leads{}
	switch to {
	case Won:
		f.Won = 1
		if l.Currency != "" {
			f.Value = map[string]price.Amount{l.Currency: l.Value}
		}
	case Lost:
		f.Lost = 1
	default:
		l.ClosedAt, f.Opened = time.Time{}, 1
	}
	return l.count(tx, org, f)
}

func (l *Lead) count(tx *store.Tx, org string, f figure.Leads) error {
	return figure.Add(tx, org, figure.Place{Business: l.Business, Account: l.Account}, tx.DB().Now(), &figure.Counters{Leads: f})
}

// emitUpdated announces a lead that changed.
func (l *Lead) emitUpdated(tx *store.Tx, org string, k *conversation.Conversation, created bool) error {
	return conversation.Emit(tx, org, k, event.LeadUpdated, map[string]any{
		"lead_id": l.ID, "business_id": l.Business, "quality": l.Quality, "status": l.Status, "created": created,
	})
}

// Lose ends what is open in a conversation whose customer opted out.
func Lose(tx *store.Tx, org, id string) error {
	list, _, err := ofConversation.Walk(tx, org, store.Range{Span: store.Is(store.Text(id)), Limit: ofOne})
	if err != nil || len(list) == 0 {
		return err
	}
	k, err := conversation.Get(tx, org, id)
	if err != nil {
		return err
	}
	for i := range list {
		l := list[i]
		if l.Status != Open {
			continue
		}
		if err := l.settle(tx, org, OptedOut); err != nil {
			return err
		}
		l.UpdatedAt = l.ClosedAt
		if err := put(tx, org, &list[i], &l); err != nil {
			return err
		}
		if err := l.emitUpdated(tx, org, &k, false); err != nil {
			return err
		}
	}
	return nil
}

// ofOne bounds the leads of one conversation: one a business.
const ofOne = 200

// Forget removes what is kept of a conversation: the chat is personal.
func Forget(tx *store.Tx, org, id string) error {
	list, _, err := ofConversation.Walk(tx, org, store.Range{Span: store.Is(store.Text(id)), Limit: ofOne})
	for i := range list {
		if err == nil {
			err = put(tx, org, &list[i], nil)
		}
	}
	if err != nil {
		return err
	}
	return unset(tx, org, id)
}

// unset takes stage and quality from a conversation that has no lead any more.
func unset(tx *store.Tx, org, id string) error {
	_, err := ofConversation.First(tx, org, store.Is(store.Text(id)))
	if !store.IsNotFound(err) {
		return err
	}
	k, err := conversation.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return conversation.SetSale(tx, org, &k, "", "")
}

// maxNextStep bounds a sentence, in bytes.
const maxNextStep = 500

func (l *Lead) setNext(tx *store.Tx, org, step string) error {
	return nextStep.Set(tx, org, l, []byte(strings.ToValidUTF8(step[:min(len(step), maxNextStep)], "")))
}
