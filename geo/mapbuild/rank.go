package mapbuild

import (
	"math"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
)

// Importance, as map contract 10 defines it:
// rank = clamp(0.02, 1, 0.60 category + 0.25 size + 0.10 fame + 0.05 completeness),
// halved without a name. Each input is in [0, 1] and none lowers the rank. What tags say
// of them is in package osmtags.

// rank is the importance of a finished draft in 1/10000.
func rank(d *draft) uint16 {
	c := category.All()[d.Category].Rank
	var r float64
	switch {
	case d.Bits&index.FlagInterpolated != 0:
		r = 0.02
	case kindOf(int(d.Category)) == index.Address:
		r = math.Min(0.06, 0.02+0.04*c)
	default:
		r = 0.60*c + 0.25*math.Max(0, float64(d.size)) + 0.10*float64(d.fame) + 0.05*float64(d.complete)
		if d.Bits&index.FlagNamed == 0 {
			r *= 0.5
		}
	}
	return uint16(math.Round(math.Max(0.02, math.Min(1, r)) * 10000))
}

var emptyBox = geom.Empty()
