package policy

import (
	"testing"
	"time"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func moment(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func clock(t *testing.T, s string) Clock {
	t.Helper()
	c, err := ParseClock(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestParseClock(t *testing.T) {
	for s, want := range map[string]Clock{"00:00": 0, "09:30": 570, "23:59": 1439, "24:00": 1440} {
		if got, err := ParseClock(s); err != nil || got != want {
			t.Errorf("%s: %d, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "9:30", "24:01", "12:60", "1200", "aa:bb", "12:3", "-1:00", "12:30:00", "１２:30"} {
		if got, err := ParseClock(s); err == nil {
			t.Errorf("%q is read as %d", s, got)
		}
	}
}

// TestAt: clocks in Berlin go forward from 02:00 to 03:00 on 29 March 2026 and back
// from 03:00 to 02:00 on 25 October; Apia had no 30 December 2011; Tashkent never moves.
func TestAt(t *testing.T) {
	for _, tt := range []struct{ zone, date, clock, want string }{
		{"Europe/Berlin", "2026-03-29T00:00:00Z", "01:59", "2026-03-29T00:59:00Z"},
		{"Europe/Berlin", "2026-03-29T00:00:00Z", "02:30", "2026-03-29T01:00:00Z"}, // 03:00 there
		{"Europe/Berlin", "2026-03-29T00:00:00Z", "03:00", "2026-03-29T01:00:00Z"},
		{"Europe/Berlin", "2026-10-25T00:00:00Z", "02:30", "2026-10-25T00:30:00Z"}, // the first of two
		{"Europe/Berlin", "2026-10-25T00:00:00Z", "03:00", "2026-10-25T02:00:00Z"},
		{"Europe/Berlin", "2026-10-25T00:00:00Z", "24:00", "2026-10-25T23:00:00Z"},
		{"America/New_York", "2026-03-08T00:00:00Z", "02:15", "2026-03-08T07:00:00Z"},
		{"America/New_York", "2026-11-01T00:00:00Z", "01:30", "2026-11-01T05:30:00Z"},
		{"Asia/Tashkent", "2026-07-01T00:00:00Z", "09:00", "2026-07-01T04:00:00Z"},
		{"Pacific/Apia", "2011-12-30T00:00:00Z", "09:00", "2011-12-30T10:00:00Z"}, // the first moment of 31 December
		{"Pacific/Kiritimati", "2026-01-01T00:00:00Z", "00:00", "2025-12-31T10:00:00Z"},
		{"America/Havana", "2026-03-08T00:00:00Z", "00:30", "2026-03-08T05:00:00Z"}, // midnight is skipped
	} {
		got := At(moment(t, tt.date), clock(t, tt.clock), zone(t, tt.zone))
		if !got.Equal(moment(t, tt.want)) {
			t.Errorf("%s %s %s: %s, want %s", tt.zone, tt.date[:10], tt.clock, got.UTC().Format(time.RFC3339), tt.want)
		}
	}
}

var everyDay = []Weekday{Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday}

func TestWindow(t *testing.T) {
	workdays := []Weekday{Monday, Tuesday, Wednesday, Thursday, Friday}
	for _, tt := range []struct {
		name           string
		days           []Weekday
		from, to, zone string
		at             string
		start, end     string // "" for never
		open           bool
	}{
		{"inside", workdays, "09:00", "18:00", "Asia/Tashkent", "2026-05-04T05:00:00Z", "2026-05-04T04:00:00Z", "2026-05-04T13:00:00Z", true},
		{"its first moment", workdays, "09:00", "18:00", "Asia/Tashkent", "2026-05-04T04:00:00Z", "2026-05-04T04:00:00Z", "2026-05-04T13:00:00Z", true},
		{"its end is outside", workdays, "09:00", "18:00", "Asia/Tashkent", "2026-05-04T13:00:00Z", "2026-05-05T04:00:00Z", "2026-05-05T13:00:00Z", false},
		{"over the weekend", workdays, "09:00", "18:00", "Asia/Tashkent", "2026-05-08T14:00:00Z", "2026-05-11T04:00:00Z", "2026-05-11T13:00:00Z", false},
		{"past midnight, of the day before", []Weekday{Friday}, "22:00", "02:00", "UTC", "2026-05-09T01:00:00Z", "2026-05-08T22:00:00Z", "2026-05-09T02:00:00Z", true},
		{"past midnight, not of its own day", []Weekday{Friday}, "22:00", "02:00", "UTC", "2026-05-08T01:00:00Z", "2026-05-08T22:00:00Z", "2026-05-09T02:00:00Z", false},
		{"all day", everyDay, "00:00", "24:00", "UTC", "2026-05-08T23:59:59Z", "2026-05-08T00:00:00Z", "2026-05-09T00:00:00Z", true},
		{"shorter when clocks go forward", everyDay, "01:00", "04:00", "Europe/Berlin", "2026-03-29T00:30:00Z", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z", true},
		{"longer when they go back", everyDay, "01:00", "04:00", "Europe/Berlin", "2026-10-25T02:30:00Z", "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z", true},
		{"once a week", []Weekday{Sunday}, "10:00", "11:00", "UTC", "2026-05-10T11:00:00Z", "2026-05-17T10:00:00Z", "2026-05-17T11:00:00Z", false},
		{"no days", nil, "10:00", "11:00", "UTC", "2026-05-10T11:00:00Z", "", "", false},
		{"no time", everyDay, "10:00", "10:00", "UTC", "2026-05-10T10:00:00Z", "", "", false},
	} {
		w := Window{Weekdays: tt.days, From: clock(t, tt.from), To: clock(t, tt.to), Zone: zone(t, tt.zone)}
		at := moment(t, tt.at)
		s, ok := w.Around(at)
		if ok != (tt.start != "") || w.Open(at) != tt.open {
			t.Errorf("%s: found %v, open %v", tt.name, ok, w.Open(at))
			continue
		}
		if ok && (!s.Start.Equal(moment(t, tt.start)) || !s.End.Equal(moment(t, tt.end))) {
			t.Errorf("%s: from %s to %s", tt.name, s.Start.UTC(), s.End.UTC())
		}
	}
}
