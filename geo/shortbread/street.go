package shortbread

import (
	"strings"
	"unicode/utf8"

	"svc/geo/mvt"
)

// street is a row of the table of streets.
type street struct {
	kind string
	link bool
	rail bool
	zoom uint8 // first zoom in streets
	// label is the first zoom in street_labels.
	label uint8
	// class is the place in the drawing order among ways on one level.
	class int32
}

// The tables of the layers streets and street_labels: by the value of highway,
// railway and aeroway. The kind of a link is that of its road.
var (
	highways = map[string]street{
		"motorway":       {kind: "motorway", zoom: 5, label: 10, class: 10},
		"motorway_link":  {kind: "motorway", link: true, zoom: 5, label: 13, class: 5},
		"trunk":          {kind: "trunk", zoom: 6, label: 12, class: 9},
		"trunk_link":     {kind: "trunk", link: true, zoom: 6, label: 13, class: 5},
		"primary":        {kind: "primary", zoom: 8, label: 12, class: 8},
		"primary_link":   {kind: "primary", link: true, zoom: 8, label: 13, class: 5},
		"secondary":      {kind: "secondary", zoom: 9, label: 13, class: 7},
		"secondary_link": {kind: "secondary", link: true, zoom: 9, label: 13, class: 5},
		"tertiary":       {kind: "tertiary", zoom: 10, label: 13, class: 6},
		"tertiary_link":  {kind: "tertiary", link: true, zoom: 10, label: 14, class: 5},
		"unclassified":   {kind: "unclassified", zoom: 12, label: 14, class: 5},
		"residential":    {kind: "residential", zoom: 12, label: 14, class: 5},
		"busway":         {kind: "busway", zoom: 12, label: 14, class: 5},
		"bus_guideway":   {kind: "bus_guideway", zoom: 12, label: 14, class: 5},
		"living_street":  {kind: "living_street", zoom: 13, label: 14, class: 4},
		"pedestrian":     {kind: "pedestrian", zoom: 13, label: 14, class: 4},
		"service":        {kind: "service", zoom: 13, label: 14, class: 3},
		"track":          {kind: "track", zoom: 13, label: 14, class: 2},
		"footway":        {kind: "footway", zoom: 13, label: 14, class: 2},
		"path":           {kind: "path", zoom: 13, label: 14, class: 2},
		"cycleway":       {kind: "cycleway", zoom: 13, label: 14, class: 2},
		"steps":          {kind: "steps", zoom: 13, label: 14, class: 1},
	}
	// rail and narrow_gauge begin at zoom 10 when they have the tag service.
	railways = map[string]street{
		"rail":         {kind: "rail", rail: true, zoom: 8, label: 10, class: 13},
		"narrow_gauge": {kind: "narrow_gauge", rail: true, zoom: 8, label: 10, class: 13},
		"tram":         {kind: "tram", rail: true, zoom: 10, label: 10, class: 11},
		"light_rail":   {kind: "light_rail", rail: true, zoom: 10, label: 10, class: 11},
		"funicular":    {kind: "funicular", rail: true, zoom: 10, label: 10, class: 11},
		"subway":       {kind: "subway", rail: true, zoom: 10, label: 10, class: 11},
		"monorail":     {kind: "monorail", rail: true, zoom: 10, label: 10, class: 11},
	}
	aeroways = map[string]street{
		"runway":  {kind: "runway", zoom: 11, label: 11, class: 4},
		"taxiway": {kind: "taxiway", zoom: 13, label: 13, class: 3},
	}
)

const (
	// level is what a bridge, a tunnel or one step of the tag layer weighs in
	// the drawing order; above every class.
	level = 14
	// siding is the zoom from which railways with the tag service are shown,
	// and its class among railways.
	siding, sidingClass = 10, 12
	// The zooms from which attributes of streets are shown. Shortbread 1.1
	// shows link and service from 11 on, its successor 1.2 with the street and
	// from 10 on, so that a style can leave links and sidings out; that is
	// followed here, the rest is 1.1.
	serviceFrom, detailFrom, accessFrom, onewayFrom = 10, 11, 13, 14
)

// streetOf finds the row of a way. A highway that is in no row is not looked at
// as a railway: it says what the way is.
func (o *object) streetOf() (s street, tag string, ok bool) {
	if tag = o.get(kHighway); tag != "" {
		s, ok = highways[tag]
		return s, tag, ok
	}
	if tag = o.get(kRailway); tag != "" {
		if s, ok = railways[tag]; ok {
			if s.zoom < siding && o.get(kService) != "" {
				s.zoom, s.class = siding, sidingClass
			}
			return s, tag, true
		}
	}
	tag = o.get(kAeroway)
	s, ok = aeroways[tag]
	return s, tag, ok
}

// zOrder is the drawing order: by level first, then the more important road
// above the less important one.
func (o *object) zOrder(class int32) int32 {
	z := class + level*o.layer()
	switch {
	case o.bridge():
		z += level
	case o.tunnel():
		z -= level
	}
	return z
}

// street adds a road, railway or runway and its label.
func (m *Mapper) street() {
	o := &m.o
	s, tag, ok := o.streetOf()
	if !ok {
		return
	}
	f := m.add(Streets, Line, s.zoom)
	f.Order = o.zOrder(s.class)
	oneway := !s.rail && isOneway(o.get(kOneway))
	f.Directed = oneway
	m.put("kind", mvt.String(s.kind))
	m.put("link", mvt.Bool(s.link))
	m.put("rail", mvt.Bool(s.rail))
	m.putTextFrom(serviceFrom, "service", o.get(kService))
	m.putFrom(detailFrom, "tunnel", mvt.Bool(o.tunnel()))
	m.putFrom(detailFrom, "bridge", mvt.Bool(o.bridge()))
	m.putTextFrom(detailFrom, "tracktype", o.get(kTracktype))
	m.putTextFrom(detailFrom, "surface", o.get(kSurface))
	if o.get(kHighway) != "" {
		m.putAccess()
	}
	m.putFrom(onewayFrom, "oneway", mvt.Bool(oneway))
	m.putFrom(onewayFrom, "oneway_reverse", mvt.Bool(oneway && o.is(kOneway, "-1")))
	m.streetLabel(s, tag)
}

func (m *Mapper) putTextFrom(zoom uint8, name, value string) {
	if value = tidy(value); value != "" {
		m.putFrom(zoom, name, mvt.String(value))
	}
}

func isOneway(v string) bool { return v == "yes" || v == "1" || v == "true" || v == "-1" }

func (m *Mapper) streetLabel(s street, tag string) {
	ref, rows, cols := refLines(m.o.get(kRef))
	if ref == "" && !m.named() {
		return
	}
	m.add(StreetLabels, Line, s.label).Order = m.o.zOrder(s.class)
	m.put("kind", mvt.String(tag))
	m.put("tunnel", mvt.Bool(m.o.tunnel()))
	if ref != "" {
		m.put("ref", mvt.String(ref))
		m.put("ref_rows", mvt.Int(int64(rows)))
		m.put("ref_cols", mvt.Int(int64(cols)))
	}
	m.putNames()
}

// refLines turns a list of road numbers into lines, and counts the lines and
// the characters of the longest.
func refLines(ref string) (lines string, rows, cols int) {
	if strings.IndexByte(ref, ';') < 0 {
		lines = tidy(ref)
		if lines == "" {
			return "", 0, 0
		}
		return lines, 1, utf8.RuneCountInString(lines)
	}
	var parts []string
	for part := range strings.SplitSeq(ref, ";") {
		if part = tidy(part); part != "" {
			parts = append(parts, part)
			cols = max(cols, utf8.RuneCountInString(part))
		}
	}
	return strings.Join(parts, "\n"), len(parts), cols
}

// streetArea is the table of the layer street_polygons.
var streetAreas = compile([]rule{
	{kHighway, "pedestrian", "pedestrian", 14},
	{kHighway, "service", "service", 14},
	{kAreaAeroway, "runway", "runway", 11},
	{kAreaAeroway, "taxiway", "taxiway", 13},
	{kAeroway, "runway", "runway", 11},
	{kAeroway, "taxiway", "taxiway", 13},
})

// streetPolygon adds a square, a wide service road or a runway drawn as an
// area. A closed highway is a line unless it says that it is an area;
// area:aeroway says so itself.
func (m *Mapper) streetPolygon(stated bool) {
	o := &m.o
	r, ok := streetAreas.find(o)
	if !ok || !stated && r.key != kAreaAeroway {
		return
	}
	s, known := highways[r.value]
	if !known {
		s = aeroways[r.value]
	}
	m.shape(StreetPolygons, Polygon, r).Order = o.zOrder(s.class)
	m.put("rail", mvt.Bool(false))
	m.put("tunnel", mvt.Bool(o.tunnel()))
	m.put("bridge", mvt.Bool(o.bridge()))
	m.putText("surface", o.get(kSurface))
	m.putText("service", o.get(kService))
	if m.named() {
		m.add(StreetsPolygonsLabels, Point, MaxZoom)
		m.put("kind", mvt.String(r.kind))
		m.putNames()
	}
}

// exit adds the label of a motorway exit.
func (m *Mapper) exit() {
	if !m.o.is(kHighway, "motorway_junction") || m.o.get(kRef) == "" && !m.named() {
		return
	}
	m.add(StreetLabelsPoints, Point, 12)
	m.put("kind", mvt.String("motorway_junction"))
	m.putText("ref", m.o.get(kRef))
	m.putNames()
}
