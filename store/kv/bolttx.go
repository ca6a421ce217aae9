package kv

import (
	"context"
	"iter"
	"slices"

	"svc/store/kv/message"
)

// boltTx is one closure's transaction.
type boltTx struct {
	ctx    context.Context
	v      *view  // nil once it is over
	w      *batch // that it writes into; nil for one that only reads
	writes int
	undo   []entry // what the batch had, in the order of writing
	fresh  []bool  // of undo: the batch had nothing
	out    message.Outbox
}

// end makes a transaction that somebody kept useless.
func (t *boltTx) end() { t.v, t.w = nil, nil }

func (t *boltTx) Get(key []byte) ([]byte, error) {
	if t.v == nil {
		return nil, ErrTxDone
	}
	return t.v.get(key), nil
}

func (t *boltTx) GetMany(keys [][]byte) ([][]byte, error) {
	if t.v == nil {
		return nil, ErrTxDone
	}
	out := make([][]byte, len(keys))
	for i, k := range keys {
		out[i] = t.v.get(k)
	}
	return out, nil
}

func (t *boltTx) Put(key, value []byte) error {
	if err := CheckPair(key, value); err != nil {
		return err
	}
	if err := t.beforeWrite(); err != nil {
		return err
	}
	t.w.record.put(key, value)
	t.set(key, value)
	return nil
}

func (t *boltTx) PutMany(pairs []Pair) error {
	for _, p := range pairs {
		if err := t.Put(p.Key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

func (t *boltTx) Delete(key []byte) error {
	if err := CheckKey(key); err != nil {
		return err
	}
	if err := t.beforeWrite(); err != nil {
		return err
	}
	t.w.record.delete(key)
	t.remove(key)
	return nil
}

// set gives the batch a value, which may be empty.
func (t *boltTx) set(key, value []byte) {
	a := &t.w.e.arena
	t.keep(entry{a.clone(key), a.clone(value)})
}

func (t *boltTx) remove(key []byte) { t.keep(entry{key: t.w.e.arena.clone(key)}) }

func (t *boltTx) keep(e entry) {
	old, replaced := t.w.table.set(e)
	if !replaced {
		old.key = e.key
	}
	t.undo, t.fresh = append(t.undo, old), append(t.fresh, !replaced)
}

// rewind takes back what this closure wrote and leaves what others wrote.
func (t *boltTx) rewind() {
	for i, old := range slices.Backward(t.undo) {
		if t.fresh[i] {
			t.w.table.forget(old.key)
		} else {
			t.w.table.set(old)
		}
	}
}

// Add implements Tx: updates run one after the other here.
func (t *boltTx) Add(key []byte, n int64) error {
	if err := t.mayWrite(key); err != nil {
		return err
	}
	return AddTo(t, key, n)
}

// SetBits implements Tx.
func (t *boltTx) SetBits(key []byte, numbers []uint16) error { return t.bits(key, numbers, true) }

// ClearBits implements Tx.
func (t *boltTx) ClearBits(key []byte, numbers []uint16) error { return t.bits(key, numbers, false) }

// bits changes a set. The log is told which numbers change: the whole set may be two
// kilobytes.
func (t *boltTx) bits(key []byte, numbers []uint16, member bool) error {
	if err := t.mayWrite(key); err != nil {
		return err
	}
	now, changed, err := changeBits(t.v.get(key), numbers, member)
	if err != nil || !changed {
		return err
	}
	if err := t.beforeWrite(); err != nil {
		return err
	}
	t.w.record.bits(key, numbers, member)
	if b := now.Encode(); b != nil {
		t.keep(entry{t.w.e.arena.clone(key), b})
	} else {
		t.remove(key)
	}
	return nil
}

// Publish implements Tx.
func (t *boltTx) Publish(topic, payload string) error {
	if err := t.open(); err != nil {
		return err
	}
	return t.out.Add(topic, payload)
}

// Write implements Tx.
func (t *boltTx) Write(b Batch) error {
	if err := t.open(); err != nil {
		return err
	}
	return WriteEach(t, &b)
}

// open refuses a write where none may be.
func (t *boltTx) open() error {
	switch {
	case t.v == nil:
		return ErrTxDone
	case t.w == nil:
		return ErrReadOnly
	}
	return nil
}

// mayWrite refuses what beforeWrite would, also where nothing turns out to be written.
func (t *boltTx) mayWrite(key []byte) error {
	if err := t.open(); err != nil {
		return err
	}
	return CheckKey(key)
}

func (t *boltTx) beforeWrite() error {
	if err := t.open(); err != nil {
		return err
	}
	if t.writes >= MaxWrites {
		return ErrTooMany
	}
	t.writes++
	return nil
}

func (t *boltTx) Scan(r Range) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if t.v == nil {
			yield(Pair{}, ErrTxDone)
			return
		}
		seen, found, writes := 0, 0, t.writes
		for e := range t.v.scan(r) {
			if e.value != nil {
				p := Pair{Key: e.key, Value: e.value}
				if r.KeysOnly {
					p.Value = nil
				}
				if !yield(p, nil) {
					return
				}
				if found++; found == r.Limit {
					return
				}
			}
			seen++
			if err := Interrupted(t.ctx, t.v == nil, t.writes != writes, seen); err != nil {
				yield(Pair{}, err)
				return
			}
		}
	}
}
