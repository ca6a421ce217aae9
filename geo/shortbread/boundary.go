package shortbread

import (
	"svc/geo/mvt"
	"svc/geo/osm"
)

// Border is what a relation says about the boundary ways among its members.
type Border struct {
	Level    uint8 // 2 for a country, 4 for a state; 0 when it only disputes
	Disputed bool
}

// BorderOf reads the tags of a relation; ok is false when it says nothing about
// the boundaries of countries and states. (Shortbread 1.1, boundaries: a
// boundary is disputed by a relation boundary=disputed whose admin_level is
// unset, 2 or 4.)
func BorderOf(tags osm.Tags) (b Border, ok bool) {
	level := tags.Get("admin_level")
	switch tags.Get("boundary") {
	case "administrative":
		switch level {
		case "2":
			return Border{Level: 2}, true
		case "4":
			return Border{Level: 4}, true
		}
	case "disputed":
		if level == "" || level == "2" || level == "4" {
			return Border{Disputed: true}, true
		}
	}
	return Border{}, false
}

// Boundary appends the line of a way that is a member of the relations that
// borders came from: once however many they are, at the lowest of their
// levels. A way that is only disputed bounds nothing and gives no line.
func (m *Mapper) Boundary(dst []Feature, tags osm.Tags, borders []Border) []Feature {
	level, disputed := uint8(0), false
	for _, b := range borders {
		if b.Level > 0 && (level == 0 || b.Level < level) {
			level = b.Level
		}
		disputed = disputed || b.Disputed
	}
	if level == 0 {
		return dst
	}
	m.start(dst, tags, Hint{})
	zoom := uint8(0)
	if level > 2 {
		zoom = 7
	}
	m.add(Boundaries, Line, zoom).Order = -int32(level)
	m.put("admin_level", mvt.Int(int64(level)))
	m.put("maritime", mvt.Bool(m.o.yes(kMaritime) || m.o.is(kNatural, "coastline")))
	m.put("disputed", mvt.Bool(disputed || m.o.yes(kDisputed)))
	return m.end()
}

// boundaryLabelZoom is the first zoom of the label of a country or a state by
// its area on the plane in square metres, which is the room that its name has: France
// shows hers at 3. The schema begins countries at 2 and states at 3.
func boundaryLabelZoom(area float64) uint8 {
	const km2 = 1e6
	switch {
	case area >= 2e6*km2:
		return 2
	case area >= 7e5*km2:
		return 3
	case area >= 1e5*km2:
		return 4
	}
	return 5
}

// BoundaryLabel appends the label of a country or a state from the tags of its
// relation. Its point lies inside the area; the node with the role label is as
// good where there is one.
func (m *Mapper) BoundaryLabel(dst []Feature, tags osm.Tags, hint Hint) []Feature {
	b, ok := BorderOf(tags)
	if !ok || b.Level == 0 {
		return dst
	}
	m.start(dst, tags, hint)
	m.labelOf(b.Level)
	return m.end()
}

// Country appends the label of a country that is no object of the data: the
// backdrop of the world has it. names are attributes such as name and name_uz.
func (m *Mapper) Country(dst []Feature, names []mvt.Tag) []Feature {
	m.start(dst, nil, Hint{})
	m.asked = true
	for _, n := range names {
		m.names = append(m.names, Tag{Tag: n})
	}
	m.labelOf(2)
	return m.end()
}

func (m *Mapper) labelOf(level uint8) {
	if !m.named() {
		return
	}
	zoom := uint8(2)
	if level > 2 {
		zoom = 3
	}
	m.add(BoundaryLabels, Point, zoom).Area = true
	m.put("admin_level", mvt.Int(int64(level)))
	m.put("way_area", mvt.Float(0))
	m.putNames()
}

// CountryCode is the two-letter code of the country that a relation bounds,
// empty when it bounds none or does not say.
func CountryCode(tags osm.Tags) string {
	if b, ok := BorderOf(tags); !ok || b.Level != 2 {
		return ""
	}
	for _, key := range []string{"ISO3166-1:alpha2", "ISO3166-1", "country_code_iso3166_1_alpha_2"} {
		if v := tags.Get(key); len(v) == 2 {
			return v
		}
	}
	return ""
}
