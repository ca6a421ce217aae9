package mapbuild

import (
	"svc/geo/index"
	"svc/geo/ring"
)

// mergePOIs folds a named point of interest that is mapped as a node inside an
// area of the same name and category into the area.
func (b *builder) mergePOIs() {
	type key struct {
		category uint8
		name     uint32
	}
	areas := map[key][]int{}
	for i := range b.drafts {
		d := &b.drafts[i]
		if !d.gone && d.Name != 0 && kindOf(int(d.Category)) == index.POI && d.Extra != nil && len(d.Extra.Shape) > 0 {
			k := key{d.Category, b.m.Strings.ID(b.canonical(d.Name))}
			areas[k] = append(areas[k], i)
		}
	}
	for i := range b.drafts {
		node := &b.drafts[i]
		if node.gone || node.Name == 0 || node.Source.Type() != "n" || kindOf(int(node.Category)) != index.POI {
			continue
		}
		for _, at := range areas[key{node.Category, b.m.Strings.ID(b.canonical(node.Name))}] {
			area := &b.drafts[at]
			if area.Extra.Box.Contains(node.Point) && holds(area.Extra.Shape, node) {
				b.fold(area, node)
				break
			}
		}
	}
}

// holds reports whether the outer rings of a shape contain a node.
func holds(shape []byte, node *draft) bool {
	s := index.DecodeShape(shape)
	for i, part := range s.Parts {
		if !s.Hole[i] && ring.Contains(ring.Polygon{Outer: part}, node.Point) {
			return true
		}
	}
	return false
}
