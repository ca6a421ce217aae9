package tilebuild

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"svc/geo/coast"
	"svc/geo/osm/osmtest"
	"svc/geo/pmtiles"
	"svc/geo/tile"
)

// worldOf is a backdrop with land from the equator to 60° N between two
// meridians, a border on a third, and one country, in 1/10000 degrees.
func worldOf(t testing.TB, west, east, border int, country string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := fmt.Fprintf(z, `{"version":1,"levels":[{"maxzoom":10,"land":[[%d,0,%d,0,%d,600000,%d,600000]],
		"borders":[[%d,100000,%d,590000]]}],"countries":[%s]}`, west, east, east, west, border, border, country)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// saying writes an extract whose header names bounds in degrees.
func (d *drawing) saying(t testing.TB, bounds [4]float64) string {
	t.Helper()
	return d.write(t, osmtest.Options{Dense: true, Sorted: true, Bounds: &bounds})
}

// around is the box in degrees from pixel x0, y0 to x1, y1 of home.
func around(x0, y0, x1, y1 int32) [4]float64 {
	sw, ne := place(x0, y1), place(x1, y0)
	return [4]float64{sw.Lon(), sw.Lat(), ne.Lon(), ne.Lat()}
}

// besideOne are the tiles of zoom 14 in a cell of zoom 8 and those about it.
const besideOne = 9 * 64 * 64

// TestHeaderThatLies: an extract that calls half the world its own is no reason
// to draw the sea of half the world to the last zoom.
func TestHeaderThatLies(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary", 100, 100, 3000, 3000)
	_, report := d.build(t, func(o *Options) {
		o.Inputs = []string{d.saying(t, [4]float64{0, 0, 180, 90})}
		o.World = worldOf(t, 0, 70_0000, 71_0000, "") // the shore is half a degree away
	})
	if n := report.Zooms[14].Tiles; n > besideOne { // the sea goes on beside the data
		t.Errorf("%d tiles at zoom 14", n)
	}
	if n := report.Zooms[8].Tiles; n < 20 {
		t.Errorf("%d tiles at zoom 8: the sea beside the data is missing", n)
	}
}

// TestBetweenExtracts: two extracts do not make what lies between them theirs,
// and a header of one does not count for the other.
func TestBetweenExtracts(t *testing.T) {
	const far = 300 * 4096
	west, east := &drawing{}, &drawing{}
	west.way("highway=primary", 100, 100, 3000, 3000)
	east.way("highway=primary", far+100, 100, far+3000, 3000)
	east.ways[0].ID = 2
	for i := range east.nodes {
		east.nodes[i].ID += 100
		east.ways[0].Refs[i] += 100
	}
	for name, inputs := range map[string][]string{
		"both name their bounds": {west.saying(t, around(0, 0, 4096, 4096)), east.saying(t, around(far, 0, far+4096, 4096))},
		"one lies":               {west.saying(t, [4]float64{0, 0, 180, 90}), east.saying(t, around(far, 0, far+4096, 4096))},
		"one is silent":          {west.saying(t, around(0, 0, 4096, 4096)), east.write(t, sorted)},
	} {
		r, report := west.build(t, func(o *Options) { o.Inputs, o.World = inputs, worldOf(t, 0, 1_0000, 5000, "") })
		if n := report.Zooms[14].Tiles; n > 2*besideOne {
			t.Errorf("%s: %d tiles at zoom 14", name, n)
		}
		if between := at(t, r, near(150, 0)); between != nil {
			t.Errorf("%s: between them there is %v at zoom 14", name, between)
		}
		if at(t, r, near(150, 0).At(9))["ocean"] == nil {
			t.Errorf("%s: between them there is no sea at zoom 9", name)
		}
		if c := r.Info().Center; c[0] < place(0, 0).Lon() || c[0] > place(far+4096, 0).Lon() {
			t.Errorf("%s: the centre is %v", name, c)
		}
	}
}

// TestSilentExtract: an extract that names no bounds holds the cells that it has
// nodes in, although another one names its own.
func TestSilentExtract(t *testing.T) {
	const far = 300 * 4096
	said, silent := &drawing{}, &drawing{}
	said.way("highway=primary", 100, 100, 3000, 3000)
	silent.area("natural=coastline", far+1000, 1000, far+1000, 3000, far+3000, 3000, far+3000, 1000)
	silent.ways[0].ID = 2
	for i := range silent.nodes {
		silent.nodes[i].ID += 100
	}
	for i := range silent.ways[0].Refs {
		silent.ways[0].Refs[i] += 100
	}
	r, _ := said.build(t, func(o *Options) {
		o.Inputs = []string{said.saying(t, around(0, 0, 4096, 4096)), silent.write(t, sorted)}
	})
	if got := at(t, r, near(300, 0))["ocean"]; len(got) != 1 || planar.Area(got[0].Geometry) != (4096+128)*(4096+128)-2000*2000 {
		t.Errorf("the sea around the island: %v", got)
	}
}

// TestBordersOnce: where the data ends the backdrop goes on, so that a border
// that an extract holds whole is cut there at the zooms of the backdrop; other
// boundaries are not.
func TestBordersOnce(t *testing.T) {
	d := &drawing{}
	d.relation("type=boundary boundary=administrative admin_level=2 name=A", d.box("", 1000, 1000, 40_000, 3000))
	d.relation("type=boundary boundary=administrative admin_level=4 name=B", d.box("", 1000, 5000, 40_000, 9000))
	d.way("highway=primary", 100, 100, 3000, 3000)
	with, _ := d.build(t, func(o *Options) {
		o.Inputs, o.World = []string{d.saying(t, around(0, 0, 20_000, 20_000))}, worldOf(t, 0, 120_0000, 100_0000, "")
	})
	alone, _ := d.build(t, func(o *Options) { o.Inputs = []string{d.saying(t, around(0, 0, 20_000, 20_000))} })
	for _, c := range []struct {
		name    string
		r       *pmtiles.Reader
		zoom    uint8
		level   float64
		farther bool
	}{
		{"a border where the backdrop goes on", with, 7, 2, false},
		{"a border where the backdrop goes on", with, coast.NearMaxZoom, 2, false},
		{"a border where the backdrop has ended", with, coast.NearMaxZoom + 1, 2, true},
		{"a province", with, coast.NearMaxZoom, 4, true},
		{"a border without a backdrop", alone, coast.NearMaxZoom, 2, true},
	} {
		id := home.At(c.zoom)
		x0, _ := tile.Unproject(id.Box().MinX, id.Box().MinY)
		wide := 360 / float64(uint32(1)<<c.zoom) / tile.Extent // degrees of a pixel
		east := -180.0
		for dx := range uint32(3) {
			tiled := at(t, c.r, tile.ID{Z: c.zoom, X: id.X + dx, Y: id.Y})
			for _, f := range tiled.with("boundaries", "admin_level", c.level) {
				east = max(east, x0+(f.Geometry.Bound().Max[0]+float64(dx)*tile.Extent)*wide)
			}
		}
		want := place(20_000, 0).Lon()
		if c.farther {
			want = place(40_000, 0).Lon()
		}
		// At zoom 7 the line goes on in the buffer only.
		if math.Abs(east-want) > 2*wide {
			t.Errorf("%s, zoom %d: it ends at %.4f° E, want %.4f", c.name, c.zoom, east, want)
		}
	}
}

// TestNeighbourLabels: the name of a country beside the data does not vanish
// with the zooms of the world, and stands once.
func TestNeighbourLabels(t *testing.T) {
	const country = `{"iso":"CC","lon":705800,"lat":412000,"area":3000000,"names":{"name":"Uniki"}},
		{"iso":"BB","lon":1000000,"lat":100000,"area":3000000,"names":{"name":"Olis"}}`
	there := tile.Holding(14, tileX(70.58), tileY(41.2))
	names := func(d *drawing, zoom uint8) (n int, others []any) {
		r, _ := d.build(t, func(o *Options) { o.World = worldOf(t, 0, 120_0000, 100_0000, country) })
		eachTile(t, r, func(id tile.ID, run uint32, tiled decoded) {
			for _, f := range tiled["boundary_labels"] {
				if id.Z == zoom && f.Properties["name"] == "Uniki" {
					n += int(run)
				} else if id.Z == zoom {
					others = append(others, f.Properties["name"])
				}
			}
		})
		return n, others
	}
	beside, in := &drawing{}, &drawing{}
	beside.node(500, 500, "place=city name=Shahar")
	in.node(500, 500, "place=city name=Shahar")
	in.node((int32(there.X)-int32(home.X))*4096, (int32(there.Y)-int32(home.Y))*4096, "place=village name=Qishloq")
	for zoom, want := range map[uint8][2]int{5: {1, 1}, 6: {1, 1}, 10: {1, 1}, 11: {0, 1}, 14: {0, 1}} {
		if n, _ := names(beside, zoom); n != want[0] {
			t.Errorf("beside the data, zoom %d: %d labels, want %d", zoom, n, want[0])
		}
		if n, _ := names(in, zoom); n != want[1] {
			t.Errorf("in the data, zoom %d: %d labels, want %d", zoom, n, want[1])
		}
		if _, others := names(in, zoom); zoom > 5 && len(others) > 0 {
			t.Errorf("zoom %d: labels far away: %v", zoom, others)
		}
	}
}

func tileX(lon float64) int32 { x, _ := tile.Project(lon, 0); return x }
func tileY(lat float64) int32 { _, y := tile.Project(0, lat); return y }

// TestArchiveBounds: a client that asks for no tile outside the bounds must see
// the backdrop, and begin where the data is.
func TestArchiveBounds(t *testing.T) {
	d := &drawing{}
	d.way("highway=primary", 100, 100, 3000, 3000)
	said := around(0, 0, 4096, 4096)
	inputs := []string{d.saying(t, said)}
	alone, _ := d.build(t, func(o *Options) { o.Inputs = inputs })
	with, _ := d.build(t, func(o *Options) { o.Inputs, o.World = inputs, worldOf(t, 0, 120_0000, 100_0000, "") })
	if b := alone.Info().Bounds; !alike(b[:], said[:]) {
		t.Errorf("without a backdrop the bounds are %v, want %v", b, said)
	}
	if b, want := with.Info().Bounds, tile.WorldBounds(); !alike(b[:], want[:]) {
		t.Errorf("with a backdrop the bounds are %v, want %v", b, want)
	}
	for name, r := range map[string]*pmtiles.Reader{"without": alone, "with": with} {
		i := r.Info()
		if !(orb.Bound{Min: orb.Point{said[0], said[1]}, Max: orb.Point{said[2], said[3]}}).Contains(i.Center) || i.CenterZoom < 10 {
			t.Errorf("%s a backdrop the centre is %v at zoom %d, the data %v", name, i.Center, i.CenterZoom, said)
		}
	}
}

func alike(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-5 })
}

// TestNamesByLayer: the archive lists the names that a layer has, not those of
// all layers.
func TestNamesByLayer(t *testing.T) {
	d := &drawing{}
	d.node(500, 500, "place=city name=Toshkent name:ru=Ташкент")
	d.way("highway=primary name=Navoiy name:kaa=Nawayı", 100, 100, 3000, 3000)
	r, _ := d.build(t)
	want := map[string][]string{"place_labels": {"name", "name_ru"}, "street_labels": {"name", "name_kaa"}, "pois": nil, "buildings": nil}
	for _, l := range r.Info().Layers {
		names, ok := want[l.ID]
		if !ok {
			continue
		}
		for _, key := range []string{"name", "name_ru", "name_kaa"} {
			if _, has := l.Fields[key]; has != slices.Contains(names, key) && (key != "name" || names != nil) {
				t.Errorf("%s: the field %s is listed: %v", l.ID, key, has)
			}
		}
		delete(want, l.ID)
	}
	if len(want) > 0 {
		t.Errorf("layers that are not described: %v", want)
	}
}
