package conversation

import (
	"time"

	"svc/app/notify"
	"svc/store"
)

// Patience is how long a customer waits within the hours of the organization before people
// are told (contract 9.1, CUSTOMER_WAITING).
const Patience = 15 * time.Minute

// Unanswered is since when nobody answered the customer, zero when somebody did.
func (c *Conversation) Unanswered() time.Time {
	if c.WaitingSince.IsZero() || c.UnansweredSince.IsZero() {
		return c.WaitingSince
	}
	return c.UnansweredSince
}

// tellAt is when to look again whether people are to be told.
func (c *Conversation) tellAt() time.Time {
	if c.NotifyAt.IsZero() {
		return c.Unanswered().Add(Patience)
	}
	return c.NotifyAt
}

// answered notes that the customer waits for nobody.
func (c *Conversation) answered() {
	c.WaitingSince, c.UnansweredSince, c.NotifyAt, c.WaitingNotified = time.Time{}, time.Time{}, time.Time{}, false
}

// putAnswered saves a conversation; when people were told that its customer waited, and
// somebody answered, that is over.
func putAnswered(tx *store.Tx, org string, k *Conversation, notified bool) error {
	if err := conversations.Put(tx, org, k); err != nil || !notified || k.WaitingNotified {
		return err
	}
	return notify.SettleKind(tx, org, WaitingNotice, k.ID)
}

// WaitingNotice is the notification of a customer who waits.
const WaitingNotice notify.Kind = "CUSTOMER_WAITING"

// MarkNotified notes that people were told that the customer waits.
func MarkNotified(tx *store.Tx, org string, k *Conversation) error {
	k.WaitingNotified = true
	return conversations.Put(tx, org, k)
}

// NotifyLater notes when people are told, by the hours of the organization.
func NotifyLater(tx *store.Tx, org string, k *Conversation, at time.Time) error {
	k.NotifyAt = at
	return conversations.Put(tx, org, k)
}

// Unnotified reads conversations of all organizations of whose waiting customers people are to
// be told by a time, the earliest first.
func Unnotified(tx *store.Tx, by time.Time, limit int) ([]store.Of[Conversation], error) {
	list, _, err := unnotified.Walk(tx, store.Range{Span: store.Between(nil, store.Time(by)), Limit: limit})
	return list, err
}
