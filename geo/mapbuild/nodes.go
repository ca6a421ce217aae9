package mapbuild

import (
	"math"
	"slices"

	"svc/geo/geom"
	"svc/geo/osm"
)

// nodes holds the positions of the nodes that ways need: ids sorted, 16 bytes a node.
type nodes struct {
	ids    []int64
	points []geom.Point
}

// missing marks a node that no extract holds: the way leaves the extract there.
var missing = geom.Point{X: math.MaxInt32, Y: math.MaxInt32}

// want asks for a node; prepare ends the asking.
func (n *nodes) want(id int64) { n.ids = append(n.ids, id) }

func (n *nodes) prepare() {
	slices.Sort(n.ids)
	n.ids = slices.Clip(slices.Compact(n.ids))
	n.points = make([]geom.Point, len(n.ids))
	for i := range n.points {
		n.points[i] = missing
	}
}

// placed is the position of wanted node number at.
type placed struct {
	at    uint32
	point geom.Point
}

// find gives the positions of the wanted nodes of a block. It only reads, so
// that workers may run it at once.
func (n *nodes) find(block []osm.Node) []placed {
	var out []placed
	at := 0
	for i := range block {
		id := block[i].ID
		if i == 0 || id <= block[i-1].ID {
			at = n.search(id)
		} else {
			at = n.gallop(at, id)
		}
		if at < len(n.ids) && n.ids[at] == id {
			out = append(out, placed{at: uint32(at), point: geom.Point{X: block[i].Lon, Y: block[i].Lat}})
		}
	}
	return out
}

// place keeps positions; of a node that comes twice the first counts.
func (n *nodes) place(found []placed) {
	for _, f := range found {
		if n.points[f.at] == missing {
			n.points[f.at] = f.point
		}
	}
}

// search is the position of the first id not below the wanted one.
func (n *nodes) search(id int64) int {
	at, _ := slices.BinarySearch(n.ids, id)
	return at
}

// gallop is search, starting at a position that is likely close before.
func (n *nodes) gallop(at int, id int64) int {
	step := 1
	for at+step < len(n.ids) && n.ids[at+step] < id {
		at += step
		step *= 2
	}
	if at < len(n.ids) && n.ids[at] >= id {
		return at
	}
	end := min(at+step+1, len(n.ids))
	i, _ := slices.BinarySearch(n.ids[at:end], id)
	return at + i
}

// point is where a node stands; ok is false when no extract holds it.
func (n *nodes) point(id int64, hint *int) (geom.Point, bool) {
	at := *hint
	if at < len(n.ids) && n.ids[at] <= id {
		at = n.gallop(at, id)
	} else {
		at = n.search(id)
	}
	*hint = at
	if at == len(n.ids) || n.ids[at] != id || n.points[at] == missing {
		return geom.Point{}, false
	}
	return n.points[at], true
}

// line resolves the nodes of a way. whole is false when some are missing;
// the line then holds the rest.
func (c *collector) line(r refs) (pts []geom.Point, ids []int64, whole bool) {
	pts, ids, whole = make([]geom.Point, 0, r.count), make([]int64, 0, r.count), true
	hint := 0
	c.eachRef(r, func(id int64) {
		p, ok := c.nodes.point(id, &hint)
		if !ok {
			whole = false
			return
		}
		if len(pts) > 0 && pts[len(pts)-1] == p && ids[len(ids)-1] == id {
			return // a node repeated
		}
		pts, ids = append(pts, p), append(ids, id)
	})
	return pts, ids, whole
}
