// Package osmtest makes map extracts for tests: it writes valid PBF files of
// every shape the format allows, and finds real extracts.
//
// It promises exactly what was asked for, byte for byte the same each time. It
// refuses to be fast, and writes no metadata.
package osmtest

import (
	"cmp"
	"io"
	"slices"
	"time"

	"svc/geo/osm"
)

// Options shapes what Write and Writer produce. The zero value is a plain raw
// file of blocks of 8000 objects that does not claim to be sorted.
type Options struct {
	Compression Compression
	Dense       bool // nodes as DenseNodes
	PerBlob     int  // objects a blob, 8000 when 0
	// Sorted sorts by type and id and says so in the header. Without it the
	// blobs of the three types are written in turn, which is not sorted.
	Sorted bool
	// Claim says so in the header without sorting.
	Claim bool
	// Mixed puts several types into one blob where they meet.
	Mixed bool
	// Scattered writes repeated numbers one by one instead of packed.
	Scattered bool

	Granularity          int32 // 1e-9 degrees, 100 when 0
	LatOffset, LonOffset int64 // 1e-9 degrees

	Required    []string    // required features besides the usual ones
	Bounds      *[4]float64 // minlon, minlat, maxlon, maxlat in degrees
	Replication time.Time
	Program     string
}

// Write writes a complete file with the given objects.
func Write(w io.Writer, opts Options, nodes []osm.Node, ways []osm.Way, relations []osm.Relation) error {
	if opts.PerBlob <= 0 {
		opts.PerBlob = 8000
	}
	if opts.Sorted {
		nodes = slices.SortedStableFunc(slices.Values(nodes), func(a, b osm.Node) int { return cmp.Compare(a.ID, b.ID) })
		ways = slices.SortedStableFunc(slices.Values(ways), func(a, b osm.Way) int { return cmp.Compare(a.ID, b.ID) })
		relations = slices.SortedStableFunc(slices.Values(relations), func(a, b osm.Relation) int { return cmp.Compare(a.ID, b.ID) })
	}
	out := NewWriter(w, opts)
	for _, b := range blocks(opts, nodes, ways, relations) {
		out.Block(b)
	}
	return out.Err()
}

// blocks cuts the objects into blobs.
func blocks(opts Options, nodes []osm.Node, ways []osm.Way, relations []osm.Relation) []osm.Block {
	var out []osm.Block
	if opts.Mixed {
		for len(nodes)+len(ways)+len(relations) > 0 {
			var b osm.Block
			room := opts.PerBlob
			b.Nodes, nodes, room = cut(nodes, room)
			b.Ways, ways, room = cut(ways, room)
			b.Relations, relations, _ = cut(relations, room)
			out = append(out, b)
		}
		return out
	}
	var n, w, r []osm.Block
	for len(nodes) > 0 {
		var b osm.Block
		b.Nodes, nodes, _ = cut(nodes, opts.PerBlob)
		n = append(n, b)
	}
	for len(ways) > 0 {
		var b osm.Block
		b.Ways, ways, _ = cut(ways, opts.PerBlob)
		w = append(w, b)
	}
	for len(relations) > 0 {
		var b osm.Block
		b.Relations, relations, _ = cut(relations, opts.PerBlob)
		r = append(r, b)
	}
	if opts.Sorted {
		return slices.Concat(n, w, r)
	}
	for len(n)+len(w)+len(r) > 0 {
		for _, list := range []*[]osm.Block{&r, &w, &n} {
			if len(*list) > 0 {
				out = append(out, (*list)[0])
				*list = (*list)[1:]
			}
		}
	}
	return out
}

// cut takes up to room objects off a list, and gives the room left.
func cut[T any](list []T, room int) (head, tail []T, left int) {
	n := min(room, len(list))
	return list[:n], list[n:], room - n
}
