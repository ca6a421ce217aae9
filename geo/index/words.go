package index

import (
	"encoding/binary"
	"sort"

	"svc/geo/text/script"
)

// A name set is the list of token sequences that an entry answers to: its
// primary name first, then its variants. Entries with equal names share a
// set, and every address shares the set of its street, so that a name is
// matched and scored once however many entries bear it. Sets are numbered by
// the importance of their best bearer.

// NameSet is one decoded set. It is filled by ReadSet, which reuses its slices.
type NameSet struct {
	Variants [][]uint32 // token sequences, as term numbers; the primary name first
	flat     []uint32
	ends     []int
	members  cursor
}

// ReadSet decodes set number id into s.
func (x *Index) ReadSet(id uint32, s *NameSet) {
	c := cursor(x.sets[x.setOffsets[id]:])
	s.flat, s.ends, s.Variants = s.flat[:0], s.ends[:0], s.Variants[:0]
	for range c.count() {
		for range c.count() {
			s.flat = append(s.flat, min(uint32(c.uint()), uint32(x.Terms()-1)))
		}
		s.ends = append(s.ends, len(s.flat))
	}
	from := 0
	for _, end := range s.ends {
		s.Variants = append(s.Variants, s.flat[from:end])
		from = end
	}
	s.members = c
}

// Members calls yield with the entries that bear the set as their own name,
// most important first, until yield returns false.
func (s *NameSet) Members(yield func(id uint32) bool) {
	c := s.members
	last := uint32(0)
	for range c.count() {
		last += uint32(c.uint())
		if !yield(last) {
			return
		}
	}
}

// Sets is the number of name sets.
func (x *Index) Sets() int { return len(x.setOffsets) }

// House is a house number on a street: the number as text.HouseNumber gives it.
type House struct{ Number, Entry uint32 }

// Houses are the entries with a house number along the streets that bear set
// id, sorted by number; numbers that are ranges stand first.
func (x *Index) Houses(id uint32) []House {
	from, to := x.housedOffsets[id], x.housedOffsets[id+1]
	return x.housed[from:to]
}

// Terms is the number of distinct tokens; they are numbered in byte order.
func (x *Index) Terms() int { return len(x.termEnds) }

// Term is token number id.
func (x *Index) Term(id uint32) string { return textAt(x.terms, x.termEnds, id) }

// TermLength and SkeletonLength are lengths in characters, 255 at most.
func (x *Index) TermLength(id uint32) int { return int(x.termLengths[2*id]) }

// SkeletonLength is the length of the skeleton of term id in characters.
func (x *Index) SkeletonLength(id uint32) int { return int(x.termLengths[2*id+1]) }

// SkeletonRank is the position of term id in the order of skeletons. Terms
// with one skeleton, and with one beginning of it, stand together.
func (x *Index) SkeletonRank(id uint32) uint32 { return x.termSkeletons[id] }

// TermAtSkeleton is the term at a position in the order of skeletons.
func (x *Index) TermAtSkeleton(rank uint32) uint32 { return x.skeletonOrder[rank] }

// Span is a half-open range of terms, in byte order or in skeleton order.
type Span struct{ From, To uint32 }

// Len is the number of terms in the span.
func (s Span) Len() int { return int(s.To - s.From) }

// Has reports whether i lies in the span.
func (s Span) Has(i uint32) bool { return i >= s.From && i < s.To }

// Prefix is the span of terms that begin with p.
func (x *Index) Prefix(p string) Span {
	return prefixSpan(x.Terms(), p, func(i int) string { return x.Term(uint32(i)) })
}

// Exact is the span of the one term equal to t; empty when there is none.
func (x *Index) Exact(t string) Span {
	i := uint32(sort.Search(x.Terms(), func(i int) bool { return x.Term(uint32(i)) >= t }))
	if int(i) < x.Terms() && x.Term(i) == t {
		return Span{i, i + 1}
	}
	return Span{}
}

// SkeletonPrefix is the span, in skeleton order, of terms whose skeleton begins with p.
func (x *Index) SkeletonPrefix(p string) Span {
	return prefixSpan(x.Terms(), p, func(i int) string { return script.Skeleton(x.Term(x.skeletonOrder[i])) })
}

// SkeletonExact is the span, in skeleton order, of terms whose skeleton is s.
func (x *Index) SkeletonExact(s string) Span {
	at := func(i int) string { return script.Skeleton(x.Term(x.skeletonOrder[i])) }
	from := sort.Search(x.Terms(), func(i int) bool { return at(i) >= s })
	to := from + sort.Search(x.Terms()-from, func(i int) bool { return at(from+i) > s })
	return Span{uint32(from), uint32(to)}
}

func prefixSpan(n int, p string, at func(int) string) Span {
	cut := func(s string) string { return s[:min(len(s), len(p))] }
	from := sort.Search(n, func(i int) bool { return at(i) >= p })
	to := from + sort.Search(n-from, func(i int) bool { return cut(at(from+i)) > p })
	return Span{uint32(from), uint32(to)}
}

// FirstSet is the best set that holds term id.
func (x *Index) FirstSet(id uint32) uint32 { return x.termBest[id] }

// Postings calls yield with each set that holds term id, best first.
func (x *Index) Postings(id uint32, yield func(set uint32)) {
	eachDelta(x.postingList(id), func(set uint32) bool {
		yield(set)
		return true
	})
}

// PostingsWhile is Postings until yield returns false.
func (x *Index) PostingsWhile(id uint32, yield func(set uint32) bool) {
	eachDelta(x.postingList(id), yield)
}

func (x *Index) postingList(id uint32) []byte {
	return x.postings[x.postingOffsets[id]:x.postingOffsets[id+1]]
}

// Trigram calls yield with each set whose primary name holds the trigram, best first.
func (x *Index) Trigram(key uint64, yield func(set uint32)) {
	i := sort.Search(len(x.trigramKeys), func(i int) bool { return x.trigramKeys[i] >= key })
	if i < len(x.trigramKeys) && x.trigramKeys[i] == key {
		eachDelta(x.trigrams[x.trigramOffsets[i]:x.trigramOffsets[i+1]], func(set uint32) bool {
			yield(set)
			return true
		})
	}
}

// eachDelta decodes ascending numbers until yield returns false.
func eachDelta(data []byte, yield func(uint32) bool) {
	var last uint32
	for i := 0; i < len(data); {
		v, shift := uint32(0), 0
		for {
			b := data[i]
			i++
			v |= uint32(b&0x7f) << shift
			shift += 7
			if b < 0x80 || i == len(data) {
				break
			}
		}
		last += v
		if !yield(last) {
			return
		}
	}
}

// appendDelta encodes ascending numbers.
func appendDelta(dst []byte, last *uint32, v uint32) []byte {
	dst = binary.AppendUvarint(dst, uint64(v-*last))
	*last = v
	return dst
}
