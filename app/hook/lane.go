package hook

import (
	"context"
	"time"

	"svc/store"
)

// laneID names an endpoint.
type laneID struct{ org, webhook string }

// lane is what the scheduler knows of one endpoint: ids of deliveries that may
// begin, and what is under way.
type lane struct {
	id laneID
	// firsts and retries were loaded and did not begin yet.
	firsts, retries []string
	// moreFirst and moreRetry: the store may have others that could begin.
	moreFirst, moreRetry bool
	next                 time.Time // the next retry that is not due; zero for none
	// busy are deliveries whose attempt is not saved: the store still offers them.
	busy      map[string]struct{}
	running   int
	begun     <-chan struct{} // closed when the latest attempt is on its way; nil for none
	offered   bool
	lastRetry bool
}

// take is the delivery of a lane that begins next, "" for none. First attempts are
// in the order of events; where retries are due too, both take turns, so that
// neither holds the other back.
func (sc *scheduler) take(ctx context.Context, l *lane, now time.Time) (id string, err error) {
	if err := sc.load(ctx, l, now); err != nil {
		return "", err
	}
	from := &l.firsts
	if l.lastRetry = len(l.retries) > 0 && (len(l.firsts) == 0 || !l.lastRetry); l.lastRetry {
		from = &l.retries
	}
	if len(*from) == 0 {
		return "", nil
	}
	id, *from = (*from)[0], (*from)[1:]
	return id, nil
}

// load reads what a lane has run out of.
func (sc *scheduler) load(ctx context.Context, l *lane, now time.Time) error {
	if len(l.firsts) == 0 && l.moreFirst {
		found, full, err := sc.waiting(ctx, l, store.Is(store.Tuple(store.Text(l.id.webhook), first)))
		if err != nil {
			return err
		}
		l.firsts, l.moreFirst = found, full
	}
	if len(l.retries) == 0 && l.moreRetry {
		// What is due now, to the millisecond; and when the next one is.
		soon := store.Tuple(store.Text(l.id.webhook), retry, store.Time(now.Add(time.Millisecond)))
		found, full, err := sc.waiting(ctx, l, store.Between(store.Tuple(store.Text(l.id.webhook), retry), soon))
		if err != nil {
			return err
		}
		next, err := sc.nextRetry(ctx, store.Between(soon, store.Tuple(store.Text(l.id.webhook), behindAll)))
		if err != nil {
			return err
		}
		l.retries, l.moreRetry = found, full
		sc.due(l, next)
	}
	return nil
}

// waiting reads deliveries that are not under way. full says that there may be more.
func (sc *scheduler) waiting(ctx context.Context, l *lane, span store.Span) (ids []string, full bool, err error) {
	limit := loadedAtATime + len(l.busy) + len(l.firsts) + len(l.retries)
	var found []store.Of[Delivery]
	err = sc.s.db.View(ctx, func(tx *store.Tx) (err error) {
		found, _, err = open.Walk(tx, store.Range{Span: span, Limit: limit})
		return err
	})
	for i := range found {
		if id := found[i].Record.ID; !l.knows(id) {
			ids = append(ids, id)
		}
	}
	return ids, len(found) == limit, err
}

// knows says whether a delivery is under way or loaded: one that was asked to come
// now may be both a first attempt and a retry to the lane.
func (l *lane) knows(id string) bool {
	if _, busy := l.busy[id]; busy {
		return true
	}
	for _, list := range [][]string{l.firsts, l.retries} {
		for _, known := range list {
			if known == id {
				return true
			}
		}
	}
	return false
}

func (sc *scheduler) nextRetry(ctx context.Context, span store.Span) (at time.Time, err error) {
	err = sc.s.db.View(ctx, func(tx *store.Tx) error {
		found, _, err := open.Walk(tx, store.Range{Span: span, Limit: 1})
		at = time.Time{}
		if err == nil && len(found) == 1 {
			at = *found[0].Record.NextAttemptAt
		}
		return err
	})
	return at, err
}

// park forgets the work of an endpoint that receives nothing any more, until it is
// kicked.
func (l *lane) park() {
	l.firsts, l.retries, l.moreFirst, l.moreRetry, l.next = nil, nil, false, false, time.Time{}
}
