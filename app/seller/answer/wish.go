package answer

import (
	"slices"
	"time"

	"svc/app/business"
	"svc/app/calendar"
	"svc/app/calendar/slot"
	"svc/app/engine/execution"
)

// understand makes a wish of what the agent said, where that is certain enough and the calendar
// allows it.
func (r *run) understand(w *wanted, said execution.Answer) {
	s, o, t := r.s, r.out, r.s.Times
	if w.Operation == Unclear {
		r.stated = &appointmentData{State: unclear}
		if t.Asked != nil {
			r.handAmbiguity("It is not clear which time the customer wants.")
		}
		return
	}
	if w.Confidence < s.Settings.Confidence {
		return
	}
	wish := &Wish{Operation: w.Operation, Origin: r.origin(&said, min(max(w.Confidence, 0), 1))}
	wish.Title, wish.Attendee, wish.Note = cut(clean(w.Title), maxTitle), optional(clean(w.Attendee), maxTitle), optional(clean(w.Note), maxNote)
	switch w.Operation {
	case Confirms:
		r.confirms(w, wish)
	case Declines:
		if t.Asked != nil {
			wish.ID, o.Wish, r.stated = t.Asked.ID, wish, r.data(t.Asked, declined)
		}
	case Cancels:
		if b := r.held(w.ID); b != nil {
			r.wish(wish, b, calendar.Cancel, b.Span)
		}
	case Books, Moves:
		r.books(w, wish)
	}
}

func optional(s string, most int) *string {
	if s = cut(s, most); s == "" {
		return nil
	}
	return &s
}

// confirms takes a yes to the one time that was asked about; a yes to another one is none.
func (r *run) confirms(w *wanted, wish *Wish) {
	a := r.s.Times.Asked
	if a == nil || w.Start != "" && w.Start != a.Start.In(r.s.Business.Location()).Format(inMinutes) {
		return
	}
	if a.Status != calendar.Awaiting {
		r.stated = r.data(a, passedOn)
		return
	}
	wish.ID, r.out.Wish, r.stated = a.ID, wish, r.data(a, passedOn)
	if r.s.Times.Runs[a.Type] {
		r.stated.State = underWay
	}
}

// held is the appointment that stands with an id, or the only one.
func (r *run) held(id string) *Appointment {
	list := r.s.Times.Booked
	for i := range list {
		if list[i].ID == id || id == "" && len(list) == 1 {
			return &list[i]
		}
	}
	return nil
}

// books takes a time that is free by what was read in this turn.
func (r *run) books(w *wanted, wish *Wish) {
	zone := r.s.Business.Location()
	start, err := time.ParseInLocation(inMinutes, w.Start, zone)
	if err != nil || start.Format(inMinutes) != w.Start { // no such time, or one that clocks leave out
		return
	}
	var held *Appointment
	if w.Operation == Moves {
		if held = r.held(w.ID); held == nil {
			return
		}
	}
	lengths := r.s.Business.Calendar.Lengths
	minutes := w.Minutes
	if held != nil && minutes == 0 {
		minutes = int(held.End.Sub(held.Start) / time.Minute)
	}
	minutes = fitting(lengths, minutes)
	span := slot.Span{Start: start.UTC(), End: start.UTC().Add(time.Duration(minutes) * time.Minute)}
	if a := r.s.Times.Asked; a != nil && a.Type == calendar.Type(w.Operation) && a.Start.Equal(span.Start) && a.End.Equal(span.End) {
		r.confirms(&wanted{}, wish) // the same time again is a yes
		if r.out.Wish != nil {
			r.out.Wish.Operation = Confirms
		}
		return
	}
	if !r.free(span) && r.s.Times.Check && !r.read(calendar.Check, func(from calendar.Origin) (calendar.Found, error) { return r.s.Times.Look(r.ctx, from, span) }) {
		return
	}
	switch {
	case r.free(span):
		r.wish(wish, held, calendar.Type(w.Operation), span)
	case r.unread:
		r.handAmbiguity("The calendar cannot be read now.")
	default:
		r.stated = &appointmentData{Operation: string(w.Operation), State: notFree, Start: w.Start, Minutes: minutes}
	}
}

// fitting is the shortest length that is long enough for what is wanted, else the longest.
func fitting(lengths []int, wanted int) int {
	best := slices.Max(lengths)
	for _, n := range lengths {
		if n >= wanted && n < best {
			best = n
		}
	}
	return best
}

// handAmbiguity hands the conversation to a person, where the settings want that.
func (r *run) handAmbiguity(reason string) {
	if r.s.Settings.HandsOver(business.CalendarAmbiguity) {
		r.out.hand(r.s.Level, Handoff{Trigger: business.CalendarAmbiguity, Reason: reason})
	}
}

func (r *run) free(s slot.Span) bool {
	return slices.ContainsFunc(r.found.Free, func(f slot.Span) bool { return f.Start.Equal(s.Start) && f.End.Equal(s.End) })
}

// wish asks for an appointment: the customer to confirm it, else the team, else nobody.
func (r *run) wish(w *Wish, held *Appointment, kind calendar.Type, span slot.Span) {
	w.Start, w.End = span.Start, span.End
	a := Appointment{Type: kind, Span: span}
	if held != nil {
		w.ID = held.ID
		w.EventID = &held.ID
	}
	state := passedOn
	switch {
	case r.s.Times.AsksCustomer:
		state = asksCustomer
	case r.s.Times.Runs[kind]:
		state = underWay
	}
	r.out.Wish, r.stated = w, r.data(&a, state)
}
