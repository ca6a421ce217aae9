package telegram

import (
	"testing"
	"time"
)

// What the platform says is its time in whole seconds: a clock that can be right is.
func TestSkew(t *testing.T) {
	const said = 1_800_000_000
	for _, c := range []struct{ now, want time.Duration }{
		{0, 0}, {900 * time.Millisecond, 0}, {2 * time.Second, 0}, {2100 * time.Millisecond, 100 * time.Millisecond},
		{time.Minute, 58 * time.Second}, {-time.Millisecond, -time.Millisecond}, {-time.Hour, -time.Hour},
	} {
		var d Driver
		if _, known := d.ClockSkew(); known {
			t.Fatal("known before anybody asked")
		}
		d.skew.note(time.Unix(said, 0).Add(c.now), said)
		if got, known := d.ClockSkew(); !known || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.now, got, known, c.want)
		}
	}
}
