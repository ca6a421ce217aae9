package plane

import (
	"math"
	"math/rand/v2"
	"testing"
)

// perPoint reports nanoseconds for each of n points beside the target.
func perPoint(b *testing.B, n int, target float64) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/point")
	b.ReportMetric(target, "target-ns/point")
}

// blob is a simple ring of n points like an island with bays.
func blob(n int, x, y, radius float64) Ring {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var phase [6]float64
	for i := range phase {
		phase[i] = 2 * math.Pi * r.Float64()
	}
	ring := make(Ring, n)
	for i := range ring {
		a, reach := 2*math.Pi*float64(i)/float64(n), 0.7
		for k, p := range phase {
			reach += 0.25 / float64(int(1)<<k) * math.Sin(float64(int(3)<<(k+k/2))*a+p)
		}
		ring[i] = Point{int32(x + radius*reach*math.Cos(a)), int32(y + radius*reach*math.Sin(a))}
	}
	return ring
}

// BenchmarkClean10 cleans a building. Target: 1 µs.
func BenchmarkClean10(b *testing.B) {
	rings := []Ring{blob(10, 2000, 2000, 300)}
	b.ReportAllocs()
	for b.Loop() {
		Clean(rings)
	}
	b.ReportMetric(1000, "target-ns/op")
}

// BenchmarkCleanCoast cleans a coastline of 10,000 points that is valid. Target:
// 100 ns a point.
func BenchmarkCleanCoast(b *testing.B) {
	rings := []Ring{blob(10000, 0, 0, 1<<22)}
	b.ReportAllocs()
	for b.Loop() {
		Clean(rings)
	}
	perPoint(b, 10000, 100)
}

// BenchmarkCleanTangled cleans the same coastline rounded to the pixels of one
// tile, where it touches itself and runs back on itself. Target: 1 µs a point.
func BenchmarkCleanTangled(b *testing.B) {
	r := blob(10000, 0, 0, 1<<22)
	for i, p := range r {
		r[i] = Point{p.X >> 11, p.Y >> 11}
	}
	rings := []Ring{r}
	b.ReportAllocs()
	for b.Loop() {
		Clean(rings)
	}
	perPoint(b, 10000, 1000)
}

// BenchmarkCleanStar cleans a star far past the bounds of the exact way. Target:
// 2 s.
func BenchmarkCleanStar(b *testing.B) {
	rings := []Ring{star(100001, 2000)}
	for b.Loop() {
		Clean(rings)
	}
	b.ReportMetric(2e9, "target-ns/op")
}

// BenchmarkSlicer cuts the coastline into 64 tiles and into 16,384. Targets:
// 25 ns a point read, more where cells are as small as the way between points.
func BenchmarkSlicer(b *testing.B) {
	rings := []Ring{blob(10000, 1<<22, 1<<22, 1<<22)}
	lines := []Line{Line(rings[0])}
	for _, c := range []struct {
		name         string
		size         int32
		rings, lines float64 // targets
	}{{"64", 1 << 20, 25, 25}, {"16384", 1 << 16, 250, 50}} {
		s := Slicer{Size: c.size, Buffer: c.size / 64, Cells: Box{-1000, -1000, 1000, 1000}}
		b.Run("rings-"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Rings(rings, func(Cell) {})
			}
			perPoint(b, 10000, c.rings)
		})
		b.Run("lines-"+c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Lines(lines, func(Cell) {})
			}
			perPoint(b, 10000, c.lines)
		})
	}
	s := Slicer{Size: 1 << 16, Buffer: 1 << 10, Cells: Box{-1000, -1000, 1000, 1000}}
	building := []Ring{blob(10, 2000+1<<15, 2000+1<<15, 300)}
	b.Run("building", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.Rings(building, func(Cell) {})
		}
		perPoint(b, 10, 25)
	})
}

// BenchmarkSimplify drops nine points of ten. Target: 100 ns a point.
func BenchmarkSimplify(b *testing.B) {
	r := blob(10000, 0, 0, 1<<22)
	var out Ring
	for b.Loop() {
		out = SimplifyRing(out[:0], r, 2000)
	}
	perPoint(b, len(r), 100)
}

// BenchmarkPointInside finds the label of a building and of a lake. Targets: 20
// and 2,000 µs.
func BenchmarkPointInside(b *testing.B) {
	for _, c := range []struct {
		name   string
		n      int
		target float64
	}{{"10", 10, 20e3}, {"1000", 1000, 2e6}} {
		p := Polygon{blob(c.n, 0, 0, 1000)}
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				PointInside(p)
			}
			b.ReportMetric(c.target, "target-ns/op")
		})
	}
}

// BenchmarkMergeLines joins 10,000 pieces of five points into one line. Target:
// 60 ns a point.
func BenchmarkMergeLines(b *testing.B) {
	var lines []Line
	for i := range int32(10000) {
		l := Line{}
		for j := range int32(5) {
			l = append(l, Point{4*i + j, (4*i + j) % 7})
		}
		lines = append(lines, l)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	b.ReportAllocs()
	for b.Loop() {
		MergeLines(lines)
	}
	perPoint(b, 50000, 60)
}
