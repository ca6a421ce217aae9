package send

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"svc/app/policy"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
)

const (
	// atATime bounds the accounts that one transaction serves.
	atATime = 64
	// longestWait is after how long the clock is looked at again: a timer does not
	// notice when somebody sets it.
	longestWait = time.Minute
	// pauseCheck is how long the scheduler believes what it saw of an
	// administrator's pause.
	pauseCheck = time.Second
	// afterError is how long something that failed on our side is left alone.
	afterError = time.Second
	// grace is how long messages under way may go on when the service stops.
	grace = 10 * time.Second
	// tooOften is how many claims of one job may fail on our side.
	tooOften = 3
)

// key names an account.
type key struct{ org, account string }

// item is an account that a transaction serves: it settles what came of the message in
// flight, if anything did, and claims the next one.
type item struct {
	key     key
	outcome *outcome
	// claim: the account may send a message. Otherwise it is due at once, for later.
	claim bool
	// poison is a job whose claim failed too often.
	poison string
}

// scheduler decides which account sends when. Its loop alone has the fields above
// the lock; messages under way leave their outcomes below it.
type scheduler struct {
	s *Service
	// running are the accounts with a message in flight, or with an outcome that is
	// not saved.
	running map[key]struct{}
	// look: the store may have accounts that are due. next is when the next one is.
	look bool
	next time.Time
	// faults are accounts whose transaction failed: until when they are left alone, and
	// whose claim it was.
	faults    map[key]fault
	stopping  bool
	paused    bool
	pauseSeen time.Time
	ctx       context.Context // of messages under way
	busy      sync.WaitGroup

	mu    sync.Mutex
	ended []*outcome
	wake  chan struct{}
}

// fault is a failure on our side that concerns one account.
type fault struct {
	until   time.Time
	job     string // whose claim failed
	times   int
	outcome *outcome // that is not saved yet
}

// Run sends until the context ends; then it waits a little for the messages under
// way and stores what came of them.
func (s *Service) Run(ctx context.Context) error {
	if err := s.recover(ctx); err != nil {
		if ctx.Err() != nil {
			return nil // the service stops before it began
		}
		return fmt.Errorf("find the messages that were being sent: %w", err)
	}
	sc := &scheduler{s: s, running: map[key]struct{}{}, faults: map[key]fault{}, look: true, wake: make(chan struct{}, 1)}
	var cancel context.CancelFunc
	sc.ctx, cancel = context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	return sc.run(ctx, cancel)
}

// recover releases what was in flight when the last process died: it is claimed
// again, and sent with the same numbers.
func (s *Service) recover(ctx context.Context) error {
	for {
		var n int
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			list, _, err := inFlightIndex.Walk(tx, store.Range{Span: store.All(), Limit: 200})
			n = len(list)
			for i := range list {
				l := &list[i].Record
				if err == nil {
					err = s.release(tx, list[i].Org, l)
				}
			}
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

func (sc *scheduler) run(ctx context.Context, cancel context.CancelFunc) error {
	db := sc.s.db
	woken, stop := db.Listen(topic)
	defer stop()
	pauses, stop := db.Listen(queue.PauseTopic)
	defer stop()
	settings, stop := db.Listen(setting.Topic)
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	done := ctx.Done()
	var late *time.Timer
	for {
		select {
		case <-done:
			sc.stopping, done = true, nil
			late = time.AfterFunc(grace, cancel)
			defer late.Stop()
		case <-woken:
			sc.look = true
		case <-pauses:
			sc.pauseSeen, sc.look = time.Time{}, true
		case <-settings:
			if err := sc.s.rewake(sc.ctx); err != nil {
				sc.s.log.Error("accounts that wait are not looked at before their time", "error", err)
			}
			sc.look = true
		case <-sc.wake:
		case <-timer.C:
			sc.look = true
		}
		wait, err := sc.serve()
		switch {
		case errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged):
			cancel()
			sc.busy.Wait()
			return fmt.Errorf("claim messages: %w", err)
		case err != nil:
			sc.s.log.Error("messages cannot be claimed", "error", err)
			wait = afterError
		}
		if sc.stopping && sc.nothingLeft() {
			return nil
		}
		timer.Reset(wait)
	}
}

// nothingLeft says, when the service stops, whether every message is off its way and
// its outcome stored. What cannot be stored is sent again at the next start, with the
// same numbers.
func (sc *scheduler) nothingLeft() bool {
	unsaved := 0
	for _, f := range sc.faults {
		if f.outcome != nil {
			unsaved++
		}
	}
	return len(sc.running) == unsaved
}

// serve settles what ended and claims what is due, until there is neither. It
// answers when to look again.
func (sc *scheduler) serve() (time.Duration, error) {
	for {
		now := sc.s.db.Now()
		work := sc.outcomes(now)
		more, err := sc.due(now, len(work))
		if err != nil {
			return 0, err
		}
		if work = append(work, more...); len(work) == 0 {
			return sc.until(now), nil
		}
		for chunk := range slices.Chunk(work, atATime) {
			if err := sc.transact(chunk); err != nil {
				return 0, err
			}
		}
	}
}

// until is how long nothing is due.
func (sc *scheduler) until(now time.Time) time.Duration {
	wait := longestWait
	sooner := func(at time.Time) {
		if !at.IsZero() {
			wait = min(wait, max(at.Sub(now), time.Millisecond))
		}
	}
	if sc.look && !sc.stopping {
		sooner(now.Add(pauseCheck)) // there was no room, or a pause
	} else {
		sooner(sc.next)
	}
	for _, f := range sc.faults {
		sooner(f.until)
	}
	return wait
}

// outcomes are what ended since the last look, those that could not be saved
// included.
func (sc *scheduler) outcomes(now time.Time) (work []item) {
	sc.mu.Lock()
	ended := sc.ended
	sc.ended = nil
	sc.mu.Unlock()
	for k, f := range sc.faults {
		if f.outcome != nil && (!now.Before(f.until) || policy.Farther(f.until, now, afterError)) {
			ended = append(ended, f.outcome)
			f.outcome = nil
			sc.faults[k] = f
		}
	}
	claim := !sc.stopping && !sc.isPaused(now)
	for _, o := range ended {
		// While the service stops, its connections may end before their messages.
		o.cut = o.cut || sc.stopping && o.err != nil && o.err.Fault == messenger.Unreachable
		work = append(work, item{key: o.key, outcome: o, claim: claim})
	}
	return work
}

// due are accounts that may have something to send, as many as there is room for.
// taken is how many of the running ones are about to go on.
func (sc *scheduler) due(now time.Time, taken int) (work []item, err error) {
	if !sc.look || sc.stopping || sc.isPaused(now) {
		return nil, nil
	}
	room := sc.s.o.Concurrency - len(sc.running)
	if room <= 0 {
		return nil, nil
	}
	room = min(room, max(atATime-taken, 1)) + len(sc.faults)
	var found []store.Of[accountQueue]
	var next time.Time
	err = sc.s.db.View(sc.ctx, func(tx *store.Tx) error {
		// Due are those up to now, to the millisecond.
		found, _, err = due.Walk(tx, store.Range{Span: store.Between(nil, store.Time(now.Add(time.Millisecond))), Limit: room})
		if err != nil {
			return err
		}
		// And those whose time lies further ahead than any of them waits: the clock was
		// set back since (contract 21.3).
		past := store.Range{Span: store.Between(store.Time(now.Add(lookAgain+time.Millisecond)), nil), Limit: max(room-len(found), 1)}
		behind, _, err := due.Walk(tx, past)
		if err != nil {
			return err
		}
		found = append(found, behind...)
		first, _, err := due.Walk(tx, store.Range{Span: store.Between(store.Time(now.Add(time.Millisecond)), nil), Limit: 1})
		next = time.Time{}
		if len(first) > 0 {
			next = first[0].Record.NextAt
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	sc.look, sc.next = len(found) >= room, next
	for _, x := range found {
		k := key{x.Org, x.Record.ID}
		f, faulty := sc.faults[k]
		if _, busy := sc.running[k]; busy || faulty && now.Before(f.until) && !policy.Farther(f.until, now, afterError) {
			continue
		}
		it := item{key: k, claim: true}
		if f.times >= tooOften {
			it.poison = f.job
		}
		work = append(work, it)
	}
	return work, nil
}

// isPaused says whether an administrator paused the queue of sending.
func (sc *scheduler) isPaused(now time.Time) bool {
	if since := now.Sub(sc.pauseSeen); since >= 0 && since < pauseCheck {
		return sc.paused
	}
	err := sc.s.db.View(sc.ctx, func(tx *store.Tx) error {
		stats, err := queue.StatsOf(tx, queue.Send)
		sc.paused = stats.Paused
		return err
	})
	if err == nil {
		sc.pauseSeen = now
	}
	return sc.paused
}

// transact serves accounts in one transaction, and when that fails each in its own, so
// that one account's trouble is not another's.
func (sc *scheduler) transact(work []item) error {
	messages, next, err := sc.s.dispatch(work)
	switch {
	case err == nil:
		sc.begin(work, messages, next)
		return nil
	case errors.Is(err, store.ErrClosed), errors.Is(err, store.ErrDamaged):
		return err
	}
	for i := range work {
		messages, next, err := sc.s.dispatch(work[i : i+1])
		if err == nil {
			sc.begin(work[i:i+1], messages, next)
			continue
		}
		sc.fail(work[i], err)
	}
	return nil
}

// fail leaves an account alone for a while.
func (sc *scheduler) fail(it item, err error) {
	f := sc.faults[it.key]
	f.until, f.outcome = sc.s.db.Now().Add(afterError), it.outcome
	var claim *claimError
	if errors.As(err, &claim) {
		if f.job != claim.job {
			f.job, f.times = claim.job, 0
		}
		if f.times++; it.outcome != nil {
			// What came of the message before is saved without the claim.
			if _, next, err := sc.s.dispatch([]item{{key: it.key, outcome: it.outcome}}); err == nil {
				f.outcome = nil
				delete(sc.running, it.key)
				sc.sooner(next)
			}
		}
	}
	sc.faults[it.key] = f
	sc.look = true
	sc.s.log.Error("an account cannot be served", "account", it.key.account, "error", err)
}

// begin sends what was claimed. next is when the accounts that claimed nothing are due.
func (sc *scheduler) begin(work []item, messages []*outboundMessage, next time.Time) {
	for _, it := range work {
		delete(sc.running, it.key)
		delete(sc.faults, it.key)
		if !it.claim {
			sc.look = true
		}
	}
	sc.sooner(next)
	for _, m := range messages {
		sc.running[m.key] = struct{}{}
		sc.busy.Go(func() { sc.end(sc.s.attempt(sc.ctx, m)) })
	}
}

func (sc *scheduler) sooner(at time.Time) {
	if !at.IsZero() && (sc.next.IsZero() || at.Before(sc.next)) {
		sc.next = at
	}
}

// end leaves what came of a message for the loop.
func (sc *scheduler) end(o *outcome) {
	sc.mu.Lock()
	sc.ended = append(sc.ended, o)
	sc.mu.Unlock()
	select {
	case sc.wake <- struct{}{}:
	default:
	}
}
