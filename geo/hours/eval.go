package hours

import (
	"slices"
	"time"
)

// Hours are opening hours that were read.
type Hours struct {
	raw   string
	rules []rule
	says  bool // a rule gives hours
}

// daily is what the rules say of one day, in minutes from its midnight.
type daily struct {
	open  []Span
	doubt []Span // when nobody knows
	cut   bool   // closed for the day: does a night that began before still end in it?
	named bool   // a rule has said something
}

// all is a day of doubt.
var all = Span{0, day}

func (d daily) clone() daily {
	d.open, d.doubt = slices.Clone(d.open), slices.Clone(d.doubt)
	return d
}

func (d daily) equal(o daily) bool {
	return d.cut == o.cut && slices.Equal(d.open, o.open) && slices.Equal(d.doubt, o.doubt)
}

// on evaluates the rules for a date, a midnight in UTC. Without holidays no day is one.
func (h *Hours) on(date time.Time, w Where, holidays bool) daily {
	var d daily
	for i := range h.rules {
		r := &h.rules[i]
		if r.fallback {
			r.fill(&d, date, w, holidays)
		} else {
			r.apply(&d, date, w, holidays)
		}
	}
	return d
}

// apply writes a rule over a day. What may apply and would change something leaves
// the day in doubt.
func (r *rule) apply(d *daily, date time.Time, w Where, holidays bool) {
	if r.broken {
		if r.dates.has(date) != no {
			d.doubt = []Span{all}
		}
		return
	}
	added := r.added
	for i := range r.pieces {
		p := &r.pieces[i]
		switch min(r.dates.has(date), p.has(date, w, holidays)) {
		case perhaps:
			other := d.clone()
			p.write(&other, date, w, added || p.extra, r)
			if !other.equal(*d) {
				d.doubt = []Span{all}
			}
		case yes:
			p.write(d, date, w, added || p.extra, r)
			added = added || !p.hole()
		}
	}
}

// has tells whether a piece speaks of a date.
func (p *piece) has(date time.Time, w Where, holidays bool) answer {
	weekday := decided(p.onWeekday(date))
	if !p.holiday() {
		if !p.weekdays() {
			return yes
		}
		return weekday
	}
	holiday := no
	if holidays {
		before := date.AddDate(0, 0, -p.shift)
		if p.public {
			holiday = max(holiday, publicHoliday(w.Country, before))
		}
		if p.school {
			holiday = max(holiday, schoolHoliday(w.Country, before))
		}
	}
	switch {
	case !p.weekdays():
		return holiday
	case p.both:
		return min(holiday, weekday)
	}
	return max(holiday, weekday)
}

func (p *piece) onWeekday(date time.Time) bool {
	weekday := weekdayOf(date)
	if p.days&(1<<weekday) != 0 {
		return true
	}
	return slices.ContainsFunc(p.nth, func(n nthDayOf) bool {
		return n.day == weekday && nthDay(date.Year(), date.Month(), n.day, n.nth).Equal(date)
	})
}

// resolve gives the spans of a piece their minutes on a date, and the times behind an
// open end; ok is false when the sun does not tell.
func (p *piece) resolve(date time.Time, w Where) (spans, tails []Span, ok bool) {
	for _, s := range p.spans {
		from, fine := s.from.on(date, w)
		to, fine2 := s.to.on(date, w)
		if !fine || !fine2 {
			return nil, nil, false
		}
		if to <= from {
			to += day
		}
		from, to = max(from, 0), min(to, 2*day)
		if from >= day || to <= from {
			continue
		}
		spans = append(spans, Span{from, to})
		if s.plus {
			begin := to
			if s.to == wholeDay.to { // 18:00+
				begin = from
			}
			tails = append(tails, Span{begin, max(to, day) + nightEnd})
		}
	}
	return spans, tails, true
}

// nightEnd is when a night without a known end is over at the latest.
const nightEnd = 8 * 60

func (m moment) on(date time.Time, w Where) (int, bool) {
	if m.event == clockTime {
		return m.minute, true
	}
	at, ok := minuteOf(m.event, date, w)
	return at + m.minute, ok
}

// write changes a day as a piece says; added: not instead of what is there.
func (p *piece) write(d *daily, date time.Time, w Where, added bool, r *rule) {
	spans, tails, ok := p.resolve(date, w)
	if !ok {
		d.doubt = []Span{all}
		return
	}
	if p.hole() {
		for _, s := range spans {
			d.open, d.doubt = subtract(d.open, s), subtract(d.doubt, s)
		}
		return
	}
	before := *d
	switch {
	case p.off:
		*d = daily{cut: true}
		for _, s := range before.open {
			if s.Close > day { // the night that would have begun on this day
				d.doubt = append(d.doubt, Span{max(s.Open, day), s.Close})
			}
		}
	case !added:
		*d = daily{}
	}
	d.named = true
	d.open = merge(append(slices.Clone(d.open), spans...))
	doubt := append(slices.Clone(d.doubt), tails...)
	if p.doubt {
		doubt = append(doubt, spans...)
		if len(spans) == 0 {
			doubt = append(doubt, all)
		}
	}
	// Times alone behind other rules are read as more hours by some and as other hours
	// by others.
	if timesOnly := r.dates.empty() && !p.weekdays() && !p.holiday() && !p.off; timesOnly && !added && before.named {
		doubt = append(doubt, subtractAll(before.open, d.open)...)
	}
	d.doubt = merge(doubt)
}

// fill writes a rule into the times that the rules before it leave open.
func (r *rule) fill(d *daily, date time.Time, w Where, holidays bool) {
	if r.broken {
		if r.dates.has(date) != no {
			d.doubt = merge(append(subtractAll([]Span{all}, d.open), d.doubt...))
		}
		return
	}
	for i := range r.pieces {
		p := &r.pieces[i]
		applies := min(r.dates.has(date), p.has(date, w, holidays))
		if applies == no || p.off {
			continue
		}
		spans, tails, ok := p.resolve(date, w)
		if !ok || len(spans) == 0 {
			spans = []Span{all}
		}
		rest := subtractAll(spans, d.open)
		if !ok || p.doubt || applies == perhaps {
			d.doubt = merge(append(slices.Clone(d.doubt), rest...))
			continue
		}
		d.open = merge(append(d.open, rest...))
		d.doubt = merge(append(slices.Clone(d.doubt), tails...))
	}
}

// subtractAll removes the times of holes from spans.
func subtractAll(spans, holes []Span) []Span {
	for _, h := range holes {
		spans = subtract(spans, h)
	}
	return spans
}

// lines lays the days from the one before yesterday on end to end, in minutes from the
// midnight of today: when it is open, and when nobody knows.
func (h *Hours) lines(today time.Time, w Where, days int) (open, doubt []Span) {
	for i := -2; i < days; i++ {
		d := h.on(today.AddDate(0, 0, i), w, true)
		shift := i * day
		if d.cut { // some read that the night ends at midnight, others that it goes on
			for _, s := range open {
				if s.Close > shift {
					doubt = append(doubt, Span{max(s.Open, shift), s.Close})
				}
			}
		}
		for _, s := range d.open {
			open = append(open, Span{shift + s.Open, shift + s.Close})
		}
		for _, s := range d.doubt {
			doubt = append(doubt, Span{shift + s.Open, shift + s.Close})
		}
	}
	return merge(open), merge(doubt)
}
