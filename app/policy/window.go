package policy

import (
	"encoding/json"
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

// Opens says whether the window is open at t and, if not, when it opens next; the zero
// time for never. A nil window is always open.
func (w *Window) Opens(t time.Time) (open bool, next time.Time) {
	if w == nil {
		return true, next
	}
	s, ok := w.Around(t)
	switch {
	case !ok:
		return false, next
	case t.Before(s.Start):
		return false, s.Start
	}
	return true, next
}

// storedWindow is a window as JSON.
type storedWindow struct {
	Weekdays []Weekday `json:"weekdays"`
	Start    string    `json:"start"` // HH:MM
	End      string    `json:"end"`   // HH:MM; 24:00 is the end of the day
	Zone     string    `json:"zone"`  // IANA
}

// MarshalJSON writes the window with the name of its zone.
func (w Window) MarshalJSON() ([]byte, error) {
	zone := "UTC"
	if w.Zone != nil {
		zone = w.Zone.String()
	}
	return json.Marshal(storedWindow{w.Weekdays, w.From.String(), w.To.String(), zone})
}

// UnmarshalJSON reads a window. One that cannot be understood is never open: messages wait
// until somebody corrects it.
func (w *Window) UnmarshalJSON(data []byte) error {
	var x storedWindow
	if err := json.Unmarshal(data, &x); err != nil {
		return err
	}
	*w = MakeWindow(x.Weekdays, x.Start, x.End, x.Zone)
	return nil
}

// MakeWindow is a window from times of day as HH:MM and the name of a zone. One that
// cannot be understood is never open.
func MakeWindow(days []Weekday, from, to, zone string) Window {
	begins, err := ParseClock(from)
	ends, wrong := ParseClock(to)
	z, unknown := Location(zone)
	if err != nil || wrong != nil || unknown != nil {
		return Window{Zone: time.UTC}
	}
	return Window{Weekdays: days, From: begins, To: ends, Zone: z}
}
