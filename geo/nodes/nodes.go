// Package nodes tells where the nodes of extracts stand, in 12 bytes a node: for builds
// that draw ways and keep nothing else of the nodes.
//
// It promises the first of nodes that come twice, and to need no sorted file. It refuses
// to know tags.
package nodes

import (
	"cmp"
	"math"
	"slices"

	"svc/geo/geom"
	"svc/geo/osm"
)

// Positions tells where every node of one extract stands.
// The chunks are those of the file, one a block, so that workers make them and
// nothing is copied after that.
type Positions struct {
	firsts []int64 // of every chunk, ascending once Finish has run
	chunks []Chunk
}

// Chunk holds nodes in ascending order of their ids.
type Chunk struct {
	first   int64
	offsets []uint32 // ids less first
	points  []geom.Point
}

func (c *Chunk) last() int64 { return c.first + int64(c.offsets[len(c.offsets)-1]) }

// ChunksOf packs the nodes of a block; of a node that comes twice the first counts.
func ChunksOf(block []osm.Node) []Chunk {
	nodes := make([]placed, len(block))
	for i := range block {
		nodes[i] = placed{block[i].ID, geom.Point{X: block[i].Lon, Y: block[i].Lat}}
	}
	return pack(nodes)
}

type placed struct {
	id int64
	at geom.Point
}

func compareIDs(a, b placed) int { return cmp.Compare(a.id, b.id) }

// pack sorts nodes, if they are not sorted, and cuts them into chunks whose
// ids lie within 32 bits of each other.
func pack(nodes []placed) (out []Chunk) {
	if !slices.IsSortedFunc(nodes, compareIDs) {
		slices.SortStableFunc(nodes, compareIDs)
	}
	nodes = slices.CompactFunc(nodes, func(a, b placed) bool { return a.id == b.id })
	for len(nodes) > 0 {
		n := min(len(nodes), maxChunk)
		if nodes[n-1].id-nodes[0].id > math.MaxUint32 {
			n, _ = slices.BinarySearchFunc(nodes, nodes[0].id+math.MaxUint32+1, func(p placed, id int64) int { return cmp.Compare(p.id, id) })
		}
		c := Chunk{first: nodes[0].id, offsets: make([]uint32, n), points: make([]geom.Point, n)}
		for i, p := range nodes[:n] {
			c.offsets[i], c.points[i] = uint32(p.id-c.first), p.at
		}
		out = append(out, c)
		nodes = nodes[n:]
	}
	return out
}

// maxChunk bounds a chunk of a file that is sorted anew.
const maxChunk = 1 << 14

// Add takes the chunks of a block.
func (p *Positions) Add(chunks []Chunk) { p.chunks = append(p.chunks, chunks...) }

// Finish puts the chunks in order: nothing to do for a file that is sorted.
func (p *Positions) Finish() {
	for i := 1; i < len(p.chunks); i++ {
		if p.chunks[i].first <= p.chunks[i-1].last() {
			p.repack()
			break
		}
	}
	p.firsts = make([]int64, len(p.chunks))
	for i := range p.chunks {
		p.firsts[i] = p.chunks[i].first
	}
}

func (p *Positions) repack() {
	var nodes []placed
	for i := range p.chunks {
		c := &p.chunks[i]
		for j, o := range c.offsets {
			nodes = append(nodes, placed{c.first + int64(o), c.points[j]})
		}
		c.offsets, c.points = nil, nil
	}
	p.chunks = pack(nodes)
}

// cursor remembers where the last node was found: the nodes of a way are
// mostly neighbours.
type cursor struct{ chunk, at int }

// find gives the position of a node; ok is false when the extract lacks it.
func (p *Positions) find(id int64, c *cursor) (at geom.Point, ok bool) {
	i := c.chunk
	if i >= len(p.firsts) || id < p.firsts[i] || i+1 < len(p.firsts) && id >= p.firsts[i+1] {
		n, exact := slices.BinarySearch(p.firsts, id)
		if !exact {
			n--
		}
		if n < 0 {
			return at, false
		}
		i = n
		c.chunk, c.at = i, -1
	}
	chunk := &p.chunks[i]
	if id-chunk.first > math.MaxUint32 {
		return at, false
	}
	offset := uint32(id - chunk.first)
	if next := c.at + 1; next < len(chunk.offsets) && chunk.offsets[next] == offset {
		c.at = next
		return chunk.points[next], true
	}
	j, ok := slices.BinarySearch(chunk.offsets, offset)
	if !ok {
		return at, false
	}
	c.at = j
	return chunk.points[j], true
}

// All are the positions of several extracts together: a way that one of them
// cuts off may go on in another.
type All []*Positions

// Locator looks nodes up. It serves one goroutine.
type Locator struct {
	nodes   All
	cursors []cursor
}

// Locator looks nodes up for one goroutine.
func (n All) Locator() Locator { return Locator{nodes: n, cursors: make([]cursor, len(n))} }

// Find gives the position of a node in the first extract that has it.
func (l *Locator) Find(id int64) (geom.Point, bool) {
	for i, p := range l.nodes {
		if at, ok := p.find(id, &l.cursors[i]); ok {
			return at, true
		}
	}
	return geom.Point{}, false
}

// HeldBefore says whether one of the first n extracts holds the node.
func (l *Locator) HeldBefore(n int, id int64) bool {
	for i, p := range l.nodes[:n] {
		if _, ok := p.find(id, &l.cursors[i]); ok {
			return true
		}
	}
	return false
}
