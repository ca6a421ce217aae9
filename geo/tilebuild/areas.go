package tilebuild

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"sync"

	"svc/geo/buildkit"
	"svc/geo/geom"
	"svc/geo/osm"
	"svc/geo/plane"
	"svc/geo/ring"
	"svc/geo/shortbread"
)

// relation is what is kept of a relation that draws or bounds an area.
type relation struct {
	id     int64
	tags   osm.Tags
	ways   []member
	cut    bool  // it has more of them
	label  int64 // the node that bears the name, 0 for none
	border shortbread.Border
	bounds bool // its ways are boundaries
	area   bool // it shows something inside
}

// member is a way of a relation and its role, in one number.
type member int64

var roles = [4]string{"", "outer", "inner", ""}

func newMember(m osm.Member) member {
	role := max(0, slices.Index(roles[:3], m.Role))
	return member(m.Ref<<2 | int64(role))
}

func (m member) way() int64   { return int64(m >> 2) }
func (m member) role() string { return roles[m&3] }

// memberWays keeps the geometry of the ways that relations need.
type memberWays struct {
	ids  []int64 // sorted, once prepare has run
	data [][]byte
}

func (m *memberWays) want(way int64) { m.ids = append(m.ids, way) }

func (m *memberWays) prepare() {
	slices.Sort(m.ids)
	m.ids = slices.Clip(slices.Compact(m.ids))
	m.data = make([][]byte, len(m.ids))
}

// slot is the place of a way, if it is wanted.
func (m *memberWays) slot(way int64) (int, bool) { return slices.BinarySearch(m.ids, way) }

// memberWay is the geometry of the way in a slot.
type memberWay struct {
	slot int
	data []byte
}

func (m *memberWays) set(ways []memberWay) {
	for _, w := range ways {
		m.data[w.slot] = w.data
	}
}

// line gives the points of a way, nil when no extract holds all of it.
func (m *memberWays) line(way int64) []geom.Point {
	slot, ok := m.slot(way)
	if !ok {
		return nil
	}
	return readDegrees(m.data[slot])
}

// packDegrees packs points: four to five bytes each.
func packDegrees(pts []geom.Point) []byte {
	out := make([]byte, 0, 8+5*len(pts))
	var last geom.Point
	for _, p := range pts {
		out = binary.AppendVarint(out, int64(p.X)-int64(last.X))
		out = binary.AppendVarint(out, int64(p.Y)-int64(last.Y))
		last = p
	}
	return slices.Clip(out)
}

func readDegrees(data []byte) (out []geom.Point) {
	in := reader(data)
	var x, y int64
	for len(in) > 0 {
		x += in.int()
		y += in.int()
		out = append(out, geom.Point{X: int32(x), Y: int32(y)})
	}
	return out
}

// country is a country whose label is in the data.
type country struct {
	code     string
	polygons []plane.Polygon
}

// drawAreas assembles the relations and draws them.
func (b *builder) drawAreas(ctx context.Context) error {
	b.progress.Stage("draw areas", int64(len(b.relations)))
	b.dropRepeated()
	var mu sync.Mutex
	err := b.workers.each(len(b.relations), func(w *worker, i int) error {
		r := &b.relations[i]
		polygons, problem := b.assemble(r)
		own := w.area(r, polygons)
		r.ways, r.tags = nil, nil
		mu.Lock()
		defer mu.Unlock()
		if problem != nil {
			b.report.AddBroken(*problem)
		}
		if own != nil {
			b.own = append(b.own, *own)
		}
		b.progress.Add(1)
		if err := ctx.Err(); err != nil {
			return err
		}
		return w.err
	})
	b.relations, b.members = nil, memberWays{}
	return err
}

// dropRepeated keeps the first of a relation that several extracts hold, and
// puts those with the most ways first, so that no core waits for a large one.
func (b *builder) dropRepeated() {
	slices.SortStableFunc(b.relations, func(x, y relation) int { return cmp.Compare(x.id, y.id) })
	b.relations = slices.CompactFunc(b.relations, func(x, y relation) bool { return x.id == y.id })
	slices.SortStableFunc(b.relations, func(x, y relation) int { return cmp.Compare(len(y.ways), len(x.ways)) })
}

// assemble builds the polygons of a relation, and tells what is wrong with it.
func (b *builder) assemble(r *relation) ([]ring.Polygon, *buildkit.Broken) {
	lines := make([]ring.Line, 0, len(r.ways))
	lost := 0
	for _, m := range r.ways {
		pts := b.members.line(m.way())
		if len(pts) < 2 {
			lost++
			pts = nil // listed all the same: its role tells what the rings left are
		}
		lines = append(lines, ring.Line{ID: m.way(), Role: m.role(), Pts: pts})
	}
	polygons, problems := ring.Assemble(lines)
	broken := &buildkit.Broken{Relation: r.id, Name: r.tags.Get("name")}
	for _, p := range problems {
		if p.Kind != ring.Shared && p.Kind != ring.DuplicateWay && p.Kind != ring.Missing {
			broken.Problem, broken.Way = p.Kind, p.Way
			return polygons, broken
		}
	}
	switch {
	case r.cut:
		broken.Problem = buildkit.TooManyMembers
		return polygons, broken
	case lost > 0:
		broken.Problem = buildkit.Outside(lost)
		return polygons, broken
	}
	return polygons, nil
}

// area draws a relation, and gives the country that it is.
func (w *worker) area(r *relation, polygons []ring.Polygon) *country {
	source := sourceOf(osm.TypeRelation, r.id)
	hint := w.hint(osm.TypeRelation, r.id)
	w.features = w.mapper.Area(w.features[:0], r.tags, hint.Hint)
	if hint.merged {
		w.features = withoutPOIs(w.features)
	}
	parts := uint32(len(w.features))
	if len(polygons) > 0 && len(w.features) > 0 {
		w.areaShape(polygons)
		w.shape.entry = hint.entry
		w.draw(source, w.features, &w.shape)
	}
	w.features = w.mapper.BoundaryLabel(w.features[:0], r.tags, hint.Hint)
	if len(w.features) == 0 {
		return nil
	}
	w.areaShape(polygons)
	own := &country{code: shortbread.CountryCode(r.tags), polygons: plane.Clean(w.shape.rings)}
	if at, ok := w.locate.Find(r.label); ok && r.label != 0 {
		w.shape.point, w.shape.pointed = project(at), true
	}
	if !w.shape.pointed && len(w.shape.rings) == 0 || w.bounds != nil && w.shape.pointed && !w.bounds.Contains(w.shape.point) {
		return nil
	}
	w.partBase = parts
	w.draw(source, w.features, &w.shape)
	w.partBase = 0
	if r.border.Level != 2 {
		return nil
	}
	return own
}
