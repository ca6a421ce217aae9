package around

import (
	"math"

	"svc/geo/index"
	"svc/geo/result"
)

// minExtents are the smallest areas that get a label, in metres of diagonal,
// by level (map contract 36). Other levels get none.
var minExtents = map[uint8]float64{6: 2000, 7: 2000, 8: 1200, 9: 1200, 10: 150}

// District is the label of an administrative area, as a GeoJSON feature.
type District struct {
	Type       string          `json:"type"`
	Properties map[string]any  `json:"properties"`
	Geometry   result.Geometry `json:"geometry"`
}

// Districts are the labels of the areas that are large enough.
func Districts(x *index.Index) []District {
	out := []District{}
	areas := x.Areas()
	for i := range areas {
		a := &areas[i]
		d := x.Detail(a.Entry)
		row := &x.Rows[a.Entry]
		extent, ok := minExtents[a.Level]
		// The level is the area's own: one that takes part without a level has no label.
		if !ok || d.AdminLevel != int(a.Level) || a.Box.Diagonal() < extent || d.Name == 0 {
			continue
		}
		properties := map[string]any{"name": x.Text(d.Name), "level": d.AdminLevel, "extent": math.Round(a.Box.Diagonal())}
		for _, n := range d.Names {
			properties["name:"+index.NameKeys[n.Key]] = x.Text(n.Value)
		}
		out = append(out, District{
			Type: "Feature", Properties: properties,
			Geometry: result.Geometry{Type: "Point", Coordinates: [2]float64{row.Point().Lon(), row.Point().Lat()}},
		})
	}
	return out
}
