package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"svc/geo/geom"
)

// Categories of the test files.
const (
	catPlace = iota
	catStreet
	catCafe
	catAddress
	catPeak
	catEmpty
)

// testModel makes a model of n entries of every kind, the same for a seed.
func testModel(n int, seed uint64) *Model {
	r := rand.New(rand.NewPCG(seed, 7))
	s := NewInterner()
	m := &Model{Strings: s, Meta: Meta{
		SourceTime: time.Date(2026, 11, 19, 20, 21, 0, 0, time.UTC), Bounds: [4]float64{69, 41, 70, 42},
		Categories: []CategoryMeta{{"place.city", "place"}, {"street", "street"}, {"food.cafe", "poi"}, {"address", "address"}, {"nature.peak", "nature"}, {"food.bar", "poi"}},
		Languages:  []string{"uz", "ru"}, Builder: "test",
	}}
	word := func() uint32 { return s.ID(fmt.Sprintf("Soʻz %d %c", r.IntN(n), 'a'+rune(r.IntN(26)))) }
	for i := range n {
		e := Entry{
			Source: NewSource("nwr"[i%3], int64(1_000_000+i)), Point: geom.FromDegrees(41+r.Float64(), 69+r.Float64()),
			StreetEntry: -1, Rank: uint16(200 + r.IntN(9800)), Category: uint8(i % 5),
			Admin: Admin{City: word() % 5, Region: word() % 3, Neighbourhood: word() % 7},
		}
		switch e.Category {
		case catAddress:
			e.House, e.Bits, e.Rank = s.ID(fmt.Sprint(1+r.IntN(99))), FlagNamed|FlagHoused, 224
			if i > 5 {
				e.StreetEntry = int32(i/5*5 + catStreet - 5)
			} else {
				e.Street = word()
			}
			e.Postcode = s.ID("100000")
		case catStreet:
			e.Name, e.Bits = word(), FlagNamed|3<<4
			e.Extra = lineExtra(r, e.Point)
		default:
			if i%7 > 0 {
				e.Name, e.Bits = word(), FlagNamed
			}
			if e.Category == catPlace {
				e.Extra = areaExtra(r, e.Point)
				m.Areas = append(m.Areas, Area{Entry: int32(i), Level: uint8(4 + r.IntN(7)), Place: PlaceTag(r.IntN(3))})
			}
		}
		e.Names = Pool{From: uint32(len(m.Names)), Count: uint32(r.IntN(3))}
		for k := range e.Names.Count {
			m.Names = append(m.Names, NameRef{Key: uint8(k * 3), Value: word()})
		}
		e.Tags = Pool{From: uint32(len(m.Tags)), Count: uint32(r.IntN(3))}
		for k := range e.Tags.Count {
			m.Tags = append(m.Tags, TagRef{Key: s.ID(fmt.Sprint("key", k)), Value: word()})
		}
		m.Entries = append(m.Entries, e)
	}
	return m
}

func lineExtra(r *rand.Rand, at geom.Point) *Extra {
	shape := Shape{Kind: Lines}
	for range 1 + r.IntN(3) {
		line := []geom.Point{at}
		for range 1 + r.IntN(60) {
			last := line[len(line)-1]
			line = append(line, geom.Point{X: last.X + int32(r.IntN(4000)) - 1000, Y: last.Y + int32(r.IntN(4000)) - 2000})
		}
		shape.Parts = append(shape.Parts, line)
	}
	return shapeExtra(shape)
}

// areaExtra is a jagged ring around a point, sometimes with a hole.
func areaExtra(r *rand.Rand, at geom.Point) *Extra {
	ring := func(radius int) []geom.Point {
		var pts []geom.Point
		corners := [][2]int{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}
		for c := range 4 {
			for k := range 10 {
				x := corners[c][0]*radius*(10-k)/10 + corners[c+1][0]*radius*k/10
				y := corners[c][1]*radius*(10-k)/10 + corners[c+1][1]*radius*k/10
				pts = append(pts, geom.Point{X: at.X + int32(x+r.IntN(radius/20+1)), Y: at.Y + int32(y+r.IntN(radius/20+1))})
			}
		}
		return append(pts, pts[0])
	}
	size := 10_000 + r.IntN(2_000_000)
	shape := Shape{Kind: Polygons, Parts: [][]geom.Point{ring(size)}, Hole: []bool{false}}
	if r.IntN(2) == 0 {
		shape.Parts, shape.Hole = append(shape.Parts, ring(size/3)), append(shape.Hole, true)
	}
	x := shapeExtra(shape)
	x.Population, x.AdminLevel = r.IntN(3_000_000), 4+r.IntN(7)
	x.Merged = []Source{NewSource('n', int64(5_000_000+r.IntN(1_000_000_000)))}
	return x
}

func shapeExtra(s Shape) *Extra {
	box := geom.Empty()
	for _, p := range s.Parts {
		box = box.Union(geom.Bounds(p))
	}
	return &Extra{Box: box, Shape: EncodeShape(s)}
}

// write writes a model to a new file and gives its path.
func write(t testing.TB, m *Model) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.svcmap")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(f, m, func(int64) {}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path string) *Index {
	t.Helper()
	x, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if err := x.Verify(); err != nil {
		t.Fatal(err)
	}
	return x
}

// TestRoundTrip reads back all that was written.
func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 5, 16, 17, 300, 4100} {
		m := testModel(n, 1)
		x := open(t, write(t, m))
		if len(x.Rows) != n || x.Meta.Entries != n || !x.Meta.SourceTime.Equal(m.Meta.SourceTime) || x.Meta.Bounds != m.Meta.Bounds || x.Meta.Builder != "test" {
			t.Fatalf("%d entries: %d rows, %+v", n, len(x.Rows), x.Meta)
		}
		for i := range m.Entries {
			checkEntry(t, x, m, &m.Entries[i])
		}
		for id := range x.Rows {
			if id > 0 && x.Rows[id].Rank > x.Rows[id-1].Rank {
				t.Fatal("ids do not go down in importance")
			}
		}
		checkWords(t, x)
	}
}

func checkEntry(t *testing.T, x *Index, m *Model, e *Entry) {
	t.Helper()
	id, ok := x.BySource(e.Source)
	if !ok {
		t.Fatalf("%s is lost", e.Source)
	}
	row := &x.Rows[id]
	d := x.Detail(id)
	street := e.Street
	if e.StreetEntry >= 0 {
		street = m.Entries[e.StreetEntry].Name
		if s, ok := x.BySource(m.Entries[e.StreetEntry].Source); !ok || d.StreetEntry != s+1 {
			t.Fatalf("%s stands on entry %d, want %d", e.Source, d.StreetEntry, s+1)
		}
	}
	got := []any{row.Source, row.Point(), row.Rank, row.Category, row.Bits &^ FlagGeometry, x.Admin(row), d.Name, d.Street, d.House, d.Postcode}
	want := []any{e.Source, e.Point, e.Rank, e.Category, e.Bits, e.Admin, e.Name, street, e.House, e.Postcode}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: %s", e.Source, diff)
	}
	if !slices.Equal(d.Names, m.NamesOf(e)) || !slices.Equal(d.Tags, m.TagsOf(e)) || x.Text(d.Name) != m.Strings.String(e.Name) {
		t.Fatalf("%s: names %v, tags %v", e.Source, d.Names, d.Tags)
	}
	if e.Extra == nil {
		if d.HasGeometry() || row.Has(FlagGeometry) || d.Box != (geom.Box{MinX: e.Point.X, MinY: e.Point.Y, MaxX: e.Point.X, MaxY: e.Point.Y}) {
			t.Fatalf("%s: a point with a shape", e.Source)
		}
		return
	}
	if d.Population != e.Extra.Population || d.AdminLevel != e.Extra.AdminLevel || d.Box != e.Extra.Box || !row.Has(FlagGeometry) {
		t.Fatalf("%s: %+v", e.Source, d)
	}
	if diff := cmp.Diff(DecodeShape(e.Extra.Shape), x.Shape(&d)); diff != "" {
		t.Fatalf("%s: shape %s", e.Source, diff)
	}
	for _, s := range e.Extra.Merged {
		if at, ok := x.BySource(s); !ok || at != id {
			t.Fatalf("%s, merged into %s, resolves to %d", s, e.Source, at)
		}
	}
}

// checkWords: every term finds the sets that hold it, in both orders, and no other.
func checkWords(t *testing.T, x *Index) {
	t.Helper()
	holds := make([]map[uint32]bool, x.Terms())
	var set NameSet
	for id := range uint32(x.Sets()) {
		x.ReadSet(id, &set)
		for _, v := range set.Variants {
			for _, term := range v {
				if holds[term] == nil {
					holds[term] = map[uint32]bool{}
				}
				holds[term][id] = true
			}
		}
	}
	for term := range uint32(x.Terms()) {
		n := 0
		x.Postings(term, func(id uint32) {
			n++
			if !holds[term][id] {
				t.Fatalf("set %d does not hold term %q", id, x.Term(term))
			}
		})
		if n != len(holds[term]) {
			t.Fatalf("term %q finds %d of %d sets", x.Term(term), n, len(holds[term]))
		}
		if s := x.Exact(x.Term(term)); s.Len() != 1 || !s.Has(term) {
			t.Fatalf("term %q is not found by itself", x.Term(term))
		}
		if x.TermAtSkeleton(x.SkeletonRank(term)) != term {
			t.Fatalf("term %q has no place among the skeletons", x.Term(term))
		}
		if term > 0 && x.Term(term-1) >= x.Term(term) {
			t.Fatal("terms are not in order")
		}
	}
}

// TestDeterminism: the same model gives the same bytes.
func TestDeterminism(t *testing.T) {
	a, err := os.ReadFile(write(t, testModel(2000, 3)))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(write(t, testModel(2000, 3)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a, b) {
		t.Error("two files of one model differ")
	}
}

func TestSource(t *testing.T) {
	for _, c := range []struct {
		typ string
		id  int64
		ok  bool
	}{{"n", 1, true}, {"w", 1<<40 + 5, true}, {"r", 0, true}, {"o", 7, true}, {"c", 7, true}, {"x", 1, false}, {"", 1, false}, {"nw", 1, false}, {"n", -1, false}} {
		s, ok := ParseSource(c.typ, c.id)
		if ok != c.ok || ok && (s.Type() != c.typ || s.ID() != c.id) {
			t.Errorf("%s%d: %s, %t", c.typ, c.id, s, ok)
		}
	}
	x := open(t, write(t, testModel(50, 1)))
	if _, ok := x.BySource(NewSource('n', 77)); ok {
		t.Error("an object that no entry has is found")
	}
}
