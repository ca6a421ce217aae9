package postgres

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tidwall/btree"

	"svc/store/kv"
	"svc/store/kv/bitset"
)

// kind is what a closure did to a key.
type kind uint8

const (
	put kind = iota + 1
	deleted
	// added and marked are additions: they say what changes, whatever the key has.
	added
	marked
)

// change is what closures of a batch did to one key. What it holds is never changed in
// place: closures that fail leave the changes of those before them.
type change struct {
	key    []byte
	kind   kind
	value  []byte   // of put, never nil; nil for deleted
	sum    int64    // of added
	marked []uint16 // of marked: numbers in their order, see mark
}

// mark is a number of a set with whether it becomes a member.
func mark(n uint16, member bool) uint16 {
	if member {
		return n<<1 | 1
	}
	return n << 1
}

// changes are those of a batch, by key.
type changes = btree.BTreeG[change]

func newChanges() *changes {
	return btree.NewBTreeGOptions(func(a, b change) bool { return bytes.Compare(a.key, b.key) < 0 }, btree.Options{Degree: 16, NoLocks: true})
}

// adds says that the value depends on what is stored.
func (c *change) adds() bool { return c.kind == added || c.kind == marked }

// after is the value of the key where before is stored; nil for none.
func (c *change) after(before []byte) ([]byte, error) {
	if !c.adds() {
		return c.value, nil
	}
	return fold(before, [][]byte{c.addition()})
}

// addition is the stored form of an addition: its kind, then a varint or the marks.
func (c *change) addition() []byte {
	if c.kind == added {
		return binary.AppendVarint([]byte{byte(added)}, c.sum)
	}
	b := make([]byte, 1, 1+2*len(c.marked))
	b[0] = byte(marked)
	for _, m := range c.marked {
		b = binary.LittleEndian.AppendUint16(b, m)
	}
	return b
}

// fold is the value of a key with its additions, the oldest first. A value that they do
// not fit to is an error that matches bitset.ErrMalformed.
func fold(value []byte, additions [][]byte) ([]byte, error) {
	if len(additions) == 0 {
		return value, nil
	}
	if len(additions[0]) > 0 && kind(additions[0][0]) == added {
		return foldSum(value, additions)
	}
	return foldMarks(value, additions)
}

var errAddition = fmt.Errorf("%w: an addition", bitset.ErrMalformed)

func foldSum(value []byte, additions [][]byte) ([]byte, error) {
	sum, err := kv.DecodeNumber(value)
	if err != nil {
		return nil, err
	}
	for _, a := range additions {
		n, size := binary.Varint(a[min(1, len(a)):])
		if len(a) < 2 || kind(a[0]) != added || size != len(a)-1 {
			return nil, errAddition
		}
		if sum, err = kv.Plus(sum, n); err != nil {
			return nil, err
		}
	}
	if sum == 0 {
		return nil, nil
	}
	return binary.AppendVarint(nil, sum), nil
}

func foldMarks(value []byte, additions [][]byte) (_ []byte, err error) {
	set := new(bitset.Set)
	if value != nil {
		if set, err = bitset.Decode(value); err != nil {
			return nil, err
		}
	}
	for _, a := range additions {
		if len(a)%2 != 1 || kind(a[0]) != marked {
			return nil, errAddition
		}
		for a = a[1:]; len(a) > 0; a = a[2:] {
			m := binary.LittleEndian.Uint16(a)
			n := m >> 1
			if n >= bitset.Size {
				return nil, errAddition
			}
			set.Put(n, m&1 != 0)
		}
	}
	return set.Encode(), nil
}

// write is a change as the statements of a commit take it.
type write struct {
	replaced, deleted, added [][]byte // keys
	values, additions        [][]byte // of replaced and added
}

// writeOf sorts the changes of a batch by statement.
func writeOf(all *changes) (w write) {
	all.Scan(func(c change) bool {
		switch c.kind {
		case put:
			w.replaced, w.values = append(w.replaced, c.key), append(w.values, c.value)
		case deleted:
			w.deleted = append(w.deleted, c.key)
		default:
			w.added, w.additions = append(w.added, c.key), append(w.additions, c.addition())
		}
		return true
	})
	return w
}

// more is a change with further marks; the slice of the former is not written to.
func (c *change) more(numbers []uint16, member bool) ([]uint16, error) {
	out := slices.Clip(c.marked)
	for _, n := range numbers {
		if n >= bitset.Size {
			return nil, fmt.Errorf("number %d in a set of those below %d", n, bitset.Size)
		}
		out = append(out, mark(n, member))
	}
	return out, nil
}
