package schedule

import (
	"iter"
	"time"
)

// Lane is an account with what it has to send.
type Lane struct {
	Left      int // messages
	Interval  time.Duration
	Limit     int // messages per UTC day
	SentToday int // on the day of the moment that is asked about
	// NotBefore is when it may send again: after a cooldown, and after its last message.
	NotBefore time.Time
}

// farAway is where an estimate ends: nobody waits for more.
const farAway = 20 * 366 * day

// Finish is when a lane sends its last message, beginning at a moment, inside a window
// (nil: always open). ok is false when it never does, or not within twenty years.
func (l Lane) Finish(from time.Time, w *Window) (t time.Time, ok bool) {
	if l.Left <= 0 {
		return from, true
	}
	t = from
	for s, left := range l.stretches(from, w) {
		if t = s.End; left == 0 {
			return t, true
		}
	}
	return t, false
}

// Sends are the parts of time in which a lane sends, one after the other: from the first
// message of a part to its last, the end included. It ends with the last message, or
// after twenty years.
func (l Lane) Sends(from time.Time, w *Window) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for s := range l.stretches(from, w) {
			if !yield(s) {
				return
			}
		}
	}
}

// stretches are the parts of time in which a lane sends, with how many messages are left
// after each.
func (l Lane) stretches(from time.Time, w *Window) iter.Seq2[Span, int] {
	return func(yield func(Span, int) bool) {
		if l.Limit <= 0 || w != nil && w.Empty() {
			return
		}
		t, room := from, l.Limit
		if l.NotBefore.After(t) {
			t = l.NotBefore
		}
		if Midnight(t).Equal(Midnight(from)) {
			room -= l.SentToday
		}
		for l.Left > 0 && t.Sub(from) < farAway {
			end := Midnight(t)
			if room <= 0 {
				t, room = end, l.Limit
				continue
			}
			if w != nil {
				s, ok := w.Around(t)
				if !ok {
					return
				}
				if s.Start.After(t) {
					if !s.Start.Before(end) {
						room = l.Limit // it opens on another day
					}
					t = s.Start
					continue
				}
				end = earlier(end, s.End)
			}
			n := min(fits(t, end, l.Interval), room, l.Left)
			last := t.Add(time.Duration(n-1) * l.Interval)
			l.Left -= n
			if !yield(Span{t, last}, l.Left) {
				return
			}
			room -= n
			if next := last.Add(l.Interval); Midnight(next).Equal(Midnight(t)) {
				t = next
			} else {
				t, room = next, l.Limit
			}
		}
	}
}

// fits is how many messages begin from t on and before end, one an interval.
func fits(t, end time.Time, interval time.Duration) int {
	if interval <= 0 {
		return 1 << 30
	}
	return 1 + int((end.Sub(t)-1)/interval)
}

// Midnight is the end of the UTC day of t: where daily limits begin anew.
func Midnight(t time.Time) time.Time {
	u := t.UTC()
	return time.Date(u.Year(), u.Month(), u.Day()+1, 0, 0, 0, 0, time.UTC)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
