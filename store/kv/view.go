package kv

import (
	"bytes"
	"context"
	"iter"
	"runtime"

	bolt "go.etcd.io/bbolt"

	"github.com/tidwall/btree"
)

// state is what is committed: the tree of the file, and what is newer than it. It is
// replaced, never changed.
type state struct {
	// The tree stands at a transaction of the file from first to last: a checkpoint
	// makes those between them, and what it writes is in moving all the while.
	first, last int
	moving      *memtable // what a checkpoint moves into the tree; nil when none does
	recent      *memtable // newer than moving
}

// covers says whether the state is whole over the tree of a transaction.
func (s *state) covers(id int) bool { return s.first <= id && id <= s.last }

// begin opens a transaction of the file that reads, with the state that fits it.
func (b *Bolt) begin() (*bolt.Tx, *state, error) {
	for {
		s := b.state.Load()
		tx, err := b.db.Begin(false)
		if err != nil {
			return nil, nil, err
		}
		if s.covers(tx.ID()) {
			return tx, s, nil
		}
		if err := tx.Rollback(); err != nil { // a checkpoint ended between the two steps
			return nil, nil, err
		}
		runtime.Gosched()
	}
}

// view reads one state: memtables, the newest first, over the tree of the file.
type view struct {
	tables []*memtable
	tree   *bolt.Bucket
	cursor *bolt.Cursor // of get
}

func newView(tx *bolt.Tx, tables ...*memtable) *view {
	v := &view{tree: tx.Bucket(root)}
	for _, m := range tables {
		if m != nil {
			v.tables = append(v.tables, m)
		}
	}
	return v
}

func (v *view) get(key []byte) []byte {
	for _, m := range v.tables {
		if value, found := m.get(key); found {
			return value
		}
	}
	if v.cursor == nil {
		v.cursor = v.tree.Cursor()
	}
	if k, value := v.cursor.Seek(key); bytes.Equal(k, key) {
		return value
	}
	return nil
}

// scan yields what a range holds, deleted keys among it, with value nil.
func (v *view) scan(r Range) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		tree := &treeSequence{r: r, cursor: v.tree.Cursor()}
		all := []sequence{tree}
		for i := len(v.tables) - 1; i >= 0; i-- {
			m := &tableSequence{r: r, at: v.tables[i].entries.Iter()}
			if m.first() {
				all = append(all, m)
			}
		}
		found := tree.first()
		if len(all) > 1 {
			merge(all, r.Reverse, yield)
			return
		}
		for found && yield(tree.now) {
			found = tree.next()
		}
	}
}

// sequence is one of those that a scan merges: the entries of a range in its order.
type sequence interface {
	next() bool
	// entry is the current one; key nil when the sequence is over.
	entry() entry
}

// merge yields the entries of all sequences in order; of several with one key that of the
// last sequence.
func merge(all []sequence, reverse bool, yield func(entry) bool) {
	for {
		best := -1
		for i, s := range all {
			e := s.entry()
			if e.key == nil {
				continue
			}
			if best < 0 {
				best = i
				continue
			}
			c := bytes.Compare(e.key, all[best].entry().key)
			if c == 0 {
				all[best].next() // it is older
			}
			if c == 0 || (c < 0) != reverse {
				best = i
			}
		}
		if best < 0 || !yield(all[best].entry()) {
			return
		}
		all[best].next()
	}
}

// tableSequence is what a memtable has of a range.
type tableSequence struct {
	r   Range
	at  btree.IterG[entry]
	now entry
}

func (s *tableSequence) first() bool {
	switch {
	case !s.r.Reverse && s.r.From == nil:
		return s.take(s.at.First())
	case !s.r.Reverse:
		return s.take(s.at.Seek(entry{key: s.r.From}))
	case s.r.To == nil, !s.at.Seek(entry{key: s.r.To}):
		return s.take(s.at.Last())
	}
	return s.take(s.at.Prev())
}

func (s *tableSequence) next() bool {
	if s.r.Reverse {
		return s.take(s.at.Prev())
	}
	return s.take(s.at.Next())
}

func (s *tableSequence) take(ok bool) bool {
	s.now = entry{}
	if ok && s.r.holds(s.at.Item().key) {
		s.now = s.at.Item()
	}
	return s.now.key != nil
}

func (s *tableSequence) entry() entry { return s.now }

// treeSequence is what the tree of the file has of a range.
type treeSequence struct {
	r      Range
	cursor *bolt.Cursor
	now    entry
}

func (s *treeSequence) first() bool {
	switch {
	case !s.r.Reverse && s.r.From == nil:
		return s.take(s.cursor.First())
	case !s.r.Reverse:
		return s.take(s.cursor.Seek(s.r.From))
	case s.r.To == nil:
		return s.take(s.cursor.Last())
	}
	if k, _ := s.cursor.Seek(s.r.To); k == nil {
		return s.take(s.cursor.Last())
	}
	return s.take(s.cursor.Prev())
}

func (s *treeSequence) next() bool {
	if s.r.Reverse {
		return s.take(s.cursor.Prev())
	}
	return s.take(s.cursor.Next())
}

func (s *treeSequence) take(k, v []byte) bool {
	s.now = entry{}
	if k != nil && s.r.holds(k) {
		s.now = entry{k, v}
	}
	return s.now.key != nil
}

func (s *treeSequence) entry() entry { return s.now }

// holds reports whether a key that the scan reached is still inside the range.
func (r Range) holds(k []byte) bool {
	if r.Reverse {
		return bytes.Compare(k, r.From) >= 0
	}
	return r.To == nil || bytes.Compare(k, r.To) < 0
}

// View implements Engine.
func (b *Bolt) View(ctx context.Context, fn func(Tx) error) error {
	return b.reading(ctx, func(tx *bolt.Tx, s *state) error {
		t := &boltTx{ctx: ctx, v: newView(tx, s.recent, s.moving)}
		defer t.end()
		return fn(t)
	})
}
