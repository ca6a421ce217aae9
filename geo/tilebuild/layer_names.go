package tilebuild

import (
	"slices"
	"strings"

	"svc/geo/mvt"
	"svc/geo/shortbread"
)

// layerNames are the attributes in use that are names, by layer.
type layerNames map[layerName]bool

type layerName struct {
	layer shortbread.Layer
	key   string
}

// note enters the names among the attributes of a feature.
func (n layerNames) note(layer shortbread.Layer, tags []mvt.Tag) {
	for i := range tags {
		if k := tags[i].Key; k == "name" || strings.HasPrefix(k, "name_") {
			if at := (layerName{layer, k}); !n[at] {
				n[layerName{layer, strings.Clone(k)}] = true
			}
		}
	}
}

// join enters all of another list.
func (n layerNames) join(other layerNames) {
	for at := range other {
		n[at] = true
	}
}

// of lists the names of a layer, sorted.
func (n layerNames) of(layer shortbread.Layer) (out []string) {
	for at := range n {
		if at.layer == layer {
			out = append(out, at.key)
		}
	}
	slices.Sort(out)
	return out
}
