package kv

import (
	"bytes"
	"context"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// boltTx is one closure's view of a bbolt transaction, which it may share with
// the closures before and after it.
type boltTx struct {
	ctx      context.Context
	b        *bolt.Bucket
	cursor   *bolt.Cursor // of get
	writable bool
	writes   int
	keepUndo bool
	undo     []Pair // old values, nil for what was absent; in the order of writing
	out      outbox
}

// end makes a transaction that somebody kept useless.
func (t *boltTx) end() { t.b, t.cursor = nil, nil }

func (t *boltTx) Get(key []byte) ([]byte, error) {
	if t.b == nil {
		return nil, ErrTxDone
	}
	return t.get(key), nil
}

// get is Bucket.Get with one cursor for all keys, which bbolt would make for each.
func (t *boltTx) get(key []byte) []byte {
	if t.cursor == nil {
		t.cursor = t.b.Cursor()
	}
	if k, v := t.cursor.Seek(key); bytes.Equal(k, key) {
		return v
	}
	return nil
}

func (t *boltTx) GetMany(keys [][]byte) ([][]byte, error) {
	if t.b == nil {
		return nil, ErrTxDone
	}
	out := make([][]byte, len(keys))
	for i, k := range keys {
		out[i] = t.get(k)
	}
	return out, nil
}

func (t *boltTx) Put(key, value []byte) error {
	if err := CheckPair(key, value); err != nil {
		return err
	}
	if err := t.beforeWrite(key); err != nil {
		return err
	}
	return t.b.Put(key, value)
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
	if err := checkKey(key); err != nil {
		return err
	}
	if err := t.beforeWrite(key); err != nil {
		return err
	}
	return t.b.Delete(key)
}

// Add implements Tx: updates run one after the other here.
func (t *boltTx) Add(key []byte, n int64) error {
	if err := t.mayWrite(key); err != nil {
		return err
	}
	return addTo(t, key, n)
}

// SetBits implements Tx.
func (t *boltTx) SetBits(key []byte, numbers []uint16) error {
	if err := t.mayWrite(key); err != nil {
		return err
	}
	return changeBits(t, key, numbers, true)
}

// ClearBits implements Tx.
func (t *boltTx) ClearBits(key []byte, numbers []uint16) error {
	if err := t.mayWrite(key); err != nil {
		return err
	}
	return changeBits(t, key, numbers, false)
}

// Publish implements Tx.
func (t *boltTx) Publish(topic, payload string) error {
	switch {
	case t.b == nil:
		return ErrTxDone
	case !t.writable:
		return ErrReadOnly
	}
	return t.out.add(topic, payload)
}

// mayWrite refuses what beforeWrite would, also where nothing turns out to be written.
func (t *boltTx) mayWrite(key []byte) error {
	switch {
	case t.b == nil:
		return ErrTxDone
	case !t.writable:
		return ErrReadOnly
	}
	return checkKey(key)
}

func (t *boltTx) beforeWrite(key []byte) error {
	switch {
	case t.b == nil:
		return ErrTxDone
	case !t.writable:
		return ErrReadOnly
	case t.writes >= MaxWrites:
		return ErrTooMany
	}
	t.writes++
	if t.keepUndo {
		// A copy: the value may lie in a page that the next write rearranges.
		t.undo = append(t.undo, Pair{bytes.Clone(key), bytes.Clone(t.get(key))})
	}
	return nil
}

// rewind takes back what this closure wrote and leaves what others wrote.
func (t *boltTx) rewind() error {
	for i := len(t.undo) - 1; i >= 0; i-- {
		p := t.undo[i]
		var err error
		if p.Value == nil {
			err = t.b.Delete(p.Key)
		} else {
			err = t.b.Put(p.Key, p.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *boltTx) Scan(r Range) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if t.b == nil {
			yield(Pair{}, ErrTxDone)
			return
		}
		c := t.b.Cursor()
		step := c.Next
		if r.Reverse {
			step = c.Prev
		}
		n, writes := 0, t.writes
		for k, v := first(c, r); k != nil && r.holds(k); k, v = step() {
			p := Pair{Key: k}
			if !r.KeysOnly {
				p.Value = v
			}
			if !yield(p, nil) {
				return
			}
			if n++; n == r.Limit {
				return
			}
			if err := interrupted(t.ctx, t.b == nil, t.writes != writes, n); err != nil {
				yield(Pair{}, err)
				return
			}
		}
	}
}

// first places a cursor on the first pair of a range.
func first(c *bolt.Cursor, r Range) (k, v []byte) {
	switch {
	case !r.Reverse && r.From == nil:
		return c.First()
	case !r.Reverse:
		return c.Seek(r.From)
	case r.To == nil:
		return c.Last()
	}
	if k, _ := c.Seek(r.To); k == nil {
		return c.Last()
	}
	return c.Prev()
}

// holds reports whether a key that the scan reached is still inside the range.
func (r Range) holds(k []byte) bool {
	if r.Reverse {
		return bytes.Compare(k, r.From) >= 0
	}
	return r.To == nil || bytes.Compare(k, r.To) < 0
}
