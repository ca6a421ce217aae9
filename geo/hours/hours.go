// Package hours reads opening hours as mappers write them and tells whether a
// place is open at a moment.
//
// It promises the grammar of map contract 34: weekdays and the nth of them, months,
// dates, years and weeks, public and school holidays, sunrise and sunset, comments,
// fallbacks; in English, Russian and Uzbek, any text in bounded time. Minutes count
// from midnight in the zone Asia/Tashkent whatever the zone of the host or the caller.
//
// It refuses to guess: where a rule that may apply was not understood, where it hangs
// on a holiday that nobody can know, or on a comment, the state is unknown.
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
// tells that no rule of Raw gives hours that are understood.
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

// Week is the schedule of the week of a moment: what the season says, without holidays.
func (h *Hours) Week(now time.Time, w Where) Schedule {
	s := Schedule{Raw: h.raw, Unparsed: !h.says}
	now = now.In(Tashkent)
	monday := midnight(now.Year(), now.Month(), now.Day()-weekdayOf(now))
	resolved := false
	for d := range s.Days {
		s.Days[d] = []Span{}
		if !h.says {
			continue
		}
		on := h.on(monday.AddDate(0, 0, d), w, false)
		s.Days[d] = append(s.Days[d], on.open...)
		resolved = resolved || len(on.open) > 0 || len(on.doubt) == 0
	}
	s.Unparsed = !resolved
	s.carry()
	s.AllDay = s.fullWeek()
	return s
}

// horizon is how many days from today on are looked at for the next change.
const horizon = 10

// At evaluates the hours at a moment, in Tashkent. A place is open from the
// minute it opens and closed from the minute it closes.
func (h *Hours) At(now time.Time, w Where) Status {
	if !h.says {
		return Status{}
	}
	now = now.In(Tashkent)
	open, doubt := h.lines(midnight(now.Year(), now.Month(), now.Day()), w, horizon)
	minute := now.Hour()*60 + now.Minute()
	within := time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond())
	uncertain := 1 << 30 // when the next doubt begins
	for _, d := range doubt {
		if d.Open <= minute && minute < d.Close {
			return Status{}
		}
		if d.Open > minute {
			uncertain = d.Open
			break
		}
	}
	st := Status{Known: true, AllDay: h.Week(now, w).AllDay}
	for _, span := range open {
		if span.Close <= minute {
			continue
		}
		change := span.Open
		if span.Open <= minute {
			st.Open, change = true, span.Close
		}
		if change-minute > week || change > uncertain { // longer is always; nobody knows what comes before it
			return st
		}
		isSoon := time.Duration(change-minute)*time.Minute-within <= soon
		st.NextChange = clock(change)
		st.ClosesSoon, st.OpensSoon = isSoon && st.Open, isSoon && !st.Open
		if !st.Open {
			st.NextDay = change / day
		}
		return st
	}
	return st
}

// carry moves what opens after midnight, the rest of a night with a break in
// it, to the day on which it opens.
func (s *Schedule) carry() {
	var late [7][]Span
	for d, spans := range s.Days {
		for len(spans) > 0 && spans[len(spans)-1].Open >= day {
			last := spans[len(spans)-1]
			spans = spans[:len(spans)-1]
			late[(d+1)%7] = append(late[(d+1)%7], Span{last.Open - day, last.Close - day})
		}
		s.Days[d] = spans
	}
	for d, spans := range late {
		if len(spans) > 0 {
			s.Days[d] = merge(append(s.Days[d], spans...))
		}
	}
}

// fullWeek tells whether the schedule never closes.
func (s Schedule) fullWeek() bool {
	var line []Span
	for _, shift := range [3]int{-week, 0, week} {
		for d, spans := range s.Days {
			for _, span := range spans {
				line = append(line, Span{shift + d*day + span.Open, shift + d*day + span.Close})
			}
		}
	}
	for _, span := range merge(line) {
		if span.Open <= 0 && span.Close >= week {
			return true
		}
	}
	return false
}

func clock(minute int) string {
	minute = (minute%day + day) % day
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
