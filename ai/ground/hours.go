package ground

import (
	"fmt"
	"slices"
	"strings"

	"svc/ai/facts"
	"svc/ai/facts/word"
	"svc/ai/lang"
	"svc/ai/phrase"
)

// clock grounds a time of day: a slot, a time that a source names, or while the place is
// open, when the reply only says so.
func (g *grounds) clock(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Sentence(f.Word())
	cf, ct := d.Clause(f.Word())
	detail := fmt.Sprintf("the time %s is no free slot and in no source", f.Text)
	if d.Denied(cf, ct) || d.Asked(cf, ct) && g.echoed(f) && !d.Any(from, to, word.Book) {
		return true, ""
	}
	for _, s := range g.Slots {
		if zone := g.Zone; zone != nil {
			s.Start = s.Start.In(zone)
		}
		if equal(f.Min, float64(s.Start.Hour()*60+s.Start.Minute())) {
			return true, ""
		}
	}
	if ok, known := g.onDay(f, cf, ct); known {
		return ok, detail
	}
	if g.sameClock(f) || g.openingTime(f.Min) {
		return true, ""
	}
	book := d.Any(from, to, word.Book)
	if (d.Any(from, to, word.Open) && !d.Boundary(f) || d.Any(from, to, word.Open|word.Come) && g.echoed(f)) && !book && g.isOpen(f.Min) {
		return true, ""
	}
	return false, detail
}

// onDay judges a time of the one weekday that a clause names by the clauses of sources that give
// the hours of that day: Sat 10:00-15:00. Known says that one does.
func (g *grounds) onDay(f *facts.Fact, from, to int) (ok, known bool) {
	day := 0
	for i := from; i < to; i++ {
		if e := f.Document().Entities[i]; e.Kind == word.Weekday && day != 0 {
			return false, false
		} else if e.Kind == word.Weekday {
			day = int(e.Value)
		}
	}
	if day == 0 || !f.Document().Any(from, to, word.Open|word.From|word.Until) || f.Document().Any(from, to, word.Book&^word.Open) {
		return false, false
	}
	for _, s := range g.docs {
		s.Clauses(func(from, to int) {
			covers, hours := false, []float64(nil)
			for i := from; i < to; i++ {
				if e := s.Entities[i]; e.Kind == word.Weekday {
					covers = covers || s.Since(i) <= day && day <= int(e.Value)
				}
			}
			for i := range s.Facts {
				if c := &s.Facts[i]; c.Kind == facts.Clock && c.Word() >= from && c.Word() < to {
					hours = append(hours, c.Min)
				}
			}
			if covers && len(hours) == 1 && s.Any(from, to, word.Until) && f.Min >= hours[0] {
				known, ok = true, ok || equal(f.Min, hours[0]) // в субботу до 13:00: not later
			}
			if from := s.Find(from, to, word.From); covers && len(hours) == 1 && (from >= 0 || slices.ContainsFunc(s.Words[to-1:to], func(w phrase.Word) bool { return w.Key == "dan" })) && f.Min <= hours[0] {
				known, ok = true, ok || equal(f.Min, hours[0]) // juma 14:00 dan: not earlier
			}
			if covers && len(hours) == 2 {
				known = true
				ok = ok || equal(f.Min, hours[0]) || equal(f.Min, hours[1]) || !f.Document().Boundary(f) && hours[0] <= f.Min && f.Min <= hours[1]
			}
		})
	}
	return ok, known
}

const halfDay = 12 * 60 // minutes

func (g *grounds) sameClock(f *facts.Fact) bool {
	for _, s := range g.docs {
		for i := range s.Facts {
			c := &s.Facts[i]
			if c.Kind == facts.Clock && (equal(c.Min, f.Min) || !strings.Contains(f.Text, ":") && !phrase.IsFigure(f.Text) && equal(c.Min, f.Min+halfDay)) {
				return true // olti yarimda: half past six in the evening
			}
		}
	}
	return false
}

// openingTime tells whether the business opens or closes at a minute of the day.
func (g *grounds) openingTime(minute float64) bool {
	if g.Business.Hours == nil {
		return false
	}
	for _, day := range g.Business.Hours {
		for _, h := range day {
			if float64(h.Open) == minute || float64(h.Close) == minute {
				return true
			}
		}
	}
	return false
}

// isOpen tells whether the business is open at a minute of some day.
func (g *grounds) isOpen(minute float64) bool {
	if g.Business.Hours != nil {
		for _, day := range g.Business.Hours {
			for _, h := range day {
				if float64(h.Open) <= minute && minute <= float64(h.Close) {
					return true
				}
			}
		}
	}
	for _, s := range g.docs {
		var first *facts.Fact
		for i := range s.Facts {
			c := &s.Facts[i]
			if c.Kind != facts.Clock {
				continue
			}
			from, to := s.Sentence(c.Word())
			if first != nil && first.Word() >= from && s.Any(from, to, word.Open) && first.Min <= minute && minute <= c.Min {
				return true
			}
			first = c
		}
	}
	return false
}

// dayState is what sources say about a weekday.
type dayState uint8

const (
	dayUnknown dayState = iota
	dayOpen
	dayClosed
	dayUnnamed // the hours of other days are named, and not its
)

// week is what sources say of the days from Monday (1) to Sunday (7).
func (g *grounds) week() (days [8]dayState) {
	if h := g.Business.Hours; h != nil {
		for i := range h {
			days[i+1] = dayClosed
			if len(h[i]) > 0 {
				days[i+1] = dayOpen
			}
		}
	}
	weekly := false // a source has the hours of a range of days
	for _, s := range g.docs {
		hours, every := false, false
		closed := [8]bool{}
		s.Clauses(func(from, to int) {
			sf, st := s.Sentence(from)
			hours = hours || s.Any(from, to, word.Open) || opensAndCloses(s, from, to)
			every = every || s.Any(from, to, word.Every) && s.Any(sf, st, word.Open) || s.Promises(facts.PromiseEveryDay, from, to)
			for i := from; i < to; i++ {
				if s.Entities[i].Kind != word.Weekday {
					continue
				}
				if s.Any(from, to, word.DayOff) || s.Denied(from, to) || excepted(s, i) {
					closed[int(s.Entities[i].Value)] = true
				} else {
					since := s.Since(i)
					weekly = weekly || since < int(s.Entities[i].Value) && s.States(facts.Clock, sf, st)
					for day := since; day <= int(s.Entities[i].Value); day++ {
						days[day] = dayOpen
					}
				}
			}
		})
		none := closed == [8]bool{}
		for day := 1; day <= 7; day++ {
			switch {
			case closed[day]:
				days[day] = dayClosed
			case days[day] == dayUnknown && (every || hours && !none):
				days[day] = dayOpen
			}
		}
	}
	for day := 1; day <= 7 && weekly; day++ {
		if days[day] == dayUnknown {
			days[day] = dayUnnamed
		}
	}
	return days
}

// excepted tells a day beside which others are meant: кроме понедельника, dushanbadan tashqari.
func excepted(d *facts.Document, i int) bool {
	before := d.Key(i - 1)
	return before == "krome" || before == "ekept" || before == "except" || before == "ehkept" || d.Key(i+1) == "tashkari"
}

// opensAndCloses tells that a range of words is nothing but two times of a day: 10:00-20:00.
func opensAndCloses(d *facts.Document, from, to int) bool {
	n := 0
	for i := range d.Facts {
		if c := &d.Facts[i]; c.Kind == facts.Clock && from <= c.Word() && c.Word() < to {
			n++
		}
	}
	return n == 2 && to-from <= 9
}

func (g *grounds) everyDay() (bool, string) {
	days := g.week()
	for day := 1; day <= 7; day++ {
		if days[day] != dayOpen {
			return false, "no source says that every day is a working day"
		}
	}
	return true, ""
}

// date grounds a day: a slot, a date of a source, a working day where the reply only says
// that the place is open, a day within the stated time of delivery.
func (g *grounds) date(f *facts.Fact) (bool, string) {
	d := f.Document()
	from, to := d.Sentence(f.Word())
	cf, ct := d.Clause(f.Word())
	detail := fmt.Sprintf("the day %s is in no source", f.Text)
	closed := d.Any(cf, ct, word.DayOff)
	if d.Asked(cf, ct) && !d.States(facts.Clock, from, to) || d.Unsure(f.Word()) {
		return true, ""
	}
	if f.Weekday > 0 && (d.Any(from, to, word.Open) || closed || d.States(facts.Clock, cf, ct) && !d.Any(from, to, word.Book)) && !d.Any(cf, ct, word.Book&^word.Open) {
		state := g.week()[f.Weekday]
		want := dayOpen
		if closed || d.Denied(cf, ct) {
			want = dayClosed
		}
		if state == want || want == dayClosed && state == dayUnnamed {
			return true, ""
		}
		return false, fmt.Sprintf("no source says so about %s", f.Text)
	}
	if d.Denied(cf, ct) && !d.Any(cf, ct, word.Delivery) {
		return true, ""
	}
	for _, s := range g.Slots {
		start := s.Start
		if g.Zone != nil {
			start = start.In(g.Zone)
		}
		if f.Weekday == lang.Weekday(start) && f.From.IsZero() || !f.From.IsZero() && !f.From.After(start) && !f.Until.AddDate(0, 0, 1).Before(start) {
			return true, ""
		}
	}
	for _, s := range g.docs {
		for i := range s.Facts {
			c := &s.Facts[i]
			if sf, st := s.Sentence(c.Word()); c.Kind == facts.Date && d.Any(from, to, word.Starts) && !s.Any(sf, st, word.Starts) {
				continue // another day than that of a beginning
			}
			if of, ot := s.Clause(c.Word()); c.Kind != facts.Date || s.Denied(of, ot) && !s.Any(of, ot, word.DayOff) && !d.Denied(cf, ct) || s.Any(of, ot, word.DayOff) && !s.Promises(facts.PromiseEveryDay, of, ot) && !closed {
				continue
			}
			switch {
			case f.Weekday > 0 && f.Weekday == c.Weekday,
				f.Name == "" && f.Weekday == 0 && c.Name == "" && c.Weekday == 0 && equal(f.Min, c.Min) && (f.From.IsZero() || c.From.IsZero() || f.From.Equal(c.From)),
				f.Name != "" && f.Name == c.Name && f.Min == c.Min && f.From.Equal(c.From) && !f.From.IsZero(),
				!f.From.IsZero() && !c.From.IsZero() && c.Weekday == 0 && !c.From.Before(f.From) && !c.From.After(f.Until):
				return true, ""
			}
		}
	}
	return g.relativeDay(f, cf, ct), detail
}

// relativeDay grounds today, tomorrow and the day after: within the stated time of
// delivery, or as an invitation on a day that is not known to be closed.
func (g *grounds) relativeDay(f *facts.Fact, from, to int) bool {
	d := f.Document()
	if f.Name != "DAY" {
		return false
	}
	ready, about := d.Ready(from, to), g.about(f)
	if ready || d.TopicsOf(f.Word())&word.Delivery != 0 {
		for _, s := range g.docs {
			k := slices.IndexFunc(g.offers, func(o offerName) bool { return o.doc == s })
			if k >= 0 && len(about) > 0 && !about[k] {
				continue // of another offer
			}
			for i := range s.Facts {
				t := &s.Facts[i]
				cf, ct := s.Clause(t.Word())
				if t.Kind == facts.Duration && t.Unit == word.UnitMinute && (ready && s.Ready(cf, ct) || s.TopicsOf(t.Word())&word.Delivery != 0) && g.meets(f, t) {
					first, last := t.Min/1440, t.Max/1440
					if first == last {
						first = 0
					}
					if first <= f.Min && f.Min <= last {
						return true
					}
				}
			}
		}
		return false
	}
	sf, st := d.Sentence(f.Word())
	if d.Any(sf, st, word.Starts) || d.Any(from, to, word.Book) {
		return false
	}
	day := 0
	if !f.From.IsZero() {
		day = lang.Weekday(f.From)
	}
	state := g.week()[day]
	if d.Any(sf, st, word.Come|word.Open|word.Yes|word.Can) {
		return state == dayOpen || day == 0 || (state == dayUnknown || state == dayUnnamed) && !d.Any(sf, st, word.Open)
	}
	return g.echoed(f)
}
