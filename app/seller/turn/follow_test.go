package turn

import (
	"testing"
	"time"

	"svc/app/business"
)

func TestFollowUpsComeAfterQuietHours(t *testing.T) {
	zone := time.FixedZone("+05", 5*3600)
	at := func(s string) time.Time {
		x, err := time.ParseInLocation("2006-01-02 15:04", s, zone)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	night := &business.QuietHours{Start: "21:00", End: "09:00"}
	noon := &business.QuietHours{Start: "12:00", End: "14:00"}
	for _, c := range []struct {
		quiet    *business.QuietHours
		at, want string
	}{
		{nil, "2026-11-20 23:00", "2026-11-20 23:00"},
		{night, "2026-11-20 20:59", "2026-11-20 20:59"},
		{night, "2026-11-20 21:00", "2026-11-21 09:00"},
		{night, "2026-11-20 03:30", "2026-11-20 09:00"},
		{night, "2026-11-20 09:00", "2026-11-20 09:00"},
		{noon, "2026-11-20 13:10", "2026-11-20 14:00"},
		{noon, "2026-11-20 14:00", "2026-11-20 14:00"},
		{&business.QuietHours{Start: "10:00", End: "10:00"}, "2026-11-20 10:00", "2026-11-20 10:00"},
	} {
		if got := afterQuiet(at(c.at), c.quiet, zone); !got.Equal(at(c.want)) {
			t.Errorf("%s with %v: %v, want %s", c.at, c.quiet, got, c.want)
		}
	}
}
