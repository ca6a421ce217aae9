// Package shadow judges turns as the next autonomy level would have acted: what it would
// have sent by itself is kept until a person answers, and compared with what they sent.
//
// It promises that nothing is sent because of it, that a turn is counted once and compared
// at most once, and that its texts are sealed and go with the chat that becomes personal or
// is stopped (contract 13.4). It refuses to write texts: package turn does.
package shadow

import (
	"time"

	"svc/app/business"
	"svc/app/seller/figure"
	"svc/store"
)

// Case is a text that the next level would have sent, until a person answers.
type Case struct {
	Conversation string       `json:"conversation"`
	Business     string       `json:"business"`
	Scenario     string       `json:"scenario"`
	Language     string       `json:"language,omitempty"`
	Signature    string       `json:"signature,omitempty"` // below both texts
	At           time.Time    `json:"at"`
	Words        store.Sealed `json:"words,omitzero"`
	// Sent is what a person sent, while a model compares both.
	Sent store.Sealed `json:"sent,omitzero"`
}

// kept is how long a case waits for a person.
const kept = 7 * 24 * time.Hour

var (
	cases     = store.NewTable("seller_shadow", "cnv", func(c *Case) string { return c.Conversation })
	words     = cases.Sealed("words", func(c *Case) *store.Sealed { return &c.Words })
	sentWords = cases.Sealed("sent", func(c *Case) *store.Sealed { return &c.Sent })
	byTime    = cases.Index("at", func(c *Case) store.Key { return store.Time(c.At) })
)

// Tables are what a store that holds cases is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{cases} }

// Would is what the next level would have sent.
type Would struct {
	Business string
	Scenario business.Scenario
	Language string // tag
	Text     string
	// Signature stands below the text, "" for none; it is not compared.
	Signature string
}

// Note counts a turn that the next level would have answered by itself. The case that
// waited in the conversation is replaced; one that is compared just then is settled by its words.
func Note(tx *store.Tx, org, conversation string, w Would) error {
	before, err := cases.Get(tx, org, conversation)
	if store.IgnoreNotFound(err) != nil {
		return err
	}
	if err == nil && !before.Sent.IsZero() {
		if err := settleByWords(tx, org, &before); err != nil {
			return err
		}
	}
	c := Case{Conversation: conversation, Business: w.Business, Scenario: string(w.Scenario), Language: w.Language, Signature: w.Signature, At: tx.DB().Now()}
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

// settle notes whether both texts agree, and ends the case.
func (c *Case) settle(tx *store.Tx, org string, agreed bool) error {
	f := c.figure()
	f.Compared, f.Agreed = true, agreed
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
