package osm

// scale turns the whole numbers of one axis of a block into 1e-7 degrees:
// offset + granularity·v is in 1e-9 degrees (PBF format, "Nodes").
type scale struct {
	granularity, offset int64
	// low and high bound v to the world. Inside them nothing overflows.
	low, high int64
	// factor and shift are granularity and offset in units of 1e-7 degrees,
	// when both are whole there.
	factor, shift int64
	exact         bool
}

func newScale(granularity, offset, world int64) scale {
	s := scale{granularity: granularity, offset: offset, low: 1, high: 0}
	// An offset further out than the far side of the world leaves no v.
	if offset < -4*world || offset > 4*world {
		return s
	}
	s.low = ceilDiv(-world-offset, granularity)
	s.high = floorDiv(world-offset, granularity)
	s.exact = granularity%100 == 0 && offset%100 == 0
	s.factor, s.shift = granularity/100, offset/100
	return s
}

// fits says whether v lies in the world.
func (s *scale) fits(v int64) bool { return v >= s.low && v <= s.high }

// apply gives v, which fits, in 1e-7 degrees, rounded to the nearest.
func (s *scale) apply(v int64) int32 {
	if s.exact {
		return int32(s.shift + s.factor*v)
	}
	return int32(floorDiv(s.offset+s.granularity*v+50, 100))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }
