package policy

import "time"

// Wait is what sending waits for (contract 4.1); "" is nothing.
type Wait string

// The waits.
const (
	WaitCooldown   Wait = "COOLDOWN"
	WaitDailyLimit Wait = "DAILY_LIMIT"
	WaitWindow     Wait = "SENDING_WINDOW"
	WaitPacing     Wait = "PACING"
	WaitWorker     Wait = "WORKER"
)

// LongestHold is the longest time for which an account does not send because the platform
// was not reached.
const LongestHold = 5 * time.Minute

// Pace is how fast an account may send, and what it sent.
type Pace struct {
	// Cooldown ends a wait that the platform asked for: it holds every message.
	Cooldown time.Time
	// Hold ends a wait after the platform was not reached: it holds what is paced.
	Hold time.Time
	// Last is when the last paced message was tried or sent.
	Last     time.Time
	Interval time.Duration // between two paced messages
	Limit    int           // of paced messages on a UTC day
	// Sent counts those of the UTC day of SentOn.
	Sent   int
	SentOn time.Time
	// Off leaves out interval and limit, for benchmarks and demonstrations.
	Off bool
}

// Next is when the account may send a message: not before until, for that reason. A zero
// until is now. Replies are not paced: they wait for the platform only (contract 20.5).
func (p *Pace) Next(paced bool, now time.Time) (until time.Time, why Wait) {
	later := func(at time.Time, reason Wait) {
		if at.After(now) && at.After(until) {
			until, why = at, reason
		}
	}
	// soon is later for a wait that is never longer than within.
	soon := func(at time.Time, within time.Duration, reason Wait) {
		if !Farther(at, now, within) {
			later(at, reason)
		}
	}
	if paced {
		soon(p.Hold, LongestHold, WaitCooldown)
		if !p.Off {
			soon(p.Last.Add(p.Interval), p.Interval, WaitPacing)
			if p.Room(now) <= 0 {
				later(NextDay(now), WaitDailyLimit)
			}
		}
	}
	later(p.Cooldown, WaitCooldown)
	return until, why
}

// Room is how many paced messages the daily limit leaves for the UTC day of a time.
func (p *Pace) Room(at time.Time) int {
	if NextDay(at).Equal(NextDay(p.SentOn)) {
		return p.Limit - p.Sent
	}
	return p.Limit
}

// Tried notes a paced message that was tried; counts says that the daily limit counts it.
func (p *Pace) Tried(at time.Time, counts bool) {
	p.Last = at
	if !NextDay(at).Equal(NextDay(p.SentOn)) {
		p.Sent, p.SentOn = 0, at
	}
	if counts {
		p.Sent++
	}
}

// Farther says whether a time lies further ahead than a wait can be: somebody set the
// clock back since it was noted, and it counts as now (contract 21.3).
func Farther(at, now time.Time, wait time.Duration) bool { return at.Sub(now) > wait }

// NextDay begins the UTC day after that of a time: daily limits count from there
// (contract 21.2, Days).
func NextDay(t time.Time) time.Time {
	y, m, d := t.UTC().Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC)
}
