package turn

import (
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/app/calendar"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/inbox/reply"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// job answers one conversation. The record of the turn is what counts, the job only wakes a
// worker up.
type job struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation"`
}

// Kind implements queue.Args.
func (job) Kind() string { return "seller.turn" }

// Queue implements queue.Args.
func (job) Queue() queue.Name { return queue.AI }

// wake asks for a worker at a time; there is one job a conversation.
func wake(tx *store.Tx, org, conversation string, at time.Time) error {
	_, err := queue.Add(tx, job{org, conversation}, at, queue.Once(conversation), queue.For(org, conversation))
	return err
}

// Subscribe hears what customers write.
func (s *Service) Subscribe(b *signal.Bus) {
	s.bus = b
	signal.On(b, func(tx *store.Tx, _ *api.Call, x intake.Arrived) error {
		if x.Message.Direction != conversation.In || x.Conversation.Personal || x.Message.Seq() == 0 || x.Elsewhere {
			return nil
		}
		return s.hear(tx, x.Org, &x.Conversation, x.Message.Seq())
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x reply.Settled) error { return replied(tx, x.Org, &x.Message) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x calendar.Settled) error { return s.settled(tx, &x) })
}

// replied notes whether an answer went out, or the customer wrote more before it did: then the
// next one comes soon, and after some of them one goes out whatever comes.
func replied(tx *store.Tx, org string, m *conversation.Message) error {
	if m.Author != conversation.AI || m.AnswersSeq == 0 || m.Status == conversation.Queued {
		return nil
	}
	t, err := of(tx, org, m.Conversation)
	if err != nil {
		return err
	}
	switch outdated := m.Status == conversation.Cancelled && m.ErrorCode == channel.Outdated; {
	case !outdated && t.Superseded == 0:
		return nil
	case !outdated:
		t.Superseded = 0
	default:
		t.Superseded++
		if t.owed() && t.Phase == Waiting {
			t.Due = earlier(t.Due, tx.DB().Now().Add(again))
		}
	}
	return turns.Put(tx, org, &t)
}

// hear notes that a customer wrote, where an account answers for a business with the AI on.
func (s *Service) hear(tx *store.Tx, org string, k *conversation.Conversation, seq int64) error {
	b, m, found, err := business.Of(tx, org, k.AccountID)
	if err != nil || !found || !m.AIEnabled || b.Status != business.Active {
		return err
	}
	set, _, err := business.SettingsOf(tx, org, b.ID)
	if err != nil || !set.Active {
		return err
	}
	t, err := of(tx, org, k.ID)
	if err != nil {
		return err
	}
	// After a reply that was overtaken the next one has its time already: see replied.
	now, overtaken := tx.DB().Now(), t.owed() && t.Superseded > 0 && !t.Due.IsZero()
	if !t.owed() {
		t.FirstWait = now
	}
	t.Want, t.FollowUps, t.FollowAt = max(t.Want, seq), 0, time.Time{}
	due := earlier(now.Add(time.Duration(set.Debounce)*time.Second), t.FirstWait.Add(longestWait))
	if overtaken {
		due = earlier(due, t.Due)
	}
	t.Due = due
	if err := t.apply(tx, org, Wrote); err != nil {
		return err
	}
	return wake(tx, org, k.ID, t.Due)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
