package calendar

import (
	"context"

	"svc/app/api"
	"svc/app/business"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/module"
	"svc/app/org"
	"svc/app/signal"
	"svc/store"
	"svc/store/queue"
)

// Slice registers the calendar. What this installation can reach, [Outside], is provided; without
// it nothing can be connected.
func Slice() module.Slice {
	return module.Slice{Name: "calendar", Tables: Tables, New: func(e *module.Env) module.Module {
		outside, ok := module.Find[Outside](e)
		if !ok {
			outside.Missing = []string{"google-client-id", "google-client-secret"}
		}
		s := New(e.DB, outside, e.Bus, e.Log)
		module.Provide(e, s)
		module.Offer[intake.Order](e, HasOpen)
		s.Subscribe(e.Bus)
		return module.Module{Endpoints: s.Endpoints(), Workers: s.Work, Cleanup: []module.Cleanup{{EachOrg: Purge}}}
	}}
}

// Work registers the jobs.
func (s *Service) Work(w *queue.Workers) {
	queue.Register(w, s.execute, queue.WithTimeout(executeTime), queue.Needed())
	queue.Register(w, s.expire, queue.Needed())
	queue.Register(w, s.check, queue.Needed())
	queue.Register(w, s.goodbye, queue.Needed())
}

// Subscribe hears of what ends actions: a customer who asks to stop, a chat that is personal, a
// person who is forgotten, a business that is gone.
func (s *Service) Subscribe(b *signal.Bus) {
	reject := func(tx *store.Tx, org, id string) error {
		return s.RejectOpen(tx, api.System(context.Background(), org, tx.DB().Now()), org, id)
	}
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Stop) error { return reject(tx, x.Org, x.Conversation) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.BecamePersonal) error {
		return s.erase(tx, x.Org, x.Conversation)
	})
	signal.On(b, func(tx *store.Tx, _ *api.Call, x business.Deleted) error { return s.rejectOf(tx, x.Org, x.Business) })
	signal.On(b, func(tx *store.Tx, _ *api.Call, x conversation.Unlinked) error {
		for _, id := range x.Conversations {
			if err := s.erase(tx, x.Org, id); err != nil {
				return err
			}
		}
		return nil
	})
	conversation.OnOptOut(b, reject)
}

// Purge removes actions that ended and are older than the organization keeps executions, once
// what they booked is over.
func Purge(tx *store.Tx, orgID string, limit int) (n int, err error) {
	o, err := org.Get(tx, orgID)
	if err != nil {
		return 0, store.IgnoreNotFound(err)
	}
	now := tx.DB().Now()
	list, _, err := byAge.Walk(tx, orgID, store.Range{Span: store.Between(nil, store.Time(now.AddDate(0, 0, -o.Retention.ExecutionsDays))), Limit: limit})
	for i := range list {
		a := &list[i]
		if a.EndsAt.After(now) || a.Status == Executing || err != nil {
			continue
		}
		n++
		if err = actionTable.Delete(tx, orgID, a.ID); err == nil {
			err = purgeBooking(tx, orgID, a.EventID)
		}
	}
	return n, err
}

// purgeBooking forgets a booking that is over.
func purgeBooking(tx *store.Tx, orgID, eventID string) error {
	b, err := bookingTable.Get(tx, orgID, eventID)
	if err != nil || b.End.After(tx.DB().Now()) {
		return store.IgnoreNotFound(err)
	}
	return bookingTable.Delete(tx, orgID, eventID)
}
