package store

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// A facet is a set of record numbers for each value, cut into chunks of 16,384
// numbers, so that a change rewrites 2 KiB at most and a million records are 62
// chunks (storage 10).
const (
	chunkShift = 14
	chunkBits  = 1 << chunkShift
	chunkWords = chunkBits / 64

	// maxNumber is the highest number of a record.
	maxNumber = 1<<32 - 2
)

// words are the bits of one chunk.
type words [chunkWords]uint64

func (w *words) has(n uint32) bool { return w[n%chunkBits/64]>>(n%64)&1 != 0 }

func (w *words) count() (n int) {
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// chunk is one chunk in a transaction.
type chunk struct {
	words
	changed bool
}

func (c *chunk) set(n uint32, on bool) (was bool) {
	word, bit := n%chunkBits/64, uint64(1)<<(n%64)
	was = c.words[word]&bit != 0
	if was != on {
		c.words[word] ^= bit
		c.changed = true
	}
	return was
}

// Forms of a stored chunk; the shortest is taken. Numbers are little-endian.
const (
	formList = 1 // each number, 2 bytes
	formRuns = 2 // first and last of each run, 4 bytes
	formRaw  = 3 // all bits, 2 KiB
)

// encode gives nil for a chunk without bits.
func (w *words) encode() []byte {
	n, runs := w.count(), w.runs()
	switch {
	case n == 0:
		return nil
	case 2*n <= 4*runs && 2*n <= chunkBits/8:
		return w.encodeList(n)
	case 4*runs < chunkBits/8:
		return w.encodeRuns(runs)
	}
	b := make([]byte, 1, 1+chunkBits/8)
	b[0] = formRaw
	for _, x := range w {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// runs counts the runs of ones.
func (w *words) runs() (n int) {
	carry := uint64(0)
	for _, x := range w {
		n += bits.OnesCount64(x &^ (x<<1 | carry))
		carry = x >> 63
	}
	return n
}

func (w *words) encodeList(n int) []byte {
	b := make([]byte, 1, 1+2*n)
	b[0] = formList
	for i, x := range w {
		for ; x != 0; x &= x - 1 {
			b = binary.LittleEndian.AppendUint16(b, uint16(i*64+bits.TrailingZeros64(x)))
		}
	}
	return b
}

func (w *words) encodeRuns(runs int) []byte {
	b := make([]byte, 1, 1+4*runs)
	b[0] = formRuns
	carry := uint64(0)
	for i, x := range w {
		above := uint64(0)
		if i+1 < chunkWords {
			above = w[i+1] << 63
		}
		ends := x&^(x<<1|carry) | x&^(x>>1|above) // first or last of a run
		alone := x &^ (x<<1 | carry) & (x &^ (x>>1 | above))
		for ; ends != 0; ends &= ends - 1 {
			at := bits.TrailingZeros64(ends)
			b = binary.LittleEndian.AppendUint16(b, uint16(i*64+at))
			if alone>>at&1 != 0 {
				b = binary.LittleEndian.AppendUint16(b, uint16(i*64+at))
			}
		}
		carry = x >> 63
	}
	return b
}

// decodeWords reads what encode wrote, and nothing else.
func decodeWords(b []byte) (*words, error) {
	w := new(words)
	if len(b) < 2 {
		return nil, corrupt("a facet chunk of %d bytes", len(b))
	}
	form, b := b[0], b[1:]
	switch {
	case form == formRaw && len(b) == chunkBits/8:
		for i := range w {
			w[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		return w, nil
	case form == formList && len(b)%2 == 0 && len(b) <= chunkBits/8:
		last := -1
		for ; len(b) > 0; b = b[2:] {
			n := int(binary.LittleEndian.Uint16(b))
			if n <= last || n >= chunkBits {
				return nil, corrupt("a facet chunk whose numbers do not ascend")
			}
			w[n/64] |= 1 << (n % 64)
			last = n
		}
		return w, nil
	case form == formRuns && len(b)%4 == 0 && len(b) <= chunkBits/8:
		return w, w.decodeRuns(b)
	}
	return nil, corrupt("a facet chunk of an unknown form")
}

func (w *words) decodeRuns(b []byte) error {
	next := 0
	for ; len(b) > 0; b = b[4:] {
		first, last := int(binary.LittleEndian.Uint16(b)), int(binary.LittleEndian.Uint16(b[2:]))
		if first < next || last < first || last >= chunkBits {
			return corrupt("a facet chunk whose runs do not ascend")
		}
		w.fill(first, last)
		next = last + 2
	}
	return nil
}

// fill sets the bits from first to last.
func (w *words) fill(first, last int) {
	from, to := first/64, last/64
	head, tail := ^uint64(0)<<(first%64), ^uint64(0)>>(63-last%64)
	if from == to {
		w[from] |= head & tail
		return
	}
	w[from] |= head
	for i := from + 1; i < to; i++ {
		w[i] = ^uint64(0)
	}
	w[to] |= tail
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
