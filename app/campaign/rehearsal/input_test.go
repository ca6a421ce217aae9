package rehearsal

import (
	"testing"

	"svc/app/send/figures"
)

func TestFailedShare(t *testing.T) {
	for _, tt := range []struct {
		c    figures.Counters
		want float64
		ok   bool
	}{
		{figures.Counters{}, 0, false},
		{figures.Counters{Delivered: 48, Failed: 1, Skipped: 100}, 0, false},
		{figures.Counters{Delivered: 40, Failed: 6, Unreachable: 4}, 0.2, true},
		{figures.Counters{Delivered: 50}, 0, true},
	} {
		if got, ok := failedShare(tt.c); got != tt.want || ok != tt.ok {
			t.Errorf("%+v: %v, %v", tt.c, got, ok)
		}
	}
}
