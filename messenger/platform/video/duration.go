package video

import (
	"regexp"
	"strconv"
	"time"
)

var isoDuration = regexp.MustCompile(`^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$`)

// duration reads PT1H2M3S; 0 for what is none.
func duration(s string) (d time.Duration) {
	m := isoDuration.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second} {
		if n, err := strconv.Atoi(m[i+1]); err == nil && n < 1e6 {
			d += time.Duration(n) * unit
		}
	}
	return d
}
