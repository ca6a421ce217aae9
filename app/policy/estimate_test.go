package policy

import (
	"testing"
	"time"
)

func TestFinish(t *testing.T) {
	office := &Window{Weekdays: everyDay, From: 9 * 60, To: 10 * 60, Zone: time.UTC}
	const now = "2026-05-04T09:00:00Z"
	for _, tt := range []struct {
		name string
		work Workload
		w    *Window
		want string // "" for never
	}{
		{"nothing to do", Workload{Pace: Pace{Limit: 150}}, nil, now},
		{"one", Workload{Left: 1, Pace: Pace{Interval: 8 * time.Second, Limit: 150}}, nil, now},
		{"a hundred, eight seconds apart", Workload{Left: 100, Pace: Pace{Interval: 8 * time.Second, Limit: 150}}, nil, "2026-05-04T09:13:12Z"},
		{"it waits first", Workload{Left: 2, Pace: Pace{Interval: time.Minute, Limit: 150, Cooldown: moment(t, "2026-05-04T09:05:00Z")}}, nil, "2026-05-04T09:06:00Z"},
		{"the limit of the day", Workload{Left: 151, Pace: Pace{Interval: time.Second, Limit: 150}}, nil, "2026-05-05T00:00:00Z"},
		{"what was sent today counts", Workload{Left: 3, Pace: Pace{Interval: time.Second, Limit: 150, Sent: 149, SentOn: moment(t, now)}}, nil, "2026-05-05T00:00:01Z"},
		{"but not tomorrow", Workload{Left: 1, Pace: Pace{Interval: time.Second, Limit: 1, Sent: 1, SentOn: moment(t, now), Cooldown: moment(t, "2026-05-05T06:00:00Z")}}, nil, "2026-05-05T06:00:00Z"},
		{"more than the limit was sent", Workload{Left: 1, Pace: Pace{Interval: time.Second, Limit: 10, Sent: 20, SentOn: moment(t, now)}}, nil, "2026-05-05T00:00:00Z"},
		{"a window of an hour", Workload{Left: 61, Pace: Pace{Interval: time.Minute, Limit: 500}}, office, "2026-05-05T09:00:00Z"},
		{"window and limit", Workload{Left: 100, Pace: Pace{Interval: time.Minute, Limit: 40}}, office, "2026-05-06T09:19:00Z"},
		{"an interval longer than the window", Workload{Left: 3, Pace: Pace{Interval: 2 * time.Hour, Limit: 40}}, office, "2026-05-06T09:00:00Z"},
		{"no interval", Workload{Left: 300, Pace: Pace{Limit: 100}}, nil, "2026-05-06T00:00:00Z"},
		{"no limit at all", Workload{Left: 1, Pace: Pace{Interval: time.Second}}, nil, ""},
		{"a window that never opens", Workload{Left: 1, Pace: Pace{Interval: time.Second, Limit: 5}}, &Window{Zone: time.UTC}, ""},
		{"a thousand years", Workload{Left: 400_000, Pace: Pace{Interval: time.Second, Limit: 1}}, nil, ""},
	} {
		got, ok := tt.work.Finish(moment(t, now), tt.w)
		if ok != (tt.want != "") || ok && !got.Equal(moment(t, tt.want)) {
			t.Errorf("%s: %s (%v), want %s", tt.name, got, ok, tt.want)
		}
	}
}
