package osm_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

const all = osm.Nodes | osm.Ways | osm.Relations

// clone copies a block so that it outlives work.
func clone(b *osm.Block) osm.Block {
	var out osm.Block
	for _, n := range b.Nodes {
		n.Tags = cloneTags(n.Tags)
		out.Nodes = append(out.Nodes, n)
	}
	for _, w := range b.Ways {
		w.Refs = append([]int64(nil), w.Refs...)
		w.Tags = cloneTags(w.Tags)
		out.Ways = append(out.Ways, w)
	}
	for _, r := range b.Relations {
		members := append([]osm.Member(nil), r.Members...)
		for i := range members {
			members[i].Role = strings.Clone(members[i].Role)
		}
		r.Members, r.Tags = members, cloneTags(r.Tags)
		out.Relations = append(out.Relations, r)
	}
	return out
}

func cloneTags(tags osm.Tags) osm.Tags {
	var out osm.Tags
	for _, t := range tags {
		out = append(out, osm.Tag{Key: strings.Clone(t.Key), Value: strings.Clone(t.Value)})
	}
	return out
}

// read collects all wanted objects of a file.
func read(f *osm.File, want osm.Kinds) (osm.Block, error) {
	var out osm.Block
	err := osm.Scan(context.Background(), f, want, nil,
		func(b *osm.Block) (osm.Block, error) { return clone(b), nil },
		func(b osm.Block) error {
			out.Nodes = append(out.Nodes, b.Nodes...)
			out.Ways = append(out.Ways, b.Ways...)
			out.Relations = append(out.Relations, b.Relations...)
			return nil
		})
	return out, err
}

// openBytes opens a file in memory under the name test.osm.pbf.
func openBytes(data []byte) (*osm.File, error) {
	return osm.OpenReader(bytes.NewReader(data), int64(len(data)), "test.osm.pbf")
}

func mustOpen(t *testing.T, data []byte) *osm.File {
	t.Helper()
	f, err := openBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sample makes n objects of each type, sorted by id, with every oddity the
// format can express: no tags, empty values, shared strings, negative ids,
// the corners of the world, ways without nodes, all types of member.
func sample(n int) osm.Block {
	var b osm.Block
	for i := range n {
		id := int64(i*7 - 3)
		node := osm.Node{ID: id, Lat: int32(i*1_234_567%900_000_000) - 10, Lon: -int32(i * 7_654_321 % 1_800_000_000)}
		if i%3 == 1 {
			node.Tags = osm.Tags{{Key: "name", Value: fmt.Sprintf("Узел %d", i)}, {Key: "note", Value: ""}}
		}
		b.Nodes = append(b.Nodes, node)
		way := osm.Way{ID: id}
		for j := range i % 5 {
			way.Refs = append(way.Refs, int64(j*j)-int64(i)<<33)
		}
		if i%2 == 0 {
			way.Tags = osm.Tags{{Key: "highway", Value: "residential"}}
		}
		b.Ways = append(b.Ways, way)
		rel := osm.Relation{ID: id}
		for j := range i % 4 {
			rel.Members = append(rel.Members, osm.Member{Type: osm.Type(j % 3), Ref: int64(i - 10*j), Role: []string{"", "outer", "inner"}[j%3]})
		}
		if i%2 == 1 {
			rel.Tags = osm.Tags{{Key: "type", Value: "multipolygon"}}
		}
		b.Relations = append(b.Relations, rel)
	}
	if n > 2 {
		b.Nodes[0].Lat, b.Nodes[0].Lon = 900_000_000, 1_800_000_000
		b.Nodes[1].Lat, b.Nodes[1].Lon = -900_000_000, -1_800_000_000
	}
	return b
}

// written gives the bytes of a file with the objects of b.
func written(t testing.TB, opts osmtest.Options, b osm.Block) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := osmtest.Write(&out, opts, b.Nodes, b.Ways, b.Relations); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// pieces gives the bytes of a file with exactly these blobs.
func pieces(t testing.TB, opts osmtest.Options, blocks ...osm.Block) []byte {
	t.Helper()
	var out bytes.Buffer
	w := osmtest.NewWriter(&out, opts)
	for _, b := range blocks {
		w.Block(b)
	}
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// only gives the wanted kinds of b.
func only(b osm.Block, want osm.Kinds) osm.Block {
	if want&osm.Nodes == 0 {
		b.Nodes = nil
	}
	if want&osm.Ways == 0 {
		b.Ways = nil
	}
	if want&osm.Relations == 0 {
		b.Relations = nil
	}
	return b
}

// ids gives the ids of a block, for short comparisons.
func ids(b osm.Block) (out []int64) {
	for _, n := range b.Nodes {
		out = append(out, n.ID)
	}
	for _, w := range b.Ways {
		out = append(out, w.ID)
	}
	for _, r := range b.Relations {
		out = append(out, r.ID)
	}
	return slices.Clip(out)
}
