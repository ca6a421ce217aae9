package store

import (
	"context"
	"encoding/binary"
	"math"

	"svc/store/kv"
)

// Tx is a transaction. It is used inside its closure, by one goroutine.
type Tx struct {
	db       *DB
	kv       kv.Tx
	writable bool
	counts   map[counter]int64 // changes that are not in kv yet
	chunks   map[piece]*chunk  // facet chunks that were read; the changed ones are not in kv yet
	next     map[string]uint32 // next numbers
	pending  pending
	after    []func()            // to run once the transaction is durable
	topics   map[string]struct{} // to notify then
	spoiled  error               // a write failed half-way: the transaction may not commit
}

func newTx(db *DB, k kv.Tx, writable bool) *Tx { return &Tx{db: db, kv: k, writable: writable} }

// View runs a closure over one state of the store. It may run more than once (see
// package kv) and lasts no longer than a page: what reads for longer makes the
// file grow (storage 4).
func (db *DB) View(ctx context.Context, fn func(*Tx) error) error {
	return db.engine.View(ctx, func(k kv.Tx) error { return fn(newTx(db, k, false)) })
}

// Update runs a closure and makes its changes durable together, or, when it
// returns an error or panics, makes none. It may run more than once: results are
// assigned whole, ids and times are taken before, nothing is sent inside. It may
// not call View or Update.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	var tx *Tx
	err := db.engine.Update(ctx, func(k kv.Tx) error {
		tx = newTx(db, k, true)
		if err := with(ctx, tx, fn); err != nil {
			return err
		}
		if tx.spoiled != nil {
			return tx.spoiled
		}
		if err := tx.flush(); err != nil {
			return err
		}
		return tx.drain()
	})
	if err != nil {
		return err
	}
	for topic := range tx.topics {
		db.topics.notify(topic)
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// AfterCommit runs f in the goroutine that called Update, once the transaction is
// durable, and never otherwise.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

// Notify wakes the listeners of a topic once the transaction is durable.
func (tx *Tx) Notify(topic string) {
	if tx.topics == nil {
		tx.topics = map[string]struct{}{}
	}
	tx.topics[topic] = struct{}{}
}

// spoil keeps a transaction whose write failed half-way from committing, also when
// its closure goes on as if nothing had happened.
func (tx *Tx) spoil(err error) error {
	if tx.spoiled == nil {
		tx.spoiled = err
	}
	return err
}

// Hash is DB.Hash.
func (tx *Tx) Hash(purpose, secret string) (string, error) { return tx.db.Hash(purpose, secret) }

// counter names a kept count.
type counter struct {
	t      *core
	part   uint16
	org    orgID
	across bool // of all organizations
	value  string
}

func (c counter) key() []byte {
	if c.across {
		return c.t.countKey(c.part, nil, c.value)
	}
	return c.t.countKey(c.part, &c.org, c.value)
}

// piece names a chunk of a facet.
type piece struct {
	t     *core
	part  uint16
	org   orgID
	value string
	at    uint32 // number>>chunkShift
}

func (p piece) key() []byte {
	return binary.BigEndian.AppendUint32(p.t.facetKey(p.part, p.org, p.value), p.at)
}

// count adds to a kept counter.
func (tx *Tx) count(c counter, by int64) {
	if tx.counts == nil {
		tx.counts = map[counter]int64{}
	}
	tx.counts[c] += by
}

// sum reads a kept counter: the sum of its shards.
func (tx *Tx) sum(c counter) (int, error) {
	key := c.key()
	sum := tx.counts[c]
	for p, err := range tx.scan(kv.Under(key[:len(key)-1])) {
		if err != nil {
			return 0, err
		}
		n, err := readCount(p)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return int(sum), nil
}

func readCount(p kv.Pair) (int64, error) {
	n, size := binary.Varint(p.Value)
	if size <= 0 {
		return 0, corrupt("a count that is no number")
	}
	return n, nil
}

// number takes the next number of a table in an organization.
func (tx *Tx) number(t *core, org orgID) (uint32, error) {
	key := t.nextKey(org)
	n, ok := tx.next[string(key)]
	if !ok {
		b, err := tx.get(key)
		if err != nil {
			return 0, err
		}
		if n = 1; b != nil {
			v, size := binary.Uvarint(b)
			if size <= 0 || v == 0 || v > math.MaxUint32 {
				return 0, corrupt("the next number of %s is no number", t.name)
			}
			n = uint32(v)
		}
	}
	if n > maxNumber {
		return 0, corrupt("table %s has used up its numbers", t.name)
	}
	if tx.next == nil {
		tx.next = map[string]uint32{}
	}
	tx.next[string(key)] = n + 1
	return n, nil
}

// flush settles what was gathered: a count or a chunk that changed a thousand times
// is written once.
func (tx *Tx) flush() error {
	for c, by := range tx.counts {
		if err := tx.flushCount(c.key(), by); err != nil {
			return err
		}
	}
	clear(tx.counts)
	for p, c := range tx.chunks {
		if !c.changed {
			continue
		}
		if err := tx.flushChunk(p.key(), c); err != nil {
			return err
		}
		c.changed = false
	}
	for key, n := range tx.next {
		if err := tx.put([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	clear(tx.next)
	return nil
}

func (tx *Tx) flushCount(key []byte, by int64) error {
	if by == 0 {
		return nil
	}
	old, err := tx.get(key)
	if err != nil {
		return err
	}
	if old != nil {
		n, err := readCount(kv.Pair{Value: old})
		if err != nil {
			return err
		}
		by += n
	}
	if by == 0 {
		return tx.delete(key)
	}
	return tx.put(key, binary.AppendVarint(nil, by))
}

func (tx *Tx) flushChunk(key []byte, c *chunk) error {
	b := c.encode()
	if b == nil {
		return tx.delete(key)
	}
	return tx.put(key, b)
}
