package check

import (
	"testing"
	"time"

	"svc/app/policy"
)

// TestQuietMoment: only a message that is sent is at night, not a campaign that lasts over
// one (contract 21.1, Night).
func TestQuietMoment(t *testing.T) {
	tashkent, err := time.LoadLocation("Asia/Tashkent")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	day := &policy.Window{Weekdays: allDays, From: 9 * 60, To: 20 * 60, Zone: tashkent}
	evening := &policy.Window{Weekdays: allDays, From: 18 * 60, To: 23 * 60, Zone: tashkent}
	few := policy.Workload{Left: 3, Pace: policy.Pace{Interval: time.Minute, Limit: 150}}
	for _, tt := range []struct {
		name     string
		start    string
		workload policy.Workload
		w        *policy.Window
		end      string
		want     string // "" for never
	}{
		{"at 03:17", "2026-05-03T22:17:00Z", few, nil, "", "2026-05-03T22:17:00Z"},
		{"by day", "2026-05-04T09:00:00Z", few, nil, "", ""},
		{"its last message at 21:00", "2026-05-04T15:58:00Z", few, nil, "", "2026-05-04T16:00:00Z"},
		{"the last before", "2026-05-04T15:57:00Z", few, nil, "", ""},
		{"8 o'clock is day", "2026-05-04T03:00:00Z", few, nil, "", ""},
		{"the daily limit goes on at 05:00", "2026-05-04T09:00:00Z", policy.Workload{Left: 3, Pace: policy.Pace{Interval: time.Minute, Limit: 2}}, nil, "", "2026-05-05T00:00:00Z"},
		{"within its hours for days", "2026-05-04T09:00:00Z", policy.Workload{Left: 900, Pace: policy.Pace{Interval: time.Minute, Limit: 100}}, day, "", ""},
		{"hours that reach into the night", "2026-05-04T09:00:00Z", policy.Workload{Left: 900, Pace: policy.Pace{Interval: time.Minute, Limit: 500}}, evening, "", "2026-05-04T16:00:00Z"},
		{"it ends before", "2026-05-04T09:00:00Z", policy.Workload{Left: 900, Pace: policy.Pace{Interval: time.Minute, Limit: 500}}, evening, "2026-05-04T15:00:00Z", ""},
		{"nothing is sent", "2026-05-03T22:17:00Z", policy.Workload{Pace: policy.Pace{Limit: 2}}, nil, "", ""},
	} {
		var end *time.Time
		if tt.end != "" {
			e := at(tt.end)
			end = &e
		}
		got := FirstQuiet([]policy.Workload{tt.workload}, at(tt.start), tt.w, end, tashkent)
		if got.IsZero() != (tt.want == "") || tt.want != "" && !got.Equal(at(tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, got.UTC(), tt.want)
		}
	}
}
