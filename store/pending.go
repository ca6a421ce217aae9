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
	cells  []cell
	at     map[string]int // of a key in cells
	areas  map[area][]int // cells that the engine lacks
	drains int            // how often the engine was written to
	writes int            // how many keys were written
}

// cell is what a key that was read or written has: nil for nothing. Its key is set
// once it is written.
type cell struct {
	kv.Pair
	state state
	// drains is when it was read: what the engine hands out is good until the next
	// write.
	drains int
	times  int // how often it was written
}

// state says what a cell is.
type state int8

const (
	read    state = iota // the engine's
	lacking              // written, and the engine lacks it
	drained              // written, and the engine has it
)

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
	p := &tx.pending
	i, ok := p.at[string(key)]
	if ok && p.valid(i) {
		return p.cells[i].Value, nil
	}
	v, err := tx.kv.Get(key)
	if err != nil {
		return nil, err
	}
	if ok {
		p.cells[i].Value, p.cells[i].drains = v, p.drains
	} else {
		p.add(key, cell{Pair: kv.Pair{Value: v}, drains: p.drains})
	}
	return v, nil
}

// valid says whether a cell still has the value of its key.
func (p *pending) valid(i int) bool { return p.cells[i].state != read || p.cells[i].drains == p.drains }

func (p *pending) add(key []byte, c cell) (i int) {
	if p.at == nil {
		p.at, p.areas = map[string]int{}, map[area][]int{}
	}
	i = len(p.cells)
	p.at[string(key)] = i
	p.cells = append(p.cells, c)
	return i
}

// getMany is get of each key in one journey.
func (tx *Tx) getMany(keys [][]byte) ([][]byte, error) {
	values, err := tx.kv.GetMany(keys)
	if err != nil || tx.pending.writes == 0 {
		return values, err
	}
	for n, key := range keys {
		if i, ok := tx.pending.at[string(key)]; ok && tx.pending.cells[i].state != read {
			values[n] = tx.pending.cells[i].Value
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
	p := &tx.pending
	for n, key := range keys {
		i, ok := p.at[string(key)]
		switch {
		case !ok:
			p.add(key, cell{Pair: kv.Pair{Value: values[n]}, drains: p.drains})
		case p.cells[i].state == read:
			p.cells[i].Value, p.cells[i].drains = values[n], p.drains
		}
	}
	return nil
}

// version is how often the transaction wrote a key.
func (p *pending) version(key []byte) int {
	if i, ok := p.at[string(key)]; ok {
		return p.cells[i].times
	}
	return 0
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
	i, ok := p.at[string(key)]
	if !ok {
		i = p.add(key, cell{})
	}
	c := &p.cells[i]
	if c.times == 0 {
		p.writes++
	}
	if c.state != lacking {
		a := areaOf(key)
		p.areas[a] = append(p.areas[a], i)
	}
	c.Pair, c.state = kv.Pair{Key: key, Value: value}, lacking // the key that was read may not last
	c.times++
	return nil
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
		p.cells[i].state = drained
		now = append(now, p.cells[i].Pair)
	}
	delete(p.areas, a)
	p.drains++
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

// beside prepares for a write of one key that goes to the engine at once, not through
// what is kept back: the engine gets what was written to the key before, and what was
// read of any key is read again.
func (tx *Tx) beside(key []byte) error {
	p := &tx.pending
	if i, ok := p.at[string(key)]; ok {
		if p.cells[i].state == lacking {
			if err := tx.drainArea(areaOf(key)); err != nil {
				return err
			}
		}
		p.cells[i].state = read
		p.cells[i].drains = -1
	}
	p.drains++
	return nil
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
