package board

import (
	"encoding/json"
	"testing"
	"time"

	"svc/ai/narrative"
)

// TestDirections: a figure that a text may call unchanged neither rises nor falls, so that no
// sentence says that 3.2 rose to 3.2.
func TestDirections(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		unit     narrative.Unit
		was, now float64
		want     string
	}{
		{narrative.Score, 3.18, 3.22, "SAME"},
		{narrative.Score, 3.1, 3.2, "UP"},
		{narrative.Share, 0.562, 0.564, "SAME"},
		{narrative.Share, 0.10, 0.08, "DOWN"},
		{narrative.Count, 120, 121, "UP"},
		{narrative.Count, 120, 120, "SAME"},
	} {
		f := Figures{Locale: English, Zone: time.UTC, Metrics: []Metric{{Key: "m", Label: "M", Unit: c.unit, Value: number(c.now), Previous: number(c.was)}}}
		data, err := f.Data()
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Metrics []struct{ Change string } }
		if err := json.Unmarshal(data, &got); err != nil || len(got.Metrics) != 1 || got.Metrics[0].Change != c.want {
			t.Errorf("%s from %v to %v: %+v, %v, want %s", c.unit, c.was, c.now, got, err, c.want)
		}
	}
}
