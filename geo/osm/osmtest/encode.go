package osmtest

import (
	"encoding/binary"

	"svc/geo/osm"
)

// message builds one protobuf message.
type message []byte

func (m *message) varint(num int, v uint64) {
	*m = binary.AppendUvarint(*m, uint64(num)<<3)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) sint(num int, v int64) { m.varint(num, zigzag(v)) }

func (m *message) bytes(num int, b []byte) {
	*m = binary.AppendUvarint(*m, uint64(num)<<3|2)
	*m = binary.AppendUvarint(*m, uint64(len(b)))
	*m = append(*m, b...)
}

// numbers writes a repeated field, packed or one by one; nothing when empty.
func (m *message) numbers(num int, list []uint64, scattered bool) {
	if len(list) == 0 {
		return
	}
	if scattered {
		for _, v := range list {
			m.varint(num, v)
		}
		return
	}
	var b []byte
	for _, v := range list {
		b = binary.AppendUvarint(b, v)
	}
	m.bytes(num, b)
}

func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

// deltas gives the differences of a list, zigzag-encoded.
func deltas(list []int64) []uint64 {
	out := make([]uint64, len(list))
	last := int64(0)
	for i, v := range list {
		out[i] = zigzag(v - last)
		last = v
	}
	return out
}

// block encodes the message PrimitiveBlock.
type block struct {
	opts    Options
	table   []string
	indexOf map[string]uint64
}

// EncodeBlock gives the bytes of one uncompressed block.
func EncodeBlock(opts Options, b osm.Block) []byte {
	e := &block{opts: opts, table: []string{""}, indexOf: map[string]uint64{"": 0}}
	if e.opts.Granularity == 0 {
		e.opts.Granularity = 100
	}
	var groups []message
	if len(b.Nodes) > 0 {
		groups = append(groups, e.nodes(b.Nodes))
	}
	if len(b.Ways) > 0 {
		var g message
		for _, w := range b.Ways {
			g.bytes(3, e.way(w))
		}
		groups = append(groups, g)
	}
	if len(b.Relations) > 0 {
		var g message
		for _, r := range b.Relations {
			g.bytes(4, e.relation(r))
		}
		groups = append(groups, g)
	}
	var table, out message
	for _, s := range e.table {
		table.bytes(1, []byte(s))
	}
	out.bytes(1, table)
	for _, g := range groups {
		out.bytes(2, g)
	}
	out.varint(17, uint64(e.opts.Granularity))
	out.varint(19, uint64(opts.LatOffset))
	out.varint(20, uint64(opts.LonOffset))
	return out
}

func (e *block) str(s string) uint64 {
	i, ok := e.indexOf[s]
	if !ok {
		i = uint64(len(e.table))
		e.table = append(e.table, s)
		e.indexOf[s] = i
	}
	return i
}

func (e *block) tags(m *message, tags osm.Tags) {
	var keys, values []uint64
	for _, t := range tags {
		keys = append(keys, e.str(t.Key))
		values = append(values, e.str(t.Value))
	}
	m.numbers(2, keys, e.opts.Scattered)
	m.numbers(3, values, e.opts.Scattered)
}

// stored gives a coordinate in 1e-7 degrees as the block stores it.
func (e *block) stored(v int32, offset int64) int64 {
	return (int64(v)*100 - offset) / int64(e.opts.Granularity)
}

func (e *block) nodes(nodes []osm.Node) message {
	if e.opts.Dense {
		return e.dense(nodes)
	}
	var g message
	for _, n := range nodes {
		var m message
		m.sint(1, n.ID)
		e.tags(&m, n.Tags)
		m.sint(8, e.stored(n.Lat, e.opts.LatOffset))
		m.sint(9, e.stored(n.Lon, e.opts.LonOffset))
		g.bytes(1, m)
	}
	return g
}

func (e *block) dense(nodes []osm.Node) message {
	var (
		ids, lats, lons []int64
		tags            []uint64
		tagged          bool
		m, g            message
	)
	for _, n := range nodes {
		ids = append(ids, n.ID)
		lats = append(lats, e.stored(n.Lat, e.opts.LatOffset))
		lons = append(lons, e.stored(n.Lon, e.opts.LonOffset))
		for _, t := range n.Tags {
			tags = append(tags, e.str(t.Key), e.str(t.Value))
			tagged = true
		}
		tags = append(tags, 0)
	}
	m.numbers(1, deltas(ids), e.opts.Scattered)
	m.numbers(8, deltas(lats), e.opts.Scattered)
	m.numbers(9, deltas(lons), e.opts.Scattered)
	if tagged {
		m.numbers(10, tags, e.opts.Scattered)
	}
	g.bytes(2, m)
	return g
}

func (e *block) way(w osm.Way) message {
	var m message
	m.varint(1, uint64(w.ID))
	e.tags(&m, w.Tags)
	m.numbers(8, deltas(w.Refs), e.opts.Scattered)
	return m
}

func (e *block) relation(r osm.Relation) message {
	var (
		m            message
		roles, types []uint64
		refs         []int64
	)
	for _, x := range r.Members {
		roles = append(roles, e.str(x.Role))
		refs = append(refs, x.Ref)
		types = append(types, uint64(x.Type))
	}
	m.varint(1, uint64(r.ID))
	e.tags(&m, r.Tags)
	m.numbers(8, roles, e.opts.Scattered)
	m.numbers(9, deltas(refs), e.opts.Scattered)
	m.numbers(10, types, e.opts.Scattered)
	return m
}
