package dispatch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"svc/store"
	"svc/store/coord"
)

// turn is one transaction of a runner.
type turn struct {
	now    time.Time
	node   string
	closed bool // nothing may be claimed: the queue is paused, or this node ended
	dead   bool // this node ended

	shared any // Entry.Once

	// What the figures of the queue hear of.
	took   []time.Duration
	failed int
}

// transactAll serves records, some in each transaction, beside each other: so they share
// a commit. What failed is served again, each record in its own transaction, so that one
// key's trouble is not another's.
func (r *runner) transactAll(l *items) error {
	chunks := slices.Collect(slices.Chunk(l.list, atATime))
	errs := make([]error, len(chunks))
	var all sync.WaitGroup
	for i, chunk := range chunks[min(1, len(chunks)):] {
		all.Go(func() { errs[i+1] = r.turn(chunk) })
	}
	if len(chunks) > 0 {
		errs[0] = r.turn(chunks[0])
	}
	all.Wait()
	for i, chunk := range chunks {
		switch {
		case errs[i] == nil:
			r.accept(chunk)
		case fatal(errs[i]):
		case len(chunk) == 1:
			r.fail(chunk[0], errs[i])
		default:
			for _, it := range chunk {
				if errs[i] = r.turn([]*item{it}); errs[i] != nil {
					r.fail(it, errs[i])
					continue
				}
				r.accept([]*item{it})
			}
		}
	}
	return firstFatal(errs)
}

func firstFatal(errs []error) error {
	for _, err := range errs {
		if fatal(err) {
			return err
		}
	}
	return nil
}

// turn settles and claims in one transaction.
func (r *runner) turn(list []*item) error {
	dead := false
	err := r.d.db.Update(context.Background(), func(tx *store.Tx) error {
		t := &turn{now: r.d.db.Now(), node: r.session.ID()}
		defer func() { dead = t.dead }()
		if err := r.mayClaim(tx, t, list); err != nil {
			return err
		}
		for _, it := range list {
			it.begun, it.lost, it.next, it.elsewhere = nil, 0, time.Time{}, false
			if err := r.core.serve(tx, t, it); err != nil {
				return err
			}
			if r.backlog && !it.next.IsZero() && !it.next.After(t.now) && !r.d.db.Exclusive() {
				tx.Notify(topicOf(r.name)) // another node may have room for what has none here
			}
		}
		return count(tx, r.name, t.node, t.now, t.took, t.failed)
	})
	if dead {
		r.session.End()
	}
	return err
}

// mayClaim closes a turn in which nothing may be claimed.
func (r *runner) mayClaim(tx *store.Tx, t *turn, list []*item) error {
	claims := false
	for _, it := range list {
		claims = claims || it.room > 0
	}
	if !claims {
		return nil
	}
	alive, err := coord.Alive(tx, t.node)
	if err != nil {
		return err
	}
	paused, err := Paused(tx, r.name)
	t.dead = !alive
	t.closed = paused || t.dead || r.session.Over()
	return err
}

// accept takes in what a transaction did.
func (r *runner) accept(list []*item) {
	now := r.d.db.Now()
	for _, it := range list {
		if x := r.troubles[it.key]; x != nil && (it.room > 0 || x.times == 0) {
			delete(r.troubles, it.key)
		}
		if it.elsewhere {
			r.troubles[it.key] = &trouble{until: time.Now().Add(afterError)}
		}
		for _, w := range it.outcomes {
			r.forget(w)
		}
		if it.lost > 0 {
			r.log.Warn("work was given to another node before it ended here; what came of it is not stored", "key", it.key.ID, "claims", it.lost)
		}
		for _, w := range it.begun {
			r.begin(w)
		}
		switch {
		case it.next.IsZero():
		case !it.next.After(now):
			r.look = true
		case r.next.IsZero() || it.next.Before(r.next):
			r.next = it.next
		}
	}
}

// forget drops work that was settled.
func (r *runner) forget(w *work) {
	delete(r.mine, w.id())
	if r.perKey[w.key]--; r.perKey[w.key] <= 0 {
		delete(r.perKey, w.key)
	}
}

// fail leaves a record alone for a while whose transaction failed.
func (r *runner) fail(it *item, err error) {
	x := r.troubles[it.key]
	if x == nil {
		x = &trouble{}
		r.troubles[it.key] = x
	}
	unsettled := it.outcomes
	if claim := (*claimError)(nil); errors.As(err, &claim) {
		if x.ref != claim.ref {
			x.ref, x.times = claim.ref, 0
		}
		x.times++
		x.err = claim.err
		// What came of the work before is settled without the claim.
		if alone := (&item{key: it.key, outcomes: it.outcomes}); len(it.outcomes) > 0 && r.turn([]*item{alone}) == nil {
			for _, w := range it.outcomes {
				r.forget(w)
			}
			unsettled = nil
		}
	}
	x.fails++
	x.until = time.Now().Add(min(afterError<<min(max(x.fails-tooOften, 0), 10), longestTrouble))
	r.unsettled = append(r.unsettled, unsettled...)
	r.log.Error("a record cannot be served", "key", it.key.ID, "error", err)
}

// takenAtATime bounds the records that one look at the claims reads.
const takenAtATime = 200

// releaseEnded lets go of the claims of nodes that ended, and of those of this node that
// it knows nothing of: it stopped without settling them.
func (r *runner) releaseEnded() error {
	r.takeOver, r.takeOverAt = false, time.Time{}
	var after store.Cursor
	for {
		var keys []store.Ref
		var next store.Cursor
		err := r.d.db.View(context.Background(), func(tx *store.Tx) error {
			keys = nil
			gone := r.gone(tx)
			list, n, err := r.core.claimed(tx, after, takenAtATime)
			next = n
			for _, h := range list {
				any := false
				for _, c := range h.claims {
					yes, err := gone(h.key, c)
					if err != nil {
						return err
					}
					any = any || yes
				}
				if any {
					keys = append(keys, h.key)
				}
			}
			return err
		})
		if err != nil {
			r.takeOver = true
			return err
		}
		for _, key := range keys {
			if err := r.releaseOne(key); err != nil {
				return err
			}
		}
		if after = next; after == nil {
			return nil
		}
	}
}

// releaseOne lets go of the claims of one record that are nobody's.
func (r *runner) releaseOne(key store.Ref) error {
	err := r.d.db.Update(context.Background(), func(tx *store.Tx) error {
		t := &turn{now: r.d.db.Now(), node: r.session.ID()}
		if err := r.core.release(tx, t, key, r.gone(tx)); err != nil {
			return err
		}
		return count(tx, r.name, t.node, t.now, t.took, t.failed)
	})
	if fatal(err) {
		return err
	}
	if err != nil {
		r.takeOverAt = time.Now().Add(longestTrouble)
		r.log.Error("a claim of a node that ended cannot be released", "key", key.ID, "error", err)
	}
	return nil
}

// gone says of claims whether they are nobody's any more.
func (r *runner) gone(tx *store.Tx) func(store.Ref, Claim) (bool, error) {
	alive := map[string]bool{}
	return func(key store.Ref, c Claim) (bool, error) {
		if c.Node == r.session.ID() {
			_, mine := r.mine[claimID{key, c.Token}]
			return !mine, nil
		}
		here, known := alive[c.Node]
		if !known {
			var err error
			if here, err = coord.Alive(tx, c.Node); err != nil {
				return false, err
			}
			alive[c.Node] = here
		}
		return !here, nil
	}
}
