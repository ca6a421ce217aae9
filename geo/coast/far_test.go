package coast

import (
	"testing"

	"svc/geo/plane"
	"svc/geo/tile"
)

// TestFarCellsStayDry: two extracts in one build, an island and a landlocked
// country. The open water around the island is sea, what no chain of cells
// joins to it is not, whichever side of the coast it lies on.
func TestFarCellsStayDry(t *testing.T) {
	box := cell.Box()
	middle := plane.Point{X: (box.MinX + box.MaxX) / 2, Y: (box.MinY + box.MaxY) / 2}
	// Land on the left of the way: against the clock on a screen.
	island := plane.Line{
		{X: middle.X, Y: middle.Y}, {X: middle.X, Y: middle.Y + 100}, {X: middle.X + 100, Y: middle.Y + 100},
		{X: middle.X + 100, Y: middle.Y}, {X: middle.X, Y: middle.Y},
	}
	beside := tile.ID{Z: CellZoom, X: cell.X + 1, Y: cell.Y + 1}
	far := tile.ID{Z: CellZoom, X: cell.X + 3, Y: cell.Y}
	full := map[tile.ID]bool{}
	for _, c := range Ocean([]plane.Line{island}, nil, []tile.ID{far, cell, beside}) {
		full[c.ID] = c.Full
	}
	if isFull, wet := full[cell]; !wet || isFull {
		t.Error("the cell of the island is not sea around land")
	}
	if !full[beside] {
		t.Error("the cell beside the island is not all sea")
	}
	if _, wet := full[far]; wet {
		t.Error("the far cell is flooded")
	}
}

func TestAround(t *testing.T) {
	for _, tt := range []struct {
		id tile.ID
		n  int
	}{
		{tile.ID{Z: CellZoom, X: 5, Y: 5}, 8},
		{tile.ID{Z: CellZoom, X: 0, Y: 5}, 8},
		{tile.ID{Z: CellZoom, X: 255, Y: 0}, 5},
		{tile.ID{Z: CellZoom, X: 7, Y: 255}, 5},
	} {
		seen := map[tile.ID]bool{}
		for _, id := range around(tt.id) {
			if !id.Valid() || id == tt.id || seen[id] {
				t.Errorf("%v: %v is wrong", tt.id, id)
			}
			seen[id] = true
		}
		if len(seen) != tt.n {
			t.Errorf("%v has %d neighbours, want %d", tt.id, len(seen), tt.n)
		}
	}
}
