package calendar

import (
	"context"
	"time"

	"svc/app/api"
	"svc/app/business"
	"svc/store"
	"svc/store/queue"
)

// longestOpen is how long an action waits for somebody at most.
const longestOpen = 24 * time.Hour

// Proposal is what an action is to do.
type Proposal struct {
	Type Type
	Extracted
	// AsksCustomer: the customer has to confirm the exact time. Runs: nobody else is asked.
	AsksCustomer, Runs bool
}

// Propose makes an action of what a customer wants. One of the conversation that is open still is
// rejected: the new one replaces it.
func (s *Service) Propose(tx *store.Tx, c *api.Call, org string, from Origin, p Proposal) (a Action, err error) {
	if err := s.RejectOpen(tx, c, org, from.Conversation); err != nil {
		return a, err
	}
	b, err := business.Get(tx, org, from.Business)
	if err != nil {
		return a, err
	}
	a = Action{ID: tx.DB().NewID("cac"), Type: p.Type, Origin: from, ExpiresAt: expiry(tx.DB().Now(), &p, &b)}
	if err := words.SetJSON(tx, org, &a, p.Extracted); err != nil {
		return a, err
	}
	on := AsksPerson
	switch {
	case p.AsksCustomer:
		on = AsksCustomer
	case p.Runs:
		on = RunsAtOnce
	}
	return a, s.act(tx, c, org, &a, on)
}

// expiry is when nobody may confirm any more: a day from now, and not behind the moment up to
// which the time can be booked. A booking is cancelled up to its beginning.
func expiry(now time.Time, p *Proposal, b *business.Business) time.Time {
	last := p.Start
	if p.Type != Cancel {
		last = last.Add(-time.Duration(b.Calendar.Notice) * time.Minute)
	}
	if day := now.Add(longestOpen); p.Start.IsZero() || day.Before(last) {
		return day
	}
	if last.Before(now) {
		return now
	}
	return last
}

// ConfirmByCustomer notes that the customer confirmed the exact time of an action. runs: nobody
// else is asked.
func (s *Service) ConfirmByCustomer(tx *store.Tx, c *api.Call, org string, a *Action, runs bool) error {
	a.ConfirmedBy = ByCustomer
	if runs {
		return s.act(tx, c, org, a, CustomerRuns)
	}
	return s.act(tx, c, org, a, CustomerConfirmed)
}

// mostOpen bounds the open actions of a conversation, of which there is one, and mostOf those of
// a business or conversation that one transaction changes.
const (
	mostOpen = 20
	mostOf   = 500
)

// RejectOpen rejects what waits in a conversation.
func (s *Service) RejectOpen(tx *store.Tx, c *api.Call, org, conversation string) error {
	list, _, err := openIn.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: mostOpen})
	for i := range list {
		if err == nil {
			err = s.act(tx, c, org, &list[i], WasRejected)
		}
	}
	return err
}

// OpenIn is the action of a conversation that waits for somebody, with what was understood; ok is
// false without one.
func OpenIn(tx *store.Tx, org, conversation string) (a Action, x Extracted, ok bool, err error) {
	a, err = openIn.Last(tx, org, store.Is(store.Text(conversation)))
	if err != nil {
		return a, x, false, store.IgnoreNotFound(err)
	}
	x, err = a.Open(tx.DB(), org)
	return a, x, err == nil, err
}

// HasOpen says whether something waits or is booked in a conversation (contract 10.2: stop words).
func HasOpen(tx *store.Tx, org, conversation string) (bool, error) {
	_, _, ok, err := OpenIn(tx, org, conversation)
	if err != nil || ok {
		return ok, err
	}
	list, err := BookingsIn(tx, org, conversation)
	return len(list) > 0, err
}

// mostBookings is how many appointments of a conversation are read.
const mostBookings = 5

// BookingsIn are the appointments of a conversation that are not over, the next first.
func BookingsIn(tx *store.Tx, org, conversation string) ([]Booking, error) {
	list, _, err := bookingsIn.Walk(tx, org, store.Range{
		Span: store.Between(store.Tuple(store.Text(conversation), store.Time(tx.DB().Now())), store.Tuple(store.Text(conversation), store.Time(farOff))), Limit: mostBookings,
	})
	return list, err
}

// farOff is behind every appointment.
var farOff = time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC)

// erase forgets what a conversation left here. Events stay in the calendar.
func (s *Service) erase(tx *store.Tx, org, conversation string) error {
	c := api.System(context.Background(), org, tx.DB().Now())
	if err := s.RejectOpen(tx, c, org, conversation); err != nil {
		return err
	}
	list, _, err := inPlace.Walk(tx, org, store.Range{Span: store.Is(store.Text(conversation)), Limit: mostOf})
	for i := range list {
		if err == nil {
			err = actionTable.Delete(tx, org, list[i].ID)
		}
	}
	if err != nil {
		return err
	}
	held, _, err := bookingsIn.Walk(tx, org, store.Range{Span: store.Is(store.Tuple(store.Text(conversation))), Limit: mostOf})
	for i := range held {
		if err == nil {
			err = bookingTable.Delete(tx, org, held[i].EventID)
		}
	}
	return err
}

// rejectOf rejects what waits of a business that is gone.
func (s *Service) rejectOf(tx *store.Tx, org, businessID string) error {
	c := api.System(context.Background(), org, tx.DB().Now())
	list, _, err := ofBusiness.Walk(tx, org, store.Range{Span: store.Is(store.Text(businessID)), Limit: mostOf, Reverse: true})
	for i := range list {
		if a := &list[i]; err == nil && (a.Status == Awaiting || a.Status == Pending) {
			err = s.act(tx, c, org, a, WasRejected)
		}
	}
	return err
}

// expiring is the job that ends an action which nobody confirmed.
type expiring struct {
	Org    string `json:"org"`
	Action string `json:"action"`
}

func (expiring) Kind() string      { return "calendar.expire" }
func (expiring) Queue() queue.Name { return queue.Calendar }

func (s *Service) expire(ctx context.Context, j queue.Job, x expiring) error {
	return s.db.Update(ctx, func(tx *store.Tx) error {
		a, err := actionTable.Get(tx, x.Org, x.Action)
		switch {
		case store.IsNotFound(err):
		case err != nil:
			return err
		case a.Status == Awaiting || a.Status == Pending:
			if err := s.act(tx, api.System(ctx, x.Org, tx.DB().Now()), x.Org, &a, TimePassed); err != nil {
				return err
			}
		}
		return queue.Finish(tx, j)
	})
}
