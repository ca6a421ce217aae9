// Package numbers has sets of the numbers of records: joined, counted, picked from by
// position, and frozen as bytes.
//
// It promises that a set of a million records is some hundred kilobytes, and that joining two
// costs as much as their chunks. It refuses to know what a number stands for, and where sets
// are kept.
package numbers

import (
	"fmt"
	"math/bits"
	"slices"

	"svc/store/kv/bitset"
)

// A set is cut into chunks of 16,384 numbers, so that a change rewrites 2 KiB at most and a
// million records are 62 chunks (storage 10).
const (
	// Shift takes a number to the place of its chunk: number>>Shift.
	Shift = 14
	// ChunkSize is how many numbers a chunk spans.
	ChunkSize  = bitset.Size // 1 << Shift
	chunkWords = ChunkSize / 64

	// Max is the highest number of a record.
	Max = 1<<32 - 2
)

// Words are the bits of one chunk, as bitset.Set.
type Words [chunkWords]uint64

// Add makes a number a member. Its place is not looked at.
func (w *Words) Add(n uint32) { w[n%ChunkSize/64] |= 1 << (n % 64) }

func (w *Words) has(n uint32) bool { return w[n%ChunkSize/64]>>(n%64)&1 != 0 }

func (w *Words) count() (n int) {
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// Encode gives nil for a chunk without bits.
func (w *Words) Encode() []byte { return (*bitset.Set)(w).Encode() }

// DecodeWords reads what Encode wrote, and nothing else.
func DecodeWords(b []byte) (*Words, error) {
	w, err := bitset.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("a chunk of a facet: %w", err)
	}
	return (*Words)(w), nil
}

// Chunk is a chunk with its place.
type Chunk struct {
	At    uint32 // number>>Shift
	Words *Words
}

// First is its lowest number; false for none.
func (c Chunk) First() (uint32, bool) {
	for i, w := range c.Words {
		if w != 0 {
			return c.At<<Shift | uint32(i*64+bits.TrailingZeros64(w)), true
		}
	}
	return 0, false
}

// Set is a set of record numbers in memory, chunks ascending.
type Set []Chunk

// Count is how many numbers are in it.
func (s Set) Count() (n int) {
	for _, c := range s {
		n += c.Words.count()
	}
	return n
}

// Has says whether a number is in it.
func (s Set) Has(n uint32) bool {
	i, ok := slices.BinarySearchFunc(s, n>>Shift, func(c Chunk, at uint32) int { return int(int64(c.At) - int64(at)) })
	return ok && s[i].Words.has(n)
}

// combine joins two sets word by word. It may change and keep both.
func combine(a, b Set, op func(x, y uint64) uint64) Set {
	var none Words
	var out Set
	for len(a) > 0 || len(b) > 0 {
		var c Chunk
		other := &none
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].At < b[0].At:
			c, a = a[0], a[1:]
		case len(a) == 0 || b[0].At < a[0].At:
			c, other = Chunk{b[0].At, new(Words)}, b[0].Words
			b = b[1:]
		default:
			c, other = a[0], b[0].Words
			a, b = a[1:], b[1:]
		}
		left := uint64(0)
		for i := range c.Words {
			c.Words[i] = op(c.Words[i], other[i])
			left |= c.Words[i]
		}
		if left != 0 {
			out = append(out, c)
		}
	}
	return out
}

// And are the numbers that are in both. Like Or and Without it may change and keep both.
func And(a, b Set) Set { return combine(a, b, func(x, y uint64) uint64 { return x & y }) }

// Or are the numbers that are in one of the two.
func Or(a, b Set) Set { return combine(a, b, func(x, y uint64) uint64 { return x | y }) }

// Without are the numbers of the first that are not in the other.
func Without(a, b Set) Set { return combine(a, b, func(x, y uint64) uint64 { return x &^ y }) }

// Pick gives limit members after the first offset ones, the highest first with
// reverse, beginning behind a number when there is one.
func (s Set) Pick(after uint32, offset, limit int, reverse bool) []uint32 {
	p := Picker{Offset: offset, Limit: limit, Reverse: reverse}
	for i := range s {
		c := s[i]
		if reverse {
			c = s[len(s)-1-i]
		}
		if p.Take(c, after) {
			break
		}
	}
	return p.Out
}

// Picker selects by position from chunks that come one after the other: it skips Offset
// members and takes Limit.
type Picker struct {
	Offset, Limit int
	Reverse       bool     // the last chunk comes first
	Out           []uint32 // what was found
}

// skips reports whether all of the next n bits are to be skipped.
func (p *Picker) skips(n int) bool {
	if p.Offset < n {
		return false
	}
	p.Offset -= n
	return true
}

// Take goes on with the next chunk, of which only what lies behind a number counts unless it
// is 0, and reports whether all was found.
func (p *Picker) Take(c Chunk, after uint32) bool {
	w := c.Words.beyond(c.At, after, p.Reverse)
	if !p.skips(w.count()) {
		p.chunk(c.At, w)
	}
	return len(p.Out) == p.Limit
}

func (p *Picker) chunk(at uint32, w *Words) {
	for i := range w {
		word := i
		if p.Reverse {
			word = chunkWords - 1 - i
		}
		if x := w[word]; !p.skips(bits.OnesCount64(x)) {
			p.word(at<<Shift|uint32(word*64), x)
		}
	}
}

func (p *Picker) word(first uint32, x uint64) {
	for ; x != 0 && len(p.Out) < p.Limit; p.Offset-- {
		bit := bits.TrailingZeros64(x)
		if p.Reverse {
			bit = 63 - bits.LeadingZeros64(x)
		}
		x &^= 1 << bit
		if p.Offset <= 0 {
			p.Out = append(p.Out, first|uint32(bit))
		}
	}
	p.Offset = max(p.Offset, 0)
}

// beyond drops the bits up to a number, or with reverse from it on. 0 drops none.
func (w *Words) beyond(at, after uint32, reverse bool) *Words {
	if after == 0 {
		return w
	}
	out := *w
	for i := range out {
		first := at<<Shift | uint32(i*64)
		switch {
		case !reverse && first+63 <= after, reverse && first >= after:
			out[i] = 0
		case !reverse && first <= after:
			out[i] &= ^uint64(0) << (after % 64) << 1
		case reverse && first+63 >= after:
			out[i] &= 1<<(after%64) - 1
		}
	}
	return &out
}

// Builder is a set in the making: numbers come in any order.
type Builder []*Words

// Add makes a number a member.
func (s *Builder) Add(n uint32) {
	at := int(n >> Shift)
	for at >= len(*s) {
		*s = append(*s, nil)
	}
	if (*s)[at] == nil {
		(*s)[at] = new(Words)
	}
	(*s)[at].Add(n)
}

// Set is what was added. It shares memory with the builder.
func (s Builder) Set() (out Set) {
	for at, w := range s {
		if w != nil {
			out = append(out, Chunk{uint32(at), w})
		}
	}
	return out
}
