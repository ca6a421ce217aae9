package rank

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// Packed is a vector of length 1 in a byte a number: a quarter of its size, and near enough
// for an order of texts.
type Packed []int8

// packedOne is what 1 is in a Packed. Numbers of a vector of length 1 are far below 1; what
// lies above the range is cut.
const packedOne = 127 * 4

// Pack makes the packed form of a vector of length 1.
func Pack(v []float32) Packed {
	out := make(Packed, len(v))
	for i, x := range v {
		out[i] = int8(math.Round(float64(max(-127, min(127, x*packedOne)))))
	}
	return out
}

// Cosine is how near two vectors are, -1 to 1; 0 for those that cannot be compared.
func (p Packed) Cosine(o Packed) float64 {
	if len(p) != len(o) {
		return 0
	}
	var dot, a, b int64
	for i, x := range p {
		y := int64(o[i])
		dot, a, b = dot+int64(x)*y, a+int64(x)*int64(x), b+y*y
	}
	if a == 0 || b == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(a)*float64(b))
}

// signs are the signs of a vector, a bit each.
func (p Packed) signs() []uint64 {
	out := make([]uint64, (len(p)+63)/64)
	for i, x := range p {
		if x > 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// Vector is that of a chunk.
type Vector struct {
	ID string // of the chunk in its source
	Packed
}

// Vectors ranks chunks by their vectors. Those of a source are replaced as a whole; it is not
// safe for concurrent use, a reader beside a writer is up to the caller.
type Vectors struct {
	sources map[string][]placed
}

type placed struct {
	Vector
	signs []uint64
}

// NewVectors makes an empty one.
func NewVectors() *Vectors { return &Vectors{sources: map[string][]placed{}} }

// Put replaces the vectors of a source; none takes it out.
func (x *Vectors) Put(source string, list []Vector) {
	if len(list) == 0 {
		delete(x.sources, source)
		return
	}
	out := make([]placed, len(list))
	for i := range list {
		out[i] = placed{list[i], list[i].signs()}
	}
	x.sources[source] = out
}

// Floor is the nearness that two chunks of some sources have by chance: the 95th percentile
// of pairs, 200 of them spread over all, and at least a usual one. A chunk below it is about
// something else.
func (x *Vectors) Floor(sources []string) float64 {
	var all []Packed
	for _, s := range sources {
		for i := range x.sources[s] {
			all = append(all, x.sources[s][i].Packed)
		}
	}
	const pairs, least = 200, 8
	if len(all) < least {
		return usualFloor
	}
	near := make([]float64, pairs)
	for i := range near { // two walks of steps that meet each other anew
		a, b := (i*7919)%len(all), (i*104729+len(all)/2+1)%len(all)
		if a == b {
			b = (b + 1) % len(all)
		}
		near[i] = all[a].Cosine(all[b])
	}
	slices.Sort(near)
	return max(near[pairs*95/100], usualFloor)
}

// usualFloor is the floor where there are too few chunks to measure one.
const usualFloor = 0.3

// candidates is how many chunks are compared exactly, chosen by their signs.
const candidates = 400

// nearest compares chunks with a vector.
type nearest struct {
	of    *Vectors
	query Packed
	floor float64
}

// For ranks by the nearness to a vector; what is nearer than floor is found.
func (x *Vectors) For(v []float32, floor float64) Source { return nearest{x, Pack(v), floor} }

// Nearest implements Source.
func (n nearest) Nearest(sources []string, limit int) []Ref {
	type near struct {
		ref    Ref
		of     Packed
		differ int
		cosine float64
	}
	signs := n.query.signs()
	var list []near
	for _, s := range sources {
		for i := range n.of.sources[s] {
			p := &n.of.sources[s][i]
			if len(p.Packed) != len(n.query) {
				continue
			}
			differ := 0
			for j, w := range p.signs {
				differ += bits.OnesCount64(w ^ signs[j])
			}
			list = append(list, near{ref: Ref{s, p.ID}, of: p.Packed, differ: differ})
		}
	}
	byRef := func(a, b near) int {
		return cmp.Or(cmp.Compare(a.ref.Source, b.ref.Source), cmp.Compare(a.ref.ID, b.ref.ID))
	}
	if len(list) > candidates {
		slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.differ, b.differ), byRef(a, b)) })
		list = list[:candidates]
	}
	for i := range list {
		list[i].cosine = n.query.Cosine(list[i].of)
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), byRef(a, b)) })
	var out []Ref
	for i := range list {
		if list[i].cosine < n.floor || len(out) == limit {
			break
		}
		out = append(out, list[i].ref)
	}
	return out
}

// Bytes are a vector as it is stored.
func (p Packed) Bytes() []byte {
	out := make([]byte, len(p))
	for i, x := range p {
		out[i] = byte(x)
	}
	return out
}

// PackedOf is a vector that was stored.
func PackedOf(b []byte) Packed {
	out := make(Packed, len(b))
	for i, x := range b {
		out[i] = int8(x)
	}
	return out
}
