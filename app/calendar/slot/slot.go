// Package slot says when a business can be booked: by its hours, its booking rules, and the
// times at which its calendar is taken.
//
// It promises that what it finds and what it lets pass is the same, and that clocks which go
// forward or back lose and double no time. It knows no records and no calendar.
package slot

import (
	"slices"
	"time"

	"svc/app/business/booking"
	"svc/app/business/hours"
)

// Span is a time.
type Span struct {
	Start time.Time `json:"start"`
	End   time.Time `json:"end"`
}

// meets says whether two times have a moment in common.
func (s Span) meets(o Span) bool { return s.Start.Before(o.End) && o.Start.Before(s.End) }

// Rules are when a business can be booked.
type Rules struct {
	Hours   hours.Week
	Zone    *time.Location
	Booking booking.Rules
}

// Around is a time with what stays free around it.
func (r *Rules) Around(s Span) Span {
	b := time.Duration(r.Booking.Buffer) * time.Minute
	return Span{s.Start.Add(-b), s.End.Add(b)}
}

// Taken says whether a time is not free, of a calendar that is busy at some.
func (r *Rules) Taken(s Span, busy []Span) bool { return slices.ContainsFunc(busy, r.Around(s).meets) }

// Allows says whether the hours and the rules let a time be booked now, whatever the calendar
// says.
func (r *Rules) Allows(s Span, now time.Time) bool {
	length := s.End.Sub(s.Start)
	if length%time.Minute != 0 || !slices.Contains(r.Booking.Lengths, int(length/time.Minute)) || !r.step(s.Start) {
		return false
	}
	if s.Start.Before(r.earliest(now)) || s.Start.After(r.latest(now)) {
		return false
	}
	open := r.Hours.Openings(s.Start, s.End, r.Zone)
	return len(open) == 1 && open[0].From.Equal(s.Start) && open[0].To.Equal(s.End)
}

func (r *Rules) earliest(now time.Time) time.Time {
	return now.Add(time.Duration(r.Booking.Notice) * time.Minute)
}

// latest is the end of the last day that is booked.
func (r *Rules) latest(now time.Time) time.Time {
	local := now.In(r.Zone)
	return time.Date(local.Year(), local.Month(), local.Day()+r.Booking.Horizon+1, 0, 0, 0, 0, r.Zone).Add(-time.Nanosecond)
}

// step says whether bookings begin at a time: at a multiple of the step, by the clock.
func (r *Rules) step(at time.Time) bool {
	local := at.In(r.Zone)
	return local.Second() == 0 && local.Nanosecond() == 0 && (local.Hour()*60+local.Minute())%max(r.Booking.Step, 1) == 0
}

// Window is when times are looked for, at most so many days from now.
func (r *Rules) Window(now time.Time, days int) Span {
	from, to := r.earliest(now), r.latest(now)
	local := now.In(r.Zone)
	if end := time.Date(local.Year(), local.Month(), local.Day()+days, 0, 0, 0, 0, r.Zone); end.Before(to) {
		to = end
	}
	return Span{from, to}
}

// Day is the date of a time, by the clocks of the business.
func (r *Rules) Day(at time.Time) string { return at.In(r.Zone).Format(time.DateOnly) }

// Full says whether a day has all the bookings that it takes; booked are those that it has.
func (r *Rules) Full(at time.Time, booked map[string]int) bool {
	return r.Booking.PerDay != nil && booked[r.Day(at)] >= *r.Booking.PerDay
}

// Free are the times of a length that can be booked now within a time, in their order. booked
// are the bookings of each day, by its date.
func (r *Rules) Free(in Span, length time.Duration, busy []Span, booked map[string]int, now time.Time) (out []Span) {
	step := time.Duration(max(r.Booking.Step, 1)) * time.Minute
	for _, o := range r.Hours.Openings(in.Start, in.End, r.Zone) {
		for at := o.From.Truncate(time.Minute); at.Before(o.To); {
			s := Span{at, at.Add(length)}
			if !r.step(at) {
				at = at.Add(time.Minute)
				continue
			}
			if !s.End.After(o.To) && r.Allows(s, now) && !r.Taken(s, busy) && !r.Full(at, booked) {
				out = append(out, s)
			}
			at = at.Add(step)
		}
	}
	return out
}
