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
	"svc/store/coord"
)

// grace is how long attempts under way may go on when the service stops.
const grace = 5 * time.Second

// attempt is a delivery that is tried once.
type attempt struct {
	org, webhook, delivery string
	at                     time.Time
	// before is closed when the attempt before it of its endpoint is on its way, nil for
	// none; begun says that this one is.
	before <-chan struct{}
	begun  func()
}

// outcome is what came of an attempt.
type outcome struct {
	at      time.Time
	took    time.Duration
	answer  Answer
	random  float64 // for the wait, taken before the transaction
	verdict verdict
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

// order lets the attempts of an endpoint begin in the order in which they were claimed,
// however their goroutines run.
type order struct {
	mu   sync.Mutex
	last map[string]chan struct{} // of the attempt of an endpoint that was claimed last
}

// line puts an attempt behind the one of its endpoint that was claimed before it.
func (o *order) line(a *attempt) *attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.last == nil {
		o.last = map[string]chan struct{}{}
	}
	begun := make(chan struct{})
	if last := o.last[a.webhook]; last != nil {
		a.before = last
	}
	o.last[a.webhook] = begun
	a.begun = sync.OnceFunc(func() {
		close(begun)
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.last[a.webhook] == begun {
			delete(o.last, a.webhook)
		}
	})
	return a
}

func (a *attempt) wait() {
	if a.before != nil {
		<-a.before
	}
}

// try makes an attempt. done is false when nobody knows what came of it.
func (s *Service) try(ctx context.Context, a *attempt) (o outcome, done bool) {
	defer a.begun()
	o = outcome{at: a.at, random: rand.Float64()}
	r, verdict, err := s.prepare(ctx, a)
	a.wait()
	if o.verdict = verdict; err != nil {
		o.verdict = unknown
		if ctx.Err() == nil {
			s.log.Error("a delivery cannot be prepared", "delivery", a.delivery, "error", err)
			coord.Sleep(ctx, afterError)
		}
	}
	if o.verdict != tried {
		return o, o.verdict != unknown
	}
	within, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	r.Begun = a.begun
	since := time.Now()
	o.answer, err = s.send(within, r)
	o.took = time.Since(since)
	switch {
	case err != nil:
		s.log.Error("the sender of webhooks failed", "delivery", a.delivery, "error", err)
		o.answer = Answer{Failure: Connect}
	case ctx.Err() != nil && o.answer.Failure != "":
		return o, false // it was we who ended it
	}
	return o, true
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
func (s *Service) prepare(ctx context.Context, a *attempt) (r Request, v verdict, err error) {
	var (
		d Delivery
		w Webhook
		e event.Event
	)
	err = s.db.View(ctx, func(tx *store.Tx) (err error) {
		if d, err = deliveries.Get(tx, a.org, a.delivery); err != nil || !d.Status.open() {
			v = closed
			return store.IgnoreNotFound(err)
		}
		if w, err = webhooks.Get(tx, a.org, a.webhook); err != nil || w.Status != Active {
			v = parked
			return store.IgnoreNotFound(err)
		}
		if e, err = event.Get(tx, a.org, d.EventID); err != nil {
			v = eventGone
			return store.IgnoreNotFound(err)
		}
		v = tried
		return nil
	})
	if err != nil || v != tried {
		return r, v, err
	}
	secrets, err := s.secretsOf(a.org, &w, a.at)
	if err != nil {
		return r, v, err
	}
	to, err := w.url(s.db, a.org)
	if err != nil {
		return r, v, err
	}
	body := e.Envelope()
	return Request{URL: to, Header: headers(s.o.Version, &d, a.at, body, secrets), Body: body}, v, nil
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
