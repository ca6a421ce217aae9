package slot

import (
	"slices"
	"testing"
	"time"

	"svc/app/business/booking"
	"svc/app/business/hours"
)

func rules(t *testing.T, zone string) *Rules {
	t.Helper()
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	day := []hours.Span{{Open: "09:00", Close: "12:00"}, {Open: "13:00", Close: "18:00"}}
	return &Rules{
		Hours: hours.Week{Monday: day, Tuesday: day, Sunday: []hours.Span{{Open: "00:00", Close: "06:00"}}, Exceptions: []hours.Exception{{Date: "2026-12-01", Hours: nil}}},
		Zone:  place, Booking: booking.Rules{Notice: 60, Horizon: 14, Lengths: []int{30, 60}, Buffer: 15, Step: 30},
	}
}

func at(t *testing.T, r *Rules, text string) time.Time {
	t.Helper()
	out, err := time.ParseInLocation("2006-01-02 15:04", text, r.Zone)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAllows: hours, notice, horizon, lengths, steps and exceptions.
func TestAllows(t *testing.T) {
	r := rules(t, "Asia/Tashkent")
	now := at(t, r, "2026-11-23 08:00") // a Monday
	for text, want := range map[string]bool{
		"2026-11-23 09:00 30m": true, "2026-11-23 08:30 30m": false, "2026-11-23 11:30 30m": true, "2026-11-23 11:30 60m": false, "2026-11-23 12:00 30m": false,
		"2026-11-23 17:00 60m": true, "2026-11-23 17:30 60m": false, "2026-11-23 10:15 30m": false, "2026-11-23 10:00 45m": false, "2026-11-25 10:00 30m": false,
		"2026-12-01 10:00 30m": false, "2026-12-07 10:00 30m": true, "2026-12-08 10:00 30m": false,
	} {
		start := at(t, r, text[:16])
		d, err := time.ParseDuration(text[17:])
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Allows(Span{start, start.Add(d)}, now); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if late := at(t, r, "2026-11-23 08:01"); r.Allows(Span{at(t, r, "2026-11-23 09:00"), at(t, r, "2026-11-23 09:30")}, late) {
		t.Error("booked within the notice")
	}
}

// TestFree: what is free is what may be booked, with room around what is taken.
func TestFree(t *testing.T) {
	r := rules(t, "Asia/Tashkent")
	now := at(t, r, "2026-11-23 08:00")
	busy := []Span{{at(t, r, "2026-11-23 10:00"), at(t, r, "2026-11-23 10:30")}}
	day := Span{now, at(t, r, "2026-11-24 00:00")}
	var got []string
	free := r.Free(day, 30*time.Minute, busy, nil, now)
	for _, s := range free {
		got = append(got, s.Start.Format("15:04"))
		if !r.Allows(s, now) || r.Taken(s, busy) {
			t.Errorf("%v is no time that may be booked", s)
		}
	}
	want := []string{"09:00", "11:00", "11:30", "13:00", "13:30", "14:00", "14:30", "15:00", "15:30", "16:00", "16:30", "17:00", "17:30"}
	if !slices.Equal(got, want) {
		t.Errorf("free %v", got)
	}
	one := 1
	r.Booking.PerDay = &one
	if list := r.Free(day, 30*time.Minute, busy, map[string]int{"2026-11-23": 1}, now); len(list) != 0 {
		t.Errorf("a full day has %v", list)
	}
}

// TestClocks: where clocks go forward an hour is missing, where they go back one comes twice; each
// moment is offered once, and only times that the clocks show.
func TestClocks(t *testing.T) {
	r := rules(t, "Europe/Berlin")
	r.Booking.Notice, r.Booking.Buffer = 0, 0
	for date, hours := range map[string]int{"2027-03-28": 5, "2026-10-25": 7} { // Sundays, open 00:00 to 06:00
		now := at(t, r, date+" 00:00").Add(-24 * time.Hour)
		free := r.Free(Span{at(t, r, date+" 00:00"), at(t, r, date+" 12:00")}, 30*time.Minute, nil, nil, now)
		if len(free) != 2*hours {
			t.Errorf("%s has %d times: %v", date, len(free), free)
		}
		for i := range free {
			if i > 0 && !free[i-1].Start.Before(free[i].Start) || free[i].End.Sub(free[i].Start) != 30*time.Minute {
				t.Errorf("%s: %v", date, free[i])
			}
		}
	}
}
