package tilebuild

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"svc/geo/geom"
	"svc/geo/osm"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tile"
	"svc/geo/tilesort"
)

// TestRecords: what is written is read.
func TestRecords(t *testing.T) {
	lines := []plane.Line{{{X: -64, Y: 4160}, {X: 0, Y: 0}}, {{X: 5, Y: 5}, {X: 6, Y: 6}, {X: 7, Y: 5}}}
	for _, r := range []record{
		{layer: shortbread.PlaceLabels, kind: lineRecord, flags: once | directed, order: math.MinInt32, source: 1<<62 - 1, part: 9, tags: math.MaxUint32, weight: 65535},
		{layer: shortbread.Ocean, kind: coverRecord, order: math.MaxInt32},
	} {
		body := appendParts(nil, lines)
		data := append(r.appendHead(nil, 77), body...)
		got := readRecord(data)
		if !slices.Equal(got.body, body) {
			t.Errorf("the body came back as %v", got.body)
		}
		got.body = nil
		if fmt.Sprint(got) != fmt.Sprint(r) {
			t.Errorf("%v came back as %v", r, got)
		}
		want := uint32(1)
		if r.kind == coverRecord {
			want = 77
		}
		if coverage(data) != want {
			t.Errorf("it covers %d tiles", coverage(data))
		}
	}
	parts, _ := readParts[plane.Line](nil, nil, appendParts(nil, lines))
	if fmt.Sprint(parts) != fmt.Sprint(lines) {
		t.Errorf("%v came back as %v", lines, parts)
	}
	if p := (plane.Point{X: -3, Y: 4000}); readPoint(appendPoint(nil, p)) != p {
		t.Error("a point came back elsewhere")
	}
	pts := []geom.Point{{X: 1_800_000_000, Y: -900_000_000}, {X: -1_800_000_000, Y: 900_000_000}, {}}
	if got := readDegrees(packDegrees(pts)); !slices.Equal(got, pts) {
		t.Errorf("%v came back as %v", pts, got)
	}
}

// TestMerge holds the sorter and the merger against the plain way: list every
// record under each of its tiles.
func TestMerge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 30 {
		s := tilesort.New(t.TempDir(), 0)
		s.Keep = int64(round%3) * 2000
		want := map[uint32][]string{}
		total := 0
		for range 1 + r.IntN(8) {
			b := s.Fresh()
			for range r.IntN(60) {
				code, n := uint32(r.IntN(400)), uint32(1)
				head := record{kind: pointRecord, source: uint64(total)}
				if r.IntN(3) == 0 {
					head.kind, n = coverRecord, 1+uint32(r.IntN(50))
				}
				data := binary.AppendUvarint(head.appendHead(nil, n), uint64(r.IntN(1000)))
				b.Add(code, data)
				for i := range n {
					want[code+i] = append(want[code+i], string(data))
				}
				total++
			}
			if err := s.Take(b); err != nil {
				t.Fatal(err)
			}
		}
		got, runs := merged(t, s)
		if len(got) != len(want) || runs > len(want) || s.Records() != int64(total) {
			t.Fatalf("%d tiles in %d runs, want %d; %d of %d records", len(got), runs, len(want), s.Records(), total)
		}
		for code, list := range want {
			slices.Sort(list)
			slices.Sort(got[code])
			if !slices.Equal(got[code], list) {
				t.Fatalf("round %d, tile %d: %d records, want %d", round, code, len(got[code]), len(list))
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// merged lists all records under each of their tiles.
func merged(t *testing.T, s *tilesort.Sorter) (map[uint32][]string, int) {
	m, err := tilesort.NewMerger(s.Streams(), coverage)
	if err != nil {
		t.Fatal(err)
	}
	got, runs, next := map[uint32][]string{}, 0, uint32(0)
	for {
		j := &job{}
		more, err := m.Run(j)
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return got, runs
		}
		runs++
		run := j.tiles[0]
		if run.code < next {
			t.Fatalf("tile %d after %d", run.code, next)
		}
		next = run.code + run.count
		for i := range run.count {
			from := 0
			for _, end := range j.ends {
				got[run.code+i] = append(got[run.code+i], string(j.data[from:end]))
				from = end
			}
		}
	}
}

// TestTooMuch: a source made to fill the disk ends with an error.
func TestTooMuch(t *testing.T) {
	s := tilesort.New(t.TempDir(), 0)
	s.Most = 1000
	b := s.Fresh()
	b.Add(1, make([]byte, 2000))
	if err := s.Take(b); err == nil || !strings.Contains(err.Error(), "--bounds") {
		t.Error(err)
	}
}

// TestCut: for random areas, the tiles that are handed over hold together what
// the area holds, each once: tile by tile the same as cutting it to that tile.
func TestCut(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		zoom := uint8(9)
		width := int32(4096) << r.IntN(6)
		center := plane.Point{X: int32(200 * 4096), Y: int32(100 * 4096)}
		var rings []plane.Ring
		n := 3 + r.IntN(20)
		for i, radius := range []float64{1, 0.4} {
			ring := make(plane.Ring, n)
			for k := range ring {
				a := 2 * math.Pi * float64(k) / float64(n)
				d := float64(width) * radius * (0.6 + 0.4*r.Float64())
				ring[k] = plane.Point{X: center.X + int32(d*math.Cos(a)), Y: center.Y + int32(d*math.Sin(a))}
			}
			if (ring.Area2() > 0) != (i == 0) {
				slices.Reverse(ring)
			}
			rings = append(rings, ring)
		}
		area := map[tile.ID]int64{}
		add := func(id tile.ID, a int64) {
			if _, twice := area[id]; twice {
				t.Fatalf("tile %v twice", id)
			}
			area[id] = a
		}
		var c cutter
		c.rings(rings, zoom, buffer, func(id tile.ID, pieces []plane.Ring) {
			add(id, area2Of(pieces))
		}, func(first uint64, n uint32) {
			for i := range uint64(n) {
				add(tile.FromCode(first+i), 2*(4096+2*buffer)*(4096+2*buffer))
			}
		})
		tiles := 0
		for x := uint32(100); x < 300; x++ {
			for y := uint32(0); y < 200; y++ {
				id := tile.ID{Z: zoom, X: x, Y: y}
				w := window{zoom: zoom, around: buffer}
				want := area2Of(plane.ClipRings(nil, rings, w.box(0, int32(x), int32(y))))
				if d := area[id] - want; d > 60_000 || d < -60_000 { // an edge moves by less than a pixel
					t.Fatalf("tile %v holds %d, want %d", id, area[id], want)
				}
				if want > 0 {
					tiles++
				}
			}
		}
		if len(area) < tiles-2 {
			t.Fatalf("%d tiles, want %d", len(area), tiles)
		}
	}
}

func area2Of(rings []plane.Ring) (sum int64) {
	for _, r := range rings {
		sum += r.Area2()
	}
	return sum
}

// TestCells: the cell of a node is the tile that holds it.
func TestCells(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var block []osm.Node
	var want cellSet
	for range 3000 {
		n := osm.Node{Lat: int32(r.IntN(1_800_000_001) - 900_000_000), Lon: int32(r.Int64N(3_600_000_001) - 1_800_000_000)}
		x, y := tile.Project(float64(n.Lon)/geom.Scale, float64(n.Lat)/geom.Scale)
		id := tile.Holding(cellZoom, x, y)
		want.add(uint16(id.Y<<cellZoom | id.X))
		block = append(block, n)
	}
	var got cellSet
	for _, c := range cellsOf(block) {
		got.add(c)
	}
	if len(got.list()) < 2000 {
		t.Errorf("%d cells", len(got.list()))
	}
	differ := 0
	for i := range got {
		if got[i] != want[i] {
			differ++
		}
	}
	if differ > 2 { // a node within half a metre of an edge
		t.Errorf("%d of %d words of cells differ", differ, len(got))
	}
}
