package store

import (
	"bytes"
	"iter"
	"maps"
	"slices"

	"svc/store/kv"
)

// pending is what a transaction keeps back until its end: a tree likes writes in the
// order of its keys best, and a key that changed often is written once. What was
// read is kept too, because a write looks at what its caller looked at before.
type pending struct {
	writes []write
	at     map[string]int    // of a key in writes
	areas  map[area][]int    // writes that the engine lacks
	known  map[string][]byte // what the engine has; nil for nothing
}

// write is a value that a key gets, nil for a deletion.
type write struct {
	kv.Pair
	done bool // the engine has it
}

// area is the beginning of a key: a part of a table, mostly.
type area [7]byte

func areaOf(key []byte) (a area) {
	copy(a[:], key)
	return a
}

// get reads a key as the transaction has it.
func (tx *Tx) get(key []byte) ([]byte, error) {
	if !tx.writable {
		return tx.kv.Get(key)
	}
	if i, ok := tx.pending.at[string(key)]; ok {
		return tx.pending.writes[i].Value, nil
	}
	if v, ok := tx.pending.known[string(key)]; ok {
		return v, nil
	}
	v, err := tx.kv.Get(key)
	if err == nil {
		tx.pending.know(key, v)
	}
	return v, err
}

// getMany is get of each key in one journey.
func (tx *Tx) getMany(keys [][]byte) ([][]byte, error) {
	values, err := tx.kv.GetMany(keys)
	if err != nil || len(tx.pending.writes) == 0 {
		return values, err
	}
	for n, key := range keys {
		if i, ok := tx.pending.at[string(key)]; ok {
			values[n] = tx.pending.writes[i].Value
		}
	}
	return values, nil
}

// expect fetches keys that get will be asked for in one journey.
func (tx *Tx) expect(keys [][]byte) error {
	values, err := tx.kv.GetMany(keys)
	if err != nil {
		return err
	}
	for i, key := range keys {
		tx.pending.know(key, values[i])
	}
	return nil
}

func (p *pending) know(key, value []byte) {
	if p.known == nil {
		p.known = map[string][]byte{}
	}
	p.known[string(key)] = value
}

// put writes a key. The bytes are the transaction's from now on.
func (tx *Tx) put(key, value []byte) error {
	if err := kv.CheckPair(key, value); err != nil {
		return err
	}
	return tx.keep(key, value)
}

func (tx *Tx) delete(key []byte) error { return tx.keep(key, nil) }

func (tx *Tx) keep(key, value []byte) error {
	if !tx.writable {
		return kv.ErrReadOnly
	}
	p := &tx.pending
	if i, ok := p.at[string(key)]; ok {
		w := &p.writes[i]
		w.Value = value
		if w.done {
			w.done = false
			p.lack(key, i)
		}
		return nil
	}
	if p.at == nil {
		p.at, p.areas = map[string]int{}, map[area][]int{}
	}
	p.lack(key, len(p.writes))
	p.at[string(key)] = len(p.writes)
	p.writes = append(p.writes, write{Pair: kv.Pair{Key: key, Value: value}})
	return nil
}

// lack notes a write that the engine does not have.
func (p *pending) lack(key []byte, i int) {
	a := areaOf(key)
	p.areas[a] = append(p.areas[a], i)
}

// drain hands all to the engine that was kept back, in the order of keys.
func (tx *Tx) drain() error {
	areas := slices.SortedFunc(maps.Keys(tx.pending.areas), func(a, b area) int { return bytes.Compare(a[:], b[:]) })
	for _, a := range areas {
		if err := tx.drainArea(a); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) drainArea(a area) error {
	p := &tx.pending
	if len(p.areas[a]) == 0 {
		return nil
	}
	now := make([]kv.Pair, 0, len(p.areas[a]))
	for _, i := range p.areas[a] {
		p.writes[i].done = true
		now = append(now, p.writes[i].Pair)
	}
	delete(p.areas, a)
	p.known = nil // it does not outlive a write
	slices.SortFunc(now, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	puts := now[:0]
	for _, w := range now {
		if w.Value != nil {
			puts = append(puts, w)
			continue
		}
		if err := tx.kv.Delete(w.Key); err != nil {
			return tx.spoil(err)
		}
	}
	return tx.spoil(tx.kv.PutMany(puts))
}

// scan is a scan that sees what the transaction wrote.
func (tx *Tx) scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	if err := tx.drainFor(r); err != nil {
		return failed(err)
	}
	return tx.kv.Scan(r)
}

// drainFor sees to it that the engine has what lies in a range.
func (tx *Tx) drainFor(r kv.Range) error {
	if len(tx.pending.areas) == 0 {
		return nil
	}
	first := areaOf(r.From)
	if len(r.From) < len(first) || r.To == nil || bytes.Compare(r.To, kv.After(first[:])) > 0 {
		return tx.drain() // it is more than an area
	}
	return tx.drainArea(first)
}

// scanKept is a scan over counts and sets.
func (tx *Tx) scanKept(r kv.Range) iter.Seq2[kv.Pair, error] {
	if err := tx.flush(); err != nil {
		return failed(err)
	}
	return tx.scan(r)
}

func failed(err error) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) { yield(kv.Pair{}, err) }
}
