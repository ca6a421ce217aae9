// Package bitmap holds sets of small numbers, one bit for each that there may be. It promises
// that adding and joining cost nothing but the writing of words. It refuses to grow.
package bitmap

import "math/bits"

// Set is a set of numbers. clear empties it.
type Set []uint64

// New makes a set of numbers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Add adds a number.
func (s Set) Add(i uint32) { s[i>>6] |= 1 << (i & 63) }

// Insert adds a number and reports whether it was not there.
func (s Set) Insert(i uint32) bool {
	bit := uint64(1) << (i & 63)
	if s[i>>6]&bit != 0 {
		return false
	}
	s[i>>6] |= bit
	return true
}

// And keeps what both hold and reports whether anything is left.
func (s Set) And(o Set) bool {
	var left uint64
	for i := range s {
		s[i] &= o[i]
		left |= s[i]
	}
	return left != 0
}

// Or adds what o holds.
func (s Set) Or(o Set) {
	for i := range s {
		s[i] |= o[i]
	}
}

// Each calls yield with the members in ascending order until it returns false.
func (s Set) Each(yield func(i uint32) bool) {
	for w, word := range s {
		for word != 0 {
			i := uint32(w<<6 + bits.TrailingZeros64(word))
			word &= word - 1
			if !yield(i) {
				return
			}
		}
	}
}
