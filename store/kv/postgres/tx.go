package postgres

import (
	"bytes"
	"context"
	"errors"
	"iter"

	"svc/store/kv"
	"svc/store/kv/message"
)

// tx is one closure's transaction: what it wrote, over what closures of its batch wrote
// before it, over what is stored.
type tx struct {
	ctx     context.Context
	s       *session
	changes *changes // nil in a View
	writes  int
	bytes   int
	out     message.Outbox
	over    bool
}

var _ kv.Tx = (*tx)(nil)

// open refuses a use after the end, and a write in a View.
func (t *tx) open(write bool) error {
	switch {
	case t.over:
		return kv.ErrTxDone
	case write && t.changes == nil:
		return kv.ErrReadOnly
	}
	return nil
}

// Get implements kv.Tx.
func (t *tx) Get(key []byte) ([]byte, error) {
	found, err := t.GetMany([][]byte{key})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// GetMany implements kv.Tx.
func (t *tx) GetMany(keys [][]byte) ([][]byte, error) {
	if err := t.open(false); err != nil {
		return nil, err
	}
	out := make([][]byte, len(keys))
	var asked [][]byte
	var at []int // where in out they belong
	for i, key := range keys {
		if c, ok := t.changed(key); ok && !c.adds() {
			out[i] = c.value
			continue
		}
		asked, at = append(asked, key), append(at, i)
	}
	stored, err := t.s.get(asked)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		out[i] = stored[n]
		if c, ok := t.changed(keys[i]); ok {
			if out[i], err = c.after(out[i]); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// changed is what the batch did to a key.
func (t *tx) changed(key []byte) (change, bool) {
	if t.changes == nil {
		return change{}, false
	}
	return t.changes.Get(change{key: key})
}

// Put implements kv.Tx.
func (t *tx) Put(key, value []byte) error {
	if err := errors.Join(kv.CheckPair(key, value), t.beforeWrite()); err != nil {
		return err
	}
	t.bytes += len(value)
	t.changes.Set(change{key: bytes.Clone(key), kind: put, value: append([]byte{}, value...)}) // never nil
	return nil
}

// PutMany implements kv.Tx.
func (t *tx) PutMany(pairs []kv.Pair) error {
	for _, p := range pairs {
		if err := t.Put(p.Key, p.Value); err != nil {
			return err
		}
	}
	return nil
}

// Delete implements kv.Tx.
func (t *tx) Delete(key []byte) error {
	if err := errors.Join(kv.CheckKey(key), t.beforeWrite()); err != nil {
		return err
	}
	t.changes.Set(change{key: bytes.Clone(key), kind: deleted})
	return nil
}

// Add implements kv.Tx. What is stored is not read: nobody else who adds is in the way.
func (t *tx) Add(key []byte, n int64) error {
	if err := errors.Join(kv.CheckKey(key), t.open(true)); err != nil {
		return err
	}
	c, ok := t.changed(key)
	switch {
	case ok && c.kind != added:
		return kv.AddTo(t, key, n)
	case n == 0:
		return nil
	}
	sum, err := kv.Plus(c.sum, n)
	if err != nil {
		return err
	}
	if err := t.beforeWrite(); err != nil {
		return err
	}
	if sum == 0 {
		t.changes.Delete(c)
		return nil
	}
	t.changes.Set(change{key: bytes.Clone(key), kind: added, sum: sum})
	return nil
}

// SetBits implements kv.Tx.
func (t *tx) SetBits(key []byte, numbers []uint16) error { return t.bits(key, numbers, true) }

// ClearBits implements kv.Tx.
func (t *tx) ClearBits(key []byte, numbers []uint16) error { return t.bits(key, numbers, false) }

func (t *tx) bits(key []byte, numbers []uint16, member bool) error {
	if err := errors.Join(kv.CheckKey(key), t.open(true)); err != nil {
		return err
	}
	c, ok := t.changed(key)
	if ok && c.kind != marked {
		return kv.BitsTo(t, key, numbers, member)
	}
	all, err := c.more(numbers, member)
	if err != nil || len(numbers) == 0 {
		return err
	}
	if err := t.beforeWrite(); err != nil {
		return err
	}
	t.changes.Set(change{key: bytes.Clone(key), kind: marked, marked: all})
	return nil
}

// Publish implements kv.Tx.
func (t *tx) Publish(topic, payload string) error {
	if err := t.open(true); err != nil {
		return err
	}
	return t.out.Add(topic, payload)
}

// Write implements kv.Tx.
func (t *tx) Write(b kv.Batch) error {
	if err := t.open(true); err != nil {
		return err
	}
	return kv.WriteEach(t, &b)
}

func (t *tx) beforeWrite() error {
	if err := t.open(true); err != nil {
		return err
	}
	if t.writes >= kv.MaxWrites {
		return kv.ErrTooMany
	}
	t.writes++
	return nil
}

// Scan implements kv.Tx.
func (t *tx) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		if err := t.open(false); err != nil {
			yield(kv.Pair{}, err)
			return
		}
		found, seen, writes := 0, 0, t.writes
		for p, err := range t.merged(r) {
			if err != nil {
				yield(kv.Pair{}, err)
				return
			}
			if p.Value != nil {
				if r.KeysOnly {
					p.Value = nil
				}
				if found++; !yield(p, nil) || found == r.Limit {
					return
				}
			}
			seen++
			if err := kv.Interrupted(t.ctx, t.over, t.writes != writes, seen); err != nil {
				yield(kv.Pair{}, err)
				return
			}
		}
	}
}

// merged are the keys of a range as the closure sees them, deleted ones among them with
// value nil.
func (t *tx) merged(r kv.Range) iter.Seq2[kv.Pair, error] {
	if t.changes == nil || t.changes.Len() == 0 {
		return t.s.scan(r, r.Limit)
	}
	return func(yield func(kv.Pair, error) bool) {
		own, stop := iter.Pull(t.changesIn(r))
		defer stop()
		c, more := own()
		for p, err := range t.s.scan(r, r.Limit) {
			if err != nil {
				yield(p, err)
				return
			}
			for more && before(c.key, p.Key, r.Reverse) {
				v, err := c.after(nil)
				if !yield(kv.Pair{Key: c.key, Value: v}, err) || err != nil {
					return
				}
				c, more = own()
			}
			if more && bytes.Equal(c.key, p.Key) {
				if p.Value, err = c.after(p.Value); err != nil {
					yield(p, err)
					return
				}
				c, more = own()
			}
			if !yield(p, nil) {
				return
			}
		}
		for ; more; c, more = own() {
			v, err := c.after(nil)
			if !yield(kv.Pair{Key: c.key, Value: v}, err) || err != nil {
				return
			}
		}
	}
}

// before says which of two keys a scan meets first.
func before(a, b []byte, reverse bool) bool {
	if reverse {
		a, b = b, a
	}
	return bytes.Compare(a, b) < 0
}

// changesIn are the changes of a range in the order of a scan.
func (t *tx) changesIn(r kv.Range) iter.Seq[change] {
	return func(yield func(change) bool) {
		each := func(c change) bool {
			if r.Reverse && bytes.Compare(c.key, r.From) < 0 || !r.Reverse && r.To != nil && bytes.Compare(c.key, r.To) >= 0 {
				return false
			}
			return r.Reverse && bytes.Equal(c.key, r.To) || yield(c) // To itself is outside
		}
		switch {
		case !r.Reverse:
			t.changes.Ascend(change{key: r.From}, each)
		case r.To == nil:
			t.changes.Reverse(each)
		default:
			t.changes.Descend(change{key: r.To}, each)
		}
	}
}
