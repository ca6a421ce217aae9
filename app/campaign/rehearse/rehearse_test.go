package rehearse

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"svc/app/policy"
)

var start = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)

func people(n int, who Person) []Person { return slices.Repeat([]Person{who}, n) }

var everyDay = []policy.Weekday{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// calm is a platform that never asks to wait.
var calm = Model{Burst: 1 << 30, Refill: time.Second, Pardon: 1}

func TestRun(t *testing.T) {
	office := &policy.Window{Weekdays: everyDay, From: 9 * 60, To: 10 * 60, Zone: time.UTC}
	for _, tt := range []struct {
		name                      string
		plan                      Plan
		delivered, failed, unsent int
		floods                    int
		finish                    string // "" for never
		hours                     int
	}{
		{"nobody", Plan{Model: calm, Accounts: []Account{{Pace: policy.Pace{Limit: 5}}}}, 0, 0, 0, 0, "2026-05-04T09:00:00Z", 0},
		{
			"a hundred, eight seconds apart", Plan{Model: calm, Accounts: []Account{{People: people(100, Known), Pace: policy.Pace{Interval: 8 * time.Second, Limit: 150}}}},
			100, 0, 0, 0, "2026-05-04T09:13:12Z", 1,
		},
		{
			"the limit of two days", Plan{Model: calm, Accounts: []Account{{People: people(151, Known), Pace: policy.Pace{Interval: time.Second, Limit: 150, Sent: 100, SentOn: start}}}},
			151, 0, 0, 0, "2026-05-05T00:01:40Z", 2,
		},
		{
			"a window", Plan{Model: calm, Window: office, Accounts: []Account{{People: people(61, Known), Pace: policy.Pace{Interval: time.Minute, Limit: 500}}}},
			61, 0, 0, 0, "2026-05-05T09:00:00Z", 2,
		},
		{
			"its end", Plan{Model: calm, End: start.Add(10 * time.Minute), Accounts: []Account{{People: people(61, Known), Pace: policy.Pace{Interval: time.Minute, Limit: 500}}}},
			10, 0, 51, 0, "", 1,
		},
		{
			"who cannot be reached costs time, not the limit", Plan{Model: calm, Accounts: []Account{{People: append(people(5, Unreached), people(2, Known)...), Pace: policy.Pace{Interval: time.Minute, Limit: 2}}}},
			2, 5, 0, 0, "2026-05-04T09:06:00Z", 1,
		},
		{
			"of a hundred twelve fail, which cost time and not the limit", Plan{Model: calm, Accounts: []Account{{People: people(100, Known), Failing: 0.125, Pace: policy.Pace{Interval: time.Minute, Limit: 88}}}},
			88, 12, 0, 0, "2026-05-04T10:39:00Z", 2,
		},
		{
			"other campaigns take turns", Plan{Model: calm, Accounts: []Account{{People: people(3, Known), Others: 10, Pace: policy.Pace{Interval: time.Minute, Limit: 500}}}},
			3, 0, 0, 0, "2026-05-04T09:04:00Z", 1,
		},
		{
			"strangers too fast", Plan{
				Model:    Model{Burst: 3, Refill: 10 * time.Second, Pardon: 2},
				Accounts: []Account{{People: people(5, Stranger), Pace: policy.Pace{Interval: time.Second, Limit: 500}}},
			}, 5, 0, 0, 1, "2026-05-04T09:00:21Z", 1,
		},
		{
			"strangers slowly", Plan{
				Model:    Model{Burst: 1, Refill: 10 * time.Second, Pardon: 1},
				Accounts: []Account{{People: people(5, Stranger), Pace: policy.Pace{Interval: 10 * time.Second, Limit: 500}}},
			}, 5, 0, 0, 0, "2026-05-04T09:00:40Z", 1,
		},
		{
			"an end in a wait", Plan{
				Model: Model{Burst: 1, Refill: time.Minute, Pardon: 1}, End: start.Add(30 * time.Second),
				Accounts: []Account{{People: people(3, Stranger), Pace: policy.Pace{Interval: time.Second, Limit: 500}}},
			}, 1, 0, 2, 1, "", 1,
		},
		{"nobody to send it", Plan{Model: calm}, 0, 0, 0, 0, "", 0},
		{"no limit at all", Plan{Model: calm, Accounts: []Account{{People: people(1, Known)}}}, 0, 0, 1, 0, "", 0},
		{
			"two accounts, the slower counts", Plan{Model: calm, Accounts: []Account{
				{ID: "a", People: people(2, Known), Pace: policy.Pace{Interval: time.Second, Limit: 9}}, {ID: "b", People: people(3, Known), Pace: policy.Pace{Interval: time.Minute, Limit: 9}},
			}}, 5, 0, 0, 0, "2026-05-04T09:02:00Z", 1,
		},
		{
			"it begins after a cooldown", Plan{Model: calm, Accounts: []Account{{People: people(1, Known), Pace: policy.Pace{Interval: time.Second, Limit: 9, Sent: 9, SentOn: start, Cooldown: start.Add(24 * time.Hour)}}}},
			1, 0, 0, 0, "2026-05-05T09:00:00Z", 1,
		},
	} {
		tt.plan.Start = start
		r := Run(&tt.plan)
		var delivered, failed, unsent, inHours int
		for _, d := range r.ByAccount {
			delivered, failed, unsent = delivered+d.Delivered, failed+d.Failed, unsent+d.Unsent
		}
		for _, h := range r.Timeline {
			inHours += h.Delivered + h.Failed
		}
		if delivered != tt.delivered || failed != tt.failed || unsent != tt.unsent || len(r.Floods) != tt.floods || len(r.Timeline) != tt.hours || inHours != delivered+failed {
			t.Errorf("%s: %d delivered, %d failed, %d unsent, %d floods, %d hours with %d", tt.name, delivered, failed, unsent, len(r.Floods), len(r.Timeline), inHours)
		}
		got := ""
		if r.FinishesAt != nil {
			got = r.FinishesAt.UTC().Format(time.RFC3339)
		}
		if got != tt.finish {
			t.Errorf("%s: finishes at %q, want %q", tt.name, got, tt.finish)
		}
		if again := Run(&tt.plan); !reflect.DeepEqual(again, r) {
			t.Errorf("%s: the second report differs", tt.name)
		}
	}
}

// TestRehearsalAndEstimateAgree: without floods, both say the same end.
func TestRehearsalAndEstimateAgree(t *testing.T) {
	office := &policy.Window{Weekdays: everyDay[:5], From: 9*60 + 30, To: 17 * 60, Zone: time.UTC}
	for _, n := range []int{1, 7, 150, 151, 1000, 5000} {
		for _, w := range []*policy.Window{nil, office} {
			l := policy.Workload{Left: n, Pace: policy.Pace{Interval: 8 * time.Second, Limit: 150, Sent: 20, SentOn: start}}
			want, ok := l.Finish(start, w)
			r := Run(&Plan{Start: start, Window: w, Model: calm, Accounts: []Account{
				{People: people(n, Known), Pace: l.Pace},
			}})
			if !ok || r.FinishesAt == nil || !r.FinishesAt.Equal(want) {
				t.Errorf("%d people, window %v: rehearsal %v, estimate %s", n, w != nil, r.FinishesAt, want)
			}
		}
	}
}
