package store

import (
	"math/bits"
	"slices"

	"svc/store/kv/bitset"
)

// A facet is a set of record numbers for each value, cut into chunks of 16,384
// numbers, so that a change rewrites 2 KiB at most and a million records are 62
// chunks (storage 10).
const (
	chunkShift = 14
	chunkBits  = bitset.Size // 1 << chunkShift
	chunkWords = chunkBits / 64

	// maxNumber is the highest number of a record.
	maxNumber = 1<<32 - 2
)

// words are the bits of one chunk, as bitset.Set.
type words [chunkWords]uint64

func (w *words) has(n uint32) bool { return w[n%chunkBits/64]>>(n%64)&1 != 0 }

func (w *words) count() (n int) {
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// encode gives nil for a chunk without bits.
func (w *words) encode() []byte { return (*bitset.Set)(w).Encode() }

// decodeWords reads what encode wrote, and nothing else.
func decodeWords(b []byte) (*words, error) {
	w, err := bitset.Decode(b)
	if err != nil {
		return nil, corrupt("a chunk of a facet: %w", err)
	}
	return (*words)(w), nil
}

// chunkAt is a chunk with its place: number>>chunkShift.
type chunkAt struct {
	at uint32
	w  *words
}

// set is a set of record numbers in memory, chunks ascending.
type set []chunkAt

func (s set) count() (n int) {
	for _, c := range s {
		n += c.w.count()
	}
	return n
}

func (s set) has(n uint32) bool {
	i, ok := slices.BinarySearchFunc(s, n>>chunkShift, func(c chunkAt, at uint32) int { return int(int64(c.at) - int64(at)) })
	return ok && s[i].w.has(n)
}

// combine joins two sets word by word. It may change and keep both.
func combine(a, b set, op func(x, y uint64) uint64) set {
	var none words
	var out set
	for len(a) > 0 || len(b) > 0 {
		var c chunkAt
		other := &none
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].at < b[0].at:
			c, a = a[0], a[1:]
		case len(a) == 0 || b[0].at < a[0].at:
			c, other = chunkAt{b[0].at, new(words)}, b[0].w
			b = b[1:]
		default:
			c, other = a[0], b[0].w
			a, b = a[1:], b[1:]
		}
		left := uint64(0)
		for i := range c.w {
			c.w[i] = op(c.w[i], other[i])
			left |= c.w[i]
		}
		if left != 0 {
			out = append(out, c)
		}
	}
	return out
}

func and(x, y uint64) uint64    { return x & y }
func or(x, y uint64) uint64     { return x | y }
func andNot(x, y uint64) uint64 { return x &^ y }

// numbers gives limit members after the first offset ones, the highest first with
// reverse, beginning behind a number when there is one.
func (s set) numbers(after uint32, offset, limit int, reverse bool) []uint32 {
	p := picker{offset: offset, limit: limit, reverse: reverse}
	for i := range s {
		c := s[i]
		if reverse {
			c = s[len(s)-1-i]
		}
		if p.take(c, after) {
			break
		}
	}
	return p.out
}

// picker selects by position: it skips offset bits and takes limit.
type picker struct {
	offset, limit int
	reverse       bool
	out           []uint32
}

// skips reports whether all of the next n bits are to be skipped.
func (p *picker) skips(n int) bool {
	if p.offset < n {
		return false
	}
	p.offset -= n
	return true
}

// take goes on with the next chunk, and reports whether all was found.
func (p *picker) take(c chunkAt, after uint32) bool {
	w := c.w.beyond(c.at, after, p.reverse)
	if !p.skips(w.count()) {
		p.chunk(c.at, w)
	}
	return len(p.out) == p.limit
}

func (p *picker) chunk(at uint32, w *words) {
	for i := range w {
		word := i
		if p.reverse {
			word = chunkWords - 1 - i
		}
		if x := w[word]; !p.skips(bits.OnesCount64(x)) {
			p.word(at<<chunkShift|uint32(word*64), x)
		}
	}
}

func (p *picker) word(first uint32, x uint64) {
	for ; x != 0 && len(p.out) < p.limit; p.offset-- {
		bit := bits.TrailingZeros64(x)
		if p.reverse {
			bit = 63 - bits.LeadingZeros64(x)
		}
		x &^= 1 << bit
		if p.offset <= 0 {
			p.out = append(p.out, first|uint32(bit))
		}
	}
	p.offset = max(p.offset, 0)
}

// beyond drops the bits up to a number, or with reverse from it on. 0 drops none.
func (w *words) beyond(at, after uint32, reverse bool) *words {
	if after == 0 {
		return w
	}
	out := *w
	for i := range out {
		first := at<<chunkShift | uint32(i*64)
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
