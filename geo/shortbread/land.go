package shortbread

import "svc/geo/mvt"

// landKinds is the table of the layer land.
var landKinds = compile([]rule{
	{kLanduse, "forest", "forest", 7},
	{kNatural, "wood", "forest", 7},
	{kLanduse, "grass", "grass", 11},
	{kLanduse, "meadow", "meadow", 11},
	{kLanduse, "orchard", "orchard", 11},
	{kLanduse, "vineyard", "vineyard", 11},
	{kLanduse, "allotments", "allotments", 11},
	{kLanduse, "cemetery", "cemetery", 13},
	{kAmenity, "grave_yard", "grave_yard", 13},
	{kLanduse, "village_green", "village_green", 11},
	{kLanduse, "recreation_ground", "recreation_ground", 11},
	{kLanduse, "greenhouse_horticulture", "greenhouse_horticulture", 11},
	{kLanduse, "plant_nursery", "plant_nursery", 11},
	{kNatural, "sand", "sand", 10},
	{kNatural, "beach", "beach", 10},
	{kNatural, "heath", "heath", 11},
	{kNatural, "scrub", "scrub", 11},
	{kNatural, "grassland", "grassland", 11},
	{kNatural, "bare_rock", "bare_rock", 11},
	{kNatural, "scree", "scree", 11},
	{kNatural, "shingle", "shingle", 11},
	{kWetland, "swamp", "swamp", 11},
	{kWetland, "bog", "bog", 11},
	{kWetland, "string_bog", "string_bog", 11},
	{kWetland, "wet_meadow", "wet_meadow", 11},
	{kWetland, "marsh", "marsh", 11},
	{kLeisure, "golf_course", "golf_course", 11},
	{kLeisure, "park", "park", 11},
	{kLeisure, "garden", "garden", 11},
	{kLeisure, "playground", "playground", 11},
	{kLeisure, "miniature_golf", "miniature_golf", 11},
	{kLanduse, "residential", "residential", 10},
	{kLanduse, "industrial", "industrial", 10},
	{kLanduse, "commercial", "commercial", 10},
	{kLanduse, "garages", "garages", 10},
	{kLanduse, "retail", "retail", 10},
	{kLanduse, "railway", "railway", 10},
	{kLanduse, "landfill", "landfill", 10},
	{kLanduse, "quarry", "quarry", 11},
	{kLanduse, "brownfield", "brownfield", 10},
	{kLanduse, "greenfield", "greenfield", 10},
	{kLanduse, "farmyard", "farmyard", 10},
	{kLanduse, "farmland", "farmland", 10},
})

// siteKinds is the table of the layer sites.
var siteKinds = compile([]rule{
	{kMilitary, "danger_area", "danger_area", 14},
	{kLeisure, "sports_centre", "sports_centre", 14},
	{kAmenity, "university", "university", 14},
	{kAmenity, "college", "college", 14},
	{kAmenity, "school", "school", 14},
	{kAmenity, "hospital", "hospital", 14},
	{kAmenity, "prison", "prison", 14},
	{kAmenity, "parking", "parking", 14},
	{kAmenity, "bicycle_parking", "bicycle_parking", 14},
	{kLanduse, "construction", "construction", 14},
})

var bridgeAreas = compile([]rule{{kManMade, "bridge", "bridge", 12}})

func (m *Mapper) land() {
	if r, ok := landKinds.find(&m.o); ok {
		m.shape(Land, Polygon, r)
	}
}

func (m *Mapper) site() {
	if r, ok := siteKinds.find(&m.o); ok {
		m.shape(Sites, Polygon, r)
	}
}

func (m *Mapper) bridgeArea() {
	if r, ok := bridgeAreas.find(&m.o); ok {
		m.shape(Bridges, Polygon, r)
	}
}

// building adds everything with the tag building but building=no. The schema
// gives all of them the attribute dummy, which is 1.
func (m *Mapper) building() {
	if v := m.o.get(kBuilding); v == "" || v == "no" {
		return
	}
	m.add(Buildings, Polygon, MaxZoom)
	m.put("dummy", mvt.Int(1))
}
