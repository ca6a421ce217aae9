package facts

import (
	"fmt"
	"slices"
	"strings"

	"svc/ai/lang"
	"svc/ai/phrase"
)

// clock grounds a time of day: a slot, a time that a source names, or while the place is
// open, when the reply only says so.
func (g *grounds) clock(f *Fact) (bool, string) {
	d := f.doc
	from, to := d.Sentence(f.word)
	cf, ct := d.Clause(f.word)
	detail := fmt.Sprintf("the time %s is no free slot and in no source", f.Text)
	if d.denied(cf, ct) || d.asked(cf, ct) && g.echoed(f) && !d.in(from, to, cBook) {
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
	book := d.in(from, to, cBook)
	if (d.in(from, to, cOpen) && !d.boundary(f) || d.in(from, to, cOpen|cCome) && g.echoed(f)) && !book && g.isOpen(f.Min) {
		return true, ""
	}
	return false, detail
}

// boundary tells a time at which the place opens or closes from one at which it is open:
// 10 dan, до 19:00, closes at 7, ochilamiz.
func (d *document) boundary(f *Fact) bool {
	last := d.last(f)
	near := func(i int) bool { return d.has(i, cFrom|cUntil) }
	if near(f.word-1) || near(last+1) || d.ents[last].end == "dan" || strings.HasSuffix(d.key(last), "gacha") || strings.HasSuffix(d.key(last), "dan") {
		return true
	}
	from, to := d.Clause(f.word)
	for i := from; i < to; i++ {
		switch k := d.key(i); {
		case k == "open" || k == "close":
			if !d.has(i-1, cNot) && d.key(i-1) != "are" && d.key(i-1) != "is" {
				return true
			}
		case k == "opens", k == "closes", strings.HasPrefix(k, "ochila"), strings.HasPrefix(k, "yopila"), strings.HasPrefix(k, "otkriva"), strings.HasPrefix(k, "otkroe"), strings.HasPrefix(k, "zakriva"), strings.HasPrefix(k, "zakroe"):
			return true
		}
	}
	return false
}

// since is the first of the weekdays that end with the one at a word: Mon-Fri, с понедельника по
// пятницу, dushanbadan jumagacha.
func (d *document) since(i int) int {
	last := int(d.ents[i].value)
	for _, back := range [2]int{1, 2} {
		if k := i - back; k >= 0 && d.ents[k].kind == eWeekday && int(d.ents[k].value) < last && (back == 2 && d.has(i-1, cUntil) || back == 1 && (strings.Trim(d.Gap(k), " ") != "" && d.Near(k) || strings.ContainsAny(d.Gap(k), "–—") || d.ents[k].end == "dan")) {
			return int(d.ents[k].value)
		}
	}
	return last
}

// onDay judges a time of the one weekday that a clause names by the clauses of sources that give
// the hours of that day: Sat 10:00-15:00. Known says that one does.
func (g *grounds) onDay(f *Fact, from, to int) (ok, known bool) {
	day := 0
	for i := from; i < to; i++ {
		if e := f.doc.ents[i]; e.kind == eWeekday && day != 0 {
			return false, false
		} else if e.kind == eWeekday {
			day = int(e.value)
		}
	}
	if day == 0 || !f.doc.in(from, to, cOpen|cFrom|cUntil) || f.doc.in(from, to, cBook&^cOpen) {
		return false, false
	}
	for _, s := range g.docs {
		s.clauses(func(from, to int) {
			covers, hours := false, []float64(nil)
			for i := from; i < to; i++ {
				if e := s.ents[i]; e.kind == eWeekday {
					covers = covers || s.since(i) <= day && day <= int(e.value)
				}
			}
			for i := range s.facts {
				if c := &s.facts[i]; c.Kind == Clock && c.word >= from && c.word < to {
					hours = append(hours, c.Min)
				}
			}
			if covers && len(hours) == 2 {
				known = true
				ok = ok || equal(f.Min, hours[0]) || equal(f.Min, hours[1]) || !f.doc.boundary(f) && hours[0] <= f.Min && f.Min <= hours[1]
			}
		})
	}
	return ok, known
}

func (g *grounds) sameClock(f *Fact) bool {
	for _, s := range g.docs {
		for i := range s.facts {
			if c := &s.facts[i]; c.Kind == Clock && equal(c.Min, f.Min) {
				return true
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
		var first *Fact
		for i := range s.facts {
			c := &s.facts[i]
			if c.Kind != Clock {
				continue
			}
			from, to := s.Sentence(c.word)
			if first != nil && first.word >= from && s.in(from, to, cOpen) && first.Min <= minute && minute <= c.Min {
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
	for _, s := range g.docs {
		hours, every := false, false
		closed := [8]bool{}
		s.clauses(func(from, to int) {
			sf, st := s.Sentence(from)
			hours = hours || s.in(from, to, cOpen)
			every = every || s.in(from, to, cEvery) && s.in(sf, st, cOpen) || s.promisesIn(PromiseEveryDay, from, to)
			for i := from; i < to; i++ {
				if s.ents[i].kind != eWeekday {
					continue
				}
				if s.in(from, to, cDayOff) || s.denied(from, to) {
					closed[int(s.ents[i].value)] = true
				} else {
					for day := s.since(i); day <= int(s.ents[i].value); day++ {
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
	return days
}

// promisesIn tells whether a range of words makes a promise.
func (d *document) promisesIn(name string, from, to int) bool {
	return slices.ContainsFunc(d.facts, func(f Fact) bool { return f.Kind == Promise && f.Name == name && from <= f.word && f.word < to })
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
func (g *grounds) date(f *Fact) (bool, string) {
	d := f.doc
	from, to := d.Sentence(f.word)
	cf, ct := d.Clause(f.word)
	detail := fmt.Sprintf("the day %s is in no source", f.Text)
	closed := d.in(cf, ct, cDayOff)
	if d.asked(cf, ct) && !d.states(Clock, from, to) || d.unsure(f.word) {
		return true, ""
	}
	if f.Weekday > 0 && (d.in(from, to, cOpen) || closed) && !d.in(cf, ct, cBook&^cOpen) {
		state := g.week()[f.Weekday]
		want := dayOpen
		if closed || d.denied(cf, ct) {
			want = dayClosed
		}
		if state == want {
			return true, ""
		}
		return false, fmt.Sprintf("no source says so about %s", f.Text)
	}
	if d.denied(cf, ct) && !d.in(cf, ct, cDelivery) {
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
		for i := range s.facts {
			c := &s.facts[i]
			if of, ot := s.Clause(c.word); c.Kind != Date || s.in(of, ot, cDayOff) && !s.promisesIn(PromiseEveryDay, of, ot) && !closed {
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

// ready tells that a range of words says when something will be ready.
func (d *document) ready(from, to int) bool {
	return slices.ContainsFunc(d.Words[from:to], func(w phrase.Word) bool {
		return strings.HasPrefix(w.Key, "tayor") || strings.HasPrefix(w.Key, "gotov") || w.Key == "ready" || w.Key == "srok"
	})
}

// relativeDay grounds today, tomorrow and the day after: within the stated time of
// delivery, or as an invitation on a day that is not known to be closed.
func (g *grounds) relativeDay(f *Fact, from, to int) bool {
	d := f.doc
	if f.Name != "DAY" {
		return false
	}
	ready, about := d.ready(from, to), g.about(f)
	if ready || d.topicsOf(f.word)&cDelivery != 0 {
		for _, s := range g.docs {
			k := slices.IndexFunc(g.offers, func(o offerName) bool { return o.doc == s })
			if k >= 0 && len(about) > 0 && !about[k] {
				continue // of another offer
			}
			for i := range s.facts {
				t := &s.facts[i]
				cf, ct := s.Clause(t.word)
				if t.Kind == Duration && t.Unit == unitMinute && (ready && s.ready(cf, ct) || s.topicsOf(t.word)&cDelivery != 0) && g.meets(f, t) {
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
	sf, st := d.Sentence(f.word)
	if d.in(sf, st, cStarts) || d.in(from, to, cBook) {
		return false
	}
	day := 0
	if !f.From.IsZero() {
		day = lang.Weekday(f.From)
	}
	state := g.week()[day]
	if d.in(sf, st, cCome|cOpen|cYes|cCan) {
		return state == dayOpen || day == 0 || state == dayUnknown && !d.in(sf, st, cOpen)
	}
	return g.echoed(f)
}
