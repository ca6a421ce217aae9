// Package shadow judges turns as the next autonomy level would have acted: what it would
// have sent by itself is kept until a person answers, and compared with what they sent.
//
// It promises that nothing is sent because of it, that a turn is counted once and compared
// at most once, and that its texts are sealed and go with the chat that becomes personal or
// is stopped (contract 13.4). It refuses to run models: package turn does.
package shadow

import (
	"time"

	"svc/ai/facts"
	"svc/app/business"
	"svc/app/inbox/conversation"
	"svc/app/seller/figure"
	"svc/geo/text/script"
	"svc/store"
)

// Case is a text that the next level would have sent, until a person answers.
type Case struct {
	Conversation string       `json:"conversation"`
	Business     string       `json:"business"`
	Scenario     string       `json:"scenario"`
	Language     string       `json:"language,omitempty"`
	At           time.Time    `json:"at"`
	Words        store.Sealed `json:"words,omitzero"`
}

// kept is how long a case waits for a person.
const kept = 7 * 24 * time.Hour

var (
	cases  = store.NewTable("seller_shadow", "cnv", func(c *Case) string { return c.Conversation })
	words  = cases.Sealed("words", func(c *Case) *store.Sealed { return &c.Words })
	byTime = cases.Index("at", func(c *Case) store.Key { return store.Time(c.At) })
)

// Tables are what a store that holds cases is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{cases} }

// Would is what the next level would have sent.
type Would struct {
	Business string
	Scenario business.Scenario
	Language string // tag
	Text     string
}

// Note counts a turn that the next level would have answered by itself. The case that
// waited in the conversation is replaced.
func Note(tx *store.Tx, org, conversation string, w Would) error {
	c := Case{Conversation: conversation, Business: w.Business, Scenario: string(w.Scenario), Language: w.Language, At: tx.DB().Now()}
	if err := words.Set(tx, org, &c, []byte(w.Text)); err != nil {
		return err
	}
	if err := cases.Put(tx, org, &c); err != nil {
		return err
	}
	return figure.Judged(tx, org, c.figure(), false)
}

func (c *Case) figure() figure.Shadow {
	return figure.Shadow{Business: c.Business, Scenario: c.Scenario, At: c.At}
}

// Answered compares the case of a conversation with what a person sent, or let be sent.
func Answered(tx *store.Tx, org string, k *conversation.Conversation, m *conversation.Message) error {
	byPerson := m.Author == conversation.Human || m.Author == conversation.OwnerPhone || m.DraftID != ""
	if !byPerson || m.Purged {
		return nil
	}
	c, err := cases.Get(tx, org, k.ID)
	if err != nil || m.At.Before(c.At) {
		return store.IgnoreNotFound(err)
	}
	would, err := words.Open(tx.DB(), org, &c)
	if err != nil {
		return err
	}
	sent, err := m.Open(tx.DB(), org)
	if err != nil {
		return err
	}
	offers, err := business.Offers(tx, org, c.Business)
	if err != nil {
		return err
	}
	f := c.figure()
	f.Compared, f.Agreed = true, Agree(string(would), sent.Text, c.Language, offers)
	if err := cases.Delete(tx, org, c.Conversation); err != nil {
		return err
	}
	return figure.Judged(tx, org, f, true)
}

// Forget removes the case of a conversation.
func Forget(tx *store.Tx, org, conversation string) error {
	return store.IgnoreNotFound(cases.Delete(tx, org, conversation))
}

// Purge removes cases for which nobody answered, at most limit.
func Purge(tx *store.Tx, org string, limit int) (int, error) {
	list, _, err := byTime.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now().Add(-kept))), Limit: limit})
	for i := range list {
		if err == nil {
			err = cases.Delete(tx, org, list[i].Conversation)
		}
	}
	return len(list), err
}

// Shares of common words from which two texts say the same: where they state the same facts,
// and where they state none.
const (
	sameFacts = 0.2
	noFacts   = 0.5
)

// Agree says whether two texts tell a customer the same: they speak of the same offers, no
// fact of one contradicts the other, and enough of their words are the same, in either
// script.
func Agree(a, b, language string, offers []business.Offer) bool {
	x, y := facts.Of(a, language, time.Time{}, nil), facts.Of(b, language, time.Time{}, nil)
	if facts.Contradict(x, y) || !sameOffers(a, b, offers) {
		return false
	}
	least := noFacts
	if stated(x) && stated(y) {
		least = sameFacts
	} else if stated(x) != stated(y) {
		return false
	}
	return common(a, b) >= least
}

// stated says whether a text states something that can be compared.
func stated(list []facts.Fact) bool {
	for i := range list {
		if list[i].Compared() {
			return true
		}
	}
	return false
}

// common is the share of the words of the shorter text that the longer one has.
func common(a, b string) float64 {
	x, y := keys(a), keys(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 {
		return 0
	}
	n := 0
	for w := range x {
		if y[w] {
			n++
		}
	}
	return float64(n) / float64(len(x))
}

func keys(text string) map[string]bool { return script.Keys(text, 2) } // letters alone say nothing

// sameOffers says whether two texts name the same offers, where both name any.
func sameOffers(a, b string, offers []business.Offer) bool {
	x, y := keys(a), keys(b)
	var inA, inB, inBoth int
	for i := range offers {
		name := keys(offers[i].Name)
		one, other := within(name, x), within(name, y)
		if one {
			inA++
		}
		if other {
			inB++
		}
		if one && other {
			inBoth++
		}
	}
	return inA == 0 || inB == 0 || inBoth > 0
}

func within(some, all map[string]bool) bool {
	for w := range some {
		if !all[w] {
			return false
		}
	}
	return len(some) > 0
}
