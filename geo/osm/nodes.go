package osm

import "slices"

// Fields of the message Node.
const (
	nodeID   = 1
	nodeKeys = 2
	nodeVals = 3
	nodeLat  = 8
	nodeLon  = 9
)

// Fields of the message DenseNodes.
const (
	denseID       = 1
	denseLat      = 8
	denseLon      = 9
	denseKeysVals = 10
)

// node decodes one message Node.
func (d *decoder) node(data []byte) error {
	var (
		id, lat, lon int64
		keys, values packed
		m            = message{buf: data}
		f            field
	)
	if err := d.charge(1, costNode); err != nil {
		return err
	}
	for {
		ok, err := m.next(&f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch f.num {
		case nodeID:
			id = zigzag(f.val)
		case nodeKeys:
			err = keys.add(&f)
		case nodeVals:
			err = values.add(&f)
		case nodeLat:
			lat = zigzag(f.val)
		case nodeLon:
			lon = zigzag(f.val)
		}
		if err != nil {
			return err
		}
	}
	tags, err := d.pairs(keys, values)
	if err != nil {
		return err
	}
	if !d.lat.fits(lat) || !d.lon.fits(lon) {
		return outside(id)
	}
	d.block.Nodes = append(d.block.Nodes, Node{ID: id, Lat: d.lat.apply(lat), Lon: d.lon.apply(lon), Tags: tags})
	return nil
}

func outside(id int64) error {
	return damaged("node %d lies outside the world (latitude ±90°, longitude ±180°)", id)
}

// dense decodes one message DenseNodes: parallel lists of differences.
func (d *decoder) dense(data []byte) error {
	var (
		ids, lats, lons, tags packed
		m                     = message{buf: data}
		f                     field
	)
	for {
		ok, err := m.next(&f)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		switch f.num {
		case denseID:
			err = ids.add(&f)
		case denseLat:
			err = lats.add(&f)
		case denseLon:
			err = lons.add(&f)
		case denseKeysVals:
			err = tags.add(&f)
		}
		if err != nil {
			return err
		}
	}
	n := ids.count()
	if lats.count() != n || lons.count() != n {
		return damaged("a group has %d node ids but %d latitudes and %d longitudes", n, lats.count(), lons.count())
	}
	if err := d.charge(n, costNode); err != nil {
		return err
	}
	first := len(d.block.Nodes)
	d.block.Nodes = slices.Grow(d.block.Nodes, n)[:first+n]
	nodes := d.block.Nodes[first:]
	if err := denseIDs(nodes, ids); err != nil {
		return err
	}
	if err := d.denseCoordinates(nodes, lats, lons); err != nil {
		return err
	}
	return d.denseTags(nodes, tags)
}

// denseIDs fills the ids, and clears what the last block left.
func denseIDs(nodes []Node, ids packed) error {
	var (
		id uint64
		v  uint64
		p  int
	)
	for i := range nodes {
		if v, p = varint(ids, p); p < 0 {
			return badVarint()
		}
		id += uint64(zigzag(v))
		nodes[i] = Node{ID: int64(id)}
	}
	return ended(ids, p)
}

// ended checks that a list stops with a complete number.
func ended(list packed, p int) error {
	if p != len(list) {
		return badVarint()
	}
	return nil
}

func (d *decoder) denseCoordinates(nodes []Node, lats, lons packed) error {
	var (
		lat, lon int64
		v        uint64
		p, q     int
	)
	for i := range nodes {
		if v, p = varint(lats, p); p < 0 {
			return badVarint()
		}
		lat += zigzag(v)
		if v, q = varint(lons, q); q < 0 {
			return badVarint()
		}
		lon += zigzag(v)
		if !d.lat.fits(lat) || !d.lon.fits(lon) {
			return outside(nodes[i].ID)
		}
		nodes[i].Lat, nodes[i].Lon = d.lat.apply(lat), d.lon.apply(lon)
	}
	if p != len(lats) {
		return badVarint()
	}
	return ended(lons, q)
}

// denseTags reads key, value, key, value, 0 for each node. The list is absent
// when no node has a tag, and some writers leave out the zeros at its end.
func (d *decoder) denseTags(nodes []Node, list packed) error {
	if len(list) == 0 {
		return nil
	}
	n := list.count() / 2
	if err := d.charge(n, costTag); err != nil {
		return err
	}
	d.tags = slices.Grow(d.tags, n)
	p := 0
	for i := range nodes {
		first := len(d.tags)
		for p < len(list) {
			var key, value uint64
			if key, p = varint(list, p); p < 0 {
				return badVarint()
			}
			if key == 0 {
				break
			}
			if value, p = varint(list, p); p < 0 {
				return badVarint()
			}
			t, err := d.tag(key, value)
			if err != nil {
				return err
			}
			d.tags = append(d.tags, t)
		}
		if len(d.tags) > first {
			nodes[i].Tags = d.tags[first:len(d.tags):len(d.tags)]
		}
	}
	if p != len(list) {
		return damaged("a group has tags for more than its %d nodes", len(nodes))
	}
	return nil
}
