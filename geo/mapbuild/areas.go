package mapbuild

import (
	"context"
	"slices"

	"svc/geo/buildkit"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osmtags"
	"svc/geo/ring"
)

// containTolerance is how far a stored ring may leave its source, in metres.
const containTolerance = 1

// shapeAreas gives relations and closed ways their polygons, their extents and
// a point inside. An area can take seconds, so that each looks whether anybody
// still wants it.
func (b *builder) shapeAreas(ctx context.Context) error {
	b.progress.Stage("assemble areas", int64(len(b.relations)))
	for i := range b.relations {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.shapeRelation(&b.relations[i])
		b.progress.Add(1)
	}
	for i := range b.drafts {
		if d := &b.drafts[i]; d.refs.count > 0 && !isLine(d) {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.shapeWay(d)
		}
	}
	return nil
}

// isLinear reports whether a draft is shown as lines: streets and rivers. One
// drawn as a multipolygon, such as a square, is shown by its rings.
func isLinear(d *draft) bool {
	return kindOf(int(d.Category)) == index.Street || int(d.Category) == riverCategory
}

// isLine reports whether a draft is a way that is kept as a line, and merged
// with its neighbours of one name.
func isLine(d *draft) bool { return isLinear(d) && d.Source.Type() == "w" }

// shapeRelation assembles the rings of one relation. An administrative one
// that does not close is named in the report.
func (b *builder) shapeRelation(r *relation) {
	d := &b.drafts[r.draft]
	if d.gone {
		return // an earlier extract holds it
	}
	lines, lost := b.memberLines(r)
	polygons, problems := ring.Assemble(lines)
	if r.cut {
		problems = slices.Insert(problems, 0, ring.Problem{Kind: buildkit.TooManyMembers})
	}
	if lost > 0 {
		problems = slices.DeleteFunc(problems, func(p ring.Problem) bool { return p.Kind == ring.Missing })
		problems = append(problems, ring.Problem{Kind: buildkit.Outside(lost)})
	}
	if d.level > 0 && slices.ContainsFunc(problems, func(p ring.Problem) bool { return p.Kind != ring.Shared }) {
		b.report.brokenRelation(d.Source.ID(), b.m.Strings.String(d.Name), problems)
	}
	if len(polygons) == 0 {
		d.gone = !b.standIn(d, lines)
		return
	}
	d.Point = pointIn(polygons)
	if d.size < 0 {
		d.size = float32(osmtags.AreaSize(polygonArea(polygons)))
	}
	if kindOf(int(d.Category)) == index.Address {
		return
	}
	shape := index.Shape{Kind: index.Polygons}
	if d.level == 0 && kindOf(int(d.Category)) != index.Place {
		shape.Kind, polygons = index.Polygon, largest(polygons)
	}
	box := emptyBox
	for _, p := range polygons {
		shape.Parts, shape.Hole = append(shape.Parts, geom.Simplify(p.Outer, containTolerance)), append(shape.Hole, false)
		box = box.Union(geom.Bounds(p.Outer))
		if shape.Kind == index.Polygon {
			break
		}
		for _, h := range p.Holes {
			shape.Parts, shape.Hole = append(shape.Parts, geom.Simplify(h, containTolerance)), append(shape.Hole, true)
		}
	}
	if isLinear(d) {
		shape.Kind = index.Lines
		b.measureLines(d, shape.Parts)
	}
	x := d.extra()
	x.Box, x.Shape = box, index.EncodeShape(shape)
}

// standIn puts an entry without a ring at the middle of what is left of its
// border; false when nothing is.
func (b *builder) standIn(d *draft, lines []ring.Line) bool {
	box := emptyBox
	for _, l := range lines {
		box = box.Union(geom.Bounds(l.Pts))
	}
	if box.IsEmpty() || d.Name == 0 {
		return false
	}
	d.Point = box.Center()
	d.size = max(d.size, 0)
	return true
}

// memberLines resolves the member ways. Those the extract lacks, counted by lost,
// have no points: their roles tell what the rings that are left are.
func (b *builder) memberLines(r *relation) (lines []ring.Line, lost int) {
	for _, m := range r.members {
		if m.Type != osm.TypeWay {
			continue
		}
		pts, ids, _ := b.line(b.wayRefs[b.ways[m.Ref]])
		if len(pts) < 2 {
			lost++
			pts, ids = nil, nil
		}
		lines = append(lines, ring.Line{ID: m.Ref, Role: m.Role, Pts: pts, Nodes: ids})
	}
	return lines, lost
}

// shapeWay places a way that is no line: a closed one is an area, an open one
// stands at its middle.
func (b *builder) shapeWay(d *draft) {
	pts, ids, whole := b.line(d.refs)
	if len(pts) == 0 {
		d.gone = true
		return
	}
	if kind := kindOf(int(d.Category)); len(pts) < 4 || !whole || ids[0] != ids[len(ids)-1] || kind == index.Address {
		d.Point = geom.Bounds(pts).Center()
		if len(pts) < 4 || ids[0] != ids[len(ids)-1] {
			d.Point = geom.Middle(pts)
		}
		d.size = max(d.size, 0)
		if kind != index.Address {
			d.extra().Box = geom.Bounds(pts)
		}
		return
	}
	shape := index.Shape{Kind: index.Polygon, Parts: [][]geom.Point{geom.Simplify(pts, containTolerance)}, Hole: []bool{false}}
	d.Point = pointIn([]ring.Polygon{{Outer: pts}})
	if d.size < 0 {
		d.size = float32(osmtags.AreaSize(ring.Area(pts)))
	}
	x := d.extra()
	x.Box, x.Shape = geom.Bounds(pts), index.EncodeShape(shape)
}

// extra is the part of d that few entries have, made on first use.
func (d *draft) extra() *index.Extra {
	if d.Extra == nil {
		d.Extra = &index.Extra{Box: emptyBox}
	}
	return d.Extra
}

// pointIn is a point inside the largest polygon: the middle of its extent when
// that lies inside.
func pointIn(polygons []ring.Polygon) geom.Point {
	p := largest(polygons)[0]
	c := geom.Bounds(p.Outer).Center()
	if ring.Contains(p, c) {
		return c
	}
	return ring.InnerPoint(p)
}

func largest(polygons []ring.Polygon) []ring.Polygon {
	best, size := 0, -1.0
	for i := range polygons {
		if a := abs(ring.Area(polygons[i].Outer)); a > size {
			best, size = i, a
		}
	}
	return polygons[best : best+1]
}

func polygonArea(polygons []ring.Polygon) float64 {
	var sum float64
	for _, p := range polygons {
		sum += abs(ring.Area(p.Outer))
		for _, h := range p.Holes {
			sum -= abs(ring.Area(h))
		}
	}
	return sum
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}
