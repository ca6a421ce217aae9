package ring

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// All multipolygons and boundaries of a real extract: what is promised holds
// for each, and a complete relation gives exactly the places that an odd number
// of its lines surround.
func TestRealRelations(t *testing.T) {
	relations := load(t, osmtest.Delaware(t))
	rng := rand.New(rand.NewPCG(15, 16))
	complete, made := 0, 0
	kinds := map[string]int{}
	for _, lines := range relations {
		polygons, problems := Assemble(lines)
		valid(t, polygons)
		whole := true
		for _, p := range problems {
			kinds[p.Kind]++
			whole = whole && p.Kind == Shared
		}
		if len(polygons) > 0 {
			made++
		}
		for _, p := range polygons {
			if at := InnerPoint(p); side(p.Outer, at) <= 0 || !Contains(p, at) {
				t.Fatalf("the label %v is not inside", at)
			}
		}
		if whole && len(polygons) > 0 {
			complete++
			compareFill(t, rng, lines, polygons)
		}
	}
	t.Logf("%d relations, %d with polygons, %d complete, problems %v", len(relations), made, complete, kinds)
	if complete < 300 {
		t.Errorf("only %d of %d relations are complete", complete, len(relations))
	}
}

// compareFill counts, at random places, the segments of the relation to the west.
func compareFill(t *testing.T, rng *rand.Rand, lines []Line, polygons []Polygon) {
	var low, high = Point{X: math.MaxInt32, Y: math.MaxInt32}, Point{X: math.MinInt32, Y: math.MinInt32}
	for _, p := range polygons {
		l, h := box(p.Outer)
		low.X, low.Y, high.X, high.Y = min(low.X, l.X), min(low.Y, l.Y), max(high.X, h.X), max(high.Y, h.Y)
	}
	for range 20 {
		p := Point{X: low.X + rng.Int32N(high.X-low.X+1), Y: low.Y + rng.Int32N(high.Y-low.Y+1)}
		odd, on := false, false
		for _, l := range lines {
			for i := 1; i < len(l.Pts); i++ {
				a, b := l.Pts[i-1], l.Pts[i]
				if (a.Y > p.Y) != (b.Y > p.Y) && (orient(a, b, p) > 0) == (b.Y > a.Y) {
					odd = !odd
				}
				on = on || orient(a, b, p) == 0
			}
		}
		if got := slices.ContainsFunc(polygons, func(q Polygon) bool { return Contains(q, p) }); got != odd && !on {
			t.Fatalf("%v: inside %t, an odd number of lines around it %t", p, got, odd)
		}
	}
}

// load gives the lines of all relations of type multipolygon or boundary.
func load(t *testing.T, path string) [][]Line {
	t.Helper()
	f, err := osm.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var relations [][]osm.Member
	ways := map[int64][]int64{}
	scan(t, f, osm.Relations, func(b *osm.Block) {
		for _, r := range b.Relations {
			if kind := r.Tags.Get("type"); kind != "multipolygon" && kind != "boundary" {
				continue
			}
			members := slices.Clone(r.Members)
			for i := range members {
				members[i].Role = strings.Clone(members[i].Role)
				if members[i].Type == osm.TypeWay {
					ways[members[i].Ref] = nil
				}
			}
			relations = append(relations, members)
		}
	})
	places := map[int64]Point{}
	scan(t, f, osm.Ways, func(b *osm.Block) {
		for _, w := range b.Ways {
			if _, wanted := ways[w.ID]; wanted {
				ways[w.ID] = slices.Clone(w.Refs)
				for _, n := range w.Refs {
					places[n] = Point{}
				}
			}
		}
	})
	scan(t, f, osm.Nodes, func(b *osm.Block) {
		for _, n := range b.Nodes {
			if _, wanted := places[n.ID]; wanted {
				places[n.ID] = Point{X: n.Lon, Y: n.Lat}
			}
		}
	})
	var out [][]Line
	for _, members := range relations {
		var lines []Line
		for _, m := range members {
			if m.Type != osm.TypeWay {
				continue
			}
			l := Line{ID: m.Ref, Role: m.Role, Nodes: ways[m.Ref]}
			for _, n := range l.Nodes {
				l.Pts = append(l.Pts, places[n])
			}
			lines = append(lines, l)
		}
		out = append(out, lines)
	}
	return out
}

// scan gives the blocks one at a time.
func scan(t *testing.T, f *osm.File, kinds osm.Kinds, each func(*osm.Block)) {
	t.Helper()
	gate := make(chan struct{}, 1)
	err := osm.Scan(context.Background(), f, kinds, nil, func(b *osm.Block) (struct{}, error) {
		gate <- struct{}{}
		each(b)
		<-gate
		return struct{}{}, nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
}
