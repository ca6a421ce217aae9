// Package schedule is the arithmetic of clocks and calendars for campaigns: when a
// sending window is open, when a repeating campaign runs next, when an account is done
// with what it has to send.
//
// It promises that local times mean the same everywhere in the service: a time that
// does not exist on the day that clocks go forward is the moment at which they do, one
// that exists twice is the first (contract 4.3). It is pure: no clock, no store. It refuses
// to know campaigns.
package schedule

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// Weekday is a day of the week as the API writes it.
type Weekday string

// The days, Monday first.
const (
	Monday    Weekday = "MO"
	Tuesday   Weekday = "TU"
	Wednesday Weekday = "WE"
	Thursday  Weekday = "TH"
	Friday    Weekday = "FR"
	Saturday  Weekday = "SA"
	Sunday    Weekday = "SU"
)

// Valid says whether it is a day of the week.
func (d Weekday) Valid() bool { return slices.Contains(slices.Collect(maps.Values(weekdays)), d) }

var weekdays = map[time.Weekday]Weekday{
	time.Monday: Monday, time.Tuesday: Tuesday, time.Wednesday: Wednesday, time.Thursday: Thursday,
	time.Friday: Friday, time.Saturday: Saturday, time.Sunday: Sunday,
}

// Clock is a time of day in minutes after midnight.
type Clock int

// ParseClock reads HH:MM, from 00:00 to 23:59, and 24:00 for the end of a day.
func ParseClock(s string) (Clock, error) {
	var h, m int
	if len(s) == 5 && s[2] == ':' && digits(s[:2], &h) && digits(s[3:], &m) && (h < 24 && m < 60 || h == 24 && m == 0) {
		return Clock(h*60 + m), nil
	}
	return 0, fmt.Errorf("write a time of day as HH:MM, such as 09:30")
}

func digits(s string, to *int) bool {
	*to = 0
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
		*to = *to*10 + int(c-'0')
	}
	return true
}

// At is the moment at which clocks in a zone show a time of the day on which date
// falls; only the year, month and day of date are looked at. 24:00 is the midnight
// after.
func At(date time.Time, c Clock, zone *time.Location) time.Time {
	y, m, d := date.Date()
	wall := time.Date(y, m, d, 0, int(c), 0, 0, time.UTC) // as if the zone were UTC
	before, after := offset(wall.Add(-day), zone), offset(wall.Add(day), zone)
	for _, o := range []time.Duration{max(before, after), min(before, after)} { // the earlier moment first
		t := wall.Add(-o)
		if offset(t, zone) == o {
			return t.In(zone)
		}
	}
	jump, _ := wall.Add(-before).In(zone).ZoneBounds() // clocks went forward over it
	return jump
}

const day = 24 * time.Hour

func offset(t time.Time, zone *time.Location) time.Duration {
	_, seconds := t.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}
