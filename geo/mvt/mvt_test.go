package mvt

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	orbmvt "github.com/paulmach/orb/encoding/mvt"

	"svc/geo/plane"
)

// commands decodes packed command integers.
func commands(t *testing.T, data []byte) (out []uint32) {
	t.Helper()
	for len(data) > 0 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			t.Fatalf("broken varint in % x", data)
		}
		out, data = append(out, uint32(v)), data[n:]
	}
	return out
}

// points makes a line or a ring from x, y, x, y, …
func points(xy ...int32) (out []plane.Point) {
	for i := 0; i+1 < len(xy); i += 2 {
		out = append(out, plane.Point{X: xy[i], Y: xy[i+1]})
	}
	return out
}

// The examples of the specification, 4.3.5, and what is left of parts without
// extent.
func TestGeometry(t *testing.T) {
	type L = plane.Line
	square := points(0, 0, 10, 0, 10, 10, 0, 10)
	for _, c := range []struct {
		name string
		add  func(*Layer)
		want []uint32
	}{
		{"point", func(l *Layer) { l.Points(nil, points(25, 17)) }, []uint32{9, 50, 34}},
		{"points", func(l *Layer) { l.Points(nil, points(5, 7, 3, 2)) }, []uint32{17, 10, 14, 3, 9}},
		{"line", func(l *Layer) { l.Lines(nil, []L{points(2, 2, 2, 10, 10, 10)}) }, []uint32{9, 4, 4, 18, 0, 16, 16, 0}},
		{"lines", func(l *Layer) { l.Lines(nil, []L{points(2, 2, 2, 10, 10, 10), points(1, 1, 3, 5)}) },
			[]uint32{9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8}},
		{"polygon", func(l *Layer) { l.Polygons(nil, []plane.Polygon{{points(3, 6, 8, 12, 20, 34)}}) },
			[]uint32{9, 6, 12, 18, 10, 12, 24, 44, 15}},
		{"polygons", func(l *Layer) {
			l.Polygons(nil, []plane.Polygon{{square}, {points(11, 11, 20, 11, 20, 20, 11, 20), points(13, 13, 13, 17, 17, 17, 17, 13)}})
		}, []uint32{9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15, 9, 22, 2, 26, 18, 0, 0, 18, 17, 0, 15, 9, 4, 13, 26, 0, 8, 8, 0, 0, 7, 15}},

		{"repeated points", func(l *Layer) { l.Points(nil, points(5, 7, 5, 7, 3, 2)) }, []uint32{17, 10, 14, 3, 9}},
		{"no point", func(l *Layer) { l.Points(nil, nil) }, nil},
		{"repeated points of a line", func(l *Layer) { l.Lines(nil, []L{points(2, 2, 2, 2, 2, 10, 2, 10, 10, 10)}) }, []uint32{9, 4, 4, 18, 0, 16, 16, 0}},
		{"a line of one place", func(l *Layer) { l.Lines(nil, []L{points(2, 2, 2, 2), points(3, 3), {}}) }, nil},
		{"one line of two", func(l *Layer) { l.Lines(nil, []L{points(2, 2, 2, 2), points(1, 1, 3, 5)}) }, []uint32{9, 2, 2, 10, 4, 8}},
		{"a ring closed twice", func(l *Layer) { l.Polygons(nil, []plane.Polygon{{points(3, 6, 8, 12, 20, 34, 3, 6, 3, 6)}}) },
			[]uint32{9, 6, 12, 18, 10, 12, 24, 44, 15}},
		{"the wrong way round", func(l *Layer) { l.Polygons(nil, []plane.Polygon{{points(3, 6, 20, 34, 8, 12)}}) },
			[]uint32{9, 6, 12, 18, 10, 12, 24, 44, 15}},
		{"no area", func(l *Layer) { l.Polygons(nil, []plane.Polygon{{points(3, 6, 4, 7, 5, 8)}, {points(1, 1)}, {}}) }, nil},
		{"a hole without area", func(l *Layer) { l.Polygons(nil, []plane.Polygon{{square, points(1, 1, 2, 2, 3, 3)}}) },
			[]uint32{9, 0, 0, 26, 20, 0, 0, 20, 19, 0, 15}},
		{"a hole of nothing", func(l *Layer) { l.Polygons(nil, []plane.Polygon{{points(0, 0, 9, 9, 5, 5), points(1, 1, 1, 2, 2, 2)}}) }, nil},
		{"far apart", func(l *Layer) { l.Points(nil, points(1<<30, -1<<30, -1<<30, 1<<30)) },
			[]uint32{17, 1 << 31, 1<<31 - 1, math.MaxUint32, math.MaxUint32}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tile Tile
			l := tile.Layer("l")
			c.add(l)
			if len(c.want) == 0 {
				if data := tile.Append(nil); len(data) > 0 || l.Len() > 0 || !tile.Empty() {
					t.Errorf("% x, %d features", data, l.Len())
				}
				return
			}
			if got := commands(t, l.geometry.data); !slices.Equal(got, c.want) && c.name != "far apart" {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if tile.Empty() || l.Len() != 1 {
				t.Errorf("%d features", l.Len())
			}
		})
	}
}

// The bytes of a whole tile, put together by hand from vector_tile.proto.
func TestBytes(t *testing.T) {
	var tile Tile
	tile.Layer("unused")
	l := tile.Layer("points")
	l.Points([]Tag{{"hello", String("world")}, {"h", String("world")}, {"count", Float(1.25)}}, points(25, 17))
	l.Points([]Tag{{"hello", String("again")}, {"count", Int(2)}, {"hello", String("no")}}, points(-1, 2))
	var want []byte
	field := func(number int, body ...byte) []byte {
		return append([]byte{byte(number<<3 | 2), byte(len(body))}, body...)
	}
	want = append(want, 15<<3, 2)
	want = append(want, field(1, []byte("points")...)...)
	want = append(want, field(2, append(field(2, 0, 0, 1, 0, 2, 1), append([]byte{3 << 3, 1}, field(4, 9, 50, 34)...)...)...)...)
	want = append(want, field(2, append(field(2, 0, 2, 2, 3), append([]byte{3 << 3, 1}, field(4, 9, 1, 4)...)...)...)...)
	for _, k := range []string{"hello", "h", "count"} {
		want = append(want, field(3, []byte(k)...)...)
	}
	want = append(want, field(4, field(1, []byte("world")...)...)...)
	want = append(want, field(4, 2<<3|5, 0, 0, 0xa0, 0x3f)...)
	want = append(want, field(4, field(1, []byte("again")...)...)...)
	want = append(want, field(4, 5<<3, 2)...)
	want = append(want, 5<<3, 0x80, 0x20)
	want = field(3, want...)
	if got := tile.Append([]byte("before")); !bytes.Equal(got, append([]byte("before"), want...)) {
		t.Errorf("got  %q\nwant before%q", got, want)
	}
	if l.Size() == 0 || l.Len() != 2 {
		t.Errorf("size %d, %d features", l.Size(), l.Len())
	}
}

// Values come back as what they were, from another decoder.
func TestValues(t *testing.T) {
	long := strings.Repeat("Тошкент ", 40)
	values := map[string]struct {
		value Value
		want  any
	}{
		"text": {String("Buxoro"), "Buxoro"}, "none": {Value{}, ""}, "long": {String(long), long},
		"broken": {String("a\xffb"), "a\uFFFDb"},
		"yes":    {Bool(true), true}, "no": {Bool(false), false},
		"int": {Int(7), 7.0}, "less": {Int(-7), -7.0}, "least": {Int(math.MinInt64), float64(math.MinInt64)}, "most": {Int(math.MaxInt64), float64(math.MaxInt64)},
		"half": {Float(0.5), 0.5}, "tenth": {Float(0.1), 0.1}, "big": {Float(1e300), 1e300}, "below": {Float(-2.5), -2.5},
	}
	var tile Tile
	var tags []Tag
	for k, v := range values {
		tags = append(tags, Tag{k, v.value})
	}
	tile.Layer("l").Points(tags, points(1, 1))
	got := decode(t, tile.Append(nil))[0].Features[0].Properties
	if len(got) != len(values) {
		t.Errorf("%d properties, want %d", len(got), len(values))
	}
	for k, v := range values {
		have := got[k]
		if n, ok := number(have); ok {
			have = n
		}
		if have != v.want {
			t.Errorf("%s: %v (%T), want %v", k, got[k], got[k], v.want)
		}
	}
	if v := String(long); v.Clone() != v || Int(3).Clone() != Int(3) {
		t.Error("a clone is another value")
	}
	if Int(1) == Float(1) || Int(1) == Bool(true) || String("1") == Int(1) {
		t.Error("values of different kinds are equal")
	}
}

func number(v any) (float64, bool) {
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		return float64(r.Int()), true
	case r.CanUint():
		return float64(r.Uint()), true
	case r.CanFloat():
		return r.Float(), true
	}
	return 0, false
}

func decode(t testing.TB, data []byte) orbmvt.Layers {
	t.Helper()
	layers, err := orbmvt.Unmarshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return layers
}

// A tile of everything, read by another decoder; the second one in the same
// memory is the same.
func TestDecode(t *testing.T) {
	var tile Tile
	fill := func() {
		for i := range int32(300) {
			tags := []Tag{{"name", String(fmt.Sprint("street ", i%50))}, {"kind", String("residential")}, {"n", Int(int64(i))}}
			tile.Layer("streets").Lines(tags, []plane.Line{points(i, 2*i, i+5, 7, -64, 4160), points(0, 0, i+1, 1)})
			tile.Layer("buildings").Polygons(nil, []plane.Polygon{{points(i, i, i+9, i, i+9, i+9, i, i+9), points(i+2, i+2, i+2, i+4, i+4, i+4)}})
		}
	}
	fill()
	data := tile.Append(nil)
	layers := decode(t, data)
	if len(layers) != 2 || layers[0].Name != "streets" || layers[1].Name != "buildings" {
		t.Fatalf("layers %v", layers)
	}
	for _, l := range layers {
		if l.Version != 2 || l.Extent != Extent || len(l.Features) != 300 {
			t.Errorf("layer %s: version %d, extent %d, %d features", l.Name, l.Version, l.Extent, len(l.Features))
		}
	}
	f := layers[0].Features[77]
	if f.ID != nil || f.Properties["name"] != "street 27" || f.Properties["kind"] != "residential" {
		t.Errorf("feature %v", f)
	}
	if want := (orb.MultiLineString{{{77, 154}, {82, 7}, {-64, 4160}}, {{0, 0}, {78, 1}}}); !orb.Equal(f.Geometry, want) {
		t.Errorf("geometry %v, want %v", f.Geometry, want)
	}
	if want := (orb.Polygon{{{5, 5}, {14, 5}, {14, 14}, {5, 14}, {5, 5}}, {{7, 7}, {7, 9}, {9, 9}, {7, 7}}}); !orb.Equal(layers[1].Features[5].Geometry, want) {
		t.Errorf("geometry %v, want %v", layers[1].Features[5].Geometry, want)
	}

	tile.Reset()
	if !tile.Empty() || len(tile.Append(nil)) > 0 {
		t.Error("a tile that was reset has features")
	}
	tile.Layer("other").Points([]Tag{{"name", String("x")}}, points(1, 2))
	tile.Reset()
	fill()
	if !bytes.Equal(tile.Append(nil), data) {
		t.Error("the same calls gave another tile")
	}
	if n := testing.AllocsPerRun(10, func() { tile.Reset(); data = tile.Append(data[:0]) }); n > 0 {
		t.Errorf("%v allocations for an empty tile", n)
	}
}

// A layer of very many values gives its map back.
func TestManyValues(t *testing.T) {
	var tile Tile
	for range 2 {
		l := tile.Layer("l")
		for i := range int64(2 * maxKept) {
			l.Points([]Tag{{"n", Int(i)}}, points(1, 1))
		}
		if got := decode(t, tile.Append(nil))[0].Features; len(got) != 2*maxKept || got[maxKept].Properties["n"] != float64(maxKept) {
			t.Errorf("%d features, %v", len(got), got[maxKept].Properties)
		}
		tile.Reset()
	}
}

// FuzzTile writes features of foreign points and texts, and reads them back.
func FuzzTile(f *testing.F) {
	f.Add([]byte{0, 0, 30, 29, 30, 30, 3, 3}, "name", "Buxoro", 1.5)
	f.Fuzz(func(t *testing.T, data []byte, key, text string, number float64) {
		var points []plane.Point
		for ; len(data) >= 2; data = data[2:] {
			points = append(points, plane.Point{X: int32(int8(data[0])) * 33, Y: int32(int8(data[1])) * 33})
		}
		var tile Tile
		tags := []Tag{{key, String(text)}, {key + "n", Float(number)}}
		tile.Layer("points").Points(tags, points)
		tile.Layer("lines").Lines(tags, []plane.Line{points})
		tile.Layer("polygons").Polygons(tags, []plane.Polygon{{points}})
		out := tile.Append(nil)
		if tile.Empty() {
			if len(out) > 0 {
				t.Fatalf("% x of nothing", out)
			}
			return
		}
		for _, l := range decode(t, out) {
			if len(l.Features) != 1 {
				t.Fatalf("layer %s has %d features", l.Name, len(l.Features))
			}
			for k, v := range l.Features[0].Properties {
				if k == strings.ToValidUTF8(key, "\uFFFD") && v != strings.ToValidUTF8(text, "\uFFFD") {
					t.Fatalf("%q is %q, want %q", k, v, text)
				}
			}
			if p, ok := l.Features[0].Geometry.(orb.Polygon); ok && signed(p[0]) <= 0 {
				t.Fatalf("polygon %v runs the wrong way", p)
			}
		}
	})
}

// signed is twice the area of a closed ring, above zero when it runs clockwise on
// a screen.
func signed(r orb.Ring) (sum float64) {
	for i := 1; i < len(r); i++ {
		sum += r[i-1][0]*r[i][1] - r[i][0]*r[i-1][1]
	}
	return sum
}

// BenchmarkTile writes a tile of 2,000 streets and 3,000 buildings. Targets:
// 200 MB/s, and no allocation.
func BenchmarkTile(b *testing.B) {
	names := make([]string, 400)
	for i := range names {
		names[i] = fmt.Sprintf("Amir Temur ko'chasi %d", i)
	}
	line := points(1, 1, 40, 60, 75, 90, 130, 160, 190, 170)
	lines, polygons := []plane.Line{line}, []plane.Polygon{{points(5, 5, 35, 5, 35, 25, 20, 25, 20, 35, 5, 35)}}
	tags := make([]Tag, 3)
	var tile Tile
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		tile.Reset()
		streets, buildings := tile.Layer("streets"), tile.Layer("buildings")
		for i := range 2000 {
			tags[0], tags[1], tags[2] = Tag{"kind", String("residential")}, Tag{"name", String(names[i%400])}, Tag{"link", Bool(i%2 == 0)}
			streets.Lines(tags, lines)
		}
		for i := range 3000 {
			tags[0] = Tag{"height", Int(int64(i % 30))}
			buildings.Polygons(tags[:1], polygons)
		}
		out = tile.Append(out[:0])
	}
	b.SetBytes(int64(len(out)))
	b.ReportMetric(200, "target-MB/s")
}
