package figure

import (
	"math"
	"testing"
	"time"
)

// TestQuantile: a median of the buckets is that of the spans to the width of a bucket.
func TestQuantile(t *testing.T) {
	if q := (Histogram{}).Quantile(0.5); q != nil {
		t.Errorf("the median of nothing is %v", *q)
	}
	h := Histogram{}
	for i := 1; i <= 1000; i++ {
		h = addAll(h, one(time.Duration(i)*time.Second))
	}
	for _, x := range []struct{ share, want float64 }{{0.5, 500}, {0.9, 900}, {0.1, 100}} {
		if got := *h.Quantile(x.share); math.Abs(got-x.want) > x.want*0.15 {
			t.Errorf("%v of 1000 s: %v, want about %v", x.share, got, x.want)
		}
	}
	if got := len(bounds) + 1; got != 32 {
		t.Errorf("%d buckets", got)
	}
	if got := *one(30 * 24 * time.Hour).Quantile(0.5); got != bounds[len(bounds)-1] {
		t.Errorf("a month is %v", got)
	}
	if one(-time.Second)[0] != 1 {
		t.Error("a negative span is not in the first bucket")
	}
}

// TestWilson: the interval of the formula, in tables of which 8 of 10 and 30 of 30 stand.
func TestWilson(t *testing.T) {
	if Wilson(0, 0) != nil {
		t.Error("nothing has an interval")
	}
	for _, x := range []struct {
		part, of int
		from, to float64
	}{{8, 10, 0.490, 0.943}, {30, 30, 0.886, 1}, {0, 30, 0, 0.114}} {
		got := Wilson(x.part, x.of)
		if math.Abs(got[0]-x.from) > 0.001 || math.Abs(got[1]-x.to) > 0.001 {
			t.Errorf("%d of %d: %v, want %v to %v", x.part, x.of, got, x.from, x.to)
		}
	}
}

// TestSpan: days of a zone, also where clocks change; a time counts its whole day.
func TestSpan(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 26, 23, 30, 0, 0, time.UTC) // the 27th in Berlin
	for _, x := range []struct {
		from, to    string
		first, last string
		days        int
	}{
		{"", "", "2026-10-29", "2026-11-27", 30},
		{"2026-10-24", "2026-10-27", "2026-10-24", "2026-10-26", 3}, // an hour more on the 25th
		{"2026-03-28", "2026-03-31", "2026-03-28", "2026-03-30", 3}, // an hour less on the 29th
		{"2026-11-01T12:00:00Z", "2026-11-02T12:00:00Z", "2026-11-01", "2026-11-02", 2},
	} {
		in := SpanIn{From: x.from, To: x.to}
		s, err := in.span(now, berlin)
		if err != nil || s.first != x.first || s.last != x.last || len(s.days) != x.days {
			t.Errorf("%s to %s: %s to %s, %d days, %v; want %s to %s, %d", x.from, x.to, s.first, s.last, len(s.days), err, x.first, x.last, x.days)
		}
	}
	for _, in := range []SpanIn{{From: "2026-11-02", To: "2026-11-02"}, {From: "2025-01-01", To: "2026-11-01"}, {To: "soon"}} {
		if _, err := in.span(now, berlin); err == nil {
			t.Errorf("%+v is taken", in)
		}
	}
}
