package hook

import (
	"fmt"
	"time"

	"svc/app/notify"
	"svc/store"
)

const (
	// probeAfter is how many failures in a row make an endpoint one that is probed.
	probeAfter = 3
	// firstProbe is how long the first probe waits, and longestProbe the last; each waits
	// twice as long as the one before it (contract 45.2).
	firstProbe   = 30 * time.Second
	longestProbe = 30 * time.Minute
)

// Probing is how an endpoint is tried that failed several times in a row: one attempt at
// a time, with longer and longer waits, and everything else waits behind it. So 25
// failures take hours, which is enough to mend a receiver.
//
// It is entered by the third failure in a row, of whatever deliveries. It ends with a
// success, by disabling the endpoint, and by enabling it again. A probe is an ordinary
// attempt of the delivery whose turn it is: a delivery that the receiver never takes does
// not keep the others from proving that it works.
type Probing struct {
	Since  time.Time     `json:"since"`
	Wait   time.Duration `json:"wait"` // before the next probe, in nanoseconds
	NextAt time.Time     `json:"next_at"`
}

// wait is until when an endpoint is not tried; zero when it may be. A time further ahead
// than the longest wait was noted before the clock was set back (contract 21.3).
func (p *Probing) wait(now time.Time) time.Time {
	if p == nil || !p.NextAt.After(now) || p.NextAt.After(now.Add(longestProbe)) {
		return time.Time{}
	}
	return p.NextAt
}

// Probe is Probing in the API.
type Probe struct {
	Since         time.Time `json:"since"`
	NextAttemptAt time.Time `json:"next_attempt_at"`
}

func (p *Probing) shown() *Probe {
	if p == nil {
		return nil
	}
	return &Probe{p.Since, p.NextAt}
}

// tryAt lets the next probe come at a time.
func (p *Probing) tryAt(at time.Time) {
	if p != nil {
		p.NextAt = at
	}
}

// failed counts a failure of an attempt that began at a time, in the record of an
// endpoint that is not given up yet.
func (w *Webhook) failed(tx *store.Tx, org string, began, now time.Time) error {
	p := w.Probing
	switch {
	case p == nil && w.FailureStreak >= probeAfter:
		w.Probing = &Probing{Since: now, Wait: firstProbe, NextAt: now.Add(firstProbe)}
		return notifyFailing(tx, org, w)
	case p != nil && began.After(p.Since): // others were under way when it was entered
		w.Probing = &Probing{Since: p.Since, Wait: min(2*p.Wait, longestProbe)}
		w.Probing.tryAt(now.Add(w.Probing.Wait))
	}
	return nil
}

// works notes that an endpoint answered as it should.
func (w *Webhook) works(tx *store.Tx, org string) error {
	w.FailureStreak = 0
	if w.Probing == nil {
		return nil
	}
	w.Probing = nil
	return notify.Settle(tx, org, w.ID)
}

// notifyFailing notifies people that an endpoint fails, while it can still be
// repaired before it is given up.
func notifyFailing(tx *store.Tx, org string, w *Webhook) error {
	return notify.Send(tx, org, notify.Notice{
		Kind:  "WEBHOOK_FAILING",
		Title: "A webhook fails",
		Body: fmt.Sprintf("Deliveries to %s failed %d times in a row. It is tried from time to time, and everything else waits; after %d failures it is disabled. Repair the receiver.",
			w.Host, w.FailureStreak, maxStreak),
		Resource: &notify.Resource{Type: "webhook", ID: w.ID},
		Link:     "/webhooks/" + w.ID,
	})
}
