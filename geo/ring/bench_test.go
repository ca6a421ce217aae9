package ring

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// country makes a border of 100,000 points and 3,000 islands, in 2,000 ways and
// a way an island.
func country(rng *rand.Rand) []Line {
	border := star(rng, "outer", 6e8, 4e8, 4.99e7, 5e7, 100_000)
	var lines []Line
	for i := 0; i < 100_000; i += 50 {
		lines = append(lines, Line{ID: int64(i + 1), Role: "outer", Pts: border.Pts[i : i+51]})
	}
	for i := range 3000 {
		l := star(rng, "outer", 6.6e8+float64(i%60)*1e6, 3.7e8+float64(i/60)*1e6, 1e5, 4e5, 12)
		l.ID = int64(1_000_000 + i)
		lines = append(lines, l)
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

func BenchmarkCountry(b *testing.B) {
	lines := country(rand.New(rand.NewPCG(1, 1)))
	points := 0
	for _, l := range lines {
		points += len(l.Pts)
	}
	for b.Loop() {
		if polygons, problems := Assemble(lines); len(polygons) != 3001 || len(problems) != 0 {
			b.Fatalf("%d polygons, %s", len(polygons), drawProblems(problems))
		}
	}
	b.ReportMetric(float64(points), "points")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(points), "ns/point")
}

func BenchmarkBuilding(b *testing.B) {
	lines := []Line{square(1, "outer", 0, 0, 1000), square(2, "inner", 200, 200, 300)}
	for b.Loop() {
		Assemble(lines)
	}
}

func BenchmarkInnerPoint(b *testing.B) {
	polygons, _ := Assemble(country(rand.New(rand.NewPCG(1, 1))))
	b.Run("country", func(b *testing.B) {
		for b.Loop() {
			InnerPoint(polygons[0])
		}
	})
	b.Run("island", func(b *testing.B) {
		for b.Loop() {
			InnerPoint(polygons[1])
		}
	})
}

// Lines made to cost much time end in an answer, or in too-complex, soon.
func TestHostileLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	random := func(n int) Line {
		l := Line{ID: 1}
		for range n {
			l.Pts = append(l.Pts, Point{X: rng.Int32N(1e9), Y: rng.Int32N(9e8)})
		}
		l.Pts = append(l.Pts, l.Pts[0])
		return l
	}
	comb := Line{ID: 1} // long parallel teeth: every box overlaps every other
	for i := range int32(40_000) {
		comb.Pts = append(comb.Pts, Point{X: -900_000_000 + i%2*1_800_000_000 + i*10, Y: i/2*2*10 - 8e8 + i%2*8e8})
	}
	comb.Pts = append(comb.Pts, comb.Pts[0])
	var grid []Line // a mesh of ways: odd vertices all along its edge
	for i := range int32(300) {
		h, v := Line{ID: int64(2*i + 1)}, Line{ID: int64(2*i + 2)}
		for j := range int32(300) {
			h.Pts = append(h.Pts, Point{X: j * 100, Y: i * 100})
			v.Pts = append(v.Pts, Point{X: i * 100, Y: j * 100})
		}
		grid = append(grid, h, v)
	}
	var far []Line // odd vertices with a long way to each other
	for i := range int32(200) {
		ring := star(rng, "", float64(i)*5e6, 0, 1e6, 2e6, 2000)
		chord := Line{Pts: []Point{ring.Pts[0], ring.Pts[1000]}}
		far = append(far, ring, chord)
	}
	var flat []Line // many rings under many long segments
	for i := range int32(15_000) {
		flat = append(flat, way(int64(i+1), "", -1_700_000_000+i, i*10, 1_700_000_000, i*10+1, 1_700_000_000, i*10+2, -1_700_000_000+i, i*10))
	}
	complex := map[string]bool{"random small": true, "random large": true, "comb": true, "flat": true}
	for name, lines := range map[string][]Line{
		"random small": {random(300)}, "random large": {random(20_000)}, "comb": {comb},
		"mesh": grid, "chords": far, "flat": flat, "points in one place": {way(1, "", make([]int32, 200_000)...)},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			polygons, problems := Assemble(lines)
			if spent := time.Since(start); spent > 5*time.Minute { // what costs the square takes hours
				t.Errorf("took %v", spent)
			}
			hard := slices.ContainsFunc(problems, func(p Problem) bool { return p.Kind == TooComplex })
			if len(problems) == 0 || hard != complex[name] || hard && polygons != nil {
				t.Errorf("%d polygons, %d problems, too complex: %t", len(polygons), len(problems), hard)
			}
			for _, p := range polygons {
				validRing(t, p.Outer, 1)
			}
			t.Logf("%v: %d polygons, %d problems", time.Since(start).Round(time.Millisecond), len(polygons), len(problems))
		})
	}
}
