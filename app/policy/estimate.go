package policy

import (
	"iter"
	"time"
)

// Workload is what an account has to send, at its pace.
type Workload struct {
	Left int // messages
	Pace Pace
}

// farAway is where an estimate ends: nobody waits for more.
const farAway = 20 * 366 * day

// Finish is when an account sends its last message, beginning at a moment, inside a window
// (nil: always open). ok is false when it never does, or not within twenty years.
func (l Workload) Finish(from time.Time, w *Window) (t time.Time, ok bool) {
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

// Sends are the parts of time in which an account sends, one after the other: from the first
// message of a part to its last, the end included. It ends with the last message, or
// after twenty years.
func (l Workload) Sends(from time.Time, w *Window) iter.Seq[Span] {
	return func(yield func(Span) bool) {
		for s := range l.stretches(from, w) {
			if !yield(s) {
				return
			}
		}
	}
}

// stretches are the parts of time in which an account sends, with how many messages are left
// after each.
func (l Workload) stretches(from time.Time, w *Window) iter.Seq2[Span, int] {
	return func(yield func(Span, int) bool) {
		p := l.Pace
		if p.Off {
			p.Interval, p.Limit, p.Last, p.Sent = 0, 1<<30, time.Time{}, 0
		}
		if p.Limit <= 0 || w != nil && w.Empty() {
			return
		}
		t := later(later(from, p.Cooldown), later(p.Hold, p.Last.Add(p.Interval)))
		room := p.Room(t)
		for l.Left > 0 && t.Sub(from) < farAway {
			end := NextDay(t)
			if room <= 0 {
				t, room = end, p.Limit
				continue
			}
			if w != nil {
				s, ok := w.Around(t)
				if !ok {
					return
				}
				if s.Start.After(t) {
					if !s.Start.Before(end) {
						room = p.Limit // it opens on another day
					}
					t = s.Start
					continue
				}
				end = earlier(end, s.End)
			}
			n := min(fits(t, end, p.Interval), room, l.Left)
			last := t.Add(time.Duration(n-1) * p.Interval)
			l.Left -= n
			if !yield(Span{t, last}, l.Left) {
				return
			}
			room -= n
			if next := last.Add(p.Interval); NextDay(next).Equal(NextDay(t)) {
				t = next
			} else {
				t, room = next, p.Limit
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

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
