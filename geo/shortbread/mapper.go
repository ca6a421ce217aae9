package shortbread

import (
	"svc/geo/mvt"
	"svc/geo/osm"
)

// Mapper turns objects into features. One is used by one goroutine at a time;
// it owns the memory of the tags it gives out (see Feature).
type Mapper struct {
	langs    map[string]bool // nil keeps every language
	nameKeys map[string]string
	o        object
	dst      []Feature
	tags     []Tag // of all features in dst
	from     int   // where those of the feature being made begin
	names    []Tag // of the object, once asked for
	asked    bool
}

// New makes a mapper. langs are the languages of names to keep (uz, uz-Cyrl,
// ...); none keeps every language. The plain name is always kept.
func New(langs []string) *Mapper {
	m := &Mapper{nameKeys: make(map[string]string)}
	if len(langs) > 0 {
		m.langs = make(map[string]bool, len(langs))
		for _, l := range langs {
			m.langs[l] = true
		}
	}
	return m
}

// Node appends the features of a node.
func (m *Mapper) Node(dst []Feature, tags osm.Tags, hint Hint) []Feature {
	if !m.begin(dst, tags, hint) {
		return dst
	}
	m.place()
	m.exit()
	m.transport()
	m.poiOrAddress()
	return m.end()
}

// Way appends the features of a way. closed: its first and last node are the
// same and it has at least four. Whether it then is a line or an area is
// decided here, and it can be both (see Feature.As). Boundary lines are apart,
// since they need the relations: see Boundary.
func (m *Mapper) Way(dst []Feature, tags osm.Tags, closed bool, hint Hint) []Feature {
	if !m.begin(dst, tags, hint) {
		return dst
	}
	m.o.area = closed && !m.o.is(kArea, "no")
	stated := closed && m.o.yes(kArea)
	if !m.o.area || !m.pier(Polygon) {
		m.pier(Line)
	}
	if !m.o.area || !m.dam(Polygon) {
		m.dam(Line)
	}
	if m.o.area {
		m.surfaces(stated)
	}
	if !stated {
		m.waterLine()
		m.street()
	}
	m.ferry()
	m.aerialway()
	return m.end()
}

// Area appends the features of a multipolygon or of a boundary relation that
// encloses an area; all are polygons and label points. The label of a country
// or a state is apart: see BoundaryLabel.
func (m *Mapper) Area(dst []Feature, tags osm.Tags, hint Hint) []Feature {
	if !m.begin(dst, tags, hint) {
		return dst
	}
	m.o.area = true
	m.pier(Polygon)
	m.dam(Polygon)
	m.surfaces(true)
	return m.end()
}

// surfaces adds what an area becomes. stated: the tags or the type of the
// object say that it is an area, which a highway or a waterway needs.
func (m *Mapper) surfaces(stated bool) {
	m.waterPolygon(stated)
	m.land()
	m.site()
	m.bridgeArea()
	m.streetPolygon(stated)
	m.building()
	m.place()
	m.transport()
	m.poiOrAddress()
}

func (m *Mapper) begin(dst []Feature, tags osm.Tags, hint Hint) bool {
	return len(tags) > 0 && m.start(dst, tags, hint)
}

// start reads the object; known is false when the schema knows none of its tags.
func (m *Mapper) start(dst []Feature, tags osm.Tags, hint Hint) (known bool) {
	if len(dst) == 0 {
		m.tags = m.tags[:0]
	}
	m.dst, m.names, m.asked = dst, m.names[:0], false
	return m.o.read(tags, hint)
}

func (m *Mapper) end() []Feature {
	dst := m.dst
	m.dst = nil
	return dst
}

// add begins a feature. Its tags follow with put and putFrom, ascending by
// zoom, before the next one begins.
func (m *Mapper) add(layer Layer, as Geometry, zoom uint8) *Feature {
	m.from = len(m.tags)
	m.dst = append(m.dst, Feature{
		Layer: layer, As: as, Min: zoom, Max: MaxZoom,
		Rank: float32(m.o.hint.Rank), MinSize: layers[layer].minSize,
	})
	return &m.dst[len(m.dst)-1]
}

// putFrom gives the feature being made an attribute from a zoom on.
func (m *Mapper) putFrom(zoom uint8, name string, value mvt.Value) {
	m.tags = append(m.tags, Tag{Tag: mvt.Tag{Key: name, Value: value}, Min: zoom})
	// When the memory moved, the tags of the features before stay where they were.
	m.dst[len(m.dst)-1].Tags = m.tags[m.from:len(m.tags):len(m.tags)]
}

func (m *Mapper) put(name string, value mvt.Value) { m.putFrom(0, name, value) }

func (m *Mapper) putText(name, value string) {
	if value = tidy(value); value != "" {
		m.put(name, mvt.String(value))
	}
}

// putNames gives the feature being made the names of the object.
func (m *Mapper) putNames() {
	for _, n := range m.objectNames() {
		m.put(n.Key, n.Value)
	}
}

// shape adds a feature that has a kind and nothing else.
func (m *Mapper) shape(layer Layer, as Geometry, r rule) *Feature {
	f := m.add(layer, as, r.zoom)
	m.put("kind", mvt.String(r.kind))
	return f
}
