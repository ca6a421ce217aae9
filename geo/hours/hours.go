// Package hours reads opening hours as mappers write them and tells whether a
// place is open at a moment.
//
// It promises the weekly schedule of the map service (map contract 34):
// minutes from midnight, Monday first, evaluated in the zone
// Asia/Tashkent whatever the zone of the host or the caller. It reads English,
// Russian and Uzbek day names, and any text in bounded time.
//
// It refuses to guess: a rule with anything it does not understand (months,
// week parities, sunrise, a single time without an end) is skipped as a whole,
// public and school holidays are ignored, and a schedule of which no rule reads
// says so.
package hours

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Minutes of a day and of a week.
const (
	day  = 24 * 60
	week = 7 * day
)

// soon is how near a change is announced.
const soon = time.Hour

// Tashkent is the zone in which schedules are evaluated: UTC+5, without summer
// time since 1991, so that no zone database is needed.
var Tashkent = time.FixedZone("Asia/Tashkent", 5*60*60)

// Span is one opening, in minutes from the midnight that starts its day. Close
// is above 1440 for a span past midnight: 20:00-02:00 is 1200 to 1560.
type Span struct {
	Open  int `json:"open"`
	Close int `json:"close"`
}

// Schedule is the week of a place. Days has Monday first; the spans of a day
// are sorted and do not touch, and a closed day is empty, never nil. Unparsed
// tells that no rule of Raw could be read.
type Schedule struct {
	Raw      string    `json:"raw"`
	AllDay   bool      `json:"all_day"`
	Days     [7][]Span `json:"days"`
	Unparsed bool      `json:"unparsed,omitempty"`
}

// Status is a schedule at one moment. Open means nothing when Known is false.
// NextChange is HH:MM of the next closing of an open place or the next opening
// of a closed one, empty when there is none within a week. NextDay counts the
// days to the next opening, 1 for tomorrow, 0 for today and for an open place.
type Status struct {
	Open       bool   `json:"open"`
	Known      bool   `json:"known"`
	AllDay     bool   `json:"all_day,omitempty"`
	NextChange string `json:"next_change,omitempty"`
	ClosesSoon bool   `json:"closes_soon,omitempty"`
	OpensSoon  bool   `json:"opens_soon,omitempty"`
	NextDay    int    `json:"next_day,omitempty"`
}

// At evaluates the schedule at a moment, in Tashkent. A place is open from the
// minute it opens and closed from the minute it closes.
func (s Schedule) At(now time.Time) Status {
	if s.Unparsed {
		return Status{}
	}
	now = now.In(Tashkent)
	today := (int(now.Weekday()) + 6) % 7
	minute := today*day + now.Hour()*60 + now.Minute()
	within := time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond())
	st := Status{Known: true, AllDay: s.AllDay}
	for _, span := range s.timeline() {
		if span.Close <= minute {
			continue
		}
		if span.Open <= minute {
			st.Open = true
			if span.Close-minute <= week { // longer is always open
				st.NextChange = clock(span.Close)
				st.ClosesSoon = time.Duration(span.Close-minute)*time.Minute-within <= soon
			}
			return st
		}
		if span.Open-minute <= week {
			st.NextChange = clock(span.Open)
			st.OpensSoon = time.Duration(span.Open-minute)*time.Minute-within <= soon
			st.NextDay = span.Open/day - today
		}
		return st
	}
	return st
}

// timeline lays last week, this one and the next end to end, in minutes from
// this Monday, and joins what touches: a span past midnight from yesterday is
// there, and days that follow each other without a gap make no change.
func (s Schedule) timeline() []Span {
	n := 0
	for _, spans := range s.Days {
		n += len(spans)
	}
	line := make([]Span, 0, 3*n)
	for _, shift := range [3]int{-week, 0, week} {
		for d, spans := range s.Days {
			for _, span := range spans {
				start := shift + d*day
				line = append(line, Span{start + span.Open, start + span.Close})
			}
		}
	}
	return merge(line)
}

// fullWeek tells whether the schedule never closes.
func (s Schedule) fullWeek() bool {
	for _, span := range s.timeline() {
		if span.Open <= 0 && span.Close >= week {
			return true
		}
	}
	return false
}

func clock(minute int) string {
	minute %= day
	return fmt.Sprintf("%02d:%02d", minute/60, minute%60)
}

// merge sorts spans and joins those that overlap or touch, in place.
func merge(spans []Span) []Span {
	slices.SortFunc(spans, func(a, b Span) int {
		return cmp.Or(cmp.Compare(a.Open, b.Open), cmp.Compare(a.Close, b.Close))
	})
	kept := spans[:0]
	for _, s := range spans {
		if n := len(kept); n > 0 && s.Open <= kept[n-1].Close {
			kept[n-1].Close = max(kept[n-1].Close, s.Close)
		} else {
			kept = append(kept, s)
		}
	}
	return kept
}

// subtract removes the time of hole from spans.
func subtract(spans []Span, hole Span) []Span {
	kept := make([]Span, 0, len(spans)+1)
	for _, s := range spans {
		if hole.Close <= s.Open || s.Close <= hole.Open {
			kept = append(kept, s)
			continue
		}
		if s.Open < hole.Open {
			kept = append(kept, Span{s.Open, hole.Open})
		}
		if hole.Close < s.Close {
			kept = append(kept, Span{hole.Close, s.Close})
		}
	}
	return kept
}
