// Package buffer is a transaction of the engine that keeps back what it writes until its end.
//
// It promises that what it reads is what it wrote, and that a key, a count or a set that
// changed a thousand times is written once, in the order of keys. It refuses to end well
// after a write that failed half-way. It knows where tables keep counts and sets, and nothing
// of records.
package buffer

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"svc/store/kv"
)

// Tx is a transaction of the engine with what it keeps back. It is used by one goroutine.
type Tx struct {
	kv       kv.Tx
	writable bool
	counts   map[Counter]int64 // changes that are not in kv yet
	members  map[piece]members // changes of facet chunks that are not in kv yet
	next     map[string]uint32 // next numbers
	buffer   writeBuffer
	fresh    map[string]bool // ids that were made for this transaction
	spoiled  error           // a write failed half-way: the transaction may not commit
}

// New is a transaction over one of the engine.
func New(k kv.Tx, writable bool) Tx { return Tx{kv: k, writable: writable} }

// NoteFresh notes an id that was made for this transaction: nothing is stored under it.
func (tx *Tx) NoteFresh(id []byte) {
	if tx.fresh == nil {
		tx.fresh = map[string]bool{}
	}
	tx.fresh[string(id)] = true
}

// TakeFresh says whether an id was made for this transaction and not used yet.
func (tx *Tx) TakeFresh(id []byte) bool {
	fresh := tx.fresh[string(id)]
	delete(tx.fresh, string(id))
	return fresh
}

// Writes is how many keys were written.
func (tx *Tx) Writes() int { return tx.buffer.writes }

// Version is how often the transaction wrote a key.
func (tx *Tx) Version(key []byte) int { return tx.buffer.version(key) }

// writeBuffer is what a transaction keeps back until its end: a tree likes writes in the
// order of its keys best, and a key that changed often is written once. What was
// read is kept too, because a write looks at what its caller looked at before.
type writeBuffer struct {
	keys    []bufferedKey
	at      map[string]int     // of a key in keys
	groups  map[keyGroup][]int // written keys that the engine lacks
	flushes int                // how often the engine was written to
	writes  int                // how many keys were written
}

// bufferedKey is what a key that was read or written has: nil for nothing. Its key is set
// once it is written.
type bufferedKey struct {
	kv.Pair
	state state
	// flushes is when it was read: what the engine hands out is good until the next
	// write.
	flushes int
	times   int // how often it was written
}

// state says what a buffered key is.
type state int8

const (
	read    state = iota // the engine's
	lacking              // written, and the engine lacks it
	flushed              // written, and the engine has it
)

// keyGroup is the beginning of a key: a part of a table, mostly.
type keyGroup [7]byte

func groupOf(key []byte) (a keyGroup) {
	copy(a[:], key)
	return a
}

// Get reads a key as the transaction has it.
func (tx *Tx) Get(key []byte) ([]byte, error) {
	if !tx.writable {
		return tx.kv.Get(key)
	}
	p := &tx.buffer
	i, ok := p.at[string(key)]
	if ok && p.valid(i) {
		return p.keys[i].Value, nil
	}
	v, err := tx.kv.Get(key)
	if err != nil {
		return nil, err
	}
	if ok {
		p.keys[i].Value, p.keys[i].flushes = v, p.flushes
	} else {
		p.add(key, bufferedKey{Pair: kv.Pair{Value: v}, flushes: p.flushes})
	}
	return v, nil
}

// valid says whether a buffered key still has the value of its key.
func (p *writeBuffer) valid(i int) bool {
	return p.keys[i].state != read || p.keys[i].flushes == p.flushes
}

func (p *writeBuffer) add(key []byte, c bufferedKey) (i int) {
	if p.at == nil {
		p.at, p.groups = map[string]int{}, map[keyGroup][]int{}
	}
	i = len(p.keys)
	p.at[string(key)] = i
	p.keys = append(p.keys, c)
	return i
}

// GetMany is Get of each key in one journey; none when the transaction has all of them.
func (tx *Tx) GetMany(keys [][]byte) ([][]byte, error) {
	p := &tx.buffer
	if len(p.keys) == 0 {
		return tx.kv.GetMany(keys)
	}
	out := make([][]byte, len(keys))
	var lack [][]byte
	var at []int
	for n, key := range keys {
		if i, ok := p.at[string(key)]; ok && p.valid(i) {
			out[n] = p.keys[i].Value
		} else {
			lack, at = append(lack, key), append(at, n)
		}
	}
	if len(lack) == 0 {
		return out, nil
	}
	values, err := tx.kv.GetMany(lack)
	if err != nil {
		return nil, err
	}
	for n, v := range values {
		out[at[n]] = v
	}
	return out, nil
}

// Fetch fetches keys that Get will be asked for in one journey.
func (tx *Tx) Fetch(keys [][]byte) error {
	values, err := tx.kv.GetMany(keys)
	if err != nil {
		return err
	}
	p := &tx.buffer
	for n, key := range keys {
		i, ok := p.at[string(key)]
		switch {
		case !ok:
			p.add(key, bufferedKey{Pair: kv.Pair{Value: values[n]}, flushes: p.flushes})
		case p.keys[i].state == read:
			p.keys[i].Value, p.keys[i].flushes = values[n], p.flushes
		}
	}
	return nil
}

// version is how often the transaction wrote a key.
func (p *writeBuffer) version(key []byte) int {
	if i, ok := p.at[string(key)]; ok {
		return p.keys[i].times
	}
	return 0
}

// Put writes a key. The bytes are the transaction's from now on.
func (tx *Tx) Put(key, value []byte) error {
	if err := kv.CheckPair(key, value); err != nil {
		return err
	}
	return tx.keep(key, value)
}

// Delete removes a key.
func (tx *Tx) Delete(key []byte) error { return tx.keep(key, nil) }

func (tx *Tx) keep(key, value []byte) error {
	if !tx.writable {
		return kv.ErrReadOnly
	}
	p := &tx.buffer
	i, ok := p.at[string(key)]
	if !ok {
		i = p.add(key, bufferedKey{})
	}
	c := &p.keys[i]
	if c.times == 0 {
		p.writes++
	}
	if c.state != lacking {
		a := groupOf(key)
		p.groups[a] = append(p.groups[a], i)
	}
	c.Pair, c.state = kv.Pair{Key: key, Value: value}, lacking // the key that was read may not last
	c.times++
	return nil
}

// flushBuffer hands all to the engine that was kept back, in the order of keys.
func (tx *Tx) flushBuffer() error { return tx.flushGroups(tx.buffer.sortedGroups()...) }

func (tx *Tx) flushGroups(groups ...keyGroup) error {
	var b kv.Batch
	tx.buffer.gather(&b, groups...)
	if len(b.Put)+len(b.Delete) == 0 {
		return nil
	}
	return tx.Spoil(tx.kv.Write(b))
}

func (p *writeBuffer) sortedGroups() []keyGroup {
	return slices.SortedFunc(maps.Keys(p.groups), func(a, b keyGroup) int { return bytes.Compare(a[:], b[:]) })
}

// gather adds what was kept back of groups to a batch, in the order of keys.
func (p *writeBuffer) gather(b *kv.Batch, groups ...keyGroup) {
	for _, g := range groups {
		if len(p.groups[g]) == 0 {
			continue
		}
		now := make([]kv.Pair, 0, len(p.groups[g]))
		for _, i := range p.groups[g] {
			p.keys[i].state = flushed
			now = append(now, p.keys[i].Pair)
		}
		delete(p.groups, g)
		p.flushes++
		slices.SortFunc(now, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
		for _, w := range now {
			if w.Value != nil {
				b.Put = append(b.Put, w)
			} else {
				b.Delete = append(b.Delete, w.Key)
			}
		}
	}
}

// writesDirectly prepares for a write of one key that goes to the engine at once, not through
// what is kept back: the engine gets what was written to the key before, and what was
// read of any key is read again.
func (tx *Tx) writesDirectly(key []byte) error {
	p := &tx.buffer
	if i, ok := p.at[string(key)]; ok {
		if p.keys[i].state == lacking {
			if err := tx.flushGroups(groupOf(key)); err != nil {
				return err
			}
		}
		p.keys[i].state = read
		p.keys[i].flushes = -1
	}
	p.flushes++
	return nil
}

// Scan is a scan that sees what the transaction wrote.
func (tx *Tx) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	if err := tx.flushFor(r); err != nil {
		return failed(err)
	}
	return tx.kv.Scan(r)
}

// flushFor sees to it that the engine has what lies in a range.
func (tx *Tx) flushFor(r kv.Range) error {
	if len(tx.buffer.groups) == 0 {
		return nil
	}
	first := groupOf(r.From)
	if len(r.From) < len(first) || r.To == nil || bytes.Compare(r.To, kv.After(first[:])) > 0 {
		return tx.flushBuffer() // it is more than a group
	}
	return tx.flushGroups(first)
}

// ScanKept is a scan over counts and sets.
func (tx *Tx) ScanKept(r kv.Range) iter.Seq2[kv.Pair, error] {
	if err := tx.flush(); err != nil {
		return failed(err)
	}
	return tx.Scan(r)
}

func failed(err error) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) { yield(kv.Pair{}, err) }
}
