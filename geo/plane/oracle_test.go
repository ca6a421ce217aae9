package plane

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// winding is the winding number of rings around p, which is on none of them.
func winding(rings []Ring, p Point) int {
	n := 0
	for _, r := range rings {
		for i, b := range r {
			a := r[(i+len(r)-1)%len(r)]
			left := (int64(b.X)-int64(a.X))*(int64(p.Y)-int64(a.Y)) - (int64(b.Y)-int64(a.Y))*(int64(p.X)-int64(a.X))
			switch {
			case a.Y <= p.Y && b.Y > p.Y && left > 0:
				n++
			case a.Y > p.Y && b.Y <= p.Y && left < 0:
				n--
			}
		}
	}
	return n
}

// gap is the distance of p from the nearest edge of rings.
func gap(rings []Ring, p Point) float64 {
	least := math.Inf(1)
	for _, r := range rings {
		for i, b := range r {
			least = min(least, segmentGap(r[(i+len(r)-1)%len(r)], b, p))
		}
	}
	return least
}

func segmentGap(a, b, p Point) float64 {
	dx, dy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	px, py := float64(p.X)-float64(a.X), float64(p.Y)-float64(a.Y)
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = max(0, min(1, (px*dx+py*dy)/l))
	}
	return math.Hypot(px-t*dx, py-t*dy)
}

// side is -1, 0 or 1 for where c lies of a-b.
func side(a, b, c Point) int {
	d := (int64(b.X)-int64(a.X))*(int64(c.Y)-int64(a.Y)) - (int64(b.Y)-int64(a.Y))*(int64(c.X)-int64(a.X))
	switch {
	case d > 0:
		return 1
	case d < 0:
		return -1
	}
	return 0
}

func on(a, b, p Point) bool {
	return side(a, b, p) == 0 && min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) && min(a.Y, b.Y) <= p.Y && p.Y <= max(a.Y, b.Y)
}

// wrong looks for everything that makes polygons invalid, by comparing all with
// all. It shares no code with Clean.
func wrong(ps []Polygon) error {
	for i, p := range ps {
		if len(p) == 0 {
			return fmt.Errorf("polygon %d is empty", i)
		}
		for j, r := range p {
			if err := wrongRing(r, j == 0); err != nil {
				return fmt.Errorf("polygon %d ring %d: %w", i, j, err)
			}
		}
		if err := wrongNest(p); err != nil {
			return fmt.Errorf("polygon %d: %w", i, err)
		}
	}
	return wrongPairs(ps)
}

func wrongRing(r Ring, outer bool) error {
	if len(r) < 3 {
		return fmt.Errorf("%d points", len(r))
	}
	area := int64(0)
	for i, b := range r {
		a := r[(i+len(r)-1)%len(r)]
		area += int64(a.X)*int64(b.Y) - int64(b.X)*int64(a.Y)
	}
	if area == 0 || (area > 0) != outer {
		return fmt.Errorf("area %d", area)
	}
	for i := range r {
		a, b := r[i], r[(i+1)%len(r)]
		for j := range r {
			c := r[j]
			if i != j && (i+1)%len(r) != j && on(a, b, c) {
				return fmt.Errorf("touches itself at %v", c)
			}
			d := r[(j+1)%len(r)]
			if side(a, b, c)*side(a, b, d) < 0 && side(c, d, a)*side(c, d, b) < 0 {
				return fmt.Errorf("crosses itself: %v-%v and %v-%v", a, b, c, d)
			}
		}
	}
	return nil
}

// wrongNest checks that holes are inside the outer ring and not in each other,
// and that touching rings do not part the inside.
func wrongNest(p Polygon) error {
	contains := func(r Ring, q Ring) (inside, outside bool) {
		double := make(Ring, len(r))
		for i, v := range r {
			double[i] = Point{2 * v.X, 2 * v.Y}
		}
		for i, b := range q { // the middles of edges, so that touching corners do not matter
			a := q[(i+len(q)-1)%len(q)]
			m := Point{a.X + b.X, a.Y + b.Y}
			if gap([]Ring{double}, m) == 0 {
				continue
			}
			if winding([]Ring{double}, m) != 0 {
				inside = true
			} else {
				outside = true
			}
		}
		return
	}
	for i, h := range p[1:] {
		if in, out := contains(p[0], h); out || !in {
			return fmt.Errorf("hole %d is not inside", i+1)
		}
		for j, o := range p[1:] {
			if in, _ := contains(o, h); i != j && in {
				return fmt.Errorf("hole %d is inside hole %d", i+1, j+1)
			}
		}
	}
	// Rings and the points where they touch are a forest, or the inside is parted.
	at := map[Point][]int{}
	for i, r := range p {
		for _, v := range r {
			for j, o := range p {
				touches := i == j
				for k := range o {
					touches = touches || on(o[k], o[(k+1)%len(o)], v)
				}
				if touches && !has(at[v], j) {
					at[v] = append(at[v], j)
				}
			}
		}
	}
	root := make([]int, len(p))
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			i = root[i]
		}
		return i
	}
	for v, rings := range at {
		for _, r := range rings[1:] {
			a, b := find(rings[0]), find(r)
			if a == b {
				return fmt.Errorf("the rings that touch at %v part the inside", v)
			}
			root[a] = b
		}
	}
	return nil
}

func has(s []int, v int) bool {
	for _, x := range s {
		if x == v {
			return true
		}
	}
	return false
}

// wrongPairs checks that rings cross nowhere and share no stretch.
func wrongPairs(ps []Polygon) error {
	var rings []Ring
	for _, p := range ps {
		rings = append(rings, p...)
	}
	for i, r := range rings {
		for _, s := range rings[:i] {
			for k, b := range r {
				a := r[(k+len(r)-1)%len(r)]
				for l, d := range s {
					c := s[(l+len(s)-1)%len(s)]
					o1, o2, o3, o4 := side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
					if o1*o2 < 0 && o3*o4 < 0 {
						return fmt.Errorf("%v-%v crosses %v-%v", a, b, c, d)
					}
					if o1 == 0 && o2 == 0 && overlap(a, b, c, d) {
						return fmt.Errorf("%v-%v runs along %v-%v", a, b, c, d)
					}
				}
			}
		}
	}
	return nil
}

// overlap says whether two segments on one line share more than a point.
func overlap(a, b, c, d Point) bool {
	if a.X == b.X {
		return min(max(a.Y, b.Y), max(c.Y, d.Y)) > max(min(a.Y, b.Y), min(c.Y, d.Y))
	}
	return min(max(a.X, b.X), max(c.X, d.X)) > max(min(a.X, b.X), min(c.X, d.X))
}

// moved is how far an edge may move by rounding: half the diagonal of a unit.
const moved = 0.7072

// differs looks for a place of the grid, farther than slack from the edges of
// rings, where polygons are not what the winding number of rings says. It looks
// at side x side places of the box.
func differs(rings []Ring, ps []Polygon, box Box, side int32, slack float64) error {
	var flat []Ring
	for _, p := range ps {
		flat = append(flat, p...)
	}
	stepX, stepY := max(1, (box.MaxX-box.MinX)/side), max(1, (box.MaxY-box.MinY)/side)
	for x := box.MinX; x <= box.MaxX; x += stepX {
		for y := box.MinY; y <= box.MaxY; y += stepY {
			p := Point{x, y}
			if gap(rings, p) <= slack {
				continue
			}
			want := 0
			if winding(rings, p) > 0 {
				want = 1
			}
			if got := winding(flat, p); got != want {
				return fmt.Errorf("%d polygons cover %v, want %d", got, p, want)
			}
		}
	}
	return nil
}

func boxOfRings(rings []Ring) Box {
	b := Nowhere()
	for _, r := range rings {
		b = b.Union(BoxOf(r))
	}
	return b
}

// parse reads "0,0 10,0 10,10 / 1,1 2,1 2,2".
func parse(t testing.TB, text string) []Ring {
	t.Helper()
	var out []Ring
	for _, part := range strings.Split(text, "/") {
		var r Ring
		for _, f := range strings.Fields(part) {
			x, y, _ := strings.Cut(f, ",")
			a, err1 := strconv.Atoi(x)
			b, err2 := strconv.Atoi(y)
			if err1 != nil || err2 != nil {
				t.Fatalf("point %q", f)
			}
			r = append(r, Point{int32(a), int32(b)})
		}
		if len(r) > 0 {
			out = append(out, r)
		}
	}
	return out
}

func write(rings []Ring) string {
	var parts []string
	for _, r := range rings {
		var points []string
		for _, p := range r {
			points = append(points, fmt.Sprintf("%d,%d", p.X, p.Y))
		}
		parts = append(parts, strings.Join(points, " "))
	}
	return strings.Join(parts, " / ")
}

func writePolygons(ps []Polygon) string {
	parts := make([]string, len(ps))
	for i, p := range ps {
		parts[i] = write(p)
	}
	return strings.Join(parts, "\n")
}

// foreign makes rings of bytes: 255 begins another ring; the first byte says how
// large the plane is.
func foreign(data []byte) []Ring {
	if len(data) == 0 {
		return nil
	}
	size, scale := int32(data[0]&31)+4, int32(1)
	if data[0]&0x80 != 0 {
		scale = Limit/128 - 1
	}
	var out []Ring
	var r Ring
	data = data[1:min(len(data), 200)]
	for ; len(data) >= 2; data = data[2:] {
		if data[0] == 255 {
			out, r = append(out, r), nil
			data = data[1:]
			if len(data) < 2 {
				break
			}
		}
		p := Point{int32(data[0])%size - 2, int32(data[1])%size - 2}
		// Large shapes are not on a raster of few places: digits of the bytes are added.
		p.X, p.Y = p.X*scale+(scale-1)/977*int32(data[1]%8), p.Y*scale+(scale-1)/1013*int32(data[0]%8)
		r = append(r, p)
	}
	return append(out, r)
}

// sane checks Clean against the oracle.
func sane(t *testing.T, rings []Ring) []Polygon {
	t.Helper()
	got := CleanThoroughly(rings) // small grids full of crossings are what it must get right
	if err := wrong(got); err != nil {
		t.Fatalf("Clean(%s) = %s: %v", write(rings), writePolygons(got), err)
	}
	var whole []Ring
	for _, r := range rings {
		if len(r) > 0 {
			whole = append(whole, r)
		}
	}
	if box := boxOfRings(whole); !box.Empty() {
		if err := differs(whole, got, box.Expand(1), 40, moved); err != nil {
			t.Fatalf("Clean(%s) = %s: %v", write(rings), writePolygons(got), err)
		}
	}
	var again []Ring
	for _, p := range got {
		again = append(again, p...)
	}
	if twice := writePolygons(Clean(again)); twice != writePolygons(got) {
		t.Fatalf("Clean(%s):\n%s\nand again:\n%s", write(rings), writePolygons(got), twice)
	}
	return got
}
