package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"svc/store"
	"svc/store/coord"
)

const (
	// atATime bounds the records that one transaction serves, and foundAtATime those that
	// one look finds: their transactions run beside each other and share a commit.
	atATime      = 64
	foundAtATime = 512
	// longestWait is after how long a runner looks at the clock again: a timer does not
	// notice when somebody sets it.
	longestWait = time.Minute
	// afterError is how long something that failed on our side is left alone at first,
	// and longestTrouble at last.
	afterError     = time.Second
	longestTrouble = time.Minute
	// forgetTrouble is how long it is remembered for a record that is not served again.
	forgetTrouble = 10 * time.Minute
	// tooOften is how many claims of one ref may fail before Handler.Poison is called.
	tooOften = 3
)

// runner claims and runs the work of one queue on this node. Its loop alone has the
// fields above the lock; work that ended is left below it.
type runner struct {
	d    *Dispatcher
	name string
	o    Options
	core core
	log  *slog.Logger

	session *coord.Session
	ctx     context.Context // of work under way
	cancel  context.CancelFunc
	working sync.WaitGroup
	// mine is what this node claimed and has not settled, and perKey how much of it each
	// key has.
	mine   map[claimID]struct{}
	perKey map[store.Ref]int
	// running of it is at work: the rest waits to be settled.
	running int
	// unsettled are outcomes whose transaction failed.
	unsettled []*work
	troubles  map[store.Ref]*trouble
	// look: something may be due. next is when the next record is, by the store's clock.
	// backlog: more was due than there was room for, so who was served goes behind.
	look, backlog bool
	next          time.Time
	// limited: a key was due that had its share of the places.
	limited bool
	// takeOver: a node ended, and there may be claims of it; again when releasing some of
	// them failed: then takeOverAt is when.
	takeOver   bool
	takeOverAt time.Time
	paused     bool
	stopping   bool

	busy atomic.Int32 // running, for Load

	mu    sync.Mutex
	ended []*work
	wake  chan struct{}
}

// claimID names a claim: its key and token.
type claimID struct {
	key   store.Ref
	token uint64
}

// work is claimed work and what came of it.
type work struct {
	key   store.Ref
	node  string
	token uint64
	work  any
	since time.Time
	out   any
	done  bool
}

func (w *work) id() claimID { return claimID{w.key, w.token} }

// trouble is what this node knows of a key whose transaction failed.
type trouble struct {
	until time.Time // by the time of this process that nobody sets
	fails int       // transactions in a row
	ref   string    // whose claim failed, and how often in a row
	times int
	err   error
}

func newRunner(d *Dispatcher, name string, o Options, c core) *runner {
	return &runner{d: d, name: name, o: o, core: c, log: d.log.With("queue", name), wake: make(chan struct{}, 1)}
}

// run works in one session of the node after another until the context ends.
func (r *runner) run(ctx context.Context) error {
	for ctx.Err() == nil {
		s, err := r.d.node().Enter(ctx)
		if err == nil {
			err = r.within(ctx, s)
			s.Leave()
		}
		switch {
		case err == nil, ctx.Err() != nil:
		case fatal(err):
			return fmt.Errorf("queue %s: %w", r.name, err)
		default:
			r.log.Error("a queue cannot be worked on", "error", err)
			coord.Sleep(ctx, afterError)
		}
	}
	return nil
}

// fatal says that the store cannot be used any more.
func fatal(err error) bool {
	return errors.Is(err, store.ErrClosed) || errors.Is(err, store.ErrDamaged)
}

// within works in one session: until the context ends or the session does, and what was
// claimed is settled or, when the store fails, left to whoever notices that this node
// ended.
func (r *runner) within(ctx context.Context, s *coord.Session) error {
	r.session, r.stopping = s, false
	r.mine, r.perKey, r.troubles = map[claimID]struct{}{}, map[store.Ref]int{}, map[store.Ref]*trouble{}
	r.unsettled, r.ended, r.running, r.look, r.backlog, r.next = nil, nil, 0, true, false, time.Time{}
	r.takeOver, r.takeOverAt = true, time.Time{}
	r.ctx, r.cancel = s.Within(context.WithoutCancel(ctx))
	defer r.cancel()
	err := r.loop(ctx)
	r.cancel()
	r.working.Wait()
	r.busy.Store(0)
	return err
}

// topics of which a runner hears.
type topics struct{ due, pauses, nodes <-chan struct{} }

func (r *runner) listen() (t topics, stop func()) {
	due, stopDue := r.d.db.Listen(topicOf(r.name))
	pauses, stopPauses := r.d.db.Listen(PauseTopic)
	nodes, stopNodes := r.d.db.Listen(coord.NodesTopic)
	return topics{due, pauses, nodes}, func() { stopDue(); stopPauses(); stopNodes() }
}

func (r *runner) loop(ctx context.Context) error {
	t, stop := r.listen()
	defer stop()
	timer := time.NewTimer(0)
	defer timer.Stop()
	stopped, over := ctx.Done(), r.session.Done()
	for {
		select {
		case <-stopped:
			r.stopping, stopped = true, nil
			if r.o.Grace <= 0 {
				r.cancel()
			} else {
				defer time.AfterFunc(r.o.Grace, r.cancel).Stop()
			}
		case <-over: // the context of the work has ended with it
			r.stopping, over = true, nil
		case <-t.due:
			r.look = true
		case <-t.pauses:
			r.look = true
		case <-t.nodes:
			r.takeOver, r.look = true, true
		case <-r.wake:
		case <-timer.C:
			r.look = true
		}
		wait, err := r.serve()
		switch {
		case fatal(err):
			return err
		case err != nil:
			r.log.Error("a queue cannot be looked at", "error", err)
			wait = afterError
		}
		if r.stopping && r.running == 0 && !r.hasEnded() {
			return r.giveUp()
		}
		timer.Reset(wait)
	}
}

// giveUp says what stays claimed although this node stops: its outcome could not be
// stored.
func (r *runner) giveUp() error {
	for _, w := range r.unsettled {
		r.log.Error("what came of work cannot be stored; it is begun again", "key", w.key.ID)
	}
	return nil
}

// serve settles what ended and claims what is due, until there is neither. It answers
// when to look again.
func (r *runner) serve() (time.Duration, error) {
	again := r.stopping // what could not be settled has its last try
	for {
		// A node that ended claims nothing: what is due stays due, and would be found for ever.
		r.stopping = r.stopping || r.session.Over()
		if (r.takeOver || !r.takeOverAt.IsZero() && !time.Now().Before(r.takeOverAt)) && !r.stopping {
			if err := r.releaseEnded(); err != nil {
				return 0, err
			}
		}
		l := r.collect(again)
		again = false
		if err := r.find(l); err != nil {
			return 0, errors.Join(err, r.transactAll(l)) // what ended is settled all the same
		}
		if len(l.list) == 0 {
			return r.until(), nil
		}
		if err := r.transactAll(l); err != nil {
			return 0, err
		}
	}
}

// until is how long nothing is to do.
func (r *runner) until() time.Duration {
	wait := longestWait
	if !r.next.IsZero() && !r.stopping {
		wait = min(wait, max(r.next.Sub(r.d.db.Now()), time.Millisecond))
	}
	sooner := func(at time.Time) {
		if !at.IsZero() {
			wait = min(wait, max(time.Until(at), time.Millisecond))
		}
	}
	for key, x := range r.troubles {
		switch over := time.Since(x.until); {
		case over < 0:
			sooner(x.until)
		case over > forgetTrouble: // it did not come again: it is gone, or has nothing to do
			delete(r.troubles, key)
		}
	}
	sooner(r.takeOverAt)
	return wait
}

// begin runs what was claimed.
func (r *runner) begin(w *work) {
	r.mine[w.id()] = struct{}{}
	r.perKey[w.key]++
	r.running++
	r.busy.Store(int32(r.running))
	r.core.begin(w)
	r.working.Go(func() {
		if err := r.core.try(r.ctx, w); err != nil {
			r.log.Error("work panicked", "key", w.key.ID, "error", err)
		}
		r.mu.Lock()
		r.ended = append(r.ended, w)
		r.mu.Unlock()
		select {
		case r.wake <- struct{}{}:
		default:
		}
	})
}
