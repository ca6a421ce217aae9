package kv

import (
	"errors"
	"fmt"
	"syscall"

	"svc/store/kv/group"
)

// batch is one commit in the making: the closures that wait run one after the other over
// a copy of the memtable, and share one record of the log.
type batch struct {
	e      *Bolt
	v      *view
	table  *memtable
	record record
	done   []*request // their closures succeeded
	writes int
}

// commit makes one durable record of the requests that wait. It runs in a goroutine of its
// own, because a closure may end the one it runs in.
func (b *Bolt) commit(next func() *request) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		w := &batch{e: b, record: b.record[:0]}
		if err := w.run(next); err != nil {
			w.refuse(next, err)
		}
		b.record = w.record
		if cap(b.record) > logGrowth {
			b.record = nil
		}
	}()
	<-ended
}

// run answers an error when nobody can be served.
func (w *batch) run(next func() *request) (err error) {
	b := w.e
	if err := b.checkpoints.wait(b); err != nil {
		return err
	}
	if err := b.usable(); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.catchFault(&err)()
	tx, s, err := b.begin()
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	w.table = s.recent.copy()
	w.v = newView(tx, w.table, s.moving)
	for len(w.done) < group.Max && w.writes < MaxWrites {
		r := next()
		if r == nil {
			break
		}
		w.add(r)
	}
	w.finish()
	return nil
}

// refuse answers everybody who waits.
func (w *batch) refuse(next func() *request, err error) {
	w.answer(outcome{Err: err})
	for r := next(); r != nil; r = next() {
		r.Answer(outcome{Err: err})
	}
}

// add runs one closure.
func (w *batch) add(r *request) {
	if err := r.Ctx.Err(); err != nil {
		r.Answer(outcome{Err: err})
		return
	}
	t := &boltTx{ctx: r.Ctx, v: w.v, w: w}
	before := len(w.record)
	back := func(o outcome) {
		t.rewind()
		t.end()
		w.record = w.record[:before]
		r.Answer(o)
	}
	o := group.Call[Tx](r.Fn, t, func() {
		back(outcome{Exited: true})
		w.finish() // this goroutine ends
	})
	switch {
	case o.OK():
		t.end()
		r.Messages = t.out.Messages
		w.done = append(w.done, r)
		w.writes += t.writes
	case o.Panicked != nil && isFault(o.Panicked.Value):
		back(outcome{Err: w.e.damaged(o.Panicked.Value)})
		panic(o.Panicked.Value)
	default:
		back(o)
	}
}

func (w *batch) answer(o outcome) {
	for _, r := range w.done {
		r.Answer(o)
	}
	w.done = nil
}

// finish makes the batch durable, shows it to readers and answers.
func (w *batch) finish() {
	b := w.e
	if len(w.record) > 0 {
		if err := b.append(w.record); err != nil {
			w.answer(outcome{Err: err})
			return
		}
		s := *b.state.Load()
		s.recent = w.table
		b.state.Store(&s)
		b.checkpoints.committed(max(w.table.bytes, int(b.log.end/4))) // a key that is written often has many records
	}
	for _, r := range w.done {
		b.subscribers.Deliver(r.Messages)
	}
	w.answer(outcome{})
}

// append writes a record to the log, which it begins when there is none.
func (b *Bolt) append(r record) (err error) {
	if len(r) > maxRecord {
		return fmt.Errorf("a commit of %d bytes, the largest has %d: split the work into chunks", len(r), maxRecord)
	}
	if b.log == nil {
		number := b.done + 1
		if b.moving != nil {
			number++
		}
		if b.log, err = newLog(b.path, b.lineage, number); err != nil {
			b.log = nil
			return b.writeError(err)
		}
	}
	err = b.log.append(r)
	if flush := (*flushError)(nil); errors.As(err, &flush) {
		b.broken.Store(true)
		return fmt.Errorf("%w: %s: %w; whether the last changes were saved shows at the next start", ErrDamaged, b.path, err)
	}
	return b.writeError(err)
}

// writeError says what a full disk means.
func (b *Bolt) writeError(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk of %s is full, nothing was saved: %w", b.path, err)
	}
	return err
}
