package osm_test

import (
	"testing"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// FuzzBlock: no bytes make the decoder of blocks panic, and what it gives holds
// its promises.
func FuzzBlock(f *testing.F) {
	for _, opts := range []osmtest.Options{{}, {Dense: true}, {Scattered: true}, {Granularity: 1000, LatOffset: 5, Dense: true}} {
		f.Add(osmtest.EncodeBlock(opts, sample(9)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, kinds, err := osm.DecodeBlock(data, all)
		if err != nil {
			return
		}
		for _, n := range b.Nodes {
			if n.Lat < -900_000_000 || n.Lat > 900_000_000 || n.Lon < -1_800_000_000 || n.Lon > 1_800_000_000 {
				t.Fatalf("node %+v is outside the world", n)
			}
		}
		for _, r := range b.Relations {
			for _, m := range r.Members {
				if m.Type > osm.TypeRelation {
					t.Fatalf("member %+v has no type", m)
				}
			}
		}
		var seen osm.Kinds
		for k, n := range map[osm.Kinds]int{osm.Nodes: len(b.Nodes), osm.Ways: len(b.Ways), osm.Relations: len(b.Relations)} {
			if n > 0 {
				seen |= k
			}
		}
		if seen&^kinds != 0 {
			t.Fatalf("the block gives %v but reports %v", seen, kinds)
		}
		if _, peeked, err := osm.DecodeBlock(data, 0); err != nil || peeked != kinds {
			t.Fatalf("looking gives %v, %v; reading %v", peeked, err, kinds)
		}
	})
}

// FuzzOpen: no file makes Open or Scan panic or hang, and reading the kinds one
// by one never gives less than reading them together without an error.
func FuzzOpen(f *testing.F) {
	for _, c := range []osmtest.Compression{osmtest.Raw, osmtest.Zlib, osmtest.Zstd, osmtest.LZ4} {
		f.Add(written(f, osmtest.Options{Compression: c, Sorted: true, Dense: true, PerBlob: 3}, sample(7)))
	}
	f.Add(written(f, osmtest.Options{Claim: true, PerBlob: 2, Bounds: &[4]float64{1, 2, 3, 4}}, sample(5)))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := openBytes(data)
		if err != nil {
			return
		}
		parts, err := inTurn(file, []osm.Kinds{osm.Relations, osm.Ways, osm.Nodes})
		if err != nil {
			return
		}
		again, err := openBytes(data)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := read(again, all)
		if err != nil {
			t.Fatalf("one by one there is no error, together there is: %v", err)
		}
		if len(whole.Nodes) != len(parts.Nodes) || len(whole.Ways) != len(parts.Ways) || len(whole.Relations) != len(parts.Relations) {
			t.Fatalf("one by one %d, %d, %d objects, together %d, %d, %d", len(parts.Nodes), len(parts.Ways), len(parts.Relations),
				len(whole.Nodes), len(whole.Ways), len(whole.Relations))
		}
	})
}
