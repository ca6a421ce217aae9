package figure

import (
	"slices"
	"time"

	"svc/app/inbox/conversation"
	"svc/store"
)

// Received adds a message that arrived, or that the owner wrote in the network's own app.
func Received(tx *store.Tx, org string, k *conversation.Conversation, m *conversation.Message) error {
	if k.Personal || m.Imported {
		return nil
	}
	c := Counters{In: 1}
	if m.Direction == conversation.Out {
		c = Counters{OutHuman: 1, ByHuman: waited(m, m.At)}
	}
	return count(tx, org, k, m.At, &c)
}

// Sent adds a reply that the network took.
func Sent(tx *store.Tx, org string, k *conversation.Conversation, m *conversation.Message) error {
	if k.Personal {
		return nil
	}
	c := Counters{OutAI: 1, ByAI: waited(m, m.SentAt)}
	if m.Author == conversation.Human {
		c = Counters{OutHuman: 1, ByHuman: waited(m, m.SentAt)}
	}
	if err := count(tx, org, k, m.SentAt, &c); err != nil || m.AuthorUser == "" {
		return err
	}
	return addPerson(tx, org, m.SentAt, m.AuthorUser, personSums{Replies: 1, Waited: waited(m, m.SentAt)})
}

// waited is how long the customer waited for a message that answers them.
func waited(m *conversation.Message, at time.Time) Histogram {
	if m.AnswersSince.IsZero() {
		return nil
	}
	return one(at.Sub(m.AnswersSince))
}

// count adds to the sums of a conversation, and notes that somebody wrote in it.
func count(tx *store.Tx, org string, k *conversation.Conversation, at time.Time, c *Counters) error {
	p, err := placeOf(tx, org, k.AccountID)
	if err != nil {
		return err
	}
	zone, err := zoneOf(tx, org)
	if err != nil {
		return err
	}
	day := at.In(zone).Format(time.DateOnly)
	if err := addOn(tx, org, day, p, c); err != nil {
		return err
	}
	r, err := actives.Get(tx, org, k.ID)
	if store.IsNotFound(err) {
		r, err = active{ID: k.ID}, nil
		if began := k.CreatedAt.In(zone).Format(time.DateOnly); began == tx.DB().Now().In(zone).Format(time.DateOnly) {
			r.New = began
		}
	}
	if err != nil || r.Business == p.Business && slices.Contains(r.Days, day) {
		return err
	}
	r.Business = p.Business
	if !slices.Contains(r.Days, day) {
		r.Days = append(r.Days, day)
		slices.Sort(r.Days)
		r.Days = r.Days[max(0, len(r.Days)-keptDays):]
	}
	return actives.Put(tx, org, &r)
}
