package hours

import (
	"testing"
	"time"
)

// TestOpen: hours over midnight, a closed holiday, a week without hours, a change of
// clocks.
func TestOpen(t *testing.T) {
	tashkent, berlin := zone(t, "Asia/Tashkent"), zone(t, "Europe/Berlin")
	shop := Week{
		Monday: []Span{{"09:00", "13:00"}, {"14:00", "18:00"}}, Friday: []Span{{"20:00", "02:00"}},
		Exceptions: []Exception{{Date: "2026-03-23", Hours: nil}, {Date: "2026-03-24", Hours: []Span{{"10:00", "12:00"}}}},
	}
	night := Week{Sunday: []Span{{"01:00", "05:00"}}}
	holiday := Week{Exceptions: []Exception{{Date: "2026-01-01"}}}
	for _, c := range []struct {
		name, at, next string
		week           Week
		zone           *time.Location
	}{
		{"open", "2026-03-16T09:00:00+05:00", "", shop, tashkent},
		{"the last minute", "2026-03-16T12:59:59+05:00", "", shop, tashkent},
		{"lunch", "2026-03-16T13:00:00+05:00", "2026-03-16T14:00:00+05:00", shop, tashkent},
		{"evening, until the night of Friday", "2026-03-16T18:00:00+05:00", "2026-03-20T20:00:00+05:00", shop, tashkent},
		{"after midnight", "2026-03-21T01:59:00+05:00", "", shop, tashkent},
		{"closed again", "2026-03-21T02:00:00+05:00", "2026-03-24T10:00:00+05:00", shop, tashkent},
		{"by the clocks of the business", "2026-03-16T04:30:00Z", "", shop, tashkent},
		{"the hour that does not exist", "2026-03-29T00:30:00Z", "", night, berlin},
		{"always", "2026-05-05T03:00:00+05:00", "", Week{}, tashkent},
		{"always but for a holiday", "2026-01-01T12:00:00+05:00", "2026-01-02T00:00:00+05:00", holiday, tashkent},
	} {
		at := moment(t, c.at)
		open, next := c.week.Open(at, c.zone)
		if open != (c.next == "") || !open && !next.Equal(moment(t, c.next)) {
			t.Errorf("%s: open %v, next %v; want next %s", c.name, open, next, c.next)
		}
	}
	never := Week{Monday: []Span{{"09:00", "10:00"}}}
	for day := moment(t, "2026-01-01T00:00:00Z"); day.Year() == 2026; day = day.AddDate(0, 0, 1) {
		never.Exceptions = append(never.Exceptions, Exception{Date: day.Format(time.DateOnly)})
	}
	if open, next := never.Open(moment(t, "2026-06-01T09:30:00Z"), time.UTC); open || !next.IsZero() {
		t.Errorf("closed for a year: open %v, next %v", open, next)
	}
}

// TestPassed: open time is counted over closed hours, whole days and holidays.
func TestPassed(t *testing.T) {
	tashkent := zone(t, "Asia/Tashkent")
	shop := Week{
		Monday: []Span{{"09:00", "13:00"}, {"14:00", "18:00"}}, Tuesday: []Span{{"09:00", "18:00"}}, Friday: []Span{{"20:00", "02:00"}},
		Exceptions: []Exception{{Date: "2026-03-24", Hours: nil}},
	}
	for _, c := range []struct{ name, since, want string }{
		{"open", "2026-03-16T09:30:00+05:00", "2026-03-16T09:45:00+05:00"},
		{"until the last minute", "2026-03-16T12:45:00+05:00", "2026-03-16T13:00:00+05:00"},
		{"over lunch", "2026-03-16T12:50:00+05:00", "2026-03-16T14:05:00+05:00"},
		{"over the evening", "2026-03-16T17:50:00+05:00", "2026-03-17T09:05:00+05:00"},
		{"closed", "2026-03-18T12:00:00+05:00", "2026-03-20T20:15:00+05:00"},
		{"over midnight", "2026-03-20T23:50:00+05:00", "2026-03-21T00:05:00+05:00"},
		{"over a holiday", "2026-03-23T17:50:00+05:00", "2026-03-27T20:05:00+05:00"},
	} {
		if at, ok := shop.Passed(moment(t, c.since), 15*time.Minute, tashkent); !ok || !at.Equal(moment(t, c.want)) {
			t.Errorf("%s: %v %v, want %s", c.name, at, ok, c.want)
		}
	}
	var always Week
	since := moment(t, "2026-03-16T23:50:00+05:00")
	if at, ok := always.Passed(since, 15*time.Minute, tashkent); !ok || !at.Equal(since.Add(15*time.Minute)) {
		t.Errorf("always open: %v %v", at, ok)
	}
	never := Week{Monday: []Span{{"09:00", "10:00"}}}
	for day := moment(t, "2026-01-01T00:00:00Z"); day.Year() == 2026; day = day.AddDate(0, 0, 1) {
		never.Exceptions = append(never.Exceptions, Exception{Date: day.Format(time.DateOnly)})
	}
	if at, ok := never.Passed(moment(t, "2026-06-01T09:30:00Z"), time.Minute, time.UTC); ok {
		t.Errorf("closed for a year: %v", at)
	}
}

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
