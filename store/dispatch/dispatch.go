// Package dispatch shares out durable work among the nodes of a store: a job, an account
// that sends, an endpoint of webhooks, a conversation. Each of them is one record of some
// table, its key, which carries a Slot: when there is something to do, and who does it.
//
// It promises: what is claimed is claimed in a transaction that sees that it may be; a
// key has no more claims at a time than it allows, on all nodes together; what a node
// claimed that ended is given to another, without waiting for any start; what came of
// work is stored in the transaction that lets go of it, or refused when another node has
// it by then (fencing); the key that is due longest is served first within a priority,
// and one that was just served goes behind those that wait then, whatever its priority;
// trouble with one key holds up no other; no panic of a handler ends anything but its own
// key's turn.
//
// It refuses to promise that work is done once: a node can end between what it does
// outside and the transaction that stores it. Then Release says so, and the handler brings
// its own key against doing twice.
//
// It knows no business. A handler has five functions: Claim and Settle in transactions,
// Work outside of them, Release for a claim whose outcome nobody will hear of, and Poison
// for what cannot be claimed. A message costs one small commit, shared with others: the
// transaction that settles one piece of work of a key claims the next.
package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/store"
	"svc/store/coord"
)

// Slot is what a record carries that has work. Its zero value has nothing to do.
//
// A slot waits while Due is set and there is room for another claim: it is found when
// Due has come. It is claimed by a transaction of a runner, which clears Due or sets it to
// when there is more, and adds a Claim. The claim leaves in the transaction that settles
// its work, or that releases it: because its node ended, or was told to stop. Nothing
// cleans up besides: a claim of a node that ended is released by whichever node notices.
type Slot struct {
	// Due is when to look for something to do; zero: not before somebody says (Wake).
	Due time.Time `json:"due,omitzero"`
	// Priority: what has a lower one is served first, whatever its time.
	Priority int     `json:"priority,omitempty"`
	Claims   []Claim `json:"claims,omitempty"`
	// Token is the highest that a claim of this key had.
	Token uint64 `json:"token,omitempty"`
}

// Claim is work of a key that a node has in hand.
type Claim struct {
	Node  string    `json:"node"` // of package coord
	Token uint64    `json:"token"`
	Since time.Time `json:"since"`
	Ref   string    `json:"ref,omitempty"` // what the handler calls it
}

// Of says how the records of a table carry work. Its functions are pure: indexes are made
// of them.
type Of[T any] struct {
	// Slot is the record's slot; it points into the record.
	Slot func(*T) *Slot
	// Queue names the queue in which the record waits; "" is none.
	Queue func(*T) string
	// PerKey is how many claims the record may have at a time; nil: 1.
	PerKey func(*T) int
	// Noted is when it was decided that the record waits until Due; zero when Due is a
	// time by itself, such as one that a person chose. What was decided in the future was
	// so before the clock was set back: it counts as due (contract 21.3). nil: zero.
	Noted func(*T) time.Time
}

// Index finds the work in a table: by queue, priority and time what may be claimed, and
// by queue and node what is.
type Index[T any] struct {
	t      *store.Table[T]
	of     Of[T]
	due    *store.IndexAcross[T]
	noted  *store.IndexAcross[T] // nil without Of.Noted
	claims *store.IndexAcross[T]
}

// NewIndex declares that a table carries work, beside the table's other indexes.
func NewIndex[T any](t *store.Table[T], of Of[T]) *Index[T] {
	x := &Index[T]{t: t, of: of}
	x.due = t.MultiAcross("dispatch due", func(rec *T) []store.Key {
		if !x.waits(rec) {
			return nil
		}
		s := of.Slot(rec)
		return []store.Key{store.Tuple(store.Text(of.Queue(rec)), store.Int(int64(s.Priority)), store.Time(s.Due))}
	})
	if of.Noted != nil {
		x.noted = t.MultiAcross("dispatch noted", func(rec *T) []store.Key {
			at := of.Noted(rec)
			if !x.waits(rec) || at.IsZero() {
				return nil
			}
			return []store.Key{store.Tuple(store.Text(of.Queue(rec)), store.Time(at))}
		})
	}
	x.claims = t.MultiAcross("dispatch claims", func(rec *T) (keys []store.Key) {
		s := of.Slot(rec)
		for i, c := range s.Claims {
			if !hasNode(s.Claims[:i], c.Node) {
				keys = append(keys, store.Tuple(store.Text(of.Queue(rec)), store.Text(c.Node)))
			}
		}
		return keys
	})
	return x
}

func hasNode(claims []Claim, node string) bool {
	for _, c := range claims {
		if c.Node == node {
			return true
		}
	}
	return false
}

// waits says whether something may be claimed of a record, now or later.
func (x *Index[T]) waits(rec *T) bool {
	s := x.of.Slot(rec)
	return x.of.Queue(rec) != "" && !s.Due.IsZero() && len(s.Claims) < x.perKey(rec)
}

func (x *Index[T]) perKey(rec *T) int {
	if x.of.PerKey == nil {
		return 1
	}
	return x.of.PerKey(rec)
}

// Wake says that a record may have something to do at a time, or before: it changes the
// slot, and the caller saves the record in the same transaction.
func (x *Index[T]) Wake(tx *store.Tx, rec *T, at time.Time) {
	s := x.of.Slot(rec)
	if s.Due.IsZero() || at.Before(s.Due) {
		s.Due = at
	}
	x.Changed(tx, rec)
}

// Changed says that the slot of a record was changed, or that it has more room: the
// runners of its queue look at it.
func (x *Index[T]) Changed(tx *store.Tx, rec *T) { tx.Notify(topicOf(x.of.Queue(rec))) }

// topicOf is what is told when a queue may have something due.
func topicOf(queue string) string { return "due " + queue }

// Oldest is since when the record waits that is due longest in a queue, of all
// priorities; ok is false when none is due.
func (x *Index[T]) Oldest(tx *store.Tx, queue string, now time.Time) (due time.Time, ok bool, err error) {
	err = x.priorities(tx, queue, func(first *T) error {
		if s := x.of.Slot(first); !s.Due.After(now) && (!ok || s.Due.Before(due)) {
			due, ok = s.Due, true
		}
		return nil
	})
	return due, ok, err
}

// Dispatcher runs the work of one store on this node.
type Dispatcher struct {
	db  *store.DB
	log *slog.Logger

	mu      sync.Mutex
	runners []*runner
}

// New makes a dispatcher that has nothing to run: Register. log hears of failures; nil:
// nobody does.
func New(db *store.DB, log *slog.Logger) *Dispatcher {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Dispatcher{db: db, log: log}
}

// Run claims and runs work until the context ends; then it waits for what is under way,
// as long as its queue allows, and settles it. It answers an error only when the store
// cannot be used.
func (d *Dispatcher) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	d.mu.Lock()
	for _, r := range d.runners {
		g.Go(func() error { return r.run(ctx) })
	}
	d.mu.Unlock()
	return g.Wait()
}

// Load is how much work of a queue is in hand on this node, and how much may be.
func (d *Dispatcher) Load(queue string) (busy, capacity int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.runners {
		if r.name == queue {
			return int(r.busy.Load()), r.o.Concurrency
		}
	}
	return 0, 0
}

func (d *Dispatcher) add(r *runner) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, other := range d.runners {
		if other.name == r.name {
			panic(fmt.Sprintf("dispatch: queue %s registered twice", r.name))
		}
	}
	d.runners = append(d.runners, r)
}

// node is this process among those that share out the work.
func (d *Dispatcher) node() *coord.Node { return coord.Of(d.db) }
