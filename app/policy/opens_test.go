package policy

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestOpens(t *testing.T) {
	work := []Weekday{"MO", "TU", "WE", "TH", "FR"}
	every := Weekdays()
	day := MakeWindow(work, "09:00", "18:00", "Asia/Tashkent") // UTC+5
	night := MakeWindow([]Weekday{"FR"}, "22:00", "02:00", "Asia/Tashkent")
	berlin := MakeWindow(every, "02:30", "04:00", "Europe/Berlin")
	for _, tt := range []struct {
		name string
		w    Window
		at   string
		open bool
		next string // "" for never
	}{
		{"in the middle", day, "2026-03-02T07:00:00Z", true, ""},
		{"it opens", day, "2026-03-02T04:00:00Z", true, ""},
		{"a moment before", day, "2026-03-02T03:59:59.999Z", false, "2026-03-02T04:00:00Z"},
		{"it closes", day, "2026-03-02T13:00:00Z", false, "2026-03-03T04:00:00Z"},
		{"a moment before it closes", day, "2026-03-02T12:59:59.999Z", true, ""},
		{"Friday evening", day, "2026-03-06T13:00:00Z", false, "2026-03-09T04:00:00Z"},
		{"Sunday", day, "2026-03-08T08:00:00Z", false, "2026-03-09T04:00:00Z"},
		{"over midnight, before it", night, "2026-03-06T18:00:00Z", true, ""},
		{"over midnight, behind it", night, "2026-03-06T20:30:00Z", true, ""},
		{"over midnight, over", night, "2026-03-06T21:00:00Z", false, "2026-03-13T17:00:00Z"},
		{"over midnight, the night of another day", night, "2026-03-05T20:30:00Z", false, "2026-03-06T17:00:00Z"},
		{"to the end of the day", MakeWindow(every, "20:00", "24:00", "UTC"), "2026-03-06T23:59:59Z", true, ""},
		{"all day", MakeWindow(every, "00:00", "24:00", "UTC"), "2026-03-06T00:00:00Z", true, ""},
		// On 2026-03-29 the clocks of Berlin jump from 02:00 to 03:00, on 2026-10-25 back.
		{"the clocks jump over the start", berlin, "2026-03-29T00:59:59Z", false, "2026-03-29T01:00:00Z"},
		{"and it is open at once", berlin, "2026-03-29T01:00:00Z", true, ""},
		{"until its end in summer time", berlin, "2026-03-29T02:00:00Z", false, "2026-03-30T00:30:00Z"},
		{"a start that comes twice is the first", berlin, "2026-10-25T00:30:00Z", true, ""},
		{"before it", berlin, "2026-10-25T00:29:59Z", false, "2026-10-25T00:30:00Z"},
		{"so it lasts an hour longer", berlin, "2026-10-25T02:59:59Z", true, ""},
		{"until its end in winter time", berlin, "2026-10-25T03:00:00Z", false, "2026-10-26T01:30:00Z"},
		{"one that the jump swallows", MakeWindow([]Weekday{"SU"}, "02:10", "02:50", "Europe/Berlin"), "2026-03-28T12:00:00Z", false, "2026-04-05T00:10:00Z"},
		{"empty", MakeWindow(every, "09:00", "09:00", "UTC"), "2026-03-06T09:00:00Z", false, ""},
		{"on no day", MakeWindow(nil, "09:00", "10:00", "UTC"), "2026-03-06T09:00:00Z", false, ""},
		{"a zone with half hours", MakeWindow(every, "09:00", "10:00", "Asia/Kolkata"), "2026-03-06T03:29:00Z", false, "2026-03-06T03:30:00Z"},
	} {
		open, next := tt.w.Opens(at(tt.at))
		want := time.Time{}
		if tt.next != "" {
			want = at(tt.next)
		}
		if open != tt.open || !next.Equal(want) {
			t.Errorf("%s: %v, next %v; want %v, next %v", tt.name, open, next.UTC(), tt.open, want)
		}
	}
	// What cannot be understood is never open.
	for _, w := range []Window{MakeWindow(every, "9:00", "10:00", "UTC"), MakeWindow(every, "09:00", "25:00", "UTC"), MakeWindow(every, "09:00", "10:00", "Mars/Base"), MakeWindow(every, "", "10:00", "UTC")} {
		if open, next := w.Opens(at("2026-03-06T09:30:00Z")); open || !next.IsZero() {
			t.Errorf("%v is open, or opens at %v", w, next)
		}
	}
	// As JSON it stays the same window.
	for _, w := range []Window{day, night, berlin} {
		data, err := json.Marshal(w)
		if err != nil {
			t.Fatal(err)
		}
		var back Window
		if err := json.Unmarshal(data, &back); err != nil || !reflect.DeepEqual(back, w) {
			t.Errorf("%s is read as %v, %v", data, back, err)
		}
	}
}

// TestOpensByMinute holds the window against the clocks of its zone, minute by
// minute through the weekends on which they change.
func TestOpensByMinute(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tashkent"} {
		loc, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		w := MakeWindow([]Weekday{"FR", "SA", "SU", "MO"}, "08:00", "20:30", zone)
		for _, from := range []string{"2026-03-06T00:00:00Z", "2026-03-27T00:00:00Z", "2026-04-03T00:00:00Z", "2026-10-02T00:00:00Z", "2026-10-23T00:00:00Z", "2026-10-30T00:00:00Z"} {
			var closedUntil time.Time
			for now := at(from); now.Before(at(from).Add(4 * 24 * time.Hour)); now = now.Add(time.Minute) {
				open, next := w.Opens(now)
				l := now.In(loc)
				m := l.Hour()*60 + l.Minute()
				want := slices.Contains(w.Weekdays, weekdays[l.Weekday()]) && m >= 8*60 && m < 20*60+30
				if open != want {
					t.Fatalf("%s at %v (%v): open %v", zone, now, l, open)
				}
				if open && now.Before(closedUntil) {
					t.Fatalf("%s: open at %v, which said that it opens %v", zone, now, closedUntil)
				}
				if closedUntil = next; !open && !next.After(now) {
					t.Fatalf("%s: closed at %v until %v", zone, now, next)
				}
			}
		}
	}
}
