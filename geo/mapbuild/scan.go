package mapbuild

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"svc/geo/buildkit"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osmtags"
)

// collector gathers drafts from the extracts in three scans: relations, the
// ways that matter or that relations need, the nodes that matter or that ways
// need. Each block of a sorted file is inflated once.
type collector struct {
	m         *index.Model
	languages languages
	keys      map[string]uint32
	drafts    []draft
	relations []relation
	ways      map[int64]int // member ways of relations: position in wayRefs
	wayRefs   []refs
	refBytes  []byte
	lines     []interpolation
	nodes     nodes
	left      *leftOut
	houses    []houseRelation
}

// relation is the members of drafts[draft] that build or describe an area.
type relation struct {
	draft   int
	members []osm.Member
	cut     bool // it has more of them
}

// refs is where the node ids of a way stand in collector.refBytes: delta-coded,
// three bytes a node instead of eight.
type refs struct{ from, count uint32 }

// interpolation is a way along which house numbers are counted up.
type interpolation struct {
	way    int64
	refs   refs
	step   string
	street uint32
}

func newCollector(m *index.Model, langs languages) *collector {
	c := &collector{m: m, languages: langs, keys: map[string]uint32{}, ways: map[int64]int{}, left: newLeftOut()}
	keys := []string{osmtags.InterpolatedTag}
	keys = append(keys, osmtags.Stored()...)
	slices.Sort(keys)
	for _, k := range keys {
		c.keys[k] = m.Strings.ID(k) // the smallest ids: one byte in a file
	}
	return c
}

func (c *collector) addRefs(ids []int64) refs {
	r := refs{from: uint32(len(c.refBytes)), count: uint32(len(ids))}
	var last int64
	for _, id := range ids {
		c.refBytes = binary.AppendVarint(c.refBytes, id-last)
		last = id
		c.nodes.want(id)
	}
	return r
}

// eachRef calls yield with the node ids of r.
func (c *collector) eachRef(r refs, yield func(id int64)) {
	data := c.refBytes[r.from:]
	var id int64
	for range r.count {
		d, n := binary.Varint(data)
		data = data[n:]
		id += d
		yield(id)
	}
}

// scan reads all files, kind by kind.
func (c *collector) scan(ctx context.Context, files []*osm.File, p buildkit.Progress) error {
	for _, pass := range []struct {
		name string
		scan func(context.Context, *osm.File, func(int64)) error
	}{{"read relations", c.scanRelations}, {"read ways", c.scanWays}, {"read nodes", c.scanNodes}} {
		var total int64
		for _, f := range files {
			total += f.Size()
		}
		p.Stage(pass.name, total)
		for _, f := range files {
			var last int64
			err := pass.scan(ctx, f, func(done int64) {
				p.Add(done - last)
				last = done
			})
			if err != nil {
				return err
			}
			p.Add(f.Size() - last)
		}
		if pass.name == "read ways" {
			c.nodes.prepare()
		}
	}
	if uint64(len(c.refBytes)) > 1<<32-1 {
		return fmt.Errorf("these extracts have too many ways for one map: build smaller areas")
	}
	return nil
}

// isAreaRelation reports whether the members of a relation draw an area.
func isAreaRelation(tags osm.Tags) bool {
	switch tags.Get("type") {
	case "multipolygon", "boundary":
		return true
	case "":
		return tags.Get("boundary") != ""
	}
	return false
}

func (c *collector) scanRelations(ctx context.Context, f *osm.File, progress func(int64)) error {
	work := func(b *osm.Block) ([]record, error) {
		var out []record
		var arena []osm.Tag
		for i := range b.Relations {
			o := &b.Relations[i]
			r := record{src: index.NewSource('r', o.ID)}
			area := isAreaRelation(o.Tags)
			switch {
			case area && describe(&r, o.Tags, true):
				r.tags = osmtags.Kept(o.Tags, &arena)
				r.members, r.cut = areaMembers(o.Members)
				out = append(out, r)
			case isHouseRelation(o.Tags):
				r.category, r.tags = -1, osmtags.Kept(o.Tags, &arena)
				r.members = houseMembers(o.Members)
				out = append(out, r)
			default:
				c.left.object(o.Tags, area)
			}
		}
		return out, nil
	}
	return osm.Scan(ctx, f, osm.Relations, progress, work, func(records []record) error {
		for i := range records {
			if records[i].category < 0 {
				c.houses = append(c.houses, houseRelation{name: c.id(osmtags.PrimaryName(records[i].tags, false)), members: records[i].members})
				continue
			}
			c.relations = append(c.relations, relation{draft: len(c.drafts), members: records[i].members, cut: records[i].cut})
			c.drafts = append(c.drafts, c.intern(&records[i]))
			for _, m := range records[i].members {
				if _, known := c.ways[m.Ref]; m.Type == osm.TypeWay && !known {
					c.ways[m.Ref] = len(c.wayRefs)
					c.wayRefs = append(c.wayRefs, refs{})
				}
			}
		}
		return nil
	})
}

// areaMembers keeps the ways, and the nodes that stand for the whole; cut says
// that there are more than a relation can have.
func areaMembers(members []osm.Member) (kept []osm.Member, cut bool) {
	return buildkit.Members(members, func(m *osm.Member) bool {
		if m.Type == osm.TypeNode && (m.Role == "admin_center" || m.Role == "admin_centre") {
			m.Role = roleCentre
		}
		if m.Type != osm.TypeWay && (m.Type != osm.TypeNode || m.Role != roleLabel && m.Role != roleCentre) {
			return false
		}
		m.Role = roleName(m.Role)
		return true
	})
}

const (
	roleLabel  = "label"
	roleCentre = "admin_centre"
)

// roleName gives a role a text that does not keep its block alive.
func roleName(role string) string {
	for _, known := range []string{"outer", "inner", roleLabel, roleCentre} {
		if role == known {
			return known
		}
	}
	return ""
}

func isClosed(refs []int64) bool { return len(refs) >= 4 && refs[0] == refs[len(refs)-1] }

func (c *collector) scanWays(ctx context.Context, f *osm.File, progress func(int64)) error {
	work := func(b *osm.Block) ([]record, error) {
		var out []record
		var arena []osm.Tag
		var ids []int64
		for i := range b.Ways {
			w := &b.Ways[i]
			r := record{src: index.NewSource('w', w.ID), category: -1}
			_, member := c.ways[w.ID]
			matched := len(w.Tags) > 0 && describe(&r, w.Tags, isClosed(w.Refs) && w.Tags.Get("area") != "no")
			r.interp = w.Tags.Get("addr:interpolation")
			switch {
			case matched || r.interp != "" || len(w.Tags) == 0:
			case w.Tags.Get("boundary") != "" && !isClosed(w.Refs):
				c.left.border(w.Tags)
			default:
				c.left.object(w.Tags, true)
			}
			if !member && !matched && r.interp == "" || len(w.Refs) == 0 {
				continue
			}
			if matched || r.interp != "" {
				r.tags = osmtags.Kept(w.Tags, &arena)
			}
			from := len(ids)
			ids = append(ids, w.Refs...)
			r.refs = ids[from:len(ids):len(ids)]
			out = append(out, r)
		}
		return out, nil
	}
	return osm.Scan(ctx, f, osm.Ways, progress, work, func(records []record) error {
		for i := range records {
			c.addWay(&records[i])
		}
		return nil
	})
}

func (c *collector) addWay(r *record) {
	at := c.addRefs(r.refs)
	if i, member := c.ways[r.src.ID()]; member && c.wayRefs[i].count == 0 {
		c.wayRefs[i] = at // of a way that several extracts hold the first counts
	}
	if r.interp != "" {
		c.lines = append(c.lines, interpolation{way: r.src.ID(), refs: at, step: r.interp, street: c.id(r.tags.Get("addr:street"))})
		return
	}
	if r.category >= 0 {
		d := c.intern(r)
		d.refs = at
		c.drafts = append(c.drafts, d)
	}
}

// nodeBlock is what one block of nodes gives.
type nodeBlock struct {
	placed  []placed
	records []record
}

func (c *collector) scanNodes(ctx context.Context, f *osm.File, progress func(int64)) error {
	work := func(b *osm.Block) (nodeBlock, error) {
		out := nodeBlock{placed: c.nodes.find(b.Nodes)}
		var arena []osm.Tag
		for i := range b.Nodes {
			n := &b.Nodes[i]
			if len(n.Tags) == 0 {
				continue
			}
			r := record{src: index.NewSource('n', n.ID), lat: n.Lat, lon: n.Lon}
			if describe(&r, n.Tags, false) {
				r.tags = osmtags.Kept(n.Tags, &arena)
				out.records = append(out.records, r)
			} else {
				c.left.object(n.Tags, true)
			}
		}
		return out, nil
	}
	return osm.Scan(ctx, f, osm.Nodes, progress, work, func(b nodeBlock) error {
		c.nodes.place(b.placed)
		for i := range b.records {
			c.drafts = append(c.drafts, c.intern(&b.records[i]))
		}
		return nil
	})
}
