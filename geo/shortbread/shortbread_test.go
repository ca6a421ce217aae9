package shortbread

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/geo/mvt"
	"svc/geo/osm"
)

// tagsOf reads "highway=residential name=Main_Street": words with underscores
// for spaces in values of names.
func tagsOf(text string) osm.Tags {
	var tags osm.Tags
	for _, w := range strings.Fields(text) {
		k, v, _ := strings.Cut(w, "=")
		tags = append(tags, osm.Tag{Key: k, Value: v})
	}
	return tags
}

// object kinds of the tests.
const (
	node = "node"
	line = "line"
	ring = "ring" // a closed way
	area = "area" // a multipolygon
)

func features(m *Mapper, kind, tags string, hint Hint) []Feature {
	t := tagsOf(tags)
	switch kind {
	case node:
		return m.Node(nil, t, hint)
	case line, ring:
		return m.Way(nil, t, kind == ring, hint)
	}
	return m.Area(nil, t, hint)
}

// show writes features as "land polygon 7 kind=forest", sorted, attributes with
// the zoom they appear from when that is not the first.
func show(list []Feature) string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %d%s", f.Layer, [...]string{"", "point", "line", "polygon"}[f.As], f.Min, showTags(f.Tags)))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func showTags(tags []Tag) string {
	var b strings.Builder
	for _, t := range tags {
		fmt.Fprintf(&b, " %s=%s", t.Key, showValue(t.Value))
		if t.Min > 0 {
			fmt.Fprintf(&b, "@%d", t.Min)
		}
	}
	return b.String()
}

func showValue(v mvt.Value) string {
	for _, b := range []bool{false, true} {
		if v == mvt.Bool(b) {
			return fmt.Sprint(b)
		}
	}
	for _, text := range known {
		if v == mvt.String(text) {
			return text
		}
	}
	for i := range int64(maxShown) {
		if v == mvt.Int(i) {
			return fmt.Sprint(i)
		}
		if v == mvt.Float(float64(i)/1000) {
			return fmt.Sprint(float64(i) / 1000)
		}
		if v == mvt.Float(float64(i)/10_000) {
			return fmt.Sprint(float64(i) / 10_000)
		}
	}
	return "?"
}

// known are the texts that a test may meet: a value can be compared, not read.
var known []string

const maxShown = 10_001

func knowing(tags string, more ...string) {
	known = append(strings.FieldsFunc(tags, func(r rune) bool { return r == ' ' || r == '=' }), more...)
	for k := range keyNames {
		known = append(known, keyNames[k])
	}
}

// conforms checks what holds for every feature of the schema.
func conforms(t *testing.T, list []Feature) {
	t.Helper()
	for _, f := range list {
		info := f.Layer.Info()
		if f.Min < info.MinZoom || f.Max > info.MaxZoom || f.Min > f.Max {
			t.Errorf("%s appears at %d to %d, the layer at %d to %d", f.Layer, f.Min, f.Max, info.MinZoom, info.MaxZoom)
		}
		if f.As < Point || f.As > Polygon {
			t.Errorf("%s as geometry %d", f.Layer, f.As)
		}
		seen := map[string]bool{}
		for i, tag := range f.Tags {
			if i > 0 && tag.Min < f.Tags[i-1].Min {
				t.Errorf("%s: tag %s is out of order", f.Layer, tag.Key)
			}
			if seen[tag.Key] {
				t.Errorf("%s: tag %s twice", f.Layer, tag.Key)
			}
			seen[tag.Key] = true
			isName := tag.Key == "name" || strings.HasPrefix(tag.Key, "name_")
			if isName && !info.Names || !isName && !slices.ContainsFunc(info.Fields, func(f Field) bool { return f.Name == tag.Key }) {
				t.Errorf("%s has no field %s", f.Layer, tag.Key)
			}
		}
	}
}

// TestObjects holds whole objects against what the page of the schema says of
// them.
func TestObjects(t *testing.T) {
	const street = " link=false rail=false tunnel=false@11 bridge=false@11 oneway=false@14 oneway_reverse=false@14"
	tests := []struct{ name, kind, tags, want string }{
		{"nothing", node, "source=survey", ""},
		{"a tag without value", line, "highway=", ""},
		{"a river is a line", line, "waterway=river", "water_lines line 9 kind=river tunnel=false bridge=false"},
		{
			"its name from 12 on", line, "waterway=river name=Zarafshon bridge=aqueduct tunnel=yes layer=-2",
			"water_lines line 9 kind=river tunnel=true bridge=false\n" +
				"water_lines_labels line 12 kind=river tunnel=true bridge=false name=Zarafshon",
		},
		{
			"a drain is a line of 1.1", line, "waterway=drain name=A",
			"water_lines line 14 kind=drain tunnel=false bridge=false\n" +
				"water_lines_labels line 14 kind=drain tunnel=false bridge=false name=A",
		},
		{"a closed canal is a ring of water", ring, "waterway=canal", "water_lines line 9 kind=canal tunnel=false bridge=false"},
		{"unless it is an area", ring, "waterway=canal area=yes", "water_polygons polygon 10 kind=canal way_area=0"},
		{"a canal as multipolygon", area, "waterway=canal", "water_polygons polygon 10 kind=canal way_area=0"},
		{
			"a lake", ring, "natural=water name=Aydarkoʻl",
			"water_polygons polygon 4 kind=water way_area=0\nwater_polygons_labels point 4 kind=water way_area=0 name=Aydarkoʻl",
		},
		{"a river as area", ring, "natural=water water=river", "water_polygons polygon 4 kind=river way_area=0"},
		{"water that is no area", ring, "natural=water area=no", ""},
		{"water that does not close", line, "natural=water", ""},
		{"a dam as line", line, "waterway=dam", "dam_lines line 12 kind=dam"},
		{"a dam as area", ring, "waterway=dam", "dam_polygons polygon 12 kind=dam"},
		{"a round dam", ring, "waterway=dam area=no", "dam_lines line 12 kind=dam"},
		{"a pier as line", line, "man_made=pier", "pier_lines line 12 kind=pier"},
		{"a pier as area", ring, "man_made=pier", "pier_polygons polygon 12 kind=pier"},
		{"a groyne", area, "man_made=groyne", "pier_polygons polygon 12 kind=groyne"},
		{"wood is forest", ring, "natural=wood", "land polygon 7 kind=forest"},
		{"one feature of land", ring, "landuse=meadow leisure=garden natural=wood", "land polygon 7 kind=forest"},
		{"of two equal keys the first", ring, "landuse=forest landuse=grass", "land polygon 7 kind=forest"},
		{"a building", ring, "building=yes", "buildings polygon 14 dummy=1"},
		{"no building", ring, "building=no", ""},
		{"a building with a number", ring, "building=house addr:housenumber=12", "addresses point 14 housenumber=12\nbuildings polygon 14 dummy=1"},
		{"an address", node, "addr:housenumber=7 addr:housename=Uy", "addresses point 14 housename=Uy housenumber=7"},
		{
			"a shop with an address is no address", node, "shop=bakery addr:housenumber=7",
			"pois point 14 shop=bakery housenumber=7",
		},
		{
			"a school", ring, "amenity=school name=A",
			"pois point 14 amenity=school name=A\nsites polygon 14 kind=school",
		},
		{"a street", line, "highway=residential", "streets line 12 kind=residential" + street},
		{
			"a motorway link", line, "highway=motorway_link ref=M39;A1 oneway=-1 bridge=viaduct",
			"street_labels line 13 kind=motorway_link tunnel=false ref=M39\nA1 ref_rows=2 ref_cols=3\n" +
				"streets line 5 kind=motorway link=true rail=false tunnel=false@11 bridge=true@11 oneway=true@14 oneway_reverse=true@14",
		},
		{
			"a track", line, "highway=track tracktype=grade2 surface=gravel access=private foot=yes bicycle=rubbish",
			"streets line 13 kind=track link=false rail=false tunnel=false@11 bridge=false@11 tracktype=grade2@11 surface=gravel@11" +
				" motorcar=no@13 bicycle=no@13 foot=yes@13 horse=no@13 oneway=false@14 oneway_reverse=false@14",
		},
		{
			"a railway", line, "railway=rail oneway=yes access=no name=A",
			"street_labels line 10 kind=rail tunnel=false name=A\n" +
				"streets line 8 kind=rail link=false rail=true tunnel=false@11 bridge=false@11 oneway=false@14 oneway_reverse=false@14",
		},
		{
			"a siding", line, "railway=rail service=yard",
			"streets line 10 kind=rail link=false rail=true service=yard@10 tunnel=false@11 bridge=false@11 oneway=false@14 oneway_reverse=false@14",
		},
		{"a road under construction", line, "highway=construction railway=rail", ""},
		{"a closed street is a line", ring, "highway=pedestrian", "streets line 13 kind=pedestrian" + street},
		{"an open way that says area is a line", line, "highway=pedestrian area=yes", "streets line 13 kind=pedestrian" + street},
		{
			"a square", ring, "highway=pedestrian area=yes name=Registon surface=sett",
			"street_polygons polygon 14 kind=pedestrian rail=false tunnel=false bridge=false surface=sett\n" +
				"streets_polygons_labels point 14 kind=pedestrian name=Registon",
		},
		{"a runway as area", ring, "area:aeroway=runway", "street_polygons polygon 11 kind=runway rail=false tunnel=false bridge=false"},
		{
			"a runway as line", line, "aeroway=runway ref=09/27",
			"street_labels line 11 kind=runway tunnel=false ref=09/27 ref_rows=1 ref_cols=5\nstreets line 11 kind=runway" + street,
		},
		{"an exit", node, "highway=motorway_junction ref=3", "street_labels_points point 12 kind=motorway_junction ref=3"},
		{"an exit without a label", node, "highway=motorway_junction", ""},
		{"a bridge as area", ring, "man_made=bridge", "bridges polygon 12 kind=bridge"},
		{"a rope tow", line, "aerialway=rope_tow", "aerialways line 12 kind=rope-tow"},
		{"a ferry for cars", line, "route=ferry name=A", "ferries line 10 kind=ferry name=A"},
		{"a ferry for people", line, "route=ferry motor_vehicle=no", "ferries line 12 kind=ferry"},
		{"an airport", ring, "aeroway=aerodrome iata=TAS name=A", "public_transport point 11 kind=aerodrome name=A iata=TAS"},
		{"a lift station", node, "aerialway=station", "public_transport point 13 kind=aerialway_station"},
		{"a city", node, "place=city name=A", "place_labels point 6 kind=city population=? name=A"},
		{"a capital", node, "place=city capital=yes name=A population=3000", "place_labels point 4 kind=capital population=3000 name=A"},
		{"a state's capital", node, "place=town capital=4 name=A", "place_labels point 4 kind=state_capital population=5000 name=A"},
		{"a suburb is no capital", node, "place=suburb capital=yes name=A", "place_labels point 10 kind=suburb population=1000 name=A"},
		{"a place without a name", node, "place=city", ""},
		{"an island as area", area, "place=island name=A", "place_labels point 10 kind=island population=0 name=A"},
		{"a node is one", node, "place=city name=A boundary=administrative admin_level=6", "place_labels point 6 kind=city population=? name=A"},
		{"a boundary is no second label", area, "place=city name=A boundary=administrative admin_level=6", ""},
		{
			"a restaurant", node, "amenity=restaurant cuisine=uzbek religion=x",
			"pois point 14 amenity=restaurant cuisine=uzbek",
		},
		{"fuel is of 1.1", node, "amenity=fuel", "pois point 14 amenity=fuel"},
		{"a park is of 1.1", ring, "leisure=park", "land polygon 11 kind=park\npois point 14 leisure=park"},
		{"a bank", node, "amenity=bank atm=yes", "pois point 14 amenity=bank atm=true"},
		{
			"recycling", node, "amenity=recycling recycling:paper=yes",
			"pois point 14 amenity=recycling recycling:glass_bottles=false recycling:paper=true recycling:clothes=false recycling:scrap_metal=false",
		},
		{"a tower", node, "man_made=tower tower:type=bell_tower", "pois point 14 man_made=tower tower:type=bell_tower"},
		{"only what is listed", node, "amenity=bar shop=secret", "pois point 14 amenity=bar"},
		{"not listed, not found", node, "amenity=charging_station", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			knowing(tt.tags, "forest", "M39\nA1", "rope-tow", "aerialway_station", "capital", "state_capital", "motorway", "ferry", "no", "river", "water")
			list := features(New(nil), tt.kind, tt.tags, Hint{})
			if got := show(list); got != tt.want {
				t.Errorf("%s %s:\n%s\nwant\n%s", tt.kind, tt.tags, got, tt.want)
			}
			conforms(t, list)
		})
	}
}

// TestHints: what can be found can be clicked (map contract 2).
func TestHints(t *testing.T) {
	hint := func(category string) Hint { return Hint{Category: category, Rank: 0.2504} }
	const carried = " rank=0.2504" // every digit that the index has
	tests := []struct {
		name, kind, tags, category, want string
	}{
		{"listed", node, "amenity=cafe", "food.cafe", "pois point 14 amenity=cafe category=food.cafe" + carried},
		{"by its own tag", node, "amenity=charging_station", "auto.charging", "pois point 14 amenity=charging_station category=auto.charging" + carried},
		{"by the tag of its like", node, "healthcare=clinic", "health.clinic", "pois point 14 amenity=clinic category=health.clinic" + carried},
		{
			"a mosque that is a building", ring, "building=mosque", "religion.mosque",
			"buildings polygon 14 dummy=1\npois point 14 amenity=place_of_worship religion=muslim category=religion.mosque" + carried,
		},
		{"a peak", node, "natural=peak name=A", "nature.peak", "pois point 14 name=A category=nature.peak" + carried},
		{"a lake has a label", ring, "landuse=reservoir", "nature.lake", "water_polygons polygon 4 kind=reservoir way_area=0"},
		{"a stop has a layer", node, "highway=bus_stop", "transport.bus_stop", "public_transport point 14 kind=bus_stop category=transport.bus_stop" + carried},
		{"a metro entrance has none", node, "railway=subway_entrance", "transport.metro", "pois point 14 category=transport.metro" + carried},
		{"a place", node, "place=village name=A", "place.village", "place_labels point 10 kind=village population=100 name=A" + carried},
		{"a street is no point", ring, "highway=pedestrian area=yes tourism=attraction", "street", "street_polygons polygon 14 kind=pedestrian rail=false tunnel=false bridge=false"},
		{"a category of another build", node, "shop=x", "no.such", ""},
		{"a square that is a sight", ring, "highway=pedestrian area=yes tourism=attraction", "culture.attraction", "pois point 14 tourism=attraction category=culture.attraction" + carried +
			"\nstreet_polygons polygon 14 kind=pedestrian rail=false tunnel=false bridge=false"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			knowing(tt.tags, tt.category, "clinic", "place_of_worship", "muslim")
			list := features(New(nil), tt.kind, tt.tags, hint(tt.category))
			if got := show(list); got != tt.want {
				t.Errorf("%s %s:\n%s\nwant\n%s", tt.kind, tt.tags, got, tt.want)
			}
			conforms(t, list)
			for _, f := range list {
				if f.Rank != 0.2504 {
					t.Errorf("rank %v", f.Rank)
				}
			}
		})
	}
}
