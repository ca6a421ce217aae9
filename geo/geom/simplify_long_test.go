package geom

import "testing"

// A zigzag in which every point matters is the worst that a line can be; it
// is cut, so that its cost grows with its length and not with the square.
func TestSimplifyLongZigzag(t *testing.T) {
	line := make([]Point, 200_000)
	for i := range line {
		line[i] = Point{X: int32(i), Y: int32(i%2) * int32(1000+i)}
	}
	if got := Simplify(line, 1); len(got) < len(line)*9/10 {
		t.Errorf("%d of %d points of a zigzag stayed", len(got), len(line))
	}
	flat := make([]Point, 100_000)
	for i := range flat {
		flat[i] = Point{X: int32(i) * 100}
	}
	if got := Simplify(flat, 1); len(got) > len(flat)/maxSplit+2 {
		t.Errorf("a straight line kept %d points", len(got))
	}
}
