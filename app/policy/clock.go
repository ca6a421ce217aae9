package policy

import (
	"fmt"
	"slices"
	"sync"
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

// Weekdays are the days of a week, Monday first.
func Weekdays() []Weekday {
	return []Weekday{Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday}
}

// Valid says whether it is a day of the week.
func (d Weekday) Valid() bool { return slices.Contains(Weekdays(), d) }

var weekdays = map[time.Weekday]Weekday{
	time.Monday: Monday, time.Tuesday: Tuesday, time.Wednesday: Wednesday, time.Thursday: Thursday,
	time.Friday: Friday, time.Saturday: Saturday, time.Sunday: Sunday,
}

// Clock is a time of day in minutes after midnight.
type Clock int

// String writes it as HH:MM.
func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

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

// locations are the zones that were loaded: loading reads a file.
var locations sync.Map

// Location is a time zone by its IANA name.
func Location(name string) (*time.Location, error) {
	if z, ok := locations.Load(name); ok {
		return z.(*time.Location), nil
	}
	z, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("%.40q is no time zone", name)
	}
	locations.Store(name, z)
	return z, nil
}

func offset(t time.Time, zone *time.Location) time.Duration {
	_, seconds := t.In(zone).Zone()
	return time.Duration(seconds) * time.Second
}
