package shortbread

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/geo/mvt"
)

// page is what the page of the schema lists under "Features": layer, geometry
// of the object, tags, kind and first zoom. It is written down a second time,
// from the page and not from the tables of this package, which it checks.
const page = `
water_polygons ring natural=glacier glacier 4
water_polygons ring natural=water water 4
water_polygons ring natural=water,water=lake water 4
water_polygons ring waterway=riverbank river 4
water_polygons ring natural=water,water=river river 4
water_polygons ring landuse=reservoir reservoir 4
water_polygons ring landuse=basin basin 4
water_polygons ring waterway=dock dock 10
water_polygons area waterway=canal canal 10
water_lines line waterway=canal canal 9
water_lines line waterway=river river 9
water_lines line waterway=stream stream 14
water_lines line waterway=drain drain 14
water_lines line waterway=ditch ditch 14
dam_lines line waterway=dam dam 12
dam_polygons ring waterway=dam dam 12
pier_lines line man_made=pier pier 12
pier_lines line man_made=breakwater breakwater 12
pier_lines line man_made=groyne groyne 12
pier_polygons ring man_made=pier pier 12
pier_polygons ring man_made=breakwater breakwater 12
pier_polygons ring man_made=groyne groyne 12
land ring landuse=forest forest 7
land ring natural=wood forest 7
land ring landuse=grass grass 11
land ring landuse=meadow meadow 11
land ring landuse=orchard orchard 11
land ring landuse=vineyard vineyard 11
land ring landuse=allotments allotments 11
land ring landuse=cemetery cemetery 13
land ring amenity=grave_yard grave_yard 13
land ring landuse=village_green village_green 11
land ring landuse=recreation_ground recreation_ground 11
land ring landuse=greenhouse_horticulture greenhouse_horticulture 11
land ring landuse=plant_nursery plant_nursery 11
land ring natural=sand sand 10
land ring natural=beach beach 10
land ring natural=heath heath 11
land ring natural=scrub scrub 11
land ring natural=grassland grassland 11
land ring natural=bare_rock bare_rock 11
land ring natural=scree scree 11
land ring natural=shingle shingle 11
land ring natural=wetland,wetland=swamp swamp 11
land ring wetland=bog bog 11
land ring wetland=string_bog string_bog 11
land ring wetland=wet_meadow wet_meadow 11
land ring wetland=marsh marsh 11
land ring leisure=golf_course golf_course 11
land ring leisure=park park 11
land ring leisure=garden garden 11
land ring leisure=playground playground 11
land ring leisure=miniature_golf miniature_golf 11
land ring landuse=residential residential 10
land ring landuse=industrial industrial 10
land ring landuse=commercial commercial 10
land ring landuse=garages garages 10
land ring landuse=retail retail 10
land ring landuse=railway railway 10
land ring landuse=landfill landfill 10
land ring landuse=quarry quarry 11
land ring landuse=brownfield brownfield 10
land ring landuse=greenfield greenfield 10
land ring landuse=farmyard farmyard 10
land ring landuse=farmland farmland 10
sites ring military=danger_area danger_area 14
sites ring leisure=sports_centre sports_centre 14
sites ring amenity=university university 14
sites ring amenity=college college 14
sites ring amenity=school school 14
sites ring amenity=hospital hospital 14
sites ring amenity=prison prison 14
sites ring amenity=parking parking 14
sites ring amenity=bicycle_parking bicycle_parking 14
sites ring landuse=construction construction 14
streets line highway=motorway motorway 5
streets line highway=motorway_link motorway 5
streets line highway=trunk trunk 6
streets line highway=trunk_link trunk 6
streets line highway=primary primary 8
streets line highway=primary_link primary 8
streets line highway=secondary secondary 9
streets line highway=secondary_link secondary 9
streets line highway=tertiary tertiary 10
streets line highway=tertiary_link tertiary 10
streets line highway=unclassified unclassified 12
streets line highway=residential residential 12
streets line highway=busway busway 12
streets line highway=bus_guideway bus_guideway 12
streets line highway=living_street living_street 13
streets line highway=service service 13
streets line highway=pedestrian pedestrian 13
streets line highway=track track 13
streets line highway=footway footway 13
streets line highway=steps steps 13
streets line highway=path path 13
streets line highway=cycleway cycleway 13
streets line aeroway=runway runway 11
streets line aeroway=taxiway taxiway 13
streets line railway=rail rail 8
streets line railway=rail,service=spur rail 10
streets line railway=narrow_gauge narrow_gauge 8
streets line railway=narrow_gauge,service=spur narrow_gauge 10
streets line railway=tram tram 10
streets line railway=light_rail light_rail 10
streets line railway=funicular funicular 10
streets line railway=subway subway 10
streets line railway=monorail monorail 10
street_polygons area highway=pedestrian pedestrian 14
street_polygons area highway=service service 14
street_polygons ring area:aeroway=runway runway 11
street_polygons ring area:aeroway=taxiway taxiway 13
street_labels line highway=motorway,ref=1 motorway 10
street_labels line highway=motorway_link,ref=1 motorway_link 13
street_labels line highway=trunk,ref=1 trunk 12
street_labels line highway=trunk_link,ref=1 trunk_link 13
street_labels line highway=primary,ref=1 primary 12
street_labels line highway=primary_link,ref=1 primary_link 13
street_labels line highway=secondary,ref=1 secondary 13
street_labels line highway=secondary_link,ref=1 secondary_link 13
street_labels line highway=tertiary,ref=1 tertiary 13
street_labels line highway=tertiary_link,ref=1 tertiary_link 14
street_labels line highway=unclassified,name=A unclassified 14
street_labels line highway=residential,name=A residential 14
street_labels line highway=living_street,name=A living_street 14
street_labels line highway=busway,name=A busway 14
street_labels line highway=bus_guideway,name=A bus_guideway 14
street_labels line highway=service,name=A service 14
street_labels line highway=pedestrian,name=A pedestrian 14
street_labels line highway=track,name=A track 14
street_labels line highway=footway,name=A footway 14
street_labels line highway=steps,name=A steps 14
street_labels line highway=path,name=A path 14
street_labels line highway=cycleway,name=A cycleway 14
street_labels line aeroway=runway,name=A runway 11
street_labels line aeroway=taxiway,name=A taxiway 13
street_labels line railway=rail,name=A rail 10
street_labels line railway=narrow_gauge,name=A narrow_gauge 10
street_labels line railway=tram,name=A tram 10
street_labels line railway=light_rail,name=A light_rail 10
street_labels line railway=funicular,name=A funicular 10
street_labels line railway=subway,name=A subway 10
street_labels line railway=monorail,name=A monorail 10
streets_polygons_labels area highway=pedestrian,name=A pedestrian 14
streets_polygons_labels area highway=service,name=A service 14
streets_polygons_labels ring area:aeroway=runway,name=A runway 14
streets_polygons_labels ring area:aeroway=taxiway,name=A taxiway 14
street_labels_points node highway=motorway_junction,name=A motorway_junction 12
bridges ring man_made=bridge bridge 12
aerialways line aerialway=cable_car cable_car 12
aerialways line aerialway=gondola gondola 12
aerialways line aerialway=goods goods 12
aerialways line aerialway=chair_lift chair_lift 12
aerialways line aerialway=drag_lift drag_lift 12
aerialways line aerialway=t-bar t-bar 12
aerialways line aerialway=j-bar j-bar 12
aerialways line aerialway=platter platter 12
aerialways line aerialway=rope_tow rope-tow 12
ferries line route=ferry ferry 10
ferries line route=ferry,motor_vehicle=no ferry 12
public_transport node aeroway=aerodrome aerodrome 11
public_transport node aeroway=helipad helipad 13
public_transport node railway=station station 13
public_transport node railway=halt halt 13
public_transport node railway=tram_stop tram_stop 14
public_transport node amenity=bus_station bus_station 13
public_transport node highway=bus_stop bus_stop 14
public_transport ring amenity=ferry_terminal ferry_terminal 12
public_transport ring aerialway=station aerialway_station 13
place_labels node place=city,name=A,capital=yes capital 4
place_labels node place=hamlet,name=A,capital=4 state_capital 4
place_labels node place=city,name=A city 6
place_labels node place=town,name=A town 7
place_labels node place=village,name=A village 10
place_labels node place=hamlet,name=A hamlet 10
place_labels node place=suburb,name=A suburb 10
place_labels node place=quarter,name=A quarter 10
place_labels node place=neighbourhood,name=A neighbourhood 10
place_labels node place=isolated_dwelling,name=A isolated_dwelling 10
place_labels node place=farm,name=A farm 10
place_labels node place=island,name=A island 10
place_labels node place=locality,name=A locality 10
`

func TestPage(t *testing.T) {
	rows := strings.Split(strings.TrimSpace(page), "\n")
	m := New(nil)
	for _, line := range rows {
		f := strings.Fields(line)
		layer, kind := f[0], f[3]
		list := features(m, f[1], strings.ReplaceAll(f[2], ",", " "), Hint{})
		i := slices.IndexFunc(list, func(f Feature) bool { return f.Layer.String() == layer })
		if i < 0 {
			t.Errorf("%s: no such feature, but\n%s", line, show(list))
			continue
		}
		got := list[i]
		if fmt.Sprint(got.Min) != f[4] || got.Max != MaxZoom || got.Tags[0].Tag != (mvt.Tag{Key: "kind", Value: mvt.String(kind)}) {
			t.Errorf("%s: zoom %d to %d, tags%s", line, got.Min, got.Max, showTags(got.Tags[:1]))
		}
		conforms(t, list)
	}
}

// TestTablesHoldNothingElse: each row of the tables is on the page.
func TestTablesHoldNothingElse(t *testing.T) {
	for layer, n := range map[string]int{
		"water_polygons": len(waterPolygons.rows) + 2, // water=lake and water=river are told apart in code
		"water_lines":    len(waterLines.rows),
		"dam_lines":      len(dams.rows),
		"pier_lines":     len(piers.rows),
		"land":           len(landKinds.rows),
		"sites":          len(siteKinds.rows),
		"streets":        len(highways) + len(railways) + len(aeroways) + 2, // two with a service
		"street_labels":  len(highways) + len(railways) + len(aeroways),
		// aeroway=runway and taxiway with area=yes are the older way to say area:aeroway
		"street_polygons":  len(streetAreas.rows) - 2,
		"aerialways":       len(aerialwayKinds.rows),
		"public_transport": len(stops.rows),
		"place_labels":     len(placeKinds) + 2, // capitals
	} {
		if got := strings.Count(page, "\n"+layer+" "); got != n {
			t.Errorf("%s: the page has %d rows, the table %d", layer, got, n)
		}
	}
}

// TestListedPOIs holds the number of values of each key against the page.
func TestListedPOIs(t *testing.T) {
	count := map[key]int{}
	for v := range poiValues {
		count[v.key]++
	}
	want := map[key]int{
		kAmenity: 52, kEmergency: 3, kHighway: 1, kHistoric: 9, kLeisure: 10, kManMade: 8, kOffice: 1, kShop: 38, kTourism: 15,
	}
	for k, n := range want {
		if count[k] != n {
			t.Errorf("%s: %d values, the page has %d", keyNames[k], count[k], n)
		}
	}
	if len(count) != len(want) {
		t.Errorf("%d keys, want %d", len(count), len(want))
	}
}

func TestLayers(t *testing.T) {
	if len(Layers()) != 26 {
		t.Fatalf("%d layers, the schema has 26", len(Layers()))
	}
	seen := map[string]bool{}
	for i, l := range Layers() {
		if seen[l.Name] || l.Name == "" || l.Description == "" || Layer(i).String() != l.Name {
			t.Errorf("layer %d %q is not described, or twice", i, l.Name)
		}
		seen[l.Name] = true
		if want := 64; l.Name == "buildings" {
			want = 8
			if l.Buffer != want {
				t.Errorf("%s: buffer %d, want %d", l.Name, l.Buffer, want)
			}
		} else if l.Buffer != want {
			t.Errorf("%s: buffer %d, want %d", l.Name, l.Buffer, want)
		}
	}
	if got := layerCount.String(); got != "unknown" {
		t.Errorf("past the last layer: %q", got)
	}
	info := PlaceLabels.Info()
	names := []string{"name", "name_uz-Cyrl"}
	want := []Field{{"kind", String}, {"population", Number}, {"rank", Number}, {"name", String}, {"name_uz-Cyrl", String}}
	if got := info.AllFields(names); !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
	if got := Land.Info().AllFields(names); !slices.Equal(got, []Field{{"kind", String}}) {
		t.Errorf("a layer without names has fields %v", got)
	}
}
