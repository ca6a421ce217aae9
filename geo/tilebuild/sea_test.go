package tilebuild

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"svc/geo/tile"
)

// backdrop is a world of one square continent from the equator to 60° N and from
// 0° to 120° E, with three countries.
func backdrop(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write([]byte(`{"version":1,"levels":[{"maxzoom":10,
		"land":[[0,0,1200000,0,1200000,600000,0,600000]],"borders":[[0,300000,1200000,300000]]}],
		"countries":[{"iso":"AA","lon":750000,"lat":500000,"area":3000000,"names":{"name":"Bizniki","ru":"Наша"}},
			{"iso":"CC","lon":705800,"lat":412000,"area":3000000,"names":{"name":"Uniki"}},
			{"iso":"BB","lon":692400,"lat":150000,"area":3000000,"names":{"name":"Boshqa","ru":"Другая","de":"Andere"}}]}`))
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBackdrop: the world around the data at low zooms, and of what both have
// one: the boundary of the backdrop up to zoom 5, the label of the data.
func TestBackdrop(t *testing.T) {
	d := &drawing{}
	border := d.box("", -90_000, -90_000, 90_000, 90_000)
	d.relation("type=boundary boundary=administrative admin_level=2 ISO3166-1:alpha2=AA name=Oʻzi", border)
	// The data has AA by its code, though the label stands elsewhere, and CC by
	// its place, though it does not say the code.
	beside := d.box("", 200_000, -90_000, 300_000, 90_000)
	d.relation("type=boundary boundary=administrative admin_level=2 name=Qoʻshni", beside)
	d.node(500, 500, "place=city name=Shahar")
	sw, ne := place(-80_000, 80_000), place(300_000, -80_000)
	r, _ := d.build(t, func(o *Options) {
		o.World, o.Langs = backdrop(t), []string{"ru"}
		o.Bounds = &[4]float64{sw.Lon(), sw.Lat(), ne.Lon(), ne.Lat()} // the backdrop goes on beyond them
	})

	world := at(t, r, tile.ID{})
	sea := world["ocean"]
	if len(sea) != 1 || planar.Area(sea[0].Geometry) < 0.7*4096*4096 {
		t.Errorf("the sea of the world: %v", sea)
	}
	for z := uint8(1); z <= 5; z++ {
		got := at(t, r, home.At(z))["boundaries"]
		for _, f := range got {
			if b := f.Geometry.Bound(); b.Max[1] != b.Min[1] {
				t.Errorf("zoom %d has a boundary %v that the backdrop lacks", z, b)
			}
		}
	}
	if got := at(t, r, home.At(6))["boundaries"]; len(got) == 0 {
		t.Error("zoom 6 has no boundary of the data")
	}
	names := map[any]int{}
	zoom5 := 0
	for x := range uint32(32) {
		for y := range uint32(32) {
			tiled := at(t, r, tile.ID{Z: 5, X: x, Y: y})
			for _, f := range tiled["boundary_labels"] {
				names[f.Properties["name"]]++
				if f.Properties["name_de"] != nil {
					t.Errorf("a language nobody asked for: %v", f.Properties)
				}
			}
			if tiled != nil {
				zoom5++
			}
		}
	}
	if names["Oʻzi"] != 1 || names["Qoʻshni"] != 1 || names["Boshqa"] != 1 || len(names) != 3 {
		t.Errorf("labels at zoom 5: %v", names)
	}
	if zoom5 < 500 {
		t.Errorf("%d tiles at zoom 5", zoom5)
	}
	// Away from the data the backdrop ends with zoom 10.
	far := tile.Holding(10, tile.World/4, tile.World/4)
	if got := at(t, r, far); got != nil {
		t.Errorf("%v holds %v", far, got)
	}
	if got := at(t, r, far.At(5)); len(got["ocean"]) != 1 || got["ocean"][0].Geometry.Bound() != (orb.Bound{Min: orb.Point{-64, -64}, Max: orb.Point{4160, 4160}}) {
		t.Errorf("the open sea at zoom 5: %v", got)
	}
}
