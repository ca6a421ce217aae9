package hook

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	"svc/app/event"
	"svc/store"
)

// grace is how long attempts under way may go on when the service stops.
const grace = 5 * time.Second

// outcome is what came of an attempt.
type outcome struct {
	lane     laneID
	delivery string
	at       time.Time
	took     time.Duration
	answer   Answer
	random   float64 // for the wait, taken before the transaction
	verdict  verdict
}

// verdict says what an outcome means.
type verdict uint8

const (
	tried     verdict = iota
	eventGone         // what there is to send is no longer kept
	closed            // the delivery is not open any more
	parked            // the endpoint receives nothing any more
	unknown           // it was cut off, or could not be read: begin again
)

// attempts run beside each other; one goroutine saves what comes of them.
type attempts struct {
	s      *Service
	ctx    context.Context
	cancel context.CancelFunc
	busy   sync.WaitGroup
	ended  chan outcome
	saved  chan struct{}
}

func newAttempts(s *Service) *attempts {
	a := &attempts{s: s, ended: make(chan outcome, maxUnsettled), saved: make(chan struct{})}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	go func() {
		defer close(a.saved)
		s.save(a.ctx, a.ended)
	}()
	return a
}

// turn is an attempt's place among those of its endpoint.
type turn struct {
	before <-chan struct{} // closed when the one before it is on its way; nil for none
	begun  func()
}

func (t turn) wait() {
	if t.before != nil {
		<-t.before
	}
}

// begin tries a delivery, as soon as the attempt before it is on its way: so they
// begin in their order however the goroutines run.
func (a *attempts) begin(id laneID, delivery string, at time.Time, before <-chan struct{}) <-chan struct{} {
	begun := make(chan struct{})
	a.busy.Go(func() {
		t := turn{before, sync.OnceFunc(func() { close(begun) })}
		o := a.s.attempt(a.ctx, id, delivery, at, t)
		t.begun()
		a.s.lanes.note(func(n *notes) { n.ended = append(n.ended, id) })
		a.ended <- o
	})
	return begun
}

// finish waits for the attempts under way, cuts them off when that takes too long,
// and saves what came of them.
func (a *attempts) finish() {
	t := time.AfterFunc(grace, a.cancel)
	defer t.Stop()
	a.busy.Wait()
	close(a.ended)
	<-a.saved
	a.cancel()
}

// attempt tries a delivery once.
func (s *Service) attempt(ctx context.Context, id laneID, delivery string, at time.Time, t turn) outcome {
	o := outcome{lane: id, delivery: delivery, at: at, random: rand.Float64()}
	r, verdict, err := s.prepare(ctx, id, delivery, at)
	t.wait()
	if o.verdict = verdict; err != nil {
		o.verdict = unknown
		if ctx.Err() == nil {
			s.log.Error("a delivery cannot be prepared", "delivery", delivery, "error", err)
			sleep(ctx, afterError)
		}
	}
	if o.verdict != tried {
		return o
	}
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	r.Begun = t.begun
	since := time.Now()
	o.answer, err = s.send(within, r)
	o.took = time.Since(since)
	switch {
	case err != nil:
		s.log.Error("the sender of webhooks failed", "delivery", delivery, "error", err)
		o.answer = Answer{Failure: Connect}
	case ctx.Err() != nil && o.answer.Failure != "":
		o.verdict = unknown // it was we who ended it
	}
	return o
}

// send keeps a panic of the sender in the attempt.
func (s *Service) send(ctx context.Context, r Request) (a Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return s.o.Sender.Send(ctx, r), nil
}

// prepare reads what there is to send, as it is now.
func (s *Service) prepare(ctx context.Context, id laneID, delivery string, at time.Time) (r Request, v verdict, err error) {
	var (
		d Delivery
		w Webhook
		e event.Event
	)
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if d, err = deliveries.Get(tx, id.org, delivery); err != nil || !d.Status.open() {
			v = closed
			return store.IgnoreNotFound(err)
		}
		if w, err = webhooks.Get(tx, id.org, id.webhook); err != nil || w.Status != Active {
			v = parked
			return store.IgnoreNotFound(err)
		}
		if e, err = event.Get(tx, id.org, d.EventID); err != nil {
			v = eventGone
			return store.IgnoreNotFound(err)
		}
		v = tried
		return nil
	})
	if err != nil || v != tried {
		return r, v, err
	}
	secrets, err := s.secretsOf(id.org, &w, at)
	if err != nil {
		return r, v, err
	}
	to, err := w.url(s.db, id.org)
	if err != nil {
		return r, v, err
	}
	body := e.Envelope()
	return Request{URL: to, Header: headers(s.o.Version, &d, at, body, secrets), Body: body}, v, nil
}

// secretsOf are the secrets that sign, an old one first.
func (s *Service) secretsOf(org string, w *Webhook, at time.Time) (out []string, err error) {
	fields := []*store.SealedField[Webhook]{secret}
	if at.Before(w.OldUntil) {
		fields = []*store.SealedField[Webhook]{oldSecret, secret}
	}
	for _, f := range fields {
		b, err := f.Open(s.db, org, w)
		if err != nil {
			return nil, err
		}
		out = append(out, string(b))
	}
	return out, nil
}
