package tilebuild

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"svc/geo/buildkit"
	"svc/geo/coast"
	"svc/geo/geom"
	"svc/geo/nodes"
	"svc/geo/osm"
	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tagset"
	"svc/geo/tile"
	"svc/geo/tilesort"
)

// cellZoom is the zoom of the tiles by which coverage is told: where there are
// nodes there is data, and the coast is known.
const cellZoom = coast.CellZoom

// builder carries a build from stage to stage.
type builder struct {
	opts     Options
	report   *Report
	progress buildkit.Progress
	bounds   *plane.Box
	sort     *tilesort.Sorter
	tags     *tagset.Sets
	workers  workerPool

	nodes     nodes.All
	cells     cellSet
	relations []relation
	members   memberWays
	borders   map[int64][]shortbread.Border // of the ways that are boundaries
	shore     []plane.Line                  // the coastline
	own       []country                     // with a label in the data
	world     *coast.World                  // the backdrop, nil without one
	extents   []extent                      // of the extracts
	cover     coast.Bounds                  // what they hold, once the nodes are read
	held      coast.Held                    // where the data hides the backdrop; nil without one
	names     layerNames
	seenWays  [][]int64 // of the extracts before, when there are several; sorted
	cutWays   int
}

// scan reads all extracts, kind by kind. Nodes and ways become records at once.
func (b *builder) scan(ctx context.Context, files []*osm.File) error {
	for _, pass := range []struct {
		name string
		scan func(context.Context, int, *osm.File, func(int64)) error
		done func()
	}{
		{"read relations", b.scanRelations, b.members.prepare},
		{"read nodes", b.scanNodes, b.settleBounds},
		{"read ways", b.scanWays, func() {}},
	} {
		var total int64
		for _, f := range files {
			total += f.Size()
		}
		b.progress.Stage(pass.name, total)
		for i, f := range files {
			var last int64
			err := pass.scan(ctx, i, f, func(done int64) {
				b.progress.Add(done - last)
				last = done
			})
			if err != nil {
				return err
			}
			b.progress.Add(f.Size() - last)
		}
		pass.done()
	}
	return nil
}

func (b *builder) scanRelations(ctx context.Context, _ int, f *osm.File, progress func(int64)) error {
	work := func(block *osm.Block) ([]relation, error) {
		w := b.workers.get()
		defer b.workers.put(w)
		var out []relation
		for i := range block.Relations {
			if r, ok := w.relation(&block.Relations[i]); ok {
				out = append(out, r)
			}
		}
		return out, nil
	}
	return osm.Scan(ctx, f, osm.Relations, progress, work, func(found []relation) error {
		for i := range found {
			r := &found[i]
			for _, m := range r.ways {
				if r.area {
					b.members.want(m.way())
				}
				if r.bounds {
					b.borders[m.way()] = append(b.borders[m.way()], r.border)
				}
			}
			if r.area {
				b.relations = append(b.relations, *r)
			}
		}
		return nil
	})
}

// nodeBlock is what a block of nodes gives.
type nodeBlock struct {
	chunks []nodes.Chunk
	cells  []uint16
	box    geom.Box
}

func (b *builder) scanNodes(ctx context.Context, file int, f *osm.File, progress func(int64)) error {
	here := &nodes.Positions{}
	where := extent{header: f.Header().Bounds, nodes: geom.Empty()}
	work := func(block *osm.Block) (nodeBlock, error) {
		w := b.workers.get()
		defer b.workers.put(w)
		for i := range block.Nodes {
			n := &block.Nodes[i]
			if len(n.Tags) > 0 && (file == 0 || !w.locate.HeldBefore(file, n.ID)) {
				w.node(n)
			}
		}
		return nodeBlock{chunks: nodes.ChunksOf(block.Nodes), cells: cellsOf(block.Nodes), box: boxOf(block.Nodes)}, w.err
	}
	err := osm.Scan(ctx, f, osm.Nodes, progress, work, func(n nodeBlock) error {
		here.Add(n.chunks)
		where.nodes = where.nodes.Union(n.box)
		for _, c := range n.cells {
			b.cells.add(c)
			where.cells.add(c)
		}
		return nil
	})
	b.extents = append(b.extents, where)
	here.Finish()
	b.nodes = append(b.nodes, here)
	for _, w := range b.workers.all {
		w.locate = b.nodes.Locator()
	}
	return err
}

// boxOf is the box around nodes.
func boxOf(block []osm.Node) geom.Box {
	box := geom.Empty()
	for i := range block {
		box = box.Extend(geom.Point{X: block[i].Lon, Y: block[i].Lat})
	}
	return box
}

// settleBounds finds out what the data covers.
func (b *builder) settleBounds() {
	b.cover = boundsOf(b.bounds, b.extents)
	if b.world != nil && len(b.cover) > 0 {
		b.held = coast.NewHeld(b.cover, b.cells.list())
	}
}

// wayBlock is what a block of ways gives beyond its records.
type wayBlock struct {
	ids     []int64 // of all ways, when there are several extracts
	members []memberWay
	shore   []plane.Line
	cut     int
}

func (b *builder) scanWays(ctx context.Context, _ int, f *osm.File, progress func(int64)) error {
	several := len(b.opts.Inputs) > 1
	var here []int64
	work := func(block *osm.Block) (wayBlock, error) {
		w := b.workers.get()
		defer b.workers.put(w)
		var out wayBlock
		for i := range block.Ways {
			o := &block.Ways[i]
			if err := ctx.Err(); err != nil { // a block holds thousands, and one can take a second
				return out, err
			}
			if b.seen(o.ID) {
				continue
			}
			if several {
				out.ids = append(out.ids, o.ID)
			}
			w.way(b, o, &out)
		}
		return out, w.err
	}
	err := osm.Scan(ctx, f, osm.Ways, progress, work, func(o wayBlock) error {
		b.members.set(o.members)
		b.shore = append(b.shore, o.shore...)
		b.cutWays += o.cut
		here = append(here, o.ids...)
		return nil
	})
	slices.Sort(here)
	b.seenWays = append(b.seenWays, here)
	return err
}

// seen says whether an extract before holds the way.
func (b *builder) seen(id int64) bool {
	return slices.ContainsFunc(b.seenWays, func(ids []int64) bool {
		_, found := slices.BinarySearch(ids, id)
		return found
	})
}

// way draws a way, and keeps what relations and the coast need of it.
func (w *worker) way(b *builder, o *osm.Way, out *wayBlock) {
	slot, member := b.members.slot(o.ID)
	borders := b.borders[o.ID]
	closed := len(o.Refs) >= 4 && o.Refs[0] == o.Refs[len(o.Refs)-1]
	w.features = w.features[:0]
	shore := false
	var hint known
	if len(o.Tags) > 0 {
		hint = w.hint(osm.TypeWay, o.ID)
		w.features = w.mapper.Way(w.features, o.Tags, closed, hint.Hint)
		if hint.merged {
			w.features = withoutPOIs(w.features)
		}
		shore = o.Tags.Get("natural") == "coastline"
	}
	if !member && !shore && len(borders) == 0 && len(w.features) == 0 {
		return
	}
	whole := w.resolve(o.Refs)
	if member && whole {
		out.members = append(out.members, memberWay{slot, packDegrees(w.degrees)})
	}
	if closed && !whole && slices.ContainsFunc(w.features, func(f shortbread.Feature) bool { return f.As == shortbread.Polygon }) {
		out.cut++
	}
	if !shore && len(borders) == 0 && len(w.features) == 0 {
		return
	}
	w.wayShape(closed && whole)
	w.shape.entry = hint.entry
	if shore {
		for _, l := range w.shape.lines {
			out.shore = append(out.shore, slices.Clone(l))
		}
	}
	source := sourceOf(osm.TypeWay, o.ID)
	w.draw(source, w.features, &w.shape)
	if len(borders) > 0 {
		w.wayShape(false)
		w.partBase = uint32(len(w.features))
		w.features = w.mapper.Boundary(w.features[:0], o.Tags, borders)
		b.besideBackdrop(w.features)
		if slices.ContainsFunc(borders, func(b shortbread.Border) bool { return b.Level == 2 }) {
			w.held = b.held
		}
		w.draw(source, w.features, &w.shape)
		w.partBase, w.held = 0, nil
	}
}

// relation keeps what the drawing of a relation needs; false when it shows nothing.
func (w *worker) relation(o *osm.Relation) (r relation, ok bool) {
	kind := o.Tags.Get("type")
	if kind != "multipolygon" && kind != "boundary" && (kind != "" || !o.Tags.Has("boundary")) {
		return r, false
	}
	r.id = o.ID
	r.border, r.bounds = shortbread.BorderOf(o.Tags)
	w.features = w.mapper.Area(w.features[:0], o.Tags, shortbread.Hint{})
	w.features = w.mapper.BoundaryLabel(w.features, o.Tags, shortbread.Hint{})
	r.area = len(w.features) > 0 || w.hint(osm.TypeRelation, o.ID).Category != ""
	if !r.area && !r.bounds {
		return r, false
	}
	var ways []osm.Member
	ways, r.cut = buildkit.Members(o.Members, func(m *osm.Member) bool {
		if m.Type == osm.TypeNode && m.Role == "label" {
			r.label = m.Ref
		}
		return m.Type == osm.TypeWay
	})
	r.ways = make([]member, len(ways))
	for i, m := range ways {
		r.ways[i] = newMember(m)
	}
	if r.area {
		r.tags = cloneTags(o.Tags)
	}
	return r, true
}

// cloneTags copies tags out of their block, into one piece of memory.
func cloneTags(tags osm.Tags) osm.Tags {
	var b strings.Builder
	for _, t := range tags {
		b.WriteString(t.Key)
		b.WriteString(t.Value)
	}
	text := b.String()
	out := make(osm.Tags, len(tags))
	for i, t := range tags {
		k, v := len(t.Key), len(t.Value)
		out[i] = osm.Tag{Key: text[:k], Value: text[k : k+v]}
		text = text[k+v:]
	}
	return out
}

// cellSet are the covered tiles of cellZoom: y*256+x.
type cellSet [1 << (2 * cellZoom) / 64]uint64

func (c *cellSet) add(cell uint16)      { c[cell/64] |= 1 << (cell % 64) }
func (c *cellSet) has(cell uint16) bool { return c[cell/64]>>(cell%64)&1 == 1 }

// list gives the covered tiles.
func (c *cellSet) list() (out []tile.ID) {
	for i := range uint32(1 << (2 * cellZoom)) {
		if c.has(uint16(i)) {
			out = append(out, tile.ID{Z: cellZoom, X: i & 255, Y: i >> cellZoom})
		}
	}
	return out
}

// cellRows are the northern edges of the rows of cells, in 1e-7 degrees.
var cellRows = func() (rows [1<<cellZoom + 1]int32) {
	for i := range rows {
		_, lat := tile.Unproject(0, int32(i)*tile.Size(cellZoom))
		rows[i] = geom.FromDegrees(lat, 0).Y
	}
	return rows
}()

// cellsOf gives the cells of nodes, each once.
func cellsOf(block []osm.Node) (out []uint16) {
	row := 0
	for i := range block {
		n := &block[i]
		if n.Lat > cellRows[row] || n.Lat <= cellRows[row+1] {
			at, _ := slices.BinarySearchFunc(cellRows[:], n.Lat, func(edge, lat int32) int { return cmp.Compare(lat, edge) })
			row = min(max(at-1, 0), 1<<cellZoom-1)
		}
		column := (int64(n.Lon) + 180*geom.Scale) << cellZoom / (360 * geom.Scale)
		cell := uint16(row<<cellZoom) | uint16(min(column, 1<<cellZoom-1))
		if len(out) == 0 || out[len(out)-1] != cell {
			out = append(out, cell)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
