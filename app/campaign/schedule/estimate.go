package schedule

import "time"

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
	t = from
	if l.Left <= 0 {
		return t, true
	}
	if l.Limit <= 0 || w != nil && w.Empty() {
		return t, false
	}
	if l.NotBefore.After(t) {
		t = l.NotBefore
	}
	room := l.Limit
	if Midnight(t).Equal(Midnight(from)) {
		room -= l.SentToday
	}
	for t.Sub(from) < farAway {
		end := Midnight(t)
		if room <= 0 {
			t, room = end, l.Limit
			continue
		}
		if w != nil {
			s, ok := w.Around(t)
			if !ok {
				return t, false
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
		if l.Left -= n; l.Left == 0 {
			return last, true
		}
		room -= n
		if next := last.Add(l.Interval); Midnight(next).Equal(Midnight(t)) {
			t = next
		} else {
			t, room = next, l.Limit
		}
	}
	return t, false
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
