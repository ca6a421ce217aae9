package send

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Window is when a campaign may send: on some weekdays from a local time to another
// (contract 4.4). An end that is not after the start lies on the next
// day; the weekday is that of the start. Equal ones are an empty window.
type Window struct {
	Weekdays []string `json:"weekdays"` // MO, TU, WE, TH, FR, SA, SU
	Start    string   `json:"start"`    // HH:MM
	End      string   `json:"end"`      // HH:MM; 24:00 is the end of the day
	Zone     string   `json:"zone"`     // IANA
}

var weekdays = [...]string{time.Sunday: "SU", time.Monday: "MO", time.Tuesday: "TU", time.Wednesday: "WE", time.Thursday: "TH", time.Friday: "FR", time.Saturday: "SA"}

// day is the end of a day in minutes.
const day = 24 * 60

// minutes reads a local time as minutes since midnight.
func minutes(hhmm string) (int, error) {
	if hhmm == "24:00" {
		return day, nil
	}
	t, err := time.Parse("15:04", hhmm)
	if err != nil || len(hhmm) != len("15:04") {
		return 0, fmt.Errorf("%.10q is no time such as 09:30", hhmm)
	}
	return t.Hour()*60 + t.Minute(), nil
}

// Open says whether a time lies in the window and, if not, when the next one begins:
// the zero time for never. A window that cannot be read is an error.
func (w *Window) Open(at time.Time) (open bool, next time.Time, err error) {
	zone, err := zoneOf(w.Zone)
	if err != nil {
		return false, next, err
	}
	start, err := minutes(w.Start)
	if err != nil {
		return false, next, err
	}
	end, err := minutes(w.End)
	if err != nil || start == end {
		return false, next, err
	}
	if end < start {
		end += day
	}
	local := at.In(zone)
	// A window of the day before may still be open; the next one begins within a week.
	for i := -1; i <= 8; i++ {
		date := time.Date(local.Year(), local.Month(), local.Day()+i, 0, 0, 0, 0, time.UTC)
		if !slices.Contains(w.Weekdays, weekdays[date.Weekday()]) {
			continue
		}
		from, to := LocalTime(date, start, zone), LocalTime(date, end, zone)
		switch {
		case !at.Before(to):
		case !at.Before(from):
			return true, next, nil
		case from.Before(to): // daylight saving may swallow a short one
			return false, from, nil
		}
	}
	return false, next, nil
}

// zones are those that were loaded: loading reads a file.
var zones sync.Map

func zoneOf(name string) (*time.Location, error) {
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%.40q is no time zone", name)
	}
	zones.Store(name, z)
	return z, nil
}

// LocalTime is when the clocks of a zone show a number of minutes after midnight of
// a date, of which year, month and day count. A time that daylight saving leaves out
// is the moment at which the clocks jump over it; of one that comes twice it is the
// first.
func LocalTime(date time.Time, minutes int, zone *time.Location) time.Time {
	shown := time.Date(date.Year(), date.Month(), date.Day(), 0, minutes, 0, 0, time.UTC)
	// The clocks may change between a day before and a day after.
	var late time.Time
	for _, near := range []time.Time{shown.Add(-26 * time.Hour), shown.Add(26 * time.Hour)} {
		_, offset := near.In(zone).Zone()
		late = shown.Add(time.Duration(-offset) * time.Second).In(zone)
		if late.Hour() == shown.Hour() && late.Minute() == shown.Minute() {
			return late
		}
	}
	// With the offset before the jump the time lies behind it.
	_, before := shown.Add(-26 * time.Hour).In(zone).Zone()
	jump, _ := shown.Add(time.Duration(-before) * time.Second).In(zone).ZoneBounds()
	if jump.IsZero() {
		return late
	}
	return jump
}
