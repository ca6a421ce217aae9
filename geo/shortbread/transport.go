package shortbread

import "svc/geo/mvt"

// stops is the table of the layer public_transport.
var stops = compile([]rule{
	{kAeroway, "aerodrome", "aerodrome", 11},
	{kAeroway, "helipad", "helipad", 13},
	{kRailway, "station", "station", 13},
	{kRailway, "halt", "halt", 13},
	{kRailway, "tram_stop", "tram_stop", 14},
	{kAmenity, "bus_station", "bus_station", 13},
	{kHighway, "bus_stop", "bus_stop", 14},
	{kAmenity, "ferry_terminal", "ferry_terminal", 12},
	{kAerialway, "station", "aerialway_station", 13},
})

// transport adds a stop or a station. It carries the category and the rank of
// the search index as pois does, since it is clicked like one.
func (m *Mapper) transport() {
	r, ok := stops.find(&m.o)
	if !ok {
		return
	}
	m.shape(PublicTransport, Point, r).Order = descending(m.o.hint.Rank)
	m.putNames()
	m.putText("iata", m.o.get(kIATA))
	m.putHint()
}

// aerialwayKinds is the table of the layer aerialways.
var aerialwayKinds = compile([]rule{
	{kAerialway, "cable_car", "cable_car", 12},
	{kAerialway, "gondola", "gondola", 12},
	{kAerialway, "goods", "goods", 12},
	{kAerialway, "chair_lift", "chair_lift", 12},
	{kAerialway, "drag_lift", "drag_lift", 12},
	{kAerialway, "t-bar", "t-bar", 12},
	{kAerialway, "j-bar", "j-bar", 12},
	{kAerialway, "platter", "platter", 12},
	{kAerialway, "rope_tow", "rope-tow", 12},
})

func (m *Mapper) aerialway() {
	if r, ok := aerialwayKinds.find(&m.o); ok {
		m.shape(Aerialways, Line, r)
	}
}

// ferry adds a ferry line: from zoom 10 on unless motor vehicles are refused,
// then from 12.
func (m *Mapper) ferry() {
	if !m.o.is(kRoute, "ferry") {
		return
	}
	zoom := uint8(10)
	if m.o.is(kMotorVehicle, "no") {
		zoom = 12
	}
	m.add(Ferries, Line, zoom)
	m.put("kind", mvt.String("ferry"))
	m.putNames()
}
