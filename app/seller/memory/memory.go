// Package memory keeps what customers said of themselves that lasts, and what their
// conversations are about.
//
// It promises that a fact of a model stands in a message of the customer word for word; that
// names, telephone numbers and addresses are read by rules and never by a model; that facts
// are sealed, bounded and end with their time; and that nothing stays of who opted out, of a
// personal chat, and of a recipient who was deleted (contract 13.3). It refuses to remember
// where no AI acts.
package memory

import (
	"slices"
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"svc/app/inbox/conversation"
	"svc/store"
)

// Key says what a fact is about.
type Key string

// The keys (contract 13.3).
const (
	Name       Key = "NAME"
	Phone      Key = "PHONE"
	Address    Key = "ADDRESS"
	Preference Key = "PREFERENCE"
	Order      Key = "ORDER"
	Need       Key = "NEED"
	Budget     Key = "BUDGET"
	Other      Key = "OTHER"
)

// byModels are the keys of facts that models find.
var byModels = []Key{Preference, Order, Need, Budget, Other}

const day = 24 * time.Hour

// lasts is how long facts of a key are kept; those of no other end.
var lasts = map[Key]time.Duration{Need: 90 * day, Budget: 90 * day, Order: 90 * day, Other: 90 * day, Preference: 365 * day}

// Fact is one fact of a customer.
type Fact struct {
	ID         string
	Key        Key
	Value      string
	Confidence float64
	Message    string // in which the customer said it
	UpdatedAt  time.Time
}

// kept is a fact as it is kept.
type kept struct {
	ID           string       `json:"id"`
	Conversation string       `json:"conversation"`
	Recipient    string       `json:"recipient,omitempty"`
	Key          Key          `json:"key"`
	Hash         string       `json:"hash"` // of the folded value
	Confidence   float64      `json:"confidence"`
	Message      string       `json:"message"`
	ExpiresAt    time.Time    `json:"expires_at,omitzero"`
	CreatedAt    time.Time    `json:"created_at"`
	UpdatedAt    time.Time    `json:"updated_at"`
	Value        store.Sealed `json:"value"`
}

var (
	facts = store.NewTable("seller_fact", "fct", func(f *kept) string { return f.ID })
	value = facts.Sealed("value", func(f *kept) *store.Sealed { return &f.Value })

	byValue = facts.Unique("value", func(f *kept) store.Key {
		return store.Tuple(store.Text(f.Conversation), store.Text(string(f.Key)), store.Text(f.Hash))
	})
	// ofConversation are those of a conversation, what was heard last last.
	ofConversation = facts.Multi("conversation", func(f *kept) []store.Key {
		return []store.Key{store.Tuple(store.Text(f.Conversation), store.Time(f.UpdatedAt))}
	})
	byExpiry = facts.Multi("expiry", func(f *kept) []store.Key {
		if f.ExpiresAt.IsZero() {
			return nil
		}
		return []store.Key{store.Time(f.ExpiresAt)}
	})
	byUpdated         = facts.Index("updated", func(f *kept) store.Key { return store.Time(f.UpdatedAt) })
	conversationFacet = facts.Facet("conversation_is", func(f *kept) []string { return []string{f.Conversation} })
	recipientFacet    = facts.Facet("recipient", func(f *kept) []string {
		if f.Recipient == "" {
			return nil
		}
		return []string{f.Recipient}
	})
	keyFacet = facts.Facet("key", func(f *kept) []string { return []string{string(f.Key)} })
)

// Tables are what a store that holds memory is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{facts, digests} }

const (
	maxFacts = 50  // of a conversation
	maxValue = 300 // bytes
)

func over(f *kept, now time.Time) bool { return !f.ExpiresAt.IsZero() && !now.Before(f.ExpiresAt) }

// all reads the facts of a conversation that are kept, what was heard last first.
func all(tx *store.Tx, org, id string) ([]kept, error) {
	list, _, err := ofConversation.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(id))), Limit: maxFacts + 1, Reverse: true})
	return list, err
}

// Known is what is known of the customer of a conversation, what was heard last first.
func Known(tx *store.Tx, org, id string) (out []Fact, err error) {
	list, err := all(tx, org, id)
	if err != nil {
		return nil, err
	}
	for i := range list {
		f := &list[i]
		if over(f, tx.DB().Now()) {
			continue
		}
		v, err := value.Open(tx.DB(), org, f)
		if err != nil {
			return nil, err
		}
		out = append(out, Fact{f.ID, f.Key, string(v), f.Confidence, f.Message, f.UpdatedAt})
	}
	return out, nil
}

// Keep keeps facts of the customer of a conversation. One that is known already lasts anew;
// when there are too many, those that were heard longest ago go.
func Keep(tx *store.Tx, org string, k *conversation.Conversation, list []Fact) error {
	if k.Personal || k.AIState == conversation.Stopped {
		return nil
	}
	for i := range list {
		if err := keep(tx, org, k, &list[i]); err != nil {
			return err
		}
		have, err := all(tx, org, k.ID)
		if err != nil {
			return err
		}
		for _, f := range have[min(len(have), maxFacts):] {
			if err := facts.Delete(tx, org, f.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

func keep(tx *store.Tx, org string, k *conversation.Conversation, f *Fact) error {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(f.Value[:min(len(f.Value), maxValue)], "")), " ")
	if text == "" {
		return nil
	}
	hash, err := tx.Hash("memory value", fold(text))
	if err != nil {
		return err
	}
	now := tx.DB().Now()
	rec, err := byValue.Find(tx, org, store.Tuple(store.Text(k.ID), store.Text(string(f.Key)), store.Text(hash)))
	if store.IsNotFound(err) {
		rec, err = kept{ID: tx.DB().NewID("fct"), Conversation: k.ID, Key: f.Key, Hash: hash, CreatedAt: now}, nil
	}
	if err != nil {
		return err
	}
	rec.Recipient, rec.Confidence, rec.Message, rec.UpdatedAt = k.RecipientID, min(1, max(0, f.Confidence)), f.Message, now
	if d, ends := lasts[f.Key]; ends {
		rec.ExpiresAt = now.Add(d)
	}
	if err := value.Set(tx, org, &rec, []byte(text)); err != nil {
		return err
	}
	return facts.Put(tx, org, &rec)
}

// fold makes values equal that differ in case, spaces and marks.
func fold(s string) string {
	return strings.Join(strings.FieldsFunc(cases.Fold().String(norm.NFKC.String(s)), func(r rune) bool {
		return strings.ContainsRune(" \t\n.,;:!?'\"«»ʻʼ‘’`", r)
	}), " ")
}

// Erase removes everything that is known of the customer of a conversation, and what it was
// about.
func Erase(tx *store.Tx, org, id string) error {
	list, err := all(tx, org, id)
	if err != nil {
		return err
	}
	for i := range list {
		if err := facts.Delete(tx, org, list[i].ID); err != nil {
			return err
		}
	}
	return store.IgnoreNotFound(digests.Delete(tx, org, id))
}

// Purge removes up to limit facts whose time is over, and says how many there were.
func Purge(tx *store.Tx, org string, limit int) (int, error) {
	list, _, err := byExpiry.Walk(tx, org, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now())), Limit: limit})
	for i := range list {
		if err == nil {
			err = facts.Delete(tx, org, list[i].ID)
		}
	}
	return len(list), err
}

func ofModels(k Key) bool { return slices.Contains(byModels, k) }
