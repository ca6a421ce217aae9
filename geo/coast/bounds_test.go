package coast

import (
	"slices"
	"testing"

	"svc/geo/plane"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

func TestBoundsIn(t *testing.T) {
	b := plane.Box{MinX: 0, MinY: 0, MaxX: 100, MaxY: 100}
	tests := []struct {
		name   string
		bounds Bounds
		want   plane.Box
		wide   bool
	}{
		{"without bounds all of it", nil, b, true},
		{"all of it", Bounds{b.Expand(5)}, b, true},
		{"a part", Bounds{{MinX: 50, MinY: -9, MaxX: 300, MaxY: 40}}, plane.Box{MinX: 50, MinY: 0, MaxX: 100, MaxY: 40}, true},
		{"the box around two parts", Bounds{{MinX: 0, MinY: 0, MaxX: 10, MaxY: 10}, {MinX: 80, MinY: 50, MaxX: 90, MaxY: 60}}, plane.Box{MaxX: 90, MaxY: 60}, true},
		{"one touches it, one does not", Bounds{{MinX: 200, MinY: 0, MaxX: 300, MaxY: 10}, {MinX: 80, MinY: 50, MaxX: 90, MaxY: 60}}, plane.Box{MinX: 80, MinY: 50, MaxX: 90, MaxY: 60}, true},
		{"an edge is no part", Bounds{{MinX: 100, MinY: 0, MaxX: 300, MaxY: 100}}, plane.Box{}, false},
		{"elsewhere", Bounds{{MinX: 200, MinY: 0, MaxX: 300, MaxY: 100}}, plane.Box{}, false},
	}
	for _, tt := range tests {
		if got := tt.bounds.In(b); got != tt.want || wide(got) != tt.wide {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestHeldClip: of a line stays what lies in cells with data, inside the bounds.
func TestHeldClip(t *testing.T) {
	size := tile.Size(CellZoom)
	first := tile.ID{Z: CellZoom, X: 100, Y: 100}
	box := first.Box()
	y := box.MinY + size/2
	from, to := box.MinX+size/4, box.MinX+3*size+size/4 // through four cells
	second, fourth := tile.ID{Z: CellZoom, X: 101, Y: 100}, tile.ID{Z: CellZoom, X: 103, Y: 100}
	cells := []tile.ID{first, second, fourth, {Z: CellZoom + 1, X: 204, Y: 200}, {Z: CellZoom, X: 1 << CellZoom, Y: 100}}
	within := plane.Box{MinX: 0, MinY: 0, MaxX: box.MinX + size + size/2, MaxY: tile.World}
	for name, tt := range map[string]struct {
		bounds Bounds
		want   []plane.Line
	}{
		"by cells": {nil, []plane.Line{
			{{X: from, Y: y}, {X: box.MinX + size, Y: y}},
			{{X: box.MinX + size, Y: y}, {X: box.MinX + 2*size, Y: y}},
			{{X: box.MinX + 3*size, Y: y}, {X: to, Y: y}},
		}},
		"by bounds": {Bounds{within}, []plane.Line{
			{{X: from, Y: y}, {X: box.MinX + size, Y: y}},
			{{X: box.MinX + size, Y: y}, {X: within.MaxX, Y: y}},
		}},
		"by bounds elsewhere": {Bounds{{MaxX: 10, MaxY: 10}}, nil},
	} {
		got := NewHeld(tt.bounds, cells).Clip(nil, plane.Line{{X: from, Y: y}, {X: to, Y: y}})
		if !slices.EqualFunc(got, tt.want, slices.Equal[plane.Line]) {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestNearLabels: the countries around the data keep their names after the
// zooms of the world; those that the data has, and those far away, do not.
func TestNearLabels(t *testing.T) {
	w := read(t, small(t))
	x, y := tile.Project(5, 5) // where country AA has its label
	home := tile.Holding(CellZoom, x, y)
	beside := tile.ID{Z: CellZoom, X: home.X + 2, Y: home.Y}
	far := tile.ID{Z: CellZoom, X: home.X + 20, Y: home.Y}
	half := plane.Box{MinX: x + 1, MinY: home.Box().MinY, MaxX: home.Box().MaxX, MaxY: home.Box().MaxY}
	for name, tt := range map[string]struct {
		bounds Bounds
		cells  []tile.ID
		own    Own
		last   uint8 // 0: no label
	}{
		"where the data is":      {nil, []tile.ID{home}, nil, shortbread.MaxZoom},
		"beside the data":        {nil, []tile.ID{beside}, nil, NearMaxZoom},
		"outside the bounds":     {Bounds{half}, []tile.ID{home}, nil, NearMaxZoom},
		"far away":               {nil, []tile.ID{far}, nil, 0},
		"no data":                {nil, nil, nil, 0},
		"the data has the label": {nil, []tile.ID{home}, func(iso string, _ plane.Point) bool { return iso == "AA" }, 0},
	} {
		got := w.NearLabels(tt.bounds, tt.cells, tt.own, nil)
		switch {
		case tt.last == 0 && len(got) > 0:
			t.Errorf("%s: %+v", name, got)
		case tt.last == 0:
		case len(got) != 1 || got[0].Point != (plane.Point{X: x, Y: y}) || got[0].Feature.Min != WorldMaxZoom+1 || got[0].Feature.Max != tt.last:
			t.Errorf("%s: %+v, want one label from zoom %d to %d", name, got, WorldMaxZoom+1, tt.last)
		}
	}
}
