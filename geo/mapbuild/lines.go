package mapbuild

import (
	"cmp"
	"math"
	"slices"

	"svc/geo/admin"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osmtags"
	"svc/geo/text"
)

// joinDistance is how near two ways of one name are one street, in metres
// (map contract 8.4).
const joinDistance = 60

// part is a way of a street or river.
type part struct {
	draft int
	name  string // canonical
	city  uint32
	box   geom.Box
	pts   []geom.Point
}

// mergeLines makes one entry of all ways that are one street, and of all ways
// that are one river. Rivers cross cities; streets do not.
func (b *builder) mergeLines() {
	var parts []part
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone || !isLine(d) {
			continue
		}
		pts, _, _ := b.line(d.refs)
		if len(pts) < 2 || d.Name == 0 {
			d.gone = true
			continue
		}
		parts = append(parts, part{draft: i, pts: pts, box: geom.Bounds(pts)})
		d.Point = geom.Middle(pts)
	}
	b.describeParts(parts)
	slices.SortFunc(parts, func(x, y part) int {
		return cmp.Or(
			cmp.Compare(b.drafts[x.draft].Category, b.drafts[y.draft].Category),
			cmp.Compare(x.name, y.name), cmp.Compare(x.city, y.city),
			cmp.Compare(x.box.MinX, y.box.MinX), cmp.Compare(b.drafts[x.draft].Source, b.drafts[y.draft].Source))
	})
	b.progress.Stage("merge streets", int64(len(parts)))
	for from := 0; from < len(parts); {
		to := from + 1
		for to < len(parts) && b.sameGroup(&parts[from], &parts[to]) {
			to++
		}
		for _, street := range connected(parts[from:to]) {
			b.mergeParts(street)
		}
		b.progress.Add(int64(to - from))
		from = to
	}
}

func (b *builder) describeParts(parts []part) {
	parallel(len(parts), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := &parts[i]
			d := &b.drafts[p.draft]
			p.name = text.Canonical(b.m.Strings.String(d.Name))
			if kindOf(int(d.Category)) == index.Street {
				p.city = d.Admin.City
			}
		}
	})
}

func (b *builder) sameGroup(x, y *part) bool {
	return b.drafts[x.draft].Category == b.drafts[y.draft].Category && x.name == y.name && x.city == y.city
}

// connected splits parts, sorted by their western edge, into groups whose
// members touch or come within joinDistance of each other.
func connected(parts []part) [][]part {
	var open, closed []*group
	for i := range parts {
		reach := parts[i].box.Grow(joinDistance)
		var home *group
		live := open[:0]
		for _, g := range open {
			switch {
			case g.box.MaxX < reach.MinX:
				closed = append(closed, g) // all that follows begins farther east
			case !reach.Intersects(g.box) || !g.isNear(&parts[i], reach):
				live = append(live, g)
			case home == nil:
				home = g
				live = append(live, g)
			default:
				home.absorb(g)
			}
		}
		open = live
		if home == nil {
			home = &group{box: emptyBox}
			open = append(open, home)
		}
		home.parts, home.box = append(home.parts, parts[i]), home.box.Union(parts[i].box)
	}
	var out [][]part
	for _, g := range append(closed, open...) {
		out = append(out, g.parts)
	}
	return out
}

// group is a street under construction.
type group struct {
	box   geom.Box
	parts []part
}

// isNear tries the newest parts first: they lie farthest east, as the next does.
func (g *group) isNear(p *part, reach geom.Box) bool {
	for i := len(g.parts) - 1; i >= 0; i-- {
		if reach.Intersects(g.parts[i].box) && near(p, &g.parts[i]) {
			return true
		}
	}
	return false
}

func (g *group) absorb(o *group) {
	g.parts, g.box = append(g.parts, o.parts...), g.box.Union(o.box)
}

// near reports whether two lines come within joinDistance of each other; one
// end of the nearest stretch is a vertex, unless they cross, and then they
// share a place too.
func near(x, y *part) bool {
	return touches(x.pts, y) || touches(y.pts, x)
}

func touches(pts []geom.Point, line *part) bool {
	reach := line.box.Grow(joinDistance)
	for _, p := range pts {
		if !reach.Contains(p) {
			continue
		}
		n := geom.From(p)
		around := geom.Around(p, joinDistance)
		for i := 1; i < len(line.pts); i++ {
			a, c := line.pts[i-1], line.pts[i]
			if !geom.Empty().Extend(a).Extend(c).Intersects(around) {
				continue
			}
			if d, _ := n.ToSegment(a, c); d <= joinDistance {
				return true
			}
		}
	}
	return false
}

// mergeParts turns the first draft of a group into the whole street: the
// lowest way gives its id, the highest class counts, and the representative
// point is the middle of the longest stretch.
func (b *builder) mergeParts(parts []part) {
	slices.SortFunc(parts, func(x, y part) int {
		return cmp.Compare(b.drafts[x.draft].Source, b.drafts[y.draft].Source)
	})
	whole := &b.drafts[parts[0].draft]
	lines := make([][]geom.Point, 0, len(parts))
	for _, p := range parts {
		lines = append(lines, p.pts)
	}
	around := []uint32{whole.Context}
	for _, p := range parts[1:] {
		d := &b.drafts[p.draft]
		around = append(around, d.Context)
		if d.class > 0 && (whole.class == 0 || d.class < whole.class) {
			whole.class = d.class
		}
		b.fold(whole, d)
	}
	lines = join(lines)
	shape := index.Shape{Kind: index.Lines}
	box, longest := emptyBox, -1.0
	for _, l := range lines {
		if length := geom.Length(l); length > longest {
			longest, whole.Point = length, geom.Middle(l)
		}
		box = box.Union(geom.Bounds(l))
		shape.Parts = append(shape.Parts, geom.Simplify(l, containTolerance))
	}
	whole.Context = b.contexts.union(around)
	if len(parts) > 1 { // the middle of the whole stands in other areas than the first way
		a := admin.Assemble(b.locate.at(whole.Point, math.MaxUint8, &[]admin.Area{}))
		if kindOf(int(whole.Category)) == index.Street {
			a.City = whole.Admin.City // the city that all of its ways are in
		}
		whole.Admin = a
	}
	x := whole.extra()
	x.Box, x.Shape = box, index.EncodeShape(shape)
	b.measureLines(whole, lines)
}

// measureLines sets the size of a street or river from its length, and the
// class of a street.
func (b *builder) measureLines(d *draft, lines [][]geom.Point) {
	total := 0.0
	for _, l := range lines {
		total += geom.Length(l)
	}
	if kindOf(int(d.Category)) == index.Street {
		d.size = float32(osmtags.StreetSize(d.class, total))
		d.Bits = d.Bits&15 | uint8(d.class)<<4
	} else {
		d.size = float32(osmtags.RiverSize(total))
	}
}

// join chains lines that continue each other end to end.
func join(lines [][]geom.Point) [][]geom.Point {
	ends := map[geom.Point][]int{}
	for i, l := range lines {
		ends[l[0]] = append(ends[l[0]], i)
		ends[l[len(l)-1]] = append(ends[l[len(l)-1]], i)
	}
	used := make([]bool, len(lines))
	next := func(p geom.Point) []geom.Point {
		for len(ends[p]) > 0 {
			i := ends[p][0]
			ends[p] = ends[p][1:] // used now or before: never looked at again, however many meet here
			if used[i] {
				continue
			}
			used[i] = true
			l := slices.Clone(lines[i])
			if l[0] != p {
				slices.Reverse(l)
			}
			return l
		}
		return nil
	}
	var out [][]geom.Point
	for i := range lines {
		if used[i] {
			continue
		}
		used[i] = true
		chain := slices.Clone(lines[i])
		for range 2 { // forward, then backward
			for l := next(chain[len(chain)-1]); l != nil; l = next(chain[len(chain)-1]) {
				chain = append(chain, l[1:]...)
			}
			slices.Reverse(chain)
		}
		out = append(out, chain)
	}
	return out
}
