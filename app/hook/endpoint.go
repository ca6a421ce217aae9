package hook

import (
	"encoding/json"
	"fmt"
	"time"

	"svc/store"
	"svc/store/dispatch"
	"svc/store/queue"
)

// farthest is longer than an endpoint ever waits for its next attempt.
const farthest = 15 * time.Hour

// work finds the endpoints that have something to send. An endpoint is one key: several
// of its deliveries are under way at a time, each a claim whose Ref is the delivery.
var work = dispatch.NewIndex(webhooks, dispatch.Of[Webhook]{
	Slot:  func(w *Webhook) *dispatch.Slot { return &w.Slot },
	Queue: func(*Webhook) string { return string(queue.Webhooks) },
	PerKey: func(w *Webhook) int {
		if w.Probing != nil {
			return 1
		}
		return perEndpoint
	},
})

// handler is what the dispatcher asks about endpoints.
func (s *Service) handler() dispatch.Handler[Webhook, *attempt, outcome] {
	return dispatch.Handler[Webhook, *attempt, outcome]{
		Claim:   claim,
		Begin:   s.order.line,
		Work:    s.try,
		Crashed: func(a *attempt, _ error) outcome { return outcome{at: a.at, answer: Answer{Failure: Connect}} },
		Settle:  s.settle,
		// A delivery whose attempt nobody will hear of is open as before: it is sent again.
		Release: func(*store.Tx, *dispatch.Entry[Webhook], dispatch.Claim, dispatch.Why) error { return nil },
		Poison:  poison,
	}
}

// claim takes the delivery of an endpoint that begins next. First attempts are in the
// order of events; where retries are due too, both take turns, so that neither holds the
// other back.
func claim(tx *store.Tx, e *dispatch.Entry[Webhook]) (o dispatch.Offer[*attempt], err error) {
	w := e.Record
	if w.Status != Active {
		return o, nil // enabling it wakes it
	}
	if at := w.Probing.wait(e.Now); !at.IsZero() {
		return dispatch.Offer[*attempt]{Next: at}, nil
	}
	id, err := nextOf(tx, w, store.Is(store.Tuple(store.Text(w.ID), first)))
	if err != nil {
		return o, err
	}
	soon := store.Tuple(store.Text(w.ID), retry, store.Time(e.Now.Add(time.Millisecond))) // due are those up to now
	again, err := nextOf(tx, w, store.Between(store.Tuple(store.Text(w.ID), retry), soon))
	if err != nil {
		return o, err
	}
	if w.LastRetry = again != "" && (id == "" || !w.LastRetry); w.LastRetry {
		id = again
	}
	if id == "" {
		later, _, err := open.Walk(tx, store.Range{Span: store.Between(soon, store.Tuple(store.Text(w.ID), behindAll)), Limit: 1})
		if err == nil && len(later) == 1 {
			o.Next = *later[0].Record.NextAttemptAt
		}
		return o, err
	}
	e.About(id)
	a := &attempt{org: e.Org, webhook: w.ID, delivery: id, at: e.Now}
	return dispatch.Offer[*attempt]{OK: true, Work: a, Ref: id, Next: e.Now}, nil
}

// nextOf is the first delivery of a span that is not under way, "" for none.
func nextOf(tx *store.Tx, w *Webhook, span store.Span) (id string, err error) {
	refs, _, err := open.Refs(tx, store.Range{Span: span, Limit: len(w.Slot.Claims) + 1})
	for _, ref := range refs {
		if !w.sends(ref.ID) {
			return ref.ID, err
		}
	}
	return "", err
}

// sends says whether a delivery is under way.
func (w *Webhook) sends(delivery string) bool {
	for _, c := range w.Slot.Claims {
		if c.Ref == delivery {
			return true
		}
	}
	return false
}

// poison cancels a delivery that cannot be begun.
func poison(tx *store.Tx, e *dispatch.Entry[Webhook], ref string, _ error) error {
	d, err := deliveries.Get(tx, e.Org, ref)
	if err != nil || !d.Status.open() {
		return store.IgnoreNotFound(err)
	}
	was := d.Status
	d.end(Cancelled, e.Now)
	return save(tx, e.Org, &d, was)
}

// wake says that an endpoint may have something to send.
func wake(tx *store.Tx, org, id string) error {
	w, err := webhooks.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	now := tx.DB().Now()
	if w.Status != Active || !w.Slot.Due.IsZero() && !w.Slot.Due.After(now) {
		return nil
	}
	work.Wake(tx, &w, now)
	return webhooks.Put(tx, org, &w)
}

// wakeNow is wake by a person who asks for it: an endpoint that is probed is tried at once.
func wakeNow(tx *store.Tx, org, id string) error {
	w, err := webhooks.Get(tx, org, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if w.Status != Active {
		return nil
	}
	now := tx.DB().Now()
	w.Probing.tryAt(now)
	work.Wake(tx, &w, now)
	return webhooks.Put(tx, org, &w)
}

// SlotMigration lets the endpoints of versions before package dispatch be looked at once: they
// may have something to send.
var SlotMigration = store.Migration{Name: "2026-11 webhooks: slots for dispatch", Step: webhooks.Rewrite(addSlot)}

func addSlot(old json.RawMessage) (json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(old, &fields); err != nil {
		return nil, fmt.Errorf("a webhook: %w", err)
	}
	b, err := json.Marshal(dispatch.Slot{Due: time.Unix(0, 0).UTC()})
	if err != nil {
		return nil, err
	}
	fields["slot"] = b
	return json.Marshal(fields)
}
