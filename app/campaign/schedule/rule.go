// Package schedule says when a repeating campaign runs next (contract 4.3).
//
// It promises the calendar of package policy: local times mean the same in a series as in
// a sending window. It is pure: no clock, no store. It refuses to know campaigns.
package schedule

import (
	"fmt"
	"slices"
	"time"

	"github.com/teambition/rrule-go"

	"svc/app/policy"
)

// Frequency is how often a campaign repeats.
type Frequency string

// The frequencies (contract 4.3).
const (
	Daily   Frequency = "DAILY"
	Weekly  Frequency = "WEEKLY"
	Monthly Frequency = "MONTHLY"
)

// LastDay stands for the last day of a month, whichever it is.
const LastDay = -1

// Rule says when a campaign repeats.
type Rule struct {
	Frequency Frequency
	Interval  int // every so many days, weeks or months
	// Weekdays of WEEKLY; none: that of the first run.
	Weekdays []policy.Weekday
	// Day of the month of MONTHLY, or LastDay; 0: that of the first run. A month that
	// has no such day uses its last.
	Day   int
	Time  policy.Clock
	Zone  *time.Location
	Until time.Time // no run after it; zero: no end
}

// farthest is how far ahead a next run is looked for: the 31st of every twelfth month
// is a year ahead, and no rule is rarer.
const farthest = 5 * 366 * 24 * time.Hour

// Next is the first run after a moment, of a series whose first run was at first. ok
// is false when there is none.
func (r *Rule) Next(first, after time.Time) (t time.Time, ok bool, err error) {
	rule, err := rrule.NewRRule(r.option(first))
	if err != nil {
		return t, false, fmt.Errorf("the repeat rule cannot be read: %w", err)
	}
	local := after.In(r.Zone)
	from := time.Date(local.Year(), local.Month(), local.Day()-1, 0, 0, 0, 0, time.UTC)
	for {
		date := rule.After(from, true)
		if date.IsZero() || date.Sub(from) > farthest {
			return t, false, nil
		}
		if t = policy.At(date, r.Time, r.Zone); t.After(after) {
			return t.UTC(), r.Until.IsZero() || !t.After(r.Until), nil
		}
		from = date.Add(24 * time.Hour)
	}
}

// option is the rule over dates without a zone: what a date is in the zone is At's.
func (r *Rule) option(first time.Time) rrule.ROption {
	start := first.In(r.Zone)
	o := rrule.ROption{
		Dtstart: time.Date(start.Year(), start.Month(), start.Day(), 0, 0, 0, 0, time.UTC), Interval: max(r.Interval, 1), Wkst: rrule.MO,
	}
	switch r.Frequency {
	case Weekly:
		o.Freq = rrule.WEEKLY
		for i, d := range policy.Weekdays() {
			if slices.Contains(r.Weekdays, d) {
				o.Byweekday = append(o.Byweekday, [...]rrule.Weekday{rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU}[i])
			}
		}
	case Monthly:
		o.Freq = rrule.MONTHLY
		o.Bymonthday, o.Bysetpos = monthDays(r.Day, start.Day())
	default:
		o.Freq = rrule.DAILY
	}
	return o
}

// monthDays are the days of which the last that a month has is meant: of the 28th to
// the 31st, February has the 28th.
func monthDays(wanted, first int) (days, pos []int) {
	if wanted == 0 {
		wanted = first
	}
	if wanted <= 28 {
		return []int{wanted}, nil // LastDay too, which counts from the end
	}
	for d := 28; d <= wanted; d++ {
		days = append(days, d)
	}
	return days, []int{-1}
}
