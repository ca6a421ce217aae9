package turn

import (
	"context"

	"svc/app/business"
	"svc/app/calendar"
	"svc/app/calendar/slot"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/app/inbox/conversation"
	"svc/app/inbox/handoff"
	"svc/app/seller/answer"
	"svc/store"
)

// Levels of bookings (contract 11.5): from which one can be asked for, and from which it may run
// without a person.
const (
	booksFrom = 2
	runsFrom  = 5
)

// times is what a turn may do with the calendar; nil: nothing. The tools that read it are granted
// one by one, and so are those that book by themselves.
func (s *Service) times(tx *store.Tx, org string, k *conversation.Conversation, about *answer.Situation) (*answer.Times, error) {
	if s.o.Calendar == nil || about.Level < booksFrom {
		return nil, nil
	}
	connected, err := calendar.IsConnected(tx, org)
	if err != nil || !connected {
		return nil, err
	}
	set, _, err := agent.Effective(tx, org, agent.Calendar, about.Business.ID)
	if err != nil || !set.Enabled || !set.Tools.CalendarFind && !set.Tools.CalendarCheck {
		return nil, err
	}
	t := &answer.Times{
		Find: set.Tools.CalendarFind, Check: set.Tools.CalendarCheck, Runs: runs(about.Level, &set.Tools), AsksCustomer: asksCustomer(&about.Business, about.Level),
		Message: k.LastID, Conversation: k.ID,
		Free: func(ctx context.Context, from calendar.Origin) (calendar.Found, error) {
			return s.o.Calendar.Find(ctx, org, from)
		},
		Look: func(ctx context.Context, from calendar.Origin, want slot.Span) (calendar.Found, error) {
			return s.o.Calendar.Check(ctx, org, from, want)
		},
	}
	a, x, ok, err := calendar.OpenIn(tx, org, k.ID)
	if err != nil {
		return nil, err
	}
	if ok {
		t.Asked = &answer.Appointment{ID: a.ID, Type: a.Type, Status: a.Status, Span: slot.Span{Start: x.Start, End: x.End}}
	}
	list, err := calendar.BookingsIn(tx, org, k.ID)
	for _, b := range list {
		t.Booked = append(t.Booked, answer.Appointment{ID: b.EventID, Type: calendar.Create, Span: slot.Span{Start: b.Start, End: b.End}})
	}
	return t, err
}

// asksCustomer says whether the customer confirms the exact time: always, unless the business does
// without at the level at which bookings run by themselves.
func asksCustomer(b *business.Business, level int) bool { return b.AsksCustomer || level < runsFrom }

// runs are the types of action that nobody of the team is asked about.
func runs(level int, t *agent.Tools) map[calendar.Type]bool {
	if level < runsFrom {
		return nil
	}
	return map[calendar.Type]bool{calendar.Create: t.CalendarCreate, calendar.Update: t.CalendarUpdate, calendar.Cancel: t.CalendarCancel}
}

// book does what the customer wants of the calendar, together with the reply that says so. What
// is granted is read again.
func (a *acting) book() error {
	w, o := a.out.Wish, a.out
	if w == nil || a.s.o.Calendar == nil || o.Reply == "" || o.Action != execution.Send && o.Action != execution.Draft || a.v.advise || a.v.settings.Level < booksFrom {
		return nil
	}
	set, _, err := agent.Effective(a.tx, a.org, agent.Calendar, a.v.business.ID)
	if err != nil {
		return err
	}
	granted := runs(a.v.settings.Level, &set.Tools)
	decided, err := a.decided()
	if err != nil {
		return err
	}
	w.Decision, _ = decided["decision_id"].(string)
	switch w.Operation {
	case answer.Declines:
		return a.s.o.Calendar.RejectOpen(a.tx, a.call, a.org, a.k.ID)
	case answer.Confirms:
		open, _, ok, err := calendar.OpenIn(a.tx, a.org, a.k.ID)
		if err != nil || !ok || open.ID != w.ID || open.Status != calendar.Awaiting || !a.tx.DB().Now().Before(open.ExpiresAt) {
			return err
		}
		return a.s.o.Calendar.ConfirmByCustomer(a.tx, a.call, a.org, &open, granted[open.Type])
	case answer.Books, answer.Moves, answer.Cancels:
		kind := calendar.Type(w.Operation)
		_, err = a.s.o.Calendar.Propose(a.tx, a.call, a.org, w.Origin, calendar.Proposal{
			Type: kind, Extracted: w.Extracted, AsksCustomer: asksCustomer(&a.v.business, a.v.settings.Level), Runs: granted[kind],
		})
	}
	return err
}

// What customers read once the calendar has an appointment. %s is its beginning.
var bookedTexts = map[calendar.Type]business.Texts{
	calendar.Create: {Uzbek: "Siz %s ga yozildingiz.", Russian: "Вы записаны на %s.", English: "You are booked for %s."},
	calendar.Update: {Uzbek: "Uchrashuvingiz %s ga koʻchirildi.", Russian: "Ваша запись перенесена на %s.", English: "Your appointment was moved to %s."},
	calendar.Cancel: {Uzbek: "%s dagi uchrashuvingiz bekor qilindi.", Russian: "Ваша запись на %s отменена.", English: "Your appointment of %s was cancelled."},
}

// settled tells the customer what the calendar has, or gives the conversation to a person when it
// could not be done.
func (s *Service) settled(tx *store.Tx, x *calendar.Settled) error {
	a := &x.Action
	texts, announced := bookedTexts[a.Type]
	if !announced || a.Status != calendar.Completed && a.Status != calendar.Failed {
		return nil
	}
	k, err := conversation.Get(tx, x.Org, a.Conversation)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if a.Status == calendar.Failed {
		_, err := s.handOver(tx, x.Org, &k, handoff.CalendarAmbiguity, handoff.High, failures[a.Code])
		return err
	}
	return s.sendNotice(tx, systemCall(tx, x.Org), x.Org, &k, func(t answer.Tongue, about *answer.Situation) string {
		at := a.StartsAt
		if at.IsZero() {
			at = x.Start
		}
		return t.Format(texts, at.In(about.Business.Location()).Format("02.01.2006 15:04"))
	})
}

// failures say to the team why an appointment was not made.
var failures = map[calendar.Code]string{
	calendar.SlotTaken:     "SLOT_TAKEN: the time of the appointment was taken meanwhile; agree on another one.",
	calendar.OutsideHours:  "OUTSIDE_HOURS: the time of the appointment cannot be booked any more; agree on another one.",
	calendar.NotConnected:  "NOT_CONNECTED: the appointment was not made, because no calendar is connected.",
	calendar.CalendarError: "CALENDAR_ERROR: the appointment was not made; the calendar refused it, or somebody changed or deleted it there.",
}
