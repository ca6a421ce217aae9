package shortbread

import "svc/geo/mvt"

// waterPolygons is the table of the layer water_polygons. natural=water is
// told apart by water=river below.
var waterPolygons = compile([]rule{
	{kNatural, "glacier", "glacier", 4},
	{kNatural, "water", "water", 4},
	{kWaterway, "riverbank", "river", 4},
	{kLanduse, "reservoir", "reservoir", 4},
	{kLanduse, "basin", "basin", 4},
	{kWaterway, "dock", "dock", 10},
	{kWaterway, "canal", "canal", 10},
})

// waterLines is the table of the layer water_lines.
var waterLines = compile([]rule{
	{kWaterway, "canal", "canal", 9},
	{kWaterway, "river", "river", 9},
	{kWaterway, "stream", "stream", 14},
	{kWaterway, "drain", "drain", 14},
	{kWaterway, "ditch", "ditch", 14},
})

// dams and piers are the tables of the layers dam_ and pier_, lines and
// polygons.
var (
	dams  = compile([]rule{{kWaterway, "dam", "dam", 12}})
	piers = compile([]rule{
		{kManMade, "pier", "pier", 12},
		{kManMade, "breakwater", "breakwater", 12},
		{kManMade, "groyne", "groyne", 12},
	})
)

// waterPolygon adds a water body, and its label when it has a name. A closed
// canal is a ring of water around something unless it says that it is an area.
func (m *Mapper) waterPolygon(stated bool) {
	r, ok := waterPolygons.find(&m.o)
	switch {
	case !ok || r.kind == "canal" && !stated:
		return
	case r.kind == "water" && m.o.is(kWater, "river"):
		r.kind = "river"
	}
	m.shape(WaterPolygons, Polygon, r).Area = true
	m.put("way_area", mvt.Float(0))
	if m.named() {
		m.shape(WaterPolygonsLabels, Point, r).Area = true
		m.put("way_area", mvt.Float(0))
		m.putNames()
	}
}

// waterLabelZoom is the first zoom of the label of a water body by its area in
// square metres of the plane. The schema gives no zooms; these are the ones at
// which its styles ask for labels of that size.
func waterLabelZoom(area float64) uint8 {
	switch {
	case area > 1e9:
		return 4
	case area > 1e7:
		return 8
	case area > 1e5:
		return 11
	}
	return MaxZoom
}

func (m *Mapper) waterLine() {
	r, ok := waterLines.find(&m.o)
	if !ok {
		return
	}
	m.waterway(WaterLines, r)
	if m.named() {
		r.zoom = max(r.zoom, 12)
		m.waterway(WaterLinesLabels, r)
		m.putNames()
	}
}

func (m *Mapper) waterway(layer Layer, r rule) {
	m.shape(layer, Line, r).Order = m.o.layer()
	m.put("tunnel", mvt.Bool(m.o.tunnel()))
	m.put("bridge", mvt.Bool(m.o.bridge()))
}

// dam and pier add to the layer of lines or of polygons.
func (m *Mapper) dam(as Geometry) bool {
	return m.either(&dams, as, DamLines, DamPolygons)
}

func (m *Mapper) pier(as Geometry) bool {
	return m.either(&piers, as, PierLines, PierPolygons)
}

func (m *Mapper) either(table *rules, as Geometry, lines, polygons Layer) bool {
	r, ok := table.find(&m.o)
	if !ok {
		return false
	}
	layer := lines
	if as == Polygon {
		layer = polygons
	}
	m.shape(layer, as, r)
	return true
}
