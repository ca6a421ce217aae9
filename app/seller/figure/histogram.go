package figure

import (
	"sort"
	"time"
)

// Histogram counts spans of time by bucket.
type Histogram map[int]int

// bounds are the seconds up to which the buckets of a histogram reach; the last bucket holds
// everything longer.
var bounds = []float64{
	1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512, 724, 1024, 1448, 2048, 2896, 4096, 5793, 8192, 16384, 32768, 65536,
	131072, 604800,
}

// one is a histogram of one span; negative ones are none.
func one(d time.Duration) Histogram {
	return Histogram{sort.SearchFloat64s(bounds, max(0, d.Seconds())): 1}
}

// Quantile is the span, in seconds, that a share of the counted ones do not pass; nil for a
// histogram of none. It is exact to the width of a bucket.
func (h Histogram) Quantile(share float64) *float64 {
	total := 0
	for _, n := range h {
		total += n
	}
	if total == 0 {
		return nil
	}
	left := share * float64(total)
	var out float64
	for i := range len(bounds) + 1 {
		n := float64(h[i])
		from, to := 0.0, bounds[len(bounds)-1]
		if i > 0 {
			from = bounds[i-1]
		}
		if i < len(bounds) {
			to = bounds[i]
		}
		if n > 0 {
			out = from + (to-from)*min(1, left/n)
		}
		if left -= n; left <= 0 {
			break
		}
	}
	return &out
}
