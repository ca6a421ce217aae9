package hook

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"svc/store"
	"svc/store/queue"
)

const (
	// loadedAtATime is how many deliveries of an endpoint are known ahead.
	loadedAtATime = 64
	// maxUnsettled bounds the attempts that ended and are not saved yet.
	maxUnsettled = 1000
	// longestWait is after how long the scheduler looks at the clock again: a timer
	// does not notice when somebody sets it.
	longestWait = time.Minute
	// pauseCheck is how long it believes what it saw of an administrator's pause.
	pauseCheck = time.Second
)

// scheduler decides which attempt begins when. Its loop alone has the lanes; others
// leave notes.
type scheduler struct {
	s     *Service
	lanes map[laneID]*lane
	turn  []*lane // that may begin an attempt, in turn
	// running attempts, and those whose end is not saved.
	running, unsettled int
	soonest            time.Time // the next retry of any lane; zero for none
	paused             bool
	pauseSeen          time.Time
	begin              func(l *lane, delivery string, at time.Time, before <-chan struct{}) (begun <-chan struct{})

	mu    sync.Mutex
	notes notes
	wake  chan struct{}
}

// notes are what happened since the loop looked.
type notes struct {
	kicked  map[laneID]struct{} // new work, or work that waits no longer
	ended   []laneID            // an attempt is over, and its endpoint is free
	settled []settled
}

// settled is a delivery whose attempt is saved.
type settled struct {
	lane     laneID
	delivery string
	next     time.Time // when its endpoint is looked at again; zero for no need
	parked   bool      // its endpoint receives nothing any more
}

func newScheduler(s *Service) *scheduler {
	return &scheduler{s: s, lanes: map[laneID]*lane{}, wake: make(chan struct{}, 1)}
}

func (sc *scheduler) note(f func(*notes)) {
	sc.mu.Lock()
	f(&sc.notes)
	sc.mu.Unlock()
	select {
	case sc.wake <- struct{}{}:
	default:
	}
}

// kick says that endpoints have something to send.
func (sc *scheduler) kick(lanes map[laneID]struct{}) {
	if len(lanes) == 0 {
		return
	}
	sc.note(func(n *notes) {
		if n.kicked == nil {
			n.kicked = map[laneID]struct{}{}
		}
		for id := range lanes {
			n.kicked[id] = struct{}{}
		}
	})
}

// kickAfter kicks when the transaction is durable.
func (sc *scheduler) kickAfter(tx *store.Tx, id laneID) {
	tx.AfterCommit(func() { sc.kick(map[laneID]struct{}{id: {}}) })
}

// run begins attempts until the context ends.
func (sc *scheduler) run(ctx context.Context) error {
	a := newAttempts(sc.s)
	defer a.finish()
	sc.begin = func(l *lane, delivery string, at time.Time, before <-chan struct{}) <-chan struct{} {
		return a.begin(l.id, delivery, at, before)
	}
	if err := sc.findLanes(ctx); err != nil {
		return endOf(ctx, fmt.Errorf("find the deliveries that wait: %w", err))
	}
	paused, stop := sc.s.db.Listen(queue.PauseTopic)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-paused:
			sc.pauseSeen = time.Time{} // it changed: look now
		case <-sc.wake:
		case <-timer.C:
		}
		sc.collect()
		wait, err := sc.fill(ctx)
		switch {
		case errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged):
			return endOf(ctx, fmt.Errorf("read deliveries: %w", err))
		case err != nil && ctx.Err() == nil:
			sc.s.log.Error("deliveries cannot be read", "error", err)
			wait = afterError
		}
		timer.Reset(wait)
	}
}

// findLanes makes the lanes of all endpoints that have something to send.
func (sc *scheduler) findLanes(ctx context.Context) error {
	at := store.All()
	for {
		var found []store.Of[Delivery]
		err := sc.s.db.View(ctx, func(tx *store.Tx) (err error) {
			found, _, err = open.Walk(tx, store.Range{Span: at, Limit: 1})
			return err
		})
		if err != nil || len(found) == 0 {
			return err
		}
		id := laneID{found[0].Org, found[0].Record.WebhookID}
		sc.offer(sc.lane(id))
		at = store.Between(store.Tuple(store.Text(id.webhook), behindAll), nil)
	}
}

func (sc *scheduler) lane(id laneID) *lane {
	l := sc.lanes[id]
	if l == nil {
		l = &lane{id: id, busy: map[string]struct{}{}, moreFirst: true, moreRetry: true}
		sc.lanes[id] = l
	}
	return l
}

// offer puts a lane among those that may begin something.
func (sc *scheduler) offer(l *lane) {
	if !l.offered {
		l.offered = true
		sc.turn = append(sc.turn, l)
	}
}

// collect takes in what happened.
func (sc *scheduler) collect() {
	sc.mu.Lock()
	n := sc.notes
	sc.notes = notes{}
	sc.mu.Unlock()
	for id := range n.kicked {
		l := sc.lane(id)
		l.moreFirst, l.moreRetry = true, true
		sc.offer(l)
	}
	for _, id := range n.ended {
		sc.running--
		l := sc.lane(id)
		l.running--
		sc.offer(l)
	}
	for _, x := range n.settled {
		sc.unsettled--
		l := sc.lane(x.lane)
		delete(l.busy, x.delivery)
		if x.parked {
			l.park()
		}
		sc.due(l, x.next)
		sc.forget(l)
	}
}

// due remembers when a lane has its next retry.
func (sc *scheduler) due(l *lane, at time.Time) {
	l.next = sooner(l.next, at)
	sc.soonest = sooner(sc.soonest, at)
}

func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// fill begins what can begin, and says when to look again.
func (sc *scheduler) fill(ctx context.Context) (time.Duration, error) {
	now := sc.s.db.Now()
	sc.offerDue(now)
	if len(sc.turn) > 0 {
		if paused, err := sc.isPaused(ctx, now); err != nil || paused {
			return pauseCheck, err
		}
	}
	for len(sc.turn) > 0 && sc.running < inAll && sc.unsettled < maxUnsettled {
		l := sc.turn[0]
		sc.turn, l.offered = sc.turn[1:], false
		if l.running >= share(inAll-sc.running) {
			continue // it comes again when one of its own ends
		}
		id, err := sc.take(ctx, l, now)
		if err != nil {
			sc.offer(l)
			return 0, err
		}
		if id == "" {
			sc.forget(l)
			continue
		}
		l.running++
		sc.running++
		sc.unsettled++
		l.busy[id] = struct{}{}
		l.begun = sc.begin(l, id, now, l.begun)
		sc.offer(l)
	}
	if sc.soonest.IsZero() {
		return longestWait, nil
	}
	return min(max(sc.soonest.Sub(sc.s.db.Now()), time.Millisecond), longestWait), nil
}

// offerDue offers the lanes whose retries have become due.
func (sc *scheduler) offerDue(now time.Time) {
	if sc.soonest.IsZero() || now.Before(sc.soonest) {
		return
	}
	sc.soonest = time.Time{}
	for _, l := range sc.lanes {
		if !l.next.IsZero() && !now.Before(l.next) {
			l.next, l.moreFirst, l.moreRetry = time.Time{}, true, true
			sc.offer(l)
		}
		sc.soonest = sooner(sc.soonest, l.next)
	}
}

// isPaused says whether an administrator paused the queue of webhooks.
func (sc *scheduler) isPaused(ctx context.Context, now time.Time) (bool, error) {
	if since := now.Sub(sc.pauseSeen); since >= 0 && since < pauseCheck {
		return sc.paused, nil
	}
	err := sc.s.db.View(ctx, func(tx *store.Tx) error {
		stats, err := queue.StatsOf(tx, queue.Webhooks)
		sc.paused = stats.Paused
		return err
	})
	if err == nil {
		sc.pauseSeen = now
	}
	return sc.paused, err
}

// forget drops a lane that has nothing left to remember.
func (sc *scheduler) forget(l *lane) {
	if l.running == 0 && len(l.busy) == 0 && l.next.IsZero() && !l.offered && !l.moreFirst && !l.moreRetry &&
		len(l.firsts) == 0 && len(l.retries) == 0 {
		delete(sc.lanes, l.id)
	}
}
