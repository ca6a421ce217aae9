package shortbread

import "slices"

// Layer is a layer of the schema.
type Layer uint8

// The layers of Shortbread 1.1, in the order in which styles draw them.
const (
	Ocean Layer = iota
	WaterPolygons
	WaterLines
	DamLines
	DamPolygons
	PierLines
	PierPolygons
	Land
	Sites
	Bridges
	StreetPolygons
	Streets
	Buildings
	Aerialways
	Ferries
	Boundaries
	Addresses
	WaterPolygonsLabels
	WaterLinesLabels
	StreetsPolygonsLabels
	StreetLabels
	StreetLabelsPoints
	PublicTransport
	POIs
	BoundaryLabels
	PlaceLabels

	layerCount
)

// String is the name of the layer in a tile.
func (l Layer) String() string {
	if l >= layerCount {
		return "unknown"
	}
	return layers[l].Name
}

// Types of fields, as TileJSON writes them.
const (
	String  = "String"
	Number  = "Number"
	Boolean = "Boolean"
)

// Field is an attribute of a layer.
type Field struct{ Name, Type string }

// LayerInfo describes a layer for the metadata of an archive.
type LayerInfo struct {
	Name        string
	Description string
	// MinZoom and MaxZoom are the zooms at which it has features.
	MinZoom, MaxZoom uint8
	// Buffer is how far features reach beyond the edge of a tile, in units of
	// 4096 to a tile (map contract 2).
	Buffer int
	// Names: features carry name and name_xx beside the fields.
	Names  bool
	Fields []Field

	minSize float32 // see Feature.MinSize
}

// AllFields are the fields with those of the names in use: attributes such as
// name and name_uz.
func (l LayerInfo) AllFields(names []string) []Field {
	out := slices.Clone(l.Fields)
	if l.Names {
		for _, n := range names {
			out = append(out, Field{n, String})
		}
	}
	return out
}

// Layers are the layers in the order of their numbers.
func Layers() []LayerInfo { return slices.Clone(layers[:]) }

// Info describes one layer, which must be one of the constants.
func (l Layer) Info() LayerInfo { return layers[l] }

// The buffers of map contract 2: buildings are drawn without a casing
// and need next to none.
const (
	buffer         = 64
	buildingBuffer = 8
)

func texts(names ...string) []Field    { return fields(String, names) }
func numbers(names ...string) []Field  { return fields(Number, names) }
func booleans(names ...string) []Field { return fields(Boolean, names) }

func fields(typ string, names []string) []Field {
	out := make([]Field, len(names))
	for i, n := range names {
		out[i] = Field{n, typ}
	}
	return out
}

// Sizes below which features are not worth drawing before the last zoom, in
// pixels of 256 to a tile: lengths of lines, areas of polygons. The quarter of
// a pixel for water lines is the schema's; the others keep what can be seen.
const (
	shortest = 0.25
	smallest = 1
)

var layers = [layerCount]LayerInfo{
	Ocean: {
		Name: "ocean", Description: "Oceans and seas", MinZoom: 0, minSize: smallest,
	},
	WaterPolygons: {
		Name: "water_polygons", Description: "Inland water bodies and glaciers", MinZoom: 4, minSize: smallest,
		Fields: slices.Concat(texts("kind"), numbers("way_area")),
	},
	WaterLines: {
		Name: "water_lines", Description: "Waterways", MinZoom: 9, minSize: shortest,
		Fields: slices.Concat(texts("kind"), booleans("tunnel", "bridge")),
	},
	DamLines: {
		Name: "dam_lines", Description: "Dams drawn as lines", MinZoom: 12,
		Fields: texts("kind"),
	},
	DamPolygons: {
		Name: "dam_polygons", Description: "Dams drawn as areas", MinZoom: 12, minSize: smallest,
		Fields: texts("kind"),
	},
	PierLines: {
		Name: "pier_lines", Description: "Piers, breakwaters and groynes drawn as lines", MinZoom: 12,
		Fields: texts("kind"),
	},
	PierPolygons: {
		Name: "pier_polygons", Description: "Piers, breakwaters and groynes drawn as areas", MinZoom: 12, minSize: smallest,
		Fields: texts("kind"),
	},
	Land: {
		Name: "land", Description: "Land cover and land use", MinZoom: 7, minSize: smallest,
		Fields: texts("kind"),
	},
	Sites: {
		Name: "sites", Description: "Grounds of institutions, above land and below buildings", MinZoom: 14,
		Fields: texts("kind"),
	},
	Bridges: {
		Name: "bridges", Description: "Bridges drawn as areas", MinZoom: 12, minSize: smallest,
		Fields: texts("kind"),
	},
	StreetPolygons: {
		Name: "street_polygons", Description: "Squares and runways drawn as areas", MinZoom: 11, minSize: smallest,
		Fields: slices.Concat(texts("kind", "surface", "service"), booleans("rail", "tunnel", "bridge")),
	},
	Streets: {
		Name: "streets", Description: "Roads, paths, railways and runways", MinZoom: 5, minSize: shortest,
		Fields: slices.Concat(
			texts("kind", "service", "tracktype", "surface", "motorcar", "bicycle", "foot", "horse"),
			booleans("link", "rail", "tunnel", "bridge", "oneway", "oneway_reverse"),
		),
	},
	Buildings: {
		Name: "buildings", Description: "Buildings", MinZoom: 14, Buffer: buildingBuffer,
		Fields: numbers("dummy"),
	},
	Aerialways: {
		Name: "aerialways", Description: "Cable cars and lifts", MinZoom: 12,
		Fields: texts("kind"),
	},
	Ferries: {
		Name: "ferries", Description: "Ferry lines", MinZoom: 10, Names: true,
		Fields: texts("kind"),
	},
	Boundaries: {
		Name: "boundaries", Description: "Boundaries of countries and states", MinZoom: 0,
		Fields: slices.Concat(numbers("admin_level"), booleans("maritime", "disputed")),
	},
	Addresses: {
		Name: "addresses", Description: "House numbers and names", MinZoom: 14,
		Fields: texts("housename", "housenumber"),
	},
	WaterPolygonsLabels: {
		Name: "water_polygons_labels", Description: "Names of water bodies", MinZoom: 4, Names: true,
		Fields: slices.Concat(texts("kind"), numbers("way_area")),
	},
	WaterLinesLabels: {
		Name: "water_lines_labels", Description: "Names of waterways", MinZoom: 12, Names: true, minSize: shortest,
		Fields: slices.Concat(texts("kind"), booleans("tunnel", "bridge")),
	},
	StreetsPolygonsLabels: {
		Name: "streets_polygons_labels", Description: "Names of squares and runways", MinZoom: 14, Names: true,
		Fields: texts("kind"),
	},
	StreetLabels: {
		Name: "street_labels", Description: "Names and numbers of streets", MinZoom: 10, Names: true, minSize: shortest,
		Fields: slices.Concat(texts("kind", "ref"), numbers("ref_rows", "ref_cols"), booleans("tunnel")),
	},
	StreetLabelsPoints: {
		Name: "street_labels_points", Description: "Motorway exits", MinZoom: 12, Names: true,
		Fields: texts("kind", "ref"),
	},
	PublicTransport: {
		Name: "public_transport", Description: "Stops, stations, airports", MinZoom: 11, Names: true,
		Fields: slices.Concat(texts("kind", "iata", "category"), numbers("rank")),
	},
	POIs: {
		Name: "pois", Description: "Points of interest", MinZoom: 14, Names: true,
		Fields: slices.Concat(
			texts("amenity", "leisure", "tourism", "shop", "man_made", "historic", "emergency", "highway", "office",
				"housename", "housenumber", "cuisine", "sport", "vending", "information", "tower:type",
				"religion", "denomination", "category"),
			booleans("recycling:glass_bottles", "recycling:paper", "recycling:clothes", "recycling:scrap_metal", "atm"),
			numbers("rank"),
		),
	},
	BoundaryLabels: {
		Name: "boundary_labels", Description: "Names of countries and states", MinZoom: 2, Names: true,
		Fields: numbers("admin_level", "way_area"),
	},
	PlaceLabels: {
		Name: "place_labels", Description: "Names of populated places", MinZoom: 4, Names: true,
		Fields: slices.Concat(texts("kind"), numbers("population", "rank")),
	},
}

func init() {
	for i := range layers {
		layers[i].MaxZoom = MaxZoom
		if layers[i].Buffer == 0 {
			layers[i].Buffer = buffer
		}
	}
}

// MinSize is the smallest size of its features that is worth drawing; see
// Feature.MinSize.
func (l Layer) MinSize() float32 { return layers[l].minSize }
