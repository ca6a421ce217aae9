package check

import (
	"time"

	"svc/ai/facts"
)

// Appointment is what a reply says of a time, and what it may not say.
type Appointment struct {
	// Start is the exact time; zero where the reply speaks of none.
	Start time.Time
	// Asks: the customer is asked to confirm exactly that time, and any yes confirms it.
	Asks bool
	// Taken: the time is not free, and is named only to say so.
	Taken bool
	// Known are other times that the customer knows of, such as the end and what stands.
	Known []time.Time
}

// appointment holds a reply to the one time that it is about (contract 14.5).
func (j *judge) appointment() (detail, span string) {
	a := j.Appointment
	if a == nil || a.Start.IsZero() || !a.Asks && !a.Taken {
		return "", ""
	}
	clock, other, dated, day := false, "", "", false
	for i := range j.facts {
		switch f := &j.facts[i]; f.Kind {
		case facts.Clock:
			switch {
			case a.Taken && j.onAnotherDay(f, a.Start): // that hour may be free there
			case j.clockOf(f, a.Start):
				if clock = true; a.Taken && !j.saysTaken(f) {
					return "the reply names a time that is not free as if it were", f.Text
				}
			case !j.known(f):
				other = f.Text
			}
		case facts.Date:
			if j.dayOf(f, a.Start) {
				day = true
			} else if !j.known(f) {
				dated = f.Text
			}
		}
	}
	switch {
	case a.Taken:
		return "", ""
	case !clock:
		return "the reply does not name the time that the customer is asked to confirm", ""
	case other != "":
		return "the reply names another time beside the one that the customer is asked to confirm", other
	case dated != "" && !day:
		return "the reply names another day than the one that the customer is asked to confirm", dated
	}
	return "", ""
}

func (j *judge) known(f *facts.Fact) bool {
	for _, at := range j.Appointment.Known {
		if f.Kind == facts.Clock && j.clockOf(f, at) || f.Kind == facts.Date && j.dayOf(f, at) {
			return true
		}
	}
	return false
}

const halfDay = 12 * 60 // minutes

// clockOf says whether a clock, of 24 hours or of 12, may be a time.
func (j *judge) clockOf(f *facts.Fact, at time.Time) bool {
	local := at.In(j.Zone)
	minute := float64(local.Hour()*60 + local.Minute())
	return f.Min == minute || f.Min < halfDay && f.Min+halfDay == minute
}

func (j *judge) dayOf(f *facts.Fact, at time.Time) bool {
	local := at.In(j.Zone)
	if f.From.IsZero() {
		return f.Weekday == 0 || f.Weekday == int(local.Weekday()+6)%7+1
	}
	day := time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, j.Zone)
	return !day.Before(f.From) && !day.After(f.Until)
}

// saysTaken says whether the sentence of a fact denies that something is free.
func (j *judge) saysTaken(f *facts.Fact) bool {
	from, to, ok := j.sentenceOf(f)
	return ok && (j.text.Any(from, to, kTaken) || j.refuses(from, to))
}

// onAnotherDay says whether a clock stands beside another day than that of a time: behind it,
// as in a list of the times of a day, else before it.
func (j *judge) onAnotherDay(clock *facts.Fact, at time.Time) bool {
	first, last, ok := j.sentenceOf(clock)
	if !ok {
		return false
	}
	from, to := j.text.Words[first].Start, j.text.Words[last-1].End
	var day *facts.Fact
	for i := range j.facts {
		f := &j.facts[i]
		if f.Kind != facts.Date || f.Start < from || f.End > to {
			continue
		}
		if f.Start < clock.Start || day == nil {
			day = f
		}
	}
	return day != nil && !j.dayOf(day, at)
}

// sentenceOf are the words of the sentence of a fact, from the first to behind the last.
func (j *judge) sentenceOf(f *facts.Fact) (from, to int, ok bool) {
	for i, w := range j.text.Words {
		if w.Start >= f.Start {
			from, to = j.text.Sentence(i)
			return from, to, to > from
		}
	}
	return 0, 0, false
}
