package inbox

import (
	"context"
	"time"

	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/policy"
	"svc/store"
	"svc/store/queue"
)

// watch is the job that tells people of customers who wait.
type watch struct{}

// Kind implements queue.Args.
func (watch) Kind() string { return "inbox.waiting" }

// Queue implements queue.Args.
func (watch) Queue() queue.Name { return queue.Maintenance }

const (
	watchEvery = 30 * time.Second
	watchChunk = 200
	// farAway is when an organization is looked at again whose hours never come.
	farAway = 24 * time.Hour
)

// schedule asks for the job; one that waits already stays as it is.
func schedule(tx *store.Tx) error {
	_, err := queue.Add(tx, watch{}, time.Time{}, queue.Once("waiting"))
	return err
}

func (s *Service) work(w *queue.Workers) {
	queue.Register(w, func(ctx context.Context, _ queue.Job, _ watch) error {
		for n := watchChunk; n == watchChunk; {
			err := s.db.Update(ctx, func(tx *store.Tx) (err error) {
				n, err = s.tellOfWaiting(tx, watchChunk)
				return err
			})
			if err != nil {
				return err
			}
		}
		return queue.Snooze(watchEvery)
	})
	queue.Register(w, s.continueAll)
}

// tellOfWaiting tells people of customers whom nobody answered for conversation.Patience of
// the hours of their business, else of their organization, and says how many conversations it
// looked at. Personal chats are not among them.
func (s *Service) tellOfWaiting(tx *store.Tx, limit int) (int, error) {
	now := tx.DB().Now()
	list, err := conversation.Unnotified(tx, now.Add(time.Millisecond), limit)
	if err != nil {
		return 0, err
	}
	hours := map[string]*policy.Window{}
	for i := range list {
		of, k := list[i].Org, &list[i].Record
		w, known := hours[of]
		if !known {
			if w, err = hoursOf(tx, of); err != nil {
				return 0, err
			}
			hours[of] = w
		}
		at, ok, err := s.patienceOf(tx, of, w, k)
		switch {
		case err != nil:
		case !ok:
			err = conversation.NotifyLater(tx, of, k, now.Add(farAway))
		case at.After(now):
			err = conversation.NotifyLater(tx, of, k, at)
		default:
			err = tellOf(tx, of, k)
		}
		if err != nil {
			return 0, err
		}
	}
	return len(list), nil
}

// patienceOf is when conversation.Patience is over for a customer; ok is false when it never is.
// w are the hours of the organization.
func (s *Service) patienceOf(tx *store.Tx, of string, w *policy.Window, k *conversation.Conversation) (at time.Time, ok bool, err error) {
	if s.selling.OpenFor != nil {
		at, ok, set, err := s.selling.OpenFor(tx, of, k.AccountID, k.Unanswered(), conversation.Patience)
		if err != nil || set {
			return at, ok, err
		}
	}
	at, ok = patienceEnds(w, k.Unanswered())
	return at, ok, nil
}

func tellOf(tx *store.Tx, of string, k *conversation.Conversation) error {
	if err := conversation.MarkNotified(tx, of, k); err != nil {
		return err
	}
	return notify.Send(tx, of, notify.Notice{
		Kind: conversation.WaitingNotice, Title: "A customer waits for an answer", Body: "Nobody has answered for 15 minutes.",
		Resource: &notify.Resource{Type: "conversation", ID: k.ID}, Link: "/inbox/" + k.ID,
	})
}

// hoursOf are the hours of an organization, nil for all of them: those in which its
// campaigns send unless they say otherwise (contract 21.1, Night).
func hoursOf(tx *store.Tx, of string) (*policy.Window, error) {
	o, err := org.Get(tx, of)
	if err != nil {
		return nil, store.IgnoreNotFound(err)
	}
	h := o.SendingHours()
	if h == nil {
		return nil, nil
	}
	days := make([]policy.Weekday, len(h.Weekdays))
	for i, d := range h.Weekdays {
		days[i] = policy.Weekday(d)
	}
	w := policy.MakeWindow(days, h.Start, h.End, o.Timezone)
	return &w, nil
}

// patienceEnds is when conversation.Patience of open hours is over since a time; ok is false
// when it never is.
func patienceEnds(w *policy.Window, since time.Time) (at time.Time, ok bool) {
	left := conversation.Patience
	if w == nil {
		return since.Add(left), true
	}
	// A window that is open for less than a minute a day is none to wait for.
	for t, days := since, 0; days < int(conversation.Patience/time.Minute); days++ {
		s, open := w.Around(t)
		if !open {
			return at, false
		}
		begin := s.Start
		if t.After(begin) {
			begin = t
		}
		if open := s.End.Sub(begin); open < left {
			left, t = left-open, s.End
			continue
		}
		return begin.Add(left), true
	}
	return at, false
}
