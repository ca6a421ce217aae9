package rehearse

import (
	"time"

	"svc/app/policy"
)

// playing is an account while it is played through.
type playing struct {
	p    *Plan
	a    *Account
	now  time.Time
	pace policy.Pace
	span policy.Span
	// tokens are the strangers that the platform takes at the moment, and since is when
	// the last of them was added.
	tokens int
	since  time.Time
	// failing is what is owed of the failures that the account is expected to have: at 1 a message fails.
	failing float64
	done    Done
	floods  []Flood
}

// farAway is where a rehearsal ends.
const farAway = 20 * 366 * 24 * time.Hour

func play(p *Plan, a *Account, hours map[time.Time]*Hour) *playing {
	l := &playing{p: p, a: a, now: p.Start, pace: a.Pace, tokens: p.Model.Burst, since: p.Start, done: Done{AccountID: a.ID}}
	others := a.Others
	for i, who := range a.People {
		if !l.ready() {
			l.done.Unsent += len(a.People) - i
			return l
		}
		l.send(who, hours)
		if others > 0 && i+1 < len(a.People) { // they take turns
			others--
			if l.ready() {
				l.pace.Tried(l.now, true)
			}
		}
	}
	if l.done.Unsent > 0 {
		return l
	}
	at := l.now.Add(p.Model.Answer).Truncate(time.Second)
	if len(a.People) == 0 {
		at = p.Start
	}
	l.done.FinishesAt = &at
	return l
}

// ready lets time pass until the account may send; false when it never may.
func (l *playing) ready() bool {
	if l.pace.Limit <= 0 && !l.pace.Off {
		return false
	}
	for l.now.Sub(l.p.Start) < farAway {
		switch {
		case !l.p.End.IsZero() && !l.now.Before(l.p.End):
			return false
		case l.waits():
		case l.p.Window == nil || !l.now.Before(l.span.Start) && l.now.Before(l.span.End):
			return true
		default:
			s, ok := l.p.Window.Around(l.now)
			if !ok {
				return false
			}
			if l.span = s; s.Start.After(l.now) {
				l.now = s.Start
			}
		}
	}
	return false
}

// waits lets the time pass that the pace of the account asks for; false for none.
func (l *playing) waits() bool {
	until, _ := l.pace.Next(true, l.now)
	if !until.After(l.now) {
		return false
	}
	l.now = until
	return true
}

// send is one message: to a stranger it may have to wait first.
func (l *playing) send(who Person, hours map[time.Time]*Hour) {
	if who == Stranger {
		l.take()
		if !l.ready() {
			l.done.Unsent++
			return
		}
	}
	h := hours[l.now.UTC().Truncate(time.Hour)]
	if h == nil {
		h = &Hour{At: l.now.UTC().Truncate(time.Hour)}
		hours[h.At] = h
	}
	failed := who == Unreached || l.fails()
	if failed {
		l.done.Failed++
		h.Failed++
	} else {
		l.done.Delivered++
		h.Delivered++
	}
	l.pace.Tried(l.now, !failed)
}

// fails says whether the next message to somebody who can be reached fails: the failures that are expected
// are spread evenly, so that the same plan gives the same report.
func (l *playing) fails() bool {
	if l.failing += l.a.Failing; l.failing < 1 {
		return false
	}
	l.failing--
	return true
}

// take uses up what the platform grants for a stranger, and waits as it asks to when
// nothing is left.
func (l *playing) take() {
	m := l.p.Model
	if m.Refill <= 0 {
		return
	}
	more := int(l.now.Sub(l.since) / m.Refill)
	l.since = l.since.Add(time.Duration(more) * m.Refill)
	if l.tokens += more; l.tokens >= m.Burst {
		l.tokens, l.since = m.Burst, l.now
	}
	if l.tokens == 0 {
		wait := (time.Duration(m.Pardon)*m.Refill - l.now.Sub(l.since) + time.Second - 1).Truncate(time.Second)
		l.floods = append(l.floods, Flood{AccountID: l.a.ID, At: l.now.UTC(), WaitSeconds: int(wait / time.Second)})
		l.done.Floods++
		l.now = l.now.Add(wait)
		l.tokens, l.since = m.Pardon, l.now
	}
	l.tokens--
}
