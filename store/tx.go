package store

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"svc/store/internal/layout"
	"svc/store/internal/numbers"
	"svc/store/kv"
	"svc/store/kv/bitset"
)

// Tx is a transaction. It is used inside its closure, by one goroutine.
type Tx struct {
	db       *DB
	kv       kv.Tx
	writable bool
	counts   map[counter]int64 // changes that are not in kv yet
	members  map[piece]members // changes of facet chunks that are not in kv yet
	next     map[string]uint32 // next numbers
	buffer   writeBuffer
	after    []func() // to run once the transaction is durable
	spoiled  error    // a write failed half-way: the transaction may not commit
	done     map[any]bool
	messages []kv.Message // to publish
	changed  []string     // topics to count a change of
}

// First says whether it is asked about a key of a type of the caller's own for the first
// time in this run of the transaction.
func (tx *Tx) First(key any) bool {
	if tx.done[key] {
		return false
	}
	if tx.done == nil {
		tx.done = map[any]bool{}
	}
	tx.done[key] = true
	return true
}

func newTx(db *DB, k kv.Tx, writable bool) *Tx { return &Tx{db: db, kv: k, writable: writable} }

// View runs a closure over one state of the store. It may run more than once (see
// package kv) and lasts no longer than a page: what reads for longer makes the
// file grow (storage 4).
func (db *DB) View(ctx context.Context, fn func(*Tx) error) error {
	return db.engine.View(ctx, func(k kv.Tx) error {
		tx := newTx(db, k, false)
		tx.takeNewKeys()
		return fn(tx)
	})
}

// Update runs a closure and makes its changes durable together, or, when it
// returns an error or panics, makes none. It may run more than once: results are
// assigned whole, ids and times are taken before, nothing is sent inside. It may
// not call View or Update.
func (db *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	var tx *Tx
	err := db.engine.Update(ctx, func(k kv.Tx) error {
		tx = newTx(db, k, true)
		if db.fence != nil {
			if err := db.fence(k); err != nil {
				return err
			}
		}
		tx.takeNewKeys()
		if err := runWithHook(ctx, tx, fn); err != nil {
			return err
		}
		if tx.spoiled != nil {
			return tx.spoiled
		}
		return tx.flushAll()
	})
	if err != nil {
		return err
	}
	for _, f := range tx.after {
		f()
	}
	return nil
}

// AfterCommit runs f in the goroutine that called Update, once the transaction is
// durable, and never otherwise.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

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
	t      *layout.Table
	part   uint16
	org    layout.Org
	across bool // of all organizations
	value  string
}

func (c counter) key() []byte {
	if c.across {
		return c.t.CountKey(c.part, nil, c.value)
	}
	return c.t.CountKey(c.part, &c.org, c.value)
}

// piece names a chunk of a facet.
type piece struct {
	t     *layout.Table
	part  uint16
	org   layout.Org
	value string
	at    uint32 // number>>numbers.Shift
}

func (p piece) key() []byte {
	return p.t.ChunkKey(p.part, p.org, p.value, p.at)
}

// count adds to a kept counter.
func (tx *Tx) count(c counter, by int64) {
	if tx.counts == nil {
		tx.counts = map[counter]int64{}
	}
	tx.counts[c] += by
}

// sum reads a kept counter.
func (tx *Tx) sum(c counter) (int, error) {
	b, err := tx.get(c.key())
	if err != nil {
		return 0, err
	}
	n, err := readCount(b)
	return int(n + tx.counts[c]), err
}

func readCount(b []byte) (int64, error) {
	n, err := kv.DecodeNumber(b)
	if err != nil {
		return 0, corrupt("a count: %w", err)
	}
	return n, nil
}

// number takes the next number of a table in an organization.
func (tx *Tx) number(t *layout.Table, org layout.Org) (uint32, error) {
	key := t.NextKey(org)
	n, ok := tx.next[string(key)]
	if !ok {
		b, err := tx.get(key)
		if err != nil {
			return 0, err
		}
		if n = 1; b != nil {
			v, size := binary.Uvarint(b)
			if size <= 0 || v == 0 || v > math.MaxUint32 {
				return 0, corrupt("the next number of %s is no number", t.Name)
			}
			n = uint32(v)
		}
	}
	if n > numbers.Max {
		return 0, corrupt("table %s has used up its numbers", t.Name)
	}
	if tx.next == nil {
		tx.next = map[string]uint32{}
	}
	tx.next[string(key)] = n + 1
	return n, nil
}

// members are the changes of one chunk: whether a number is in the set from now on.
type members map[uint16]bool

// flush settles what was gathered: a count or a chunk that changed a thousand times
// is written once, by operations that two writers can do at a time (kv.Tx.Add).
func (tx *Tx) flush() error {
	var b kv.Batch
	if err := tx.gather(&b); err != nil {
		return tx.spoil(err)
	}
	if len(b.Add)+len(b.SetBits)+len(b.ClearBits) == 0 {
		return nil
	}
	return tx.spoil(malformed(tx.kv.Write(b)))
}

// flushAll hands the engine all that it lacks, in one journey.
func (tx *Tx) flushAll() error {
	var b kv.Batch
	if err := tx.gather(&b); err != nil {
		return tx.spoil(err)
	}
	tx.buffer.gather(&b, tx.buffer.sortedGroups()...)
	b.Publish, tx.messages = tx.messages, nil
	for _, topic := range tx.changed {
		b.Add = append(b.Add, kv.Addition{Key: changesKey(topic), N: 1})
	}
	tx.changed = nil
	return tx.spoil(malformed(tx.kv.Write(b)))
}

// gather adds what changed of counts and sets to a batch. Next numbers become writes of the
// buffer.
func (tx *Tx) gather(b *kv.Batch) error {
	for key, n := range tx.next {
		if err := tx.put([]byte(key), binary.AppendUvarint(nil, uint64(n))); err != nil {
			return err
		}
	}
	clear(tx.next)
	if err := tx.gatherCounts(b); err != nil {
		return err
	}
	return tx.gatherMembers(b)
}

func (tx *Tx) gatherCounts(b *kv.Batch) error {
	if len(tx.counts) == 0 {
		return nil
	}
	keys := make(map[string]int64, len(tx.counts))
	for c, by := range tx.counts {
		if by != 0 {
			keys[string(c.key())] = by
		}
	}
	clear(tx.counts)
	for _, key := range slices.Sorted(maps.Keys(keys)) { // a tree likes that order best
		if err := tx.writesDirectly([]byte(key)); err != nil {
			return err
		}
		b.Add = append(b.Add, kv.Addition{Key: []byte(key), N: keys[key]})
	}
	return nil
}

func (tx *Tx) gatherMembers(b *kv.Batch) error {
	if len(tx.members) == 0 {
		return nil
	}
	keys := make(map[string]members, len(tx.members))
	for p, m := range tx.members {
		keys[string(p.key())] = m
	}
	clear(tx.members)
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		var in, out []uint16
		for n, member := range keys[name] {
			if member {
				in = append(in, n)
			} else {
				out = append(out, n)
			}
		}
		key := []byte(name)
		if err := tx.writesDirectly(key); err != nil {
			return err
		}
		if len(in) > 0 {
			b.SetBits = append(b.SetBits, kv.Members{Key: key, Numbers: in})
		}
		if len(out) > 0 {
			b.ClearBits = append(b.ClearBits, kv.Members{Key: key, Numbers: out})
		}
	}
	return nil
}

// malformed says that what is stored contradicts itself, if that is what went wrong.
func malformed(err error) error {
	if errors.Is(err, bitset.ErrMalformed) {
		return corrupt("a count or a chunk of a facet: %w", err)
	}
	return err
}
