package schedule

import (
	"testing"
	"time"

	"svc/app/policy"
)

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func clock(t *testing.T, s string) policy.Clock {
	t.Helper()
	c, err := policy.ParseClock(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := policy.Location(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestRule lists the runs of series, the first one given.
func TestRule(t *testing.T) {
	for _, tt := range []struct {
		name  string
		rule  Rule
		clock string
		zone  string
		until string
		first string
		runs  []string // "" at the end: no more
	}{
		{"daily", Rule{Frequency: Daily, Interval: 1}, "09:00", "Asia/Tashkent", "", "2026-05-04T04:00:00Z", []string{"2026-05-05T04:00:00Z", "2026-05-06T04:00:00Z"}},
		{
			"daily over clocks that go forward", Rule{Frequency: Daily, Interval: 1}, "02:30", "Europe/Berlin", "", "2026-03-28T01:30:00Z",
			[]string{"2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"},
		},
		{
			"daily over clocks that go back", Rule{Frequency: Daily, Interval: 1}, "02:30", "Europe/Berlin", "", "2026-10-24T00:30:00Z",
			[]string{"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"},
		},
		{"every third day, until", Rule{Frequency: Daily, Interval: 3}, "00:00", "UTC", "2026-01-07T00:00:00Z", "2026-01-01T00:00:00Z", []string{"2026-01-04T00:00:00Z", "2026-01-07T00:00:00Z", ""}},
		{
			"every second week, two days", Rule{Frequency: Weekly, Interval: 2, Weekdays: []policy.Weekday{policy.Friday, policy.Monday}}, "10:00", "UTC", "", "2026-05-04T10:00:00Z",
			[]string{"2026-05-08T10:00:00Z", "2026-05-18T10:00:00Z", "2026-05-22T10:00:00Z"},
		},
		{"weekly without a day", Rule{Frequency: Weekly, Interval: 1}, "10:00", "UTC", "", "2026-05-06T10:00:00Z", []string{"2026-05-13T10:00:00Z"}},
		{
			"the 31st", Rule{Frequency: Monthly, Interval: 1, Day: 31}, "12:00", "UTC", "", "2026-01-31T12:00:00Z",
			[]string{"2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z", "2026-04-30T12:00:00Z"},
		},
		{"the 30th in a leap year", Rule{Frequency: Monthly, Interval: 1, Day: 30}, "12:00", "UTC", "", "2028-01-30T12:00:00Z", []string{"2028-02-29T12:00:00Z", "2028-03-30T12:00:00Z"}},
		{"the last day", Rule{Frequency: Monthly, Interval: 1, Day: LastDay}, "12:00", "UTC", "", "2026-01-31T12:00:00Z", []string{"2026-02-28T12:00:00Z", "2026-03-31T12:00:00Z"}},
		{"the 15th of every third month", Rule{Frequency: Monthly, Interval: 3, Day: 15}, "12:00", "UTC", "", "2026-01-15T12:00:00Z", []string{"2026-04-15T12:00:00Z", "2026-07-15T12:00:00Z"}},
		{"monthly without a day", Rule{Frequency: Monthly, Interval: 12}, "12:00", "UTC", "", "2028-02-29T12:00:00Z", []string{"2029-02-28T12:00:00Z", "2030-02-28T12:00:00Z", "2031-02-28T12:00:00Z", "2032-02-29T12:00:00Z"}},
	} {
		r := tt.rule
		r.Time, r.Zone = clock(t, tt.clock), zone(t, tt.zone)
		if tt.until != "" {
			r.Until = moment(t, tt.until)
		}
		first := moment(t, tt.first)
		after := first
		for _, want := range tt.runs {
			got, ok, err := r.Next(first, after)
			if err != nil || ok != (want != "") || ok && !got.Equal(moment(t, want)) {
				t.Errorf("%s: after %s comes %s (%v, %v), want %s", tt.name, after, got, ok, err, want)
				break
			}
			after = got
		}
	}
}
