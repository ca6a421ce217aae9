package kv

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"svc/store/kv/group"
	"svc/store/kv/message"
)

// Memory is an engine without a file, for tests and as the second opinion of the
// conformance test. Inserting costs time in proportion to what it holds: it is
// made for thousands of keys, not for millions.
type Memory struct {
	turn chan struct{} // whoever put something in may change pairs

	mu     sync.Mutex
	pairs  []Pair // by key; never changed in place: an update makes a slice of its own
	closed bool

	subscribers message.Subscribers
}

var _ Engine = (*Memory)(nil)

// NewMemory makes an empty engine.
func NewMemory() *Memory { return &Memory{turn: make(chan struct{}, 1)} }

// View implements Engine.
func (m *Memory) View(ctx context.Context, fn func(Tx) error) error {
	pairs, err := m.now(ctx)
	if err != nil {
		return err
	}
	t := &memoryTx{ctx: ctx, pairs: pairs}
	defer t.end()
	return fn(t)
}

// Update implements Engine. The closure runs in the caller's goroutine.
func (m *Memory) Update(ctx context.Context, fn func(Tx) error) error {
	select {
	case m.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.turn }()
	pairs, err := m.now(ctx)
	if err != nil {
		return err
	}
	t := &memoryTx{ctx: ctx, pairs: slices.Clone(pairs), writable: true}
	defer t.end()
	o := group.Call[Tx](fn, t, func() {})
	if !o.OK() {
		return o.Deliver()
	}
	m.mu.Lock()
	m.pairs = t.pairs
	m.mu.Unlock()
	m.subscribers.Deliver(t.out.Messages)
	return nil
}

// Subscribe implements Engine.
func (m *Memory) Subscribe(f func(Message)) (stop func()) { return m.subscribers.Subscribe(f) }

// Exclusive implements Engine: who has the engine shares it with nobody, unless it
// gives it to others itself (kvtest.Shared).
func (m *Memory) Exclusive() bool { return true }

// Close implements Engine.
func (m *Memory) Close() error {
	m.turn <- struct{}{}
	defer func() { <-m.turn }()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.pairs = true, nil
	return nil
}

// now is what the engine holds, if it may be used.
func (m *Memory) now(ctx context.Context) ([]Pair, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, ErrClosed
	}
	return m.pairs, ctx.Err()
}

type memoryTx struct {
	ctx      context.Context
	pairs    []Pair
	writable bool
	over     bool
	writes   int
	out      message.Outbox
}

func (t *memoryTx) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(t.pairs, key, func(p Pair, k []byte) int { return bytes.Compare(p.Key, k) })
}

func (t *memoryTx) end() { t.over = true }

func (t *memoryTx) Get(key []byte) ([]byte, error) {
	if t.over {
		return nil, ErrTxDone
	}
	if i, ok := t.find(key); ok {
		return t.pairs[i].Value, nil
	}
	return nil, nil
}

func (t *memoryTx) GetMany(keys [][]byte) ([][]byte, error) {
	out := make([][]byte, len(keys))
	for i, k := range keys {
		v, err := t.Get(k)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (t *memoryTx) Put(key, value []byte) error {
	if err := errors.Join(CheckPair(key, value), t.beforeWrite()); err != nil {
		return err
	}
	value = append([]byte{}, value...) // never nil
	i, ok := t.find(key)
	if ok {
		t.pairs[i].Value = value
		return nil
	}
	t.pairs = slices.Insert(t.pairs, i, Pair{bytes.Clone(key), value})
	return nil
}

// PutMany merges the pairs with those that are there.
func (t *memoryTx) PutMany(pairs []Pair) error {
	added := make([]Pair, 0, len(pairs))
	for _, p := range pairs {
		if err := errors.Join(CheckPair(p.Key, p.Value), t.beforeWrite()); err != nil {
			return err
		}
		added = append(added, Pair{bytes.Clone(p.Key), append([]byte{}, p.Value...)})
	}
	byKey := func(a, b Pair) int { return bytes.Compare(a.Key, b.Key) }
	slices.SortStableFunc(added, byKey)
	old := t.pairs
	merged := make([]Pair, 0, len(old)+len(added))
	for i, p := range added {
		if i+1 < len(added) && byKey(p, added[i+1]) == 0 {
			continue // the last one counts
		}
		n, found := slices.BinarySearchFunc(old, p, byKey)
		merged = append(append(merged, old[:n]...), p)
		if found {
			n++
		}
		old = old[n:]
	}
	merged = append(merged, old...)
	t.pairs = merged
	return nil
}

func (t *memoryTx) Delete(key []byte) error {
	if err := errors.Join(CheckKey(key), t.beforeWrite()); err != nil {
		return err
	}
	if i, ok := t.find(key); ok {
		t.pairs = slices.Delete(t.pairs, i, i+1)
	}
	return nil
}

// Add implements Tx.
func (t *memoryTx) Add(key []byte, n int64) error {
	if err := errors.Join(CheckKey(key), t.mayWrite()); err != nil {
		return err
	}
	return AddTo(t, key, n)
}

// SetBits implements Tx.
func (t *memoryTx) SetBits(key []byte, numbers []uint16) error {
	if err := errors.Join(CheckKey(key), t.mayWrite()); err != nil {
		return err
	}
	return BitsTo(t, key, numbers, true)
}

// ClearBits implements Tx.
func (t *memoryTx) ClearBits(key []byte, numbers []uint16) error {
	if err := errors.Join(CheckKey(key), t.mayWrite()); err != nil {
		return err
	}
	return BitsTo(t, key, numbers, false)
}

// Publish implements Tx.
func (t *memoryTx) Publish(topic, payload string) error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	return t.out.Add(topic, payload)
}

// Write implements Tx.
func (t *memoryTx) Write(b Batch) error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	return WriteEach(t, &b)
}

func (t *memoryTx) mayWrite() error {
	switch {
	case t.over:
		return ErrTxDone
	case !t.writable:
		return ErrReadOnly
	}
	return nil
}

func (t *memoryTx) beforeWrite() error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	if t.writes >= MaxWrites {
		return ErrTooMany
	}
	t.writes++
	return nil
}

func (t *memoryTx) Scan(r Range) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if t.over {
			yield(Pair{}, ErrTxDone)
			return
		}
		from, _ := t.find(r.From)
		to := len(t.pairs)
		if r.To != nil {
			to, _ = t.find(r.To)
		}
		found := t.pairs[from:max(from, to)]
		writes := t.writes
		for i := range found {
			p := found[i]
			if r.Reverse {
				p = found[len(found)-1-i]
			}
			if r.KeysOnly {
				p.Value = nil
			}
			if !yield(p, nil) || i+1 == r.Limit {
				return
			}
			if err := Interrupted(t.ctx, t.over, t.writes != writes, i+1); err != nil {
				yield(Pair{}, err)
				return
			}
		}
	}
}
