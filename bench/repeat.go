package main

import (
	"svc/geo/geom"
	"svc/geo/index"
)

// repeatModel repeats the entries of a model at offsets until there are n.
func repeatModel(m *index.Model, n int) {
	base, areas := len(m.Entries), len(m.Areas)
	for copy := int32(1); len(m.Entries) < n; copy++ {
		shift := geom.Point{X: copy % 40 * 13_000_000, Y: copy % 7 * 9_000_000}
		from := len(m.Entries)
		for i := range min(base, n-from) {
			m.Entries = append(m.Entries, shifted(&m.Entries[i], shift, int64(copy), int32(from)))
		}
		for _, a := range m.Areas[:areas] {
			if a.Entry += int32(from); int(a.Entry) < len(m.Entries) {
				m.Areas = append(m.Areas, a)
			}
		}
		for i := from; i < len(m.Entries); i++ {
			if int(m.Entries[i].StreetEntry) >= len(m.Entries) {
				m.Entries[i].StreetEntry = -1
			}
		}
	}
}

func shifted(e *index.Entry, by geom.Point, copy int64, from int32) index.Entry {
	c := *e
	c.Point = move(c.Point, by)
	c.Source = index.NewSource(c.Source.Type()[0], c.Source.ID()+copy<<40)
	if c.StreetEntry >= 0 {
		c.StreetEntry += from
	}
	if e.Extra == nil {
		return c
	}
	x := *e.Extra
	x.Merged = nil
	if !x.Box.IsEmpty() {
		sw, ne := move(geom.Point{X: x.Box.MinX, Y: x.Box.MinY}, by), move(geom.Point{X: x.Box.MaxX, Y: x.Box.MaxY}, by)
		x.Box = geom.Box{MinX: sw.X, MinY: sw.Y, MaxX: ne.X, MaxY: ne.Y}
	}
	if len(x.Shape) > 0 {
		s := index.DecodeShape(x.Shape)
		for i := range s.Parts {
			for j := range s.Parts[i] {
				s.Parts[i][j] = move(s.Parts[i][j], by)
			}
		}
		x.Shape = index.EncodeShape(s)
	}
	c.Extra = &x
	return c
}

// move shifts a point and wraps it around the world.
func move(p, by geom.Point) geom.Point {
	const half = 1_790_000_000
	x, y := int64(p.X)+int64(by.X), int64(p.Y)+int64(by.Y)
	if x > half {
		x -= 2 * half
	}
	if y > 890_000_000 {
		y -= 1_000_000_000
	}
	return geom.Point{X: int32(x), Y: int32(y)}
}
