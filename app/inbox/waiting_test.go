package inbox

import (
	"testing"
	"time"

	"svc/app/policy"
)

// TestPatience: 15 minutes of open hours, over nights and short windows; never where there
// are none.
func TestPatience(t *testing.T) {
	at := func(s string) time.Time {
		v, err := time.Parse("2006-01-02 15:04", s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	day := policy.MakeWindow(policy.Weekdays(), "09:00", "20:00", "UTC")
	short := policy.MakeWindow(policy.Weekdays(), "09:00", "09:10", "UTC")
	monday := policy.MakeWindow([]policy.Weekday{"MO"}, "22:00", "02:00", "UTC")
	never := policy.MakeWindow(nil, "09:00", "20:00", "UTC")
	for _, tt := range []struct {
		name  string
		w     *policy.Window
		since string
		want  string
	}{
		{"all hours", nil, "2026-11-20 03:00", "2026-11-20 03:15"},
		{"within", &day, "2026-11-20 12:00", "2026-11-20 12:15"},
		{"before", &day, "2026-11-20 07:00", "2026-11-20 09:15"},
		{"over the night", &day, "2026-11-20 19:50", "2026-11-21 09:05"},
		{"at the end", &day, "2026-11-20 20:00", "2026-11-21 09:15"},
		{"a short window", &short, "2026-11-20 09:00", "2026-11-21 09:05"},
		{"a window over midnight", &monday, "2026-11-24 01:50", "2026-11-30 22:05"}, // a Tuesday
	} {
		if got, ok := patienceEnds(tt.w, at(tt.since)); !ok || !got.Equal(at(tt.want)) {
			t.Errorf("%s: %v %v, want %s", tt.name, got, ok, tt.want)
		}
	}
	if got, ok := patienceEnds(&never, at("2026-11-20 12:00")); ok {
		t.Errorf("a window that is never open: %v", got)
	}
}
