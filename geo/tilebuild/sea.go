package tilebuild

import (
	"context"
	"slices"

	"svc/geo/coast"
	"svc/geo/plane"
	"svc/geo/shortbread"
)

// madeUp numbers what no object of the data is: the sea and the backdrop.
func madeUp(n int) uint64 { return uint64(n)<<2 | 3 }

// besideBackdrop leaves the zooms that the backdrop covers to it, so that no
// boundary of a country is drawn twice.
func (b *builder) besideBackdrop(features []shortbread.Feature) {
	if b.world == nil {
		return
	}
	for i := range features {
		features[i].Min = max(features[i].Min, coast.WorldMaxZoom+1)
	}
}

// drawSea draws the ocean and the backdrop.
func (b *builder) drawSea(ctx context.Context) error {
	b.progress.Stage("draw the sea", 0)
	w := b.workers.get()
	defer b.workers.put(w)
	first := uint8(0)
	if b.world != nil {
		first = coast.WorldMaxZoom + 1
	}
	cells := b.cells.list()
	var rings []plane.Ring
	for _, c := range coast.Ocean(b.shore, b.cover, cells) {
		rings = append(rings, c.Rings...)
	}
	b.shore = nil
	w.drawShape(madeUp(0), coast.Shape{Feature: coast.OceanFeature(first, shortbread.MaxZoom), Rings: join(rings)}, false)
	if err := ctx.Err(); err != nil {
		return err
	}
	// The backdrop goes on where the wanted bounds end: it tells where they lie.
	for i, s := range b.world.World(b.ownCountry, b.opts.Langs) {
		w.drawShape(madeUp(1+i), s, true)
	}
	for i, s := range b.world.Near(b.cover, cells) {
		w.drawShape(madeUp(1<<20+i), s, true)
	}
	for i, s := range b.world.NearLabels(b.cover, cells, b.ownCountry, b.opts.Langs) {
		w.drawShape(madeUp(1<<21+i), s, true)
	}
	return w.err
}

// ownCountry says whether the data has the label of a country.
func (b *builder) ownCountry(iso string, at plane.Point) bool {
	return slices.ContainsFunc(b.own, func(c country) bool {
		return c.code == iso && iso != "" ||
			slices.ContainsFunc(c.polygons, func(p plane.Polygon) bool { return plane.Inside(p, at) })
	})
}

// join makes one shape of the rings of neighbours.
func join(rings []plane.Ring) (out []plane.Ring) {
	for _, p := range plane.CleanThoroughly(rings) {
		out = append(out, p...)
	}
	return out
}

// drawShape draws a feature that comes with its geometry.
func (w *worker) drawShape(source uint64, s coast.Shape, everywhere bool) {
	if everywhere {
		bounds := w.bounds
		w.bounds = nil
		defer func() { w.bounds = bounds }()
	}
	w.shape = shape{point: s.Point, lines: s.Lines, rings: s.Rings, pointed: s.Feature.As == shortbread.Point}
	for _, r := range s.Rings {
		w.shape.area += float64(r.Area2()) / 2
	}
	// Measured already, where it counts: by what is on the ground.
	s.Feature.Area = false
	w.draw(source, []shortbread.Feature{s.Feature}, &w.shape)
}
