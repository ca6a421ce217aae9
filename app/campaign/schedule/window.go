package schedule

import (
	"slices"
	"time"
)

// Window is when messages may be sent: on these days from one time of day to another,
// in a zone. A window whose end is not after its start ends on the next day, and
// belongs to the day on which it starts.
type Window struct {
	Weekdays []Weekday
	From, To Clock
	Zone     *time.Location
}

// Empty says whether the window is never open.
func (w *Window) Empty() bool { return len(w.Weekdays) == 0 || w.From == w.To }

// Span is a part of time: from Start on, before End.
type Span struct{ Start, End time.Time }

// Around is the span of the window that holds t, or the next one after it. ok is false
// when there is none within two weeks, which is never.
func (w *Window) Around(t time.Time) (s Span, ok bool) {
	if w.Empty() {
		return Span{}, false
	}
	local := t.In(w.Zone)
	for ahead := -1; ahead <= 14; ahead++ {
		date := time.Date(local.Year(), local.Month(), local.Day()+ahead, 12, 0, 0, 0, time.UTC)
		if !slices.Contains(w.Weekdays, weekdays[date.Weekday()]) {
			continue
		}
		s = Span{Start: At(date, w.From, w.Zone), End: At(date, w.To, w.Zone)}
		if w.To < w.From {
			s.End = At(date.Add(day), w.To, w.Zone)
		}
		if s.End.After(s.Start) && s.End.After(t) { // clocks that go forward can swallow one
			return s, true
		}
	}
	return Span{}, false
}

// Open says whether messages may be sent at t.
func (w *Window) Open(t time.Time) bool {
	s, ok := w.Around(t)
	return ok && !t.Before(s.Start)
}
