package tilebuild

import (
	"runtime"
	"slices"
	"sync"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/nodes"
	"svc/geo/osm"
	"svc/geo/plane"
	"svc/geo/ring"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

// worker turns objects into records. It serves one goroutine at a time.
type worker struct {
	*painter
	mapper   *shortbread.Mapper
	index    *index.Index
	locate   nodes.Locator
	features []shortbread.Feature
	shape    shape
	degrees  []geom.Point
	runs     []span32 // of degrees: the parts of a way between nodes that are missing
	world    []plane.Point
}

// span32 is a part of a list.
type span32 struct{ from, to int }

// workerPool hands out workers: as many as run at once, each with what it has gathered.
type workerPool struct {
	fresh func() *worker
	mu    sync.Mutex
	free  []*worker
	all   []*worker
}

func (c *workerPool) get() *worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.free); n > 0 {
		w := c.free[n-1]
		c.free = c.free[:n-1]
		return w
	}
	w := c.fresh()
	c.all = append(c.all, w)
	return w
}

func (c *workerPool) put(w *worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.free = append(c.free, w)
}

// each calls do for the numbers below n on all cores. It stops at the first error.
func (c *workerPool) each(n int, do func(w *worker, i int) error) error {
	var (
		mu    sync.Mutex
		next  int
		first error
		busy  sync.WaitGroup
	)
	for range min(runtime.GOMAXPROCS(0), n) {
		busy.Go(func() {
			w := c.get()
			defer c.put(w)
			for {
				mu.Lock()
				i := next
				next++
				stop := first != nil || i >= n
				mu.Unlock()
				if stop {
					return
				}
				if err := do(w, i); err != nil {
					mu.Lock()
					if first == nil {
						first = err
					}
					mu.Unlock()
				}
			}
		})
	}
	busy.Wait()
	return first
}

// sourceOf numbers an object among all of them.
func sourceOf(t osm.Type, id int64) uint64 { return uint64(id)<<2 | uint64(t) }

// known is what the search index knows of an object.
type known struct {
	shortbread.Hint
	// merged: the index has it as a part of another one: the same place is drawn
	// for that one.
	merged bool
	entry  spot
}

// spot is a place that may be unknown.
type spot struct {
	at plane.Point
	ok bool
}

// hint looks an object up in the search index.
func (w *worker) hint(t osm.Type, id int64) (k known) {
	if w.index == nil {
		return k
	}
	s := index.NewSource(t.Letter(), id)
	entry, ok := w.index.BySource(s)
	if !ok {
		return k
	}
	row := &w.index.Rows[entry]
	switch w.index.Kind(row) {
	case index.Place, index.POI, index.Nature:
		k.Hint = shortbread.Hint{Category: w.index.CategoryID(row.Category), Rank: row.Importance()}
		k.merged = row.Source != s && w.index.Kind(row) == index.POI
		if row.Source == s {
			k.entry = spot{project(row.Point()), true}
		}
	}
	return k
}

// withoutPOIs leaves out what another object shows.
func withoutPOIs(features []shortbread.Feature) []shortbread.Feature {
	return slices.DeleteFunc(features, func(f shortbread.Feature) bool { return f.Layer == shortbread.POIs })
}

func project(p geom.Point) plane.Point {
	x, y := tile.Project(p.Lon(), p.Lat())
	return plane.Point{X: x, Y: y}
}

// node draws a node.
func (w *worker) node(n *osm.Node) {
	hint := w.hint(osm.TypeNode, n.ID)
	w.features = w.mapper.Node(w.features[:0], n.Tags, hint.Hint)
	if hint.merged {
		w.features = withoutPOIs(w.features)
	}
	if len(w.features) == 0 {
		return
	}
	w.shape = shape{pointed: true, point: project(geom.Point{X: n.Lon, Y: n.Lat})}
	w.draw(sourceOf(osm.TypeNode, n.ID), w.features, &w.shape)
}

// resolve looks up the nodes of a way: it fills degrees, and runs with the parts
// that hang together. whole is false when the extract lacks a node.
func (w *worker) resolve(refs []int64) (whole bool) {
	w.degrees, w.runs = w.degrees[:0], w.runs[:0]
	from := 0
	whole = true
	for _, id := range refs {
		p, ok := w.locate.Find(id)
		if !ok {
			whole = false
			w.endRun(from)
			from = len(w.degrees)
			continue
		}
		if n := len(w.degrees); n == from || w.degrees[n-1] != p {
			w.degrees = append(w.degrees, p)
		}
	}
	w.endRun(from)
	return whole
}

func (w *worker) endRun(from int) {
	if to := len(w.degrees); to-from > 1 {
		w.runs = append(w.runs, span32{from, to})
	}
}

// wayShape makes the shape of the way resolved last. closed: it is an area too.
func (w *worker) wayShape(closed bool) {
	s := &w.shape
	*s = shape{lines: s.lines[:0], rings: s.rings[:0]}
	w.world = w.world[:0]
	for _, p := range w.degrees {
		w.world = append(w.world, project(p))
	}
	for _, r := range w.runs {
		s.lines = append(s.lines, plane.Line(w.world[r.from:r.to:r.to]))
	}
	if closed && len(s.lines) == 1 {
		w.closedShape(s.lines[0])
	}
}

// closedShape adds the area of a closed way. One that crosses itself surrounds
// what a relation of it would: what lies inside an odd number of times.
func (w *worker) closedShape(l plane.Line) {
	w.addRing(slices.Clone(plane.Ring(l[:len(l)-1])), false)
	rings := w.shape.rings
	if p := plane.Clean(rings); len(p) == 1 && len(p[0]) == 1 && p[0][0].Area2() == rings[0].Area2() {
		return
	}
	polygons, _ := ring.Assemble([]ring.Line{{Pts: w.degrees}})
	w.shape.rings, w.shape.area = w.shape.rings[:0], 0
	w.addPolygons(polygons)
}

// addRing adds a ring to the shape, turned as outer rings or holes are.
func (w *worker) addRing(r plane.Ring, hole bool) {
	a := r.Area2()
	if a == 0 {
		return
	}
	if (a < 0) != hole {
		slices.Reverse(r)
	}
	w.shape.rings = append(w.shape.rings, r)
	if hole {
		w.shape.area -= float64(abs(a)) / 2
	} else {
		w.shape.area += float64(abs(a)) / 2
	}
}

// areaShape makes the shape of assembled polygons.
func (w *worker) areaShape(polygons []ring.Polygon) {
	s := &w.shape
	*s = shape{lines: s.lines[:0], rings: s.rings[:0]}
	w.addPolygons(polygons)
}

func (w *worker) addPolygons(polygons []ring.Polygon) {
	for _, p := range polygons {
		w.addRing(projectRing(p.Outer), false)
		for _, h := range p.Holes {
			w.addRing(projectRing(h), true)
		}
	}
}

// projectRing projects a ring that repeats its first point.
func projectRing(pts []geom.Point) plane.Ring {
	out := make(plane.Ring, 0, len(pts))
	for _, p := range pts[:len(pts)-1] {
		if q := project(p); len(out) == 0 || out[len(out)-1] != q {
			out = append(out, q)
		}
	}
	return out
}
