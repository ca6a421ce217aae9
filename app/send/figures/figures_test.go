package figures

import (
	"testing"
)

func TestCounters(t *testing.T) {
	for _, c := range []Counters{{}, {Delivered: 1}, {1, 2, 3, 4, 5, 6, 7, 8}, {OptedOut: 3}} {
		b, err := c.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back Counters
		if err := back.UnmarshalText(b); err != nil || back != c {
			t.Errorf("%v is %q, and read %v, %v", c, b, back, err)
		}
	}
}
