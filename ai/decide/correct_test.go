package decide

import (
	"math"
	"testing"
)

// reviewed are reviews with the same answers of one field again and again.
func reviewed(f Field, decisions int, at map[float64][2]int) *Reviews {
	r := &Reviews{Decisions: decisions}
	for confidence, counts := range at {
		for i := range counts[0] {
			r.Count(f, confidence, i < counts[1])
		}
	}
	return r
}

// TestCorrect: a model that is surer than it is right counts as what it is, and a higher
// confidence never counts less.
func TestCorrect(t *testing.T) {
	for _, c := range []struct {
		name       string
		at         map[float64][2]int // confidence: judged, right
		confidence float64
		from, to   float64
	}{
		{"surer than right", map[float64][2]int{0.95: {200, 120}}, 0.95, 0.59, 0.62},
		{"as right as it says", map[float64][2]int{0.85: {100, 85}, 0.95: {100, 95}}, 0.95, 0.94, 0.96},
		{"the lower part is right more often", map[float64][2]int{0.75: {100, 90}, 0.95: {100, 50}}, 0.95, 0.68, 0.72},
		{"and the lower one counts the same", map[float64][2]int{0.75: {100, 90}, 0.95: {100, 50}}, 0.75, 0.68, 0.72},
		{"a few reviews say little", map[float64][2]int{0.95: {1, 0}, 0.05: {199, 0}}, 0.95, 0.6, 0.8},
		{"between two parts that were judged", map[float64][2]int{0.65: {100, 20}, 0.95: {100, 90}}, 0.85, 0.2, 0.9},
		{"one", map[float64][2]int{1: {200, 200}}, 1, 0.99, 1},
		{"zero", map[float64][2]int{0: {200, 0}}, 0, 0, 0.01},
	} {
		r := reviewed(Intent, EnoughReviews, c.at)
		got, ok := r.Correct(Intent, c.confidence)
		if !ok || got < c.from || got > c.to {
			t.Errorf("%s: %v %v, want %v to %v", c.name, got, ok, c.from, c.to)
		}
		last := 0.0
		for i := range 101 {
			now, _ := r.Correct(Intent, float64(i)/100)
			if now < last || now > 1 || math.IsNaN(now) {
				t.Errorf("%s: %v counts as %v, less than a lower one (%v)", c.name, float64(i)/100, now, last)
			}
			last = now
		}
	}
}

// TestNotCorrected: too few decisions, another field, and stop stay as the model says.
func TestNotCorrected(t *testing.T) {
	at := map[float64][2]int{0.9: {300, 100}}
	if _, ok := reviewed(Intent, EnoughReviews-1, at).Correct(Intent, 0.9); ok {
		t.Error("corrected too soon")
	}
	if _, ok := reviewed(Intent, EnoughReviews, at).Correct(Scenario, 0.9); ok {
		t.Error("a field that nobody judged is corrected")
	}
	if _, ok := reviewed(Stop, EnoughReviews, at).Correct(Stop, 0.9); ok {
		t.Error("stop is corrected")
	}
}

// TestMergeCorrected: what the source said stays beside what it counts as.
func TestMergeCorrected(t *testing.T) {
	said := 0.9
	d := Decision{}.Merge(FromModel, map[Field]Answer{Intent: {Value: Price, Confidence: 0.55, Said: &said}}, Thresholds{Default: 0.6}, nil)
	if v := d[Intent]; v.Trusted || v.Confidence != 0.55 || v.Probability == nil || *v.Probability != 0.9 {
		t.Errorf("%+v", v)
	}
}
