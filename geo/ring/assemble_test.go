package ring

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Relations of the kinds found in the data, most of them bad.
var relations = []struct {
	name     string
	lines    []Line
	want     string
	problems string
}{
	{"nothing", nil, "", ""},
	{"one closed way", []Line{square(1, "outer", 0, 0, 10)}, "0,0 10,0 10,10 0,10 0,0", ""},
	{"clockwise, no role", []Line{way(1, "", 0, 0, 0, 10, 10, 10, 10, 0, 0, 0)}, "0,0 10,0 10,10 0,10 0,0", ""},
	{"any order and direction", []Line{way(3, "", 10, 10, 0, 10), way(1, "", 10, 10, 10, 0), way(4, "", 0, 0, 10, 0), way(2, "", 0, 0, 0, 10)},
		"0,0 10,0 10,10 0,10 0,0", ""},
	{"two outers", []Line{square(1, "outer", 0, 0, 10), square(2, "outer", 20, 0, 5)},
		"0,0 10,0 10,10 0,10 0,0\n20,0 25,0 25,5 20,5 20,0", ""},
	{"a hole", []Line{square(1, "outer", 0, 0, 10), square(2, "inner", 2, 2, 3)},
		"0,0 10,0 10,10 0,10 0,0 / 2,2 2,5 5,5 5,2 2,2", ""},
	{"roles swapped", []Line{square(1, "inner", 0, 0, 10), square(2, "outer", 2, 2, 3)},
		"0,0 10,0 10,10 0,10 0,0 / 2,2 2,5 5,5 5,2 2,2", "inner-outside 1@0,0; outer-inside 2@2,2"},
	{"an island in a hole", []Line{square(1, "outer", 0, 0, 10), square(2, "inner", 1, 1, 8), square(3, "outer", 2, 2, 2)},
		"0,0 10,0 10,10 0,10 0,0 / 1,1 1,9 9,9 9,1 1,1\n2,2 4,2 4,4 2,4 2,2", ""},
	{"a pond on an island in a hole", []Line{square(1, "outer", 0, 0, 20), square(2, "inner", 1, 1, 18), square(3, "outer", 2, 2, 9), square(4, "inner", 3, 3, 2)},
		"0,0 20,0 20,20 0,20 0,0 / 1,1 1,19 19,19 19,1 1,1\n2,2 11,2 11,11 2,11 2,2 / 3,3 3,5 5,5 5,3 3,3", ""},
	{"an inner outside", []Line{square(1, "outer", 0, 0, 10), square(2, "inner", 20, 0, 5)},
		"0,0 10,0 10,10 0,10 0,0", "inner-outside 2@20,0"},
	{"an inner whose outer is lost", []Line{{ID: 1, Role: "outer"}, square(2, "inner", 2, 2, 3)}, "", "inner-outside 2@2,2; missing-member 1@0,0"},
	{"an inner whose outer is lost, another outer is there", []Line{{ID: 1, Role: "outer"}, square(2, "inner", 2, 2, 3), square(3, "outer", 20, 0, 5)},
		"20,0 25,0 25,5 20,5 20,0", "inner-outside 2@2,2; missing-member 1@0,0"},
	{"an inner whose outer does not close", []Line{way(1, "", 0, 0, 10, 0, 10, 10), square(2, "inner", 2, 2, 3)},
		"", "inner-outside 2@2,2; unclosed 1@0,0; unclosed 1@10,10"},
	{"a pond on an island whose lake is lost", []Line{{ID: 1, Role: "outer"}, square(2, "inner", 0, 0, 20), square(3, "outer", 5, 5, 5), square(4, "inner", 6, 6, 2)},
		"5,5 10,5 10,10 5,10 5,5 / 6,6 6,8 8,8 8,6 6,6", "inner-outside 2@0,0; missing-member 1@0,0"},
	{"a pond on an island whose lake does not close", []Line{way(1, "outer", 30, 0, 40, 0), square(2, "inner", 0, 0, 20), square(3, "outer", 5, 5, 5), square(4, "inner", 6, 6, 2)},
		"5,5 10,5 10,10 5,10 5,5 / 6,6 6,8 8,8 8,6 6,6", "inner-outside 2@0,0; unclosed 1@30,0; unclosed 1@40,0"},
	{"only inners, one is lost", []Line{{ID: 1, Role: "inner"}, square(2, "inner", 0, 0, 10)}, "0,0 10,0 10,10 0,10 0,0", "inner-outside 2@0,0; missing-member 1@0,0"},
	{"only inners", []Line{square(1, "inner", 0, 0, 10)}, "0,0 10,0 10,10 0,10 0,0", "inner-outside 1@0,0"},

	{"outers touching in a point", []Line{square(1, "outer", 0, 0, 10), square(2, "outer", 10, 10, 10)},
		"0,0 10,0 10,10 0,10 0,0\n10,10 20,10 20,20 10,20 10,10", ""},
	{"one way touching itself", []Line{way(1, "outer", 0, 0, 10, 0, 10, 10, 20, 10, 20, 20, 10, 20, 10, 10, 0, 10, 0, 0)},
		"0,0 10,0 10,10 0,10 0,0\n10,10 20,10 20,20 10,20 10,10", ""},
	{"a hole touching the outer in its western vertex", []Line{square(1, "outer", 0, 0, 10), way(2, "inner", 0, 0, 5, 2, 2, 5, 0, 0)},
		"0,0 10,0 10,10 0,10 0,0 / 0,0 2,5 5,2 0,0", ""},
	{"a hole touching the outer in its eastern vertex", []Line{square(1, "outer", 0, 0, 10), way(2, "inner", 10, 10, 5, 8, 8, 5, 10, 10)},
		"0,0 10,0 10,10 0,10 0,0 / 5,8 10,10 8,5 5,8", ""},
	{"the same as one way", []Line{way(1, "outer", 0, 0, 10, 0, 10, 10, 8, 5, 5, 8, 10, 10, 0, 10, 0, 0)},
		"0,0 10,0 10,10 0,10 0,0 / 5,8 10,10 8,5 5,8", ""},
	{"a hole touching a side", []Line{square(1, "outer", 0, 0, 10), way(2, "inner", 5, 0, 7, 3, 3, 3, 5, 0)},
		"0,0 5,0 10,0 10,10 0,10 0,0 / 3,3 7,3 5,0 3,3", ""},
	{"a hole touching the outer twice parts it", []Line{square(1, "outer", 0, 0, 10), way(2, "inner", 5, 0, 6, 5, 5, 10, 4, 5, 5, 0)},
		"0,0 5,0 4,5 5,10 0,10 0,0\n5,0 10,0 10,10 5,10 6,5 5,0", ""},
	{"holes touching each other", []Line{square(1, "outer", 0, 0, 10), square(2, "inner", 2, 2, 3), square(3, "inner", 5, 5, 3)},
		"0,0 10,0 10,10 0,10 0,0 / 2,2 2,5 5,5 5,2 2,2 / 5,5 5,8 8,8 8,5 5,5", ""},
	{"holes side by side are one", []Line{square(1, "outer", 0, 0, 10), square(2, "inner", 2, 2, 3), way(3, "inner", 5, 2, 8, 2, 8, 5, 5, 5, 5, 2)},
		"0,0 10,0 10,10 0,10 0,0 / 2,2 2,5 5,5 8,5 8,2 5,2 2,2", "shared-segment 2@5,2"},
	{"outers side by side are one", []Line{square(1, "outer", 0, 0, 10), square(2, "outer", 10, 0, 10)},
		"0,0 10,0 20,0 20,10 10,10 0,10 0,0", "shared-segment 1@10,0"},
	{"a hole along a side", []Line{square(1, "outer", 0, 0, 10), way(2, "inner", 2, 0, 5, 0, 5, 3, 2, 3, 2, 0)},
		"0,0 2,0 2,3 5,3 5,0 10,0 10,10 0,10 0,0", "shared-segment 1@2,0"},

	{"a way missing", []Line{way(1, "outer", 0, 0, 10, 0, 10, 10), {ID: 2, Role: "outer"}, square(3, "outer", 20, 0, 5)},
		"20,0 25,0 25,5 20,5 20,0", "missing-member 2@0,0; unclosed 1@0,0; unclosed 1@10,10"},
	{"a tail", []Line{square(1, "outer", 0, 0, 10), way(2, "outer", 10, 10, 15, 15)},
		"0,0 10,0 10,10 0,10 0,0", "unclosed 2@15,15"},
	{"a bridge between rings", []Line{square(1, "outer", 0, 0, 10), way(2, "outer", 10, 10, 20, 20), square(3, "outer", 20, 20, 5)},
		"0,0 10,0 10,10 0,10 0,0\n20,20 25,20 25,25 20,25 20,20", "unclosed 2@10,10"},
	{"a chord", []Line{square(1, "outer", 0, 0, 10), way(2, "outer", 0, 0, 10, 10)},
		"0,0 10,0 10,10 0,10 0,0", "unclosed 2@0,0"},
	{"a spike", []Line{way(1, "outer", 0, 0, 10, 0, 10, 10, 15, 15, 10, 10, 0, 10, 0, 0)},
		"0,0 10,0 10,10 0,10 0,0", "shared-segment 1@10,10"},
	{"a way listed twice", []Line{way(1, "outer", 0, 0, 10, 0, 10, 10), way(2, "outer", 10, 10, 0, 10, 0, 0), way(1, "outer", 0, 0, 10, 0, 10, 10)},
		"0,0 10,0 10,10 0,10 0,0", "duplicate-way 1@0,0"},
	{"a stretch drawn by two ways", []Line{way(1, "outer", 0, 0, 10, 0, 10, 10), way(2, "outer", 10, 10, 0, 10, 0, 0), way(3, "outer", 0, 0, 10, 0, 10, 10)},
		"0,0 10,0 10,10 0,10 0,0", "shared-segment 1@0,0"},
	{"a closed way twice", []Line{square(1, "outer", 0, 0, 10), square(2, "outer", 0, 0, 10)}, "", "shared-segment 1@0,0"},
	{"points twice in a row", []Line{way(1, "", 0, 0, 0, 0, 10, 0, 10, 0, 10, 10, 0, 10, 0, 0, 0, 0)}, "0,0 10,0 10,10 0,10 0,0", ""},
	{"one point", []Line{way(1, "", 5, 5), way(2, "", 6, 6, 6, 6), square(3, "", 0, 0, 10)},
		"0,0 10,0 10,10 0,10 0,0", "too-short 1@5,5; too-short 2@6,6"},
	{"there and back", []Line{way(1, "", 0, 0, 10, 0, 0, 0)}, "", "shared-segment 1@0,0"},
	{"out of the world", []Line{way(1, "", 0, 0, 10, 0, 10, 900_000_001, 0, 0), square(2, "", 0, 0, 10)},
		"0,0 10,0 10,10 0,10 0,0", "outside-world 1@0,0"},

	{"a bow tie", []Line{way(1, "outer", 0, 0, 10, 10, 10, 0, 0, 10, 0, 0)},
		"0,0 5,5 0,10 0,0\n5,5 10,0 10,10 5,5", "self-intersection 1@5,5"},
	{"outers across each other", []Line{square(1, "outer", 0, 0, 10), square(2, "outer", 5, 5, 10)},
		"0,0 10,0 10,5 5,5 5,10 0,10 0,0\n5,10 10,10 10,5 15,5 15,15 5,15 5,10", "self-intersection 1@5,10; self-intersection 1@10,5"},
	{"a hole across the side", []Line{square(1, "outer", 0, 0, 10), square(2, "inner", 5, 4, 10)},
		"0,0 10,0 10,4 5,4 5,10 0,10 0,0\n5,10 10,10 10,4 15,4 15,14 5,14 5,10", "self-intersection 1@5,10; self-intersection 1@10,4"},
	{"four ways in a vertex", []Line{way(1, "", 0, 0, 10, 10), way(2, "", 10, 10, 0, 20), way(3, "", 0, 20, 0, 0), way(4, "", 20, 0, 10, 10), way(5, "", 10, 10, 20, 20), way(6, "", 20, 20, 20, 0)},
		"0,0 10,10 0,20 0,0\n10,10 20,0 20,20 10,10", ""},
	{"corners of the world", []Line{way(1, "", -1_800_000_000, -900_000_000, 1_800_000_000, -900_000_000, 1_800_000_000, 900_000_000, -1_800_000_000, 900_000_000, -1_800_000_000, -900_000_000), square(2, "inner", 0, 0, 10)},
		"-1800000000,-900000000 1800000000,-900000000 1800000000,900000000 -1800000000,900000000 -1800000000,-900000000 / 0,0 0,10 10,10 10,0 0,0", ""},
}

func TestAssemble(t *testing.T) {
	for _, c := range relations {
		t.Run(c.name, func(t *testing.T) {
			polygons, problems := Assemble(c.lines)
			valid(t, polygons)
			if got := draw(polygons); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if got := drawProblems(problems); got != c.problems {
				t.Errorf("problems\n%s\nwant\n%s", got, c.problems)
			}
		})
	}
}

// The order of the members and the direction of the ways change nothing.
func TestAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range relations {
		for range 20 {
			lines := slices.Clone(c.lines)
			rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			for i := range lines {
				if len(lines[i].Pts) > 0 && c.name != "out of the world" && c.name != "a way listed twice" && rng.IntN(2) == 0 {
					lines[i].Pts = slices.Clone(lines[i].Pts)
					slices.Reverse(lines[i].Pts)
				}
			}
			polygons, problems := Assemble(lines)
			if got := draw(polygons); got != c.want {
				t.Fatalf("%s in another order: got\n%s\nwant\n%s", c.name, got, c.want)
			}
			if got := drawProblems(problems); got != c.problems {
				t.Fatalf("%s in another order: problems\n%s\nwant\n%s", c.name, got, c.problems)
			}
		}
	}
}

// The ways given are not changed.
func TestInputUntouched(t *testing.T) {
	for _, c := range relations {
		var before []Line
		for _, l := range c.lines {
			l.Pts = slices.Clone(l.Pts)
			before = append(before, l)
		}
		Assemble(c.lines)
		for i, l := range c.lines {
			if l.ID != before[i].ID || !slices.Equal(l.Pts, before[i].Pts) {
				t.Errorf("%s: way %d was changed", c.name, l.ID)
			}
		}
	}
}

// Largest first, whatever the order of the ways.
func TestLargestFirst(t *testing.T) {
	polygons, _ := Assemble([]Line{square(1, "", 0, 0, 5), square(2, "", 20, 0, 50), square(3, "", 200, 0, 20)})
	if len(polygons) != 3 || polygons[0].Outer[0].X != 20 || polygons[1].Outer[0].X != 200 {
		t.Errorf("got\n%v", polygons)
	}
}
