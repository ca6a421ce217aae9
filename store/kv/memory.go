package kv

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
)

// Memory is an engine without a file, for tests and as the second opinion of the
// conformance test. Inserting costs time in proportion to what it holds: it is
// made for thousands of keys, not for millions.
type Memory struct {
	mu     sync.RWMutex
	pairs  []Pair // by key; neither keys nor values are ever changed in place
	closed bool
	subscribers
}

var _ Engine = (*Memory)(nil)

// NewMemory makes an empty engine.
func NewMemory() *Memory { return &Memory{} }

// View implements Engine.
func (m *Memory) View(ctx context.Context, fn func(Tx) error) error {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	t := &memoryTx{ctx: ctx, m: m}
	defer t.end()
	return fn(t)
}

// Update implements Engine. The closure runs in the caller's goroutine.
func (m *Memory) Update(ctx context.Context, fn func(Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.usable(ctx); err != nil {
		return err
	}
	before := m.pairs
	m.pairs = slices.Clone(m.pairs)
	t := &memoryTx{ctx: ctx, m: m, writable: true}
	defer t.end()
	o := call(fn, t, func() { m.pairs = before })
	if !o.ok() {
		m.pairs = before
		return o.deliver()
	}
	m.deliver(t.out.messages)
	return nil
}

// Exclusive implements Engine: who has the engine shares it with nobody, unless it
// gives it to others itself (kvtest.Shared).
func (m *Memory) Exclusive() bool { return true }

// Close implements Engine.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.pairs = true, nil
	return nil
}

func (m *Memory) usable(ctx context.Context) error {
	if m.closed {
		return ErrClosed
	}
	return ctx.Err()
}

func (m *Memory) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(m.pairs, key, func(p Pair, k []byte) int { return bytes.Compare(p.Key, k) })
}

type memoryTx struct {
	ctx      context.Context
	m        *Memory
	writable bool
	writes   int
	out      outbox
}

func (t *memoryTx) end() { t.m = nil }

func (t *memoryTx) Get(key []byte) ([]byte, error) {
	if t.m == nil {
		return nil, ErrTxDone
	}
	if i, ok := t.m.find(key); ok {
		return t.m.pairs[i].Value, nil
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
	i, ok := t.m.find(key)
	if ok {
		t.m.pairs[i].Value = value
		return nil
	}
	t.m.pairs = slices.Insert(t.m.pairs, i, Pair{bytes.Clone(key), value})
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
	old := t.m.pairs
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
	t.m.pairs = merged
	return nil
}

func (t *memoryTx) Delete(key []byte) error {
	if err := errors.Join(checkKey(key), t.beforeWrite()); err != nil {
		return err
	}
	if i, ok := t.m.find(key); ok {
		t.m.pairs = slices.Delete(t.m.pairs, i, i+1)
	}
	return nil
}

// Add implements Tx.
func (t *memoryTx) Add(key []byte, n int64) error {
	if err := errors.Join(checkKey(key), t.mayWrite()); err != nil {
		return err
	}
	return addTo(t, key, n)
}

// SetBits implements Tx.
func (t *memoryTx) SetBits(key []byte, numbers []uint16) error {
	if err := errors.Join(checkKey(key), t.mayWrite()); err != nil {
		return err
	}
	return t.bits(key, numbers, true)
}

// ClearBits implements Tx.
func (t *memoryTx) ClearBits(key []byte, numbers []uint16) error {
	if err := errors.Join(checkKey(key), t.mayWrite()); err != nil {
		return err
	}
	return t.bits(key, numbers, false)
}

func (t *memoryTx) bits(key []byte, numbers []uint16, member bool) error {
	old, err := t.Get(key)
	if err != nil {
		return err
	}
	now, changed, err := changeBits(old, numbers, member)
	if err != nil || !changed {
		return err
	}
	if b := now.Encode(); b != nil {
		return t.Put(key, b)
	}
	return t.Delete(key)
}

// Publish implements Tx.
func (t *memoryTx) Publish(topic, payload string) error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	return t.out.add(topic, payload)
}

// Write implements Tx.
func (t *memoryTx) Write(b Batch) error {
	if err := t.mayWrite(); err != nil {
		return err
	}
	return writeEach(t, &b)
}

func (t *memoryTx) mayWrite() error {
	switch {
	case t.m == nil:
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
		if t.m == nil {
			yield(Pair{}, ErrTxDone)
			return
		}
		from, _ := t.m.find(r.From)
		to := len(t.m.pairs)
		if r.To != nil {
			to, _ = t.m.find(r.To)
		}
		found := t.m.pairs[from:max(from, to)]
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
			if err := interrupted(t.ctx, t.m == nil, t.writes != writes, i+1); err != nil {
				yield(Pair{}, err)
				return
			}
		}
	}
}
