package coast

import (
	"context"
	"math"
	"slices"
	"testing"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
	"svc/geo/plane"
	"svc/geo/tile"
)

// extract is what the sea of a real extract is made of, and what checks it.
type extract struct {
	ways   []plane.Line
	cells  []tile.ID
	bounds plane.Box
	houses []plane.Point // nodes with a house number: they stand on land
}

func load(tb testing.TB, name string) *extract {
	tb.Helper()
	f, err := osm.Open(osmtest.Extract(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	e := &extract{}
	places := map[int64]plane.Point{}
	cells := map[tile.ID]bool{}
	scan(tb, f, osm.Nodes, func(b *osm.Block) {
		for _, n := range b.Nodes {
			x, y := tile.Project(float64(n.Lon)/1e7, float64(n.Lat)/1e7)
			p := plane.Point{X: x, Y: y}
			places[n.ID] = p
			cells[tile.Holding(CellZoom, x, y)] = true
			if n.Tags.Has("addr:housenumber") {
				e.houses = append(e.houses, p)
			}
		}
	})
	scan(tb, f, osm.Ways, func(b *osm.Block) {
		for _, w := range b.Ways {
			if w.Tags.Get("natural") != "coastline" {
				continue
			}
			var l plane.Line
			for _, id := range w.Refs {
				if p, ok := places[id]; ok {
					l = append(l, p)
				}
			}
			e.ways = append(e.ways, l)
		}
	})
	for id := range cells {
		e.cells = append(e.cells, id)
	}
	if d := f.Header().Bounds; d != nil {
		west, south := tile.Project(d[0], d[1])
		east, north := tile.Project(d[2], d[3])
		e.bounds = plane.Box{MinX: west, MinY: north, MaxX: east, MaxY: south}
	}
	return e
}

func scan(tb testing.TB, f *osm.File, kinds osm.Kinds, each func(*osm.Block)) {
	tb.Helper()
	// One block at a time: each appends to one list.
	turn := make(chan struct{}, 1)
	err := osm.Scan(context.Background(), f, kinds, nil, func(b *osm.Block) (struct{}, error) {
		turn <- struct{}{}
		each(b)
		<-turn
		return struct{}{}, nil
	}, nil)
	if err != nil {
		tb.Fatal(err)
	}
}

func atSea(cells []Cell, p plane.Point) bool {
	for _, c := range cells {
		if c.Box.Contains(p) && winding(c.Rings, float64(p.X)+0.3, float64(p.Y)+0.6) > 0 {
			return true
		}
	}
	return false
}

// squareKilometres is the area of the sea on the ground. One latitude stands for
// all: the extracts are small.
func squareKilometres(cells []Cell) float64 {
	sum := 0.0
	for _, c := range cells {
		for _, p := range plane.Clean(c.Rings) {
			_, lat := tile.Unproject(c.Box.MinX, p.Box().MinY/2+p.Box().MaxY/2)
			unit := 40075.016686 / tile.World * math.Cos(lat*math.Pi/180)
			sum += float64(p.Area2()) / 2 * unit * unit
		}
	}
	return sum
}

// TestRealCoasts makes the sea of real extracts and asks it about known places,
// its area, and every house with a number.
func TestRealCoasts(t *testing.T) {
	type place struct {
		name     string
		lon, lat float64
		sea      bool
	}
	tests := []struct {
		file     string
		min, max float64 // square kilometres of sea
		places   []place
	}{
		{
			// The bounds are 1,770 km², the islands 316.
			"malta.osm.pbf", 1420, 1490,
			[]place{
				{"north-east of Valletta", 14.56, 35.98, true}, {"the south-west corner", 14.11, 35.79, true},
				{"between Malta and Gozo", 14.318, 36.005, true}, {"the Grand Harbour", 14.5155, 35.8955, true},
				{"Mosta", 14.4258, 35.9092, false}, {"Victoria on Gozo", 14.2394, 36.0442, false},
				{"Comino", 14.336, 36.013, false}, {"Valletta", 14.513, 35.8985, false},
			},
		},
		{
			// The bounds are 273 km², a good half of them land.
			"vancouver-canada.osm.pbf", 60, 120,
			[]place{
				{"English Bay", -123.20, 49.29, true}, {"the Strait of Georgia", -123.285, 49.25, true},
				{"downtown", -123.1207, 49.2827, false}, {"Stanley Park", -123.142, 49.303, false},
				{"the university", -123.25, 49.26, false}, {"the south-east", -123.05, 49.22, false},
			},
		},
		{
			"monaco-osrm.osm.pbf", 10, 35,
			[]place{
				{"off Larvotto", 7.45, 43.735, true}, {"the south-east corner", 7.48, 43.715, true},
				{"Monaco-Ville", 7.4246, 43.7311, false}, {"La Turbie", 7.4003, 43.7456, false},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			e := load(t, tt.file)
			cells := Ocean(e.ways, Bounds{e.bounds}, e.cells)
			inside(t, cells, e.bounds)
			for _, p := range tt.places {
				x, y := tile.Project(p.lon, p.lat)
				if got := atSea(cells, plane.Point{X: x, Y: y}); got != p.sea {
					t.Errorf("%s (%v, %v): at sea %v, want %v", p.name, p.lon, p.lat, got, p.sea)
				}
			}
			area := squareKilometres(cells)
			if area < tt.min || area > tt.max {
				t.Errorf("the sea has %.0f km², want %.0f to %.0f", area, tt.min, tt.max)
			}
			wet := 0
			for _, p := range e.houses {
				if e.bounds.Contains(p) && atSea(cells, p) {
					wet++
				}
			}
			if wet*500 > len(e.houses) {
				t.Errorf("%d of %d houses stand in the sea", wet, len(e.houses))
			}
			t.Logf("%d ways, %d cells, %.1f km² of sea, %d of %d houses in it", len(e.ways), len(cells), area, wet, len(e.houses))
		})
	}
}

// TestRealCoastWithoutBounds: the islands of Malta are whole, so all around them
// is sea, in each cell as far as it goes.
func TestRealCoastWithoutBounds(t *testing.T) {
	e := load(t, "malta.osm.pbf")
	cells := Ocean(e.ways, nil, e.cells)
	var box plane.Box
	for _, c := range cells {
		box = c.Box
		inside(t, []Cell{c}, box)
		for i := range 4 {
			if p := corner(box.Expand(-1000), i); !atSea(cells, p) {
				t.Errorf("a corner of cell %v is land", c.ID)
			}
		}
	}
	if len(cells) != len(e.cells) {
		t.Errorf("%d of %d cells have sea", len(cells), len(e.cells))
	}
}

func BenchmarkOcean(b *testing.B) {
	e := load(b, "malta.osm.pbf")
	points := 0
	for _, w := range e.ways {
		points += len(w)
	}
	// The same coast many times over, shifted: a country's worth of points.
	var ways []plane.Line
	for i := range int32(50) {
		for _, w := range e.ways {
			shifted := slices.Clone(w)
			for j := range shifted {
				shifted[j].X += i * 200_000
			}
			ways = append(ways, shifted)
		}
	}
	var cells []tile.ID
	first, last := tile.Range(CellZoom, plane.BoxOf(slices.Concat(ways...)))
	for y := first.Y; y <= last.Y; y++ {
		for x := first.X; x <= last.X; x++ {
			cells = append(cells, tile.ID{Z: CellZoom, X: x, Y: y})
		}
	}
	for b.Loop() {
		Ocean(ways, nil, cells)
	}
	b.ReportMetric(float64(50*points)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
}
