package nodes

import (
	"math/rand/v2"
	"testing"

	"svc/geo/geom"
	"svc/geo/osm"
)

// TestPositions holds the store of nodes against a map, for ids that are close,
// far apart, unsorted and repeated.
func TestPositions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		p, want := &Positions{}, map[int64]geom.Point{}
		id := int64(0)
		for range 1 + r.IntN(6) {
			var block []osm.Node
			for range r.IntN(300) {
				switch r.IntN(10) {
				case 0:
					id += 1 << 33
				case 1:
					id += int64(r.IntN(5000))
				case 2:
					if round%2 == 1 {
						id -= int64(r.IntN(2000)) // out of order, or seen before
					}
				default:
					id++
				}
				n := osm.Node{ID: id, Lat: r.Int32(), Lon: r.Int32()}
				block = append(block, n)
				if _, seen := want[id]; !seen {
					want[id] = geom.Point{X: n.Lon, Y: n.Lat}
				}
			}
			p.Add(ChunksOf(block))
		}
		p.Finish()
		l := All{p}.Locator()
		for id, at := range want {
			for _, near := range []int64{id, id + 1, id, id - 1} {
				got, ok := l.Find(near)
				expect, held := want[near]
				if ok != held || got != expect {
					t.Fatalf("round %d: node %d is at %v, %t; want %v, %t", round, near, got, ok, expect, held)
				}
			}
			_ = at
		}
	}
	none := All{&Positions{}}.Locator()
	if _, ok := none.Find(1); ok {
		t.Error("an empty extract has a node")
	}
}
