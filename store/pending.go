package store

import (
	"bytes"
	"iter"
	"slices"

	"svc/store/kv"
)

// pending is what a transaction keeps back until its end: a tree likes writes in the
// order of its keys best, and a key that changed often is written once. What was
// read is kept too, because a write looks at what its caller looked at before.
type pending struct {
	writes []write
	at     map[string]int    // of a key in writes
	areas  map[area]struct{} // in which there are writes
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
		p.writes[i].Value, p.writes[i].done = value, false
		p.areas[areaOf(key)] = struct{}{}
		return nil
	}
	if p.at == nil {
		p.at, p.areas = map[string]int{}, map[area]struct{}{}
	}
	p.areas[areaOf(key)] = struct{}{}
	p.at[string(key)] = len(p.writes)
	p.writes = append(p.writes, write{Pair: kv.Pair{Key: key, Value: value}})
	return nil
}

// drain hands to the engine what was kept back of a range, in the order of keys.
func (tx *Tx) drain(r kv.Range) error {
	var now []kv.Pair
	for i := range tx.pending.writes {
		w := &tx.pending.writes[i]
		if !w.done && bytes.Compare(w.Key, r.From) >= 0 && (r.To == nil || bytes.Compare(w.Key, r.To) < 0) {
			now, w.done = append(now, w.Pair), true
		}
	}
	if len(now) == 0 {
		return nil
	}
	tx.pending.known = nil // it does not outlive a write
	slices.SortFunc(now, func(a, b kv.Pair) int { return bytes.Compare(a.Key, b.Key) })
	puts := now[:0]
	for _, p := range now {
		if p.Value != nil {
			puts = append(puts, p)
			continue
		}
		if err := tx.kv.Delete(p.Key); err != nil {
			return tx.spoil(err)
		}
	}
	return tx.spoil(tx.kv.PutMany(puts))
}

// scan is a scan that sees what the transaction wrote.
func (tx *Tx) scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	if tx.pending.touches(r) {
		if err := tx.drain(r); err != nil {
			return failed(err)
		}
	}
	return tx.kv.Scan(r)
}

// touches says whether the engine may lack writes of a range.
func (p *pending) touches(r kv.Range) bool {
	if len(p.writes) == 0 {
		return false
	}
	first := areaOf(r.From)
	if len(r.From) < len(first) || r.To == nil || bytes.Compare(r.To, kv.After(first[:])) > 0 {
		return true // more than an area
	}
	_, there := p.areas[first]
	return there
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
