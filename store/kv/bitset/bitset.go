// Package bitset is the stored form of a set of small numbers, which SetBits of package kv
// changes.
//
// It promises the shortest of three forms for what a set holds, and the same bytes for the
// same members. It refuses bytes that it never wrote: they are an error, never a set.
package bitset

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// Size is how many numbers a set of SetBits may hold: those from 0 up to it. A
// larger set is several keys.
const Size = 1 << 14

const setWords = Size / 64

// Set are the members of a set of SetBits: number n is bit n%64 of word n/64.
type Set [setWords]uint64

// ErrMalformed is matched when a value is not what Add or SetBits wrote.
var ErrMalformed = errors.New("a stored value of an unknown form")

// Forms of a stored set; the shortest is taken. Numbers are little-endian.
const (
	formList = 1 // each number, 2 bytes
	formRuns = 2 // first and last of each run, 4 bytes
	formRaw  = 3 // all bits, 2 KiB
)

// Encode gives the stored form: nil for a set without members.
func (w *Set) Encode() []byte {
	n, runs := w.Count(), w.runs()
	switch {
	case n == 0:
		return nil
	case 2*n <= 4*runs && 2*n <= Size/8:
		return w.encodeList(n)
	case 4*runs < Size/8:
		return w.encodeRuns(runs)
	}
	b := make([]byte, 1, 1+Size/8)
	b[0] = formRaw
	for _, x := range w {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// Put makes a number below Size a member or takes it out, and says whether that changed
// the set.
func (w *Set) Put(n uint16, member bool) (changed bool) {
	word, bit := &w[n/64], uint64(1)<<(n%64)
	if (*word&bit != 0) == member {
		return false
	}
	*word ^= bit
	return true
}

// Count is how many members there are.
func (w *Set) Count() (n int) {
	for _, x := range w {
		n += bits.OnesCount64(x)
	}
	return n
}

// runs counts the runs of ones.
func (w *Set) runs() (n int) {
	carry := uint64(0)
	for _, x := range w {
		n += bits.OnesCount64(x &^ (x<<1 | carry))
		carry = x >> 63
	}
	return n
}

func (w *Set) encodeList(n int) []byte {
	b := make([]byte, 1, 1+2*n)
	b[0] = formList
	for i, x := range w {
		for ; x != 0; x &= x - 1 {
			b = binary.LittleEndian.AppendUint16(b, uint16(i*64+bits.TrailingZeros64(x)))
		}
	}
	return b
}

func (w *Set) encodeRuns(runs int) []byte {
	b := make([]byte, 1, 1+4*runs)
	b[0] = formRuns
	carry := uint64(0)
	for i, x := range w {
		above := uint64(0)
		if i+1 < setWords {
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

// Decode reads what Encode wrote; other bytes are an error that matches
// ErrMalformed.
func Decode(b []byte) (*Set, error) {
	w := new(Set)
	if len(b) < 2 {
		return nil, fmt.Errorf("%w: a set of %d bytes", ErrMalformed, len(b))
	}
	form, b := b[0], b[1:]
	switch {
	case form == formRaw && len(b) == Size/8:
		for i := range w {
			w[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
		return w, nil
	case form == formList && len(b)%2 == 0 && len(b) <= Size/8:
		last := -1
		for ; len(b) > 0; b = b[2:] {
			n := int(binary.LittleEndian.Uint16(b))
			if n <= last || n >= Size {
				return nil, fmt.Errorf("%w: a set whose numbers do not ascend", ErrMalformed)
			}
			w[n/64] |= 1 << (n % 64)
			last = n
		}
		return w, nil
	case form == formRuns && len(b)%4 == 0 && len(b) <= Size/8:
		return w, w.decodeRuns(b)
	}
	return nil, fmt.Errorf("%w: neither list, runs nor bits of a set", ErrMalformed)
}

func (w *Set) decodeRuns(b []byte) error {
	next := 0
	for ; len(b) > 0; b = b[4:] {
		first, last := int(binary.LittleEndian.Uint16(b)), int(binary.LittleEndian.Uint16(b[2:]))
		if first < next || last < first || last >= Size {
			return fmt.Errorf("%w: a set whose runs do not ascend", ErrMalformed)
		}
		w.fill(first, last)
		next = last + 2
	}
	return nil
}

// fill sets the bits from first to last.
func (w *Set) fill(first, last int) {
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
