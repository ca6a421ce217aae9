package plane

import (
	"math"
	"slices"
	"testing"
	"time"
)

func TestSimplifyLine(t *testing.T) {
	for _, c := range []struct {
		name, line string
		tolerance  float64
		want       string
	}{
		{"nothing", "", 1, ""},
		{"two points", "0,0 5,5", 9, "0,0 5,5"},
		{"in line", "0,0 5,5 9,9", 0, "0,0 9,9"},
		{"in line but there and back", "0,0 9,9 5,5", 0, "0,0 9,9 5,5"},
		{"a bump within", "0,0 5,2 10,0", 2, "0,0 10,0"},
		{"a bump beyond", "0,0 5,3 10,0", 2, "0,0 5,3 10,0"},
		{"past the end", "0,0 13,0 10,0", 2, "0,0 13,0 10,0"},
		{"closed", "0,0 5,1 9,0 9,9 0,9 0,0", 2, "0,0 9,0 9,9 0,9 0,0"},
		{"negative tolerance", "0,0 5,5 9,9", -1, "0,0 5,5 9,9"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l Line
			for _, r := range parse(t, c.line) {
				l = Line(r)
			}
			got := SimplifyLine(nil, l, c.tolerance)
			if w := writeLines([]Line{got}); w != c.want {
				t.Errorf("got %q, want %q", w, c.want)
			}
			if in := SimplifyLine(l[:0], l, c.tolerance); !slices.Equal(in, got) {
				t.Errorf("in place %v, want %v", in, got)
			}
		})
	}
}

func TestSimplifyRing(t *testing.T) {
	for _, c := range []struct {
		name, ring string
		tolerance  float64
		want       string
	}{
		{"a square", "9,9 0,9 0,0 9,0", 3, "0,0 9,0 9,9 0,9"},
		{"in line", "5,0 9,0 9,9 0,9 0,0", 0, "0,0 9,0 9,9 0,9"},
		{"small", "9,9 0,9 0,0 9,0", 13, ""},
		{"a sliver", "0,0 50,1 99,0 50,-1", 2, ""},
		{"two points", "0,0 5,5", 1, "0,0 5,5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.ring)[0]
			for range r {
				got := SimplifyRing(Ring{{7, 7}}, r, c.tolerance)
				if w := write([]Ring{got[1:]}); w != c.want && len(r) > 2 {
					t.Errorf("%v became %q, want %q", r, w, c.want)
				}
				r = append(r[1:len(r):len(r)], r[0])
			}
		})
	}
}

// What is left out lies within the tolerance of what stays.
func TestSimplifyTolerance(t *testing.T) {
	r := blob(20000, 0, 0, 1<<20)
	for _, tolerance := range []float64{1, 30, 1000, 30000} {
		got := SimplifyRing(nil, r, tolerance)
		if len(got) < 3 || len(got) == len(r) {
			t.Fatalf("%d points of %d", len(got), len(r))
		}
		for i := 0; i < len(r); i += 37 {
			if d := gap([]Ring{got}, r[i]); d > tolerance*1.000001 {
				t.Fatalf("%v is %v from the ring, tolerance %v", r[i], d, tolerance)
			}
		}
	}
}

// A zigzag costs the square of its length when it is simplified as one.
func TestSimplifyZigzag(t *testing.T) {
	l := make(Line, 200000)
	for i := range l {
		l[i] = Point{int32(i), int32(math.Pow(-1, float64(i))) * int32(i)}
	}
	start := time.Now()
	if got := SimplifyLine(nil, l, 0.1); len(got) < len(l)-2 {
		t.Errorf("%d points", len(got))
	}
	if spent := time.Since(start); spent > 15*time.Second { // a second, against half a minute
		t.Errorf("took %v", spent)
	}
}

func TestMergeLines(t *testing.T) {
	for _, c := range []struct{ name, lines, want, directed string }{
		{"nothing", "", "", ""},
		{"one", "0,0 1,1", "0,0 1,1", "0,0 1,1"},
		{"in order", "0,0 1,1 / 1,1 2,2", "0,0 1,1 2,2", "0,0 1,1 2,2"},
		{"out of order", "1,1 2,2 / 0,0 1,1", "0,0 1,1 2,2", "0,0 1,1 2,2"},
		{"towards each other", "0,0 1,1 / 2,2 1,1", "0,0 1,1 2,2", "0,0 1,1 / 2,2 1,1"},
		{"away from each other", "1,1 0,0 / 1,1 2,2", "2,2 1,1 0,0", "1,1 0,0 / 1,1 2,2"},
		{"three meet", "0,0 1,1 / 1,1 2,2 / 1,1 2,0", "0,0 1,1 / 1,1 2,2 / 1,1 2,0", "0,0 1,1 / 1,1 2,2 / 1,1 2,0"},
		{"five", "0,0 1,0 2,0 / 4,0 3,0 2,0 / 4,0 5,0 / 9,0 5,0 / 9,0 9,9", "0,0 1,0 2,0 3,0 4,0 5,0 9,0 9,9", "0,0 1,0 2,0 / 4,0 3,0 2,0 / 4,0 5,0 / 9,0 5,0 / 9,0 9,9"},
		{"a loop of two", "0,0 5,0 / 5,0 5,5 0,0", "0,0 5,0 5,5 0,0", "0,0 5,0 5,5 0,0"},
		{"a loop of three from its first", "5,0 5,5 / 0,0 5,0 / 0,0 5,5", "5,0 5,5 0,0 5,0", "0,0 5,0 5,5 / 0,0 5,5"},
		{"a closed line stays", "0,0 5,0 5,5 0,0", "0,0 5,0 5,5 0,0", "0,0 5,0 5,5 0,0"},
		{"a closed line and one that ends there", "0,0 5,0 5,5 0,0 / 0,0 -9,0", "0,0 5,0 5,5 0,0 / 0,0 -9,0", "0,0 5,0 5,5 0,0 / 0,0 -9,0"},
		{"too short", "0,0 / 0,0 1,1 / 1,1", "0,0 1,1", "0,0 1,1"},
		{"the same twice", "0,0 1,1 / 0,0 1,1", "0,0 1,1", "0,0 1,1"},
		{"the same back", "0,0 1,1 / 1,1 0,0", "0,0 1,1", "0,0 1,1 0,0"},
		{"out and back on one street", "0,0 1,0 2,0 / 2,0 1,0 1,5", "0,0 1,0 2,0 / 1,0 1,5", "0,0 1,0 2,0 1,0 1,5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var lines []Line
			for _, r := range parse(t, c.lines) {
				lines = append(lines, Line(r))
			}
			if got := writeLines(MergeLines(lines)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got := writeLines(MergeDirected(lines)); got != c.directed {
				t.Errorf("directed: got %s, want %s", got, c.directed)
			}
		})
	}
}

// segments counts the segments of lines, with their direction or without.
func segments(lines []Line, directed bool) map[[2]Point]int {
	out := map[[2]Point]int{}
	for _, l := range lines {
		for i := 1; i < len(l); i++ {
			a, b := l[i-1], l[i]
			if !directed && a.compare(b) > 0 {
				a, b = b, a
			}
			out[[2]Point{a, b}]++
		}
	}
	return out
}

func FuzzMergeLines(f *testing.F) {
	f.Add([]byte{3, 0, 0, 1, 1, 255, 1, 1, 2, 2, 255, 2, 2, 0, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		var lines []Line
		for _, r := range foreign(data) {
			lines = append(lines, Line(r))
		}
		for _, directed := range []bool{false, true} {
			got := merge(lines, directed)
			want, have := segments(lines, directed), segments(got, directed)
			if len(want) != len(have) {
				t.Fatalf("%v became %v", lines, got)
			}
			for s, n := range want {
				if s[0] != s[1] {
					n = 1 // nothing runs over itself
				}
				if have[s] != n {
					t.Fatalf("%v: segment %v %d times, want %d", lines, s, have[s], n)
				}
			}
			ends := map[Point]int{}
			for _, l := range got {
				ends[l[0]]++
				ends[l[len(l)-1]]++
			}
			for _, l := range got {
				if a, b := l[0], l[len(l)-1]; !directed && (a != b && (ends[a] == 2 || ends[b] == 2)) {
					t.Fatalf("%v became %v, which could be joined", lines, got)
				}
			}
		}
	})
}
