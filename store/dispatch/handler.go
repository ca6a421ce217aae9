package dispatch

import (
	"context"
	"fmt"
	"time"

	"svc/store"
)

// Handler does the work of one queue: T are its records, W is work that was claimed, O
// is what came of it.
//
// Claim, Settle, Release and Poison run inside a transaction, which may run again: they
// assign results whole, and send, log and wait for nothing. They get the record, change
// it in place and leave saving it to the dispatcher. An error or a panic of theirs undoes
// what the transaction did for this record; it is tried again after a second, then after
// two, up to a minute.
type Handler[T, W, O any] struct {
	// Claim decides whether there is something to do, now, and takes it: whether it may
	// be done and that it is claimed are one transaction. It is called while the record
	// is due and has room.
	Claim func(tx *store.Tx, e *Entry[T]) (Offer[W], error)
	// Begin is called with what was claimed, once that is durable, on this node's pieces of
	// work of a record in the order of their claims, before Work runs beside others; it
	// answers what Work and Settle get. It does not block. nil: what Claim answered.
	Begin func(W) W
	// Work does it, outside of any transaction, and ends soon after its context: when the
	// grace of a stop is over, or this node was taken for dead. done is false when it was
	// cut off and does not know what came of it; the claim is then released.
	Work func(ctx context.Context, w W) (out O, done bool)
	// Crashed is what came of work that panicked.
	Crashed func(w W, err error) O
	// Settle stores what came of work. Before it is called the claim has left the slot
	// and Due is now at the latest; Settle may set another time, or none.
	Settle func(tx *store.Tx, e *Entry[T], w W, out O) error
	// Release lets go of a claim whose outcome nobody will hear of. The claim has left the
	// slot, and Due is now at the latest, as in Settle.
	Release func(tx *store.Tx, e *Entry[T], c Claim, why Why) error
	// Poison is called in place of Claim when that failed three times in a row on this
	// node with the same ref (Entry.About): it puts the piece of work away, so that the
	// record can go on. Due is now; Poison may set another time, or none.
	Poison func(tx *store.Tx, e *Entry[T], ref string, err error) error
}

// Offer is what Claim answers.
type Offer[W any] struct {
	// OK says that Work was taken. Ref names it in the claim: at most a few dozen bytes.
	OK   bool
	Work W
	Ref  string
	// Next is when the record is looked at again, beside this work: now, when there is
	// more; zero, when somebody says so (Index.Wake) or the work is settled.
	Next time.Time
	// Elsewhere: another node is to do it, because it has what the work needs. The record
	// stays as it is, and this node looks at it again after a second.
	Elsewhere bool
}

// Why says why a claim is released.
type Why int

const (
	// NodeEnded: the node that had it ended, or was taken for dead. Whether the work was
	// done is not known.
	NodeEnded Why = iota
	// CutOff: the work was ended by a stop of this node, and says that it does not know.
	CutOff
)

// Entry is a record in a transaction of its queue.
type Entry[T any] struct {
	Org    string // whose the record is; store.Platform in a table without organizations
	Record *T
	// Now is the store's clock, the same for all that the transaction does.
	Now   time.Time
	about string
	t     *turn
}

// About says which piece of work a Claim is about to take, so that it can be put away
// (Handler.Poison) when taking it fails or panics again and again.
func (e *Entry[T]) About(ref string) { e.about = ref }

// Once gives what f made at its first call in this transaction: what the handler keeps for
// all records that the transaction serves.
func (e *Entry[T]) Once(f func() any) any {
	if e.t.shared == nil {
		e.t.shared = f()
	}
	return e.t.shared
}

// Took counts a piece of work in the figures of the queue, done this long after it was
// due.
func (e *Entry[T]) Took(d time.Duration) { e.t.took = append(e.t.took, max(d, 0)) }

// Failed counts a try that failed in the figures of the queue.
func (e *Entry[T]) Failed() { e.t.failed++ }

// Options of a queue on this node.
type Options struct {
	// Concurrency is how much work runs at a time on this node; 8 when zero, none when
	// negative.
	Concurrency int
	// Share is how much of it one key may have while that many places are free; nil: as
	// much as its record allows.
	Share func(free int) int
	// Farthest is how far ahead a due time may lie: one further away was noted before the
	// clock was set back, and counts as due (contract 21.3). 0: any distance.
	Farthest time.Duration
	// Grace is how long work under way may go on when the node stops, before its context
	// ends.
	Grace time.Duration
}

const defaultConcurrency = 8

// Register says who does the work of a queue on this node. Call it before Run. It panics
// when the queue has a handler, or the handler lacks a function.
func Register[T, W, O any](d *Dispatcher, queue string, x *Index[T], h Handler[T, W, O], o Options) {
	if h.Claim == nil || h.Work == nil || h.Crashed == nil || h.Settle == nil || h.Release == nil || h.Poison == nil {
		panic(fmt.Sprintf("dispatch: the handler of queue %s lacks a function", queue))
	}
	switch {
	case o.Concurrency == 0:
		o.Concurrency = defaultConcurrency
	case o.Concurrency < 0:
		o.Concurrency = 0
	}
	d.add(newRunner(d, queue, o, &binding[T, W, O]{x: x, h: h, queue: queue, farthest: o.Farthest}))
}
