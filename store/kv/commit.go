package kv

import (
	"errors"
	"fmt"
	"syscall"

	bolt "go.etcd.io/bbolt"
)

// fill is how full a page stays when it is split. Most keys are written in their
// order (records, histories, times), so half a page left empty stays empty: bbolt's
// own half makes a file of recipients half as large again, and its commits slower.
const fill = 0.8

// batch is one commit in the making.
type batch struct {
	e      *Bolt
	tx     *bolt.Tx
	done   []*request // their closures succeeded in this transaction
	writes int
	again  []*request // to run again in the next transaction
	// careful is a batch that can take back what one closure wrote. It costs a look at
	// every key before it is written, so only the batch after one that would have
	// needed it is.
	careful bool
}

// commit makes one durable transaction of the requests that wait. It runs in a
// goroutine of its own, because a closure may end the one it runs in.
func (b *Bolt) commit(next func() *request) (again []*request) {
	ended := make(chan struct{})
	w := &batch{e: b}
	go func() {
		defer close(ended)
		w.run(next)
	}()
	<-ended
	return w.again
}

func (w *batch) run(next func() *request) {
	if err := w.e.usable(); err != nil {
		w.refuse(next, err)
		return
	}
	err := w.e.guard(func() (err error) {
		w.tx, err = w.e.db.Begin(true)
		return err
	})
	if err != nil {
		w.refuse(next, err)
		return
	}
	for len(w.done) < maxBatch && w.writes < MaxWrites {
		r := next()
		if r == nil {
			break
		}
		if !w.add(r) {
			return
		}
	}
	w.finish()
}

// refuse answers everybody who waits.
func (w *batch) refuse(next func() *request, err error) {
	for r := next(); r != nil; r = next() {
		r.done <- outcome{err: err}
	}
}

// add runs one closure. It answers false when the transaction is gone.
func (w *batch) add(r *request) bool {
	if err := r.ctx.Err(); err != nil {
		r.done <- outcome{err: err}
		return true
	}
	// The first closure has no neighbours to protect: if it fails, nothing is
	// lost by starting anew. So a big import pays nothing for undoing.
	first := len(w.done) == 0
	w.careful = w.careful || r.again
	t := &boltTx{ctx: r.ctx, writable: true, keepUndo: !first && w.careful}
	var o outcome
	err := w.e.guard(func() error {
		t.b = w.tx.Bucket(root)
		t.b.FillPercent = fill
		o = call(r.fn, t, func() { w.abandon(r, outcome{exited: true}) })
		if o.panicked != nil && isFault(o.panicked.Value) {
			panic(o.panicked.Value)
		}
		if o.ok() || !t.keepUndo {
			return nil
		}
		return t.rewind()
	})
	t.end()
	switch {
	case err != nil:
		w.fail(r, err)
		return false
	case o.ok():
		r.tell = t.out.messages
		w.done = append(w.done, r)
		w.writes += t.writes
		return true
	case first && t.writes > 0:
		r.done <- o
		return w.restart()
	case !t.keepUndo && t.writes > 0:
		w.abandon(r, o)
		return false
	}
	r.done <- o
	return true
}

// restart throws the transaction away, in which one closure failed and no other
// ran, and begins a new one.
func (w *batch) restart() bool {
	err := w.e.guard(func() (err error) {
		if err := w.tx.Rollback(); err != nil {
			return err
		}
		w.tx, err = w.e.db.Begin(true)
		return err
	})
	return err == nil
}

// abandon ends a batch whose transaction holds what a closure wrote that did not
// succeed, perhaps from inside one that ended its goroutine. The others run again.
func (w *batch) abandon(r *request, o outcome) {
	err := w.e.guard(w.tx.Rollback)
	r.done <- o
	if err != nil {
		w.answer(outcome{err: err})
		return
	}
	w.again = w.done
}

// fail answers a batch whose transaction cannot be used any more.
func (w *batch) fail(r *request, err error) {
	r.done <- outcome{err: err}
	w.answer(outcome{err: err})
}

func (w *batch) answer(o outcome) {
	for _, r := range w.done {
		r.done <- o
	}
}

func (w *batch) finish() {
	err := w.e.guard(func() error {
		if w.writes == 0 { // nothing to make durable
			return w.tx.Rollback()
		}
		return w.e.commitTx(w.tx)
	})
	if errors.Is(err, syscall.ENOSPC) {
		err = fmt.Errorf("the disk of %s is full, nothing was saved: %w", w.e.path, err)
	}
	if err == nil {
		for _, r := range w.done {
			w.e.deliver(r.tell)
		}
	}
	w.answer(outcome{err: err})
}
