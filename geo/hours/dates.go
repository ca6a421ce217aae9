package hours

import (
	"time"
)

// answer is whether something applies: no, yes, or perhaps.
type answer uint8

const (
	no answer = iota
	perhaps
	yes
)

func decided(b bool) answer {
	if b {
		return yes
	}
	return no
}

// dates are the conditions of a rule on the date. Empty lists do not restrict.
type dates struct {
	years  []numbers
	spans  []dateSpan
	weeks  []numbers
	easter bool // something around Easter, which two calendars place differently
}

func (d *dates) empty() bool {
	return len(d.years) == 0 && len(d.spans) == 0 && len(d.weeks) == 0 && !d.easter
}

// numbers is a range with a step.
type numbers struct{ from, to, step int }

func (n numbers) has(v int) bool { return v >= n.from && v <= n.to && (v-n.from)%n.step == 0 }

func anyOf(list []numbers, v int) bool {
	for _, n := range list {
		if n.has(v) {
			return true
		}
	}
	return len(list) == 0
}

// dayOf is a day of the year: of a month, by its number or as its nth weekday.
type dayOf struct {
	year  int // 0: every year
	month time.Month
	day   int // 0: the whole month
	nth   int // the nth of weekday when not 0, from the end when negative
	week  int // the weekday, Monday 0
}

// dateSpan is from the beginning of one day to the end of another; over the new year
// when to is before from.
type dateSpan struct{ from, to dayOf }

// first and last day of a dayOf in a year.
func (d dayOf) first(year int) time.Time {
	switch {
	case d.nth != 0:
		return nthDay(year, d.month, d.week, d.nth)
	case d.day == 0:
		return midnight(year, d.month, 1)
	}
	return midnight(year, d.month, d.day)
}

func (d dayOf) last(year int) time.Time {
	if d.nth == 0 && d.day == 0 {
		return midnight(year, d.month+1, 0)
	}
	return d.first(year)
}

func midnight(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// weekdayOf is the weekday of a date, Monday 0.
func weekdayOf(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

func nthDay(year int, month time.Month, weekday, nth int) time.Time {
	if nth > 0 {
		first := midnight(year, month, 1)
		return first.AddDate(0, 0, (weekday-weekdayOf(first)+7)%7+(nth-1)*7)
	}
	last := midnight(year, month+1, 0)
	return last.AddDate(0, 0, -(weekdayOf(last)-weekday+7)%7+(nth+1)*7)
}

func (s dateSpan) has(t time.Time) bool {
	if s.from.year != 0 {
		end := s.to.year
		if end == 0 {
			end = s.from.year
			if s.to.last(end).Before(s.from.first(end)) {
				end++
			}
		}
		return !t.Before(s.from.first(s.from.year)) && !t.After(s.to.last(end))
	}
	from, to := s.from.first(t.Year()), s.to.last(t.Year())
	if to.Before(from) {
		return !t.Before(from) || !t.After(to)
	}
	return !t.Before(from) && !t.After(to)
}

// has tells whether a date, a midnight in UTC, meets the conditions.
func (d *dates) has(t time.Time) answer {
	_, week := t.ISOWeek()
	if !anyOf(d.years, t.Year()) || !anyOf(d.weeks, week) {
		return no
	}
	in := len(d.spans) == 0
	for _, s := range d.spans {
		in = in || s.has(t)
	}
	if !in {
		return no
	}
	if d.easter { // Western and Eastern Easter, with the days that count from them
		return min(perhaps, decided(dateSpan{dayOf{month: time.March, day: 1}, dayOf{month: time.June, day: 20}}.has(t)))
	}
	return yes
}

// dates reads the conditions that stand at p: years, months, dates and weeks in any
// order. ok is false when one is not understood.
func (p *parser) dates(d *dates) (ok bool) {
	for p.datesAhead() {
		v, _ := p.look(0)
		switch {
		case p.kind(0) == tokNumber && !p.yearOfDate():
			d.years, ok = p.numbers(p.year)
		case v.meaning == meansWeek:
			p.at++
			d.weeks, ok = p.numbers(p.weekNumber)
		case v.meaning == meansEaster:
			p.at++
			d.easter, ok = true, p.skipOffset()
		default:
			d.spans, ok = p.dateSpans(d.spans)
		}
		if !ok {
			return false
		}
	}
	return true
}

// datesAhead tells whether a condition on the date begins at p.
func (p *parser) datesAhead() bool {
	v, _ := p.look(0)
	return p.kind(0) == tokNumber || v.meaning == meansMonth || v.meaning == meansWeek || v.meaning == meansEaster
}

// yearOfDate tells a year that belongs to the month behind it.
func (p *parser) yearOfDate() bool {
	v, _ := p.look(1)
	return v.meaning == meansMonth
}

func (p *parser) year() (int, bool) {
	if p.kind(0) != tokNumber || p.tokens[p.at].value < 1900 || p.tokens[p.at].value > 2200 {
		return 0, false
	}
	p.at++
	return p.tokens[p.at-1].value, true
}

func (p *parser) weekNumber() (int, bool) {
	n, ok := p.bare()
	return n, ok && n >= 1 && n <= 53
}

// bare reads a number of one or two digits without minutes.
func (p *parser) bare() (int, bool) {
	if p.kind(0) != tokTime || !p.tokens[p.at].bare {
		return 0, false
	}
	p.at++
	return p.tokens[p.at-1].hour, true
}

// numbers reads a list of numbers and ranges with steps: 2024, 2025-2030/2, 2026+.
func (p *parser) numbers(one func() (int, bool)) (list []numbers, ok bool) {
	for {
		n := numbers{step: 1}
		if n.from, ok = one(); !ok {
			return nil, false
		}
		n.to = n.from
		switch p.kind(0) {
		case tokDash:
			p.at++
			if n.to, ok = one(); !ok || n.to < n.from {
				return nil, false
			}
		case tokPlus:
			p.at++
			n.to = 1 << 20
		}
		if p.kind(0) == tokSlash {
			p.at++
			if n.step, ok = p.bare(); !ok || n.step == 0 {
				return nil, false
			}
		}
		list = append(list, n)
		more := p.kind(0) == tokComma && p.at+1 < len(p.tokens) && (p.kind(1) == tokNumber || p.kind(1) == tokTime && p.tokens[p.at+1].bare)
		if !more {
			return list, true
		}
		p.at++
	}
}

// dateSpans reads months and dates: Apr-Oct, Jan 1,7, Dec 24-Jan 6, Mar Su[-1]-Oct Su[-1].
func (p *parser) dateSpans(list []dateSpan) ([]dateSpan, bool) {
	for {
		from, ok := p.dayOf(dayOf{})
		if !ok {
			return nil, false
		}
		if v, _ := p.look(2); v.meaning == meansDayUnit {
			return nil, false // Dec 25 +1 day
		}
		to := from
		if p.kind(0) == tokDash && !p.timeBehindDash(from) {
			p.at++
			if to, ok = p.dayOf(from); !ok {
				return nil, false
			}
		}
		if p.kind(0) == tokPlus || p.kind(0) == tokDash && p.kind(1) == tokTime {
			return nil, false // +1 day, or a third number
		}
		list = append(list, dateSpan{from, to})
		for p.kind(0) == tokComma && p.dayOfList(to) {
			p.at++
			day, _ := p.bare()
			to.day = day
			list = append(list, dateSpan{to, to})
		}
		next, _ := p.look(1)
		if p.kind(0) != tokComma || next.meaning != meansMonth && p.kind(1) != tokNumber {
			return list, true
		}
		p.at++
	}
}

// dayOf reads one end of a span; before is the one before it, whose month a bare
// number continues.
func (p *parser) dayOf(before dayOf) (d dayOf, ok bool) {
	if p.kind(0) == tokNumber {
		if d.year, ok = p.year(); !ok {
			return d, false
		}
	}
	v, _ := p.look(0)
	if v.meaning != meansMonth {
		if before.day == 0 || d.year != 0 {
			return d, false
		}
		d = before
		d.day, ok = p.bare()
		return d, ok && d.day >= 1 && d.day <= 31
	}
	p.at++
	d.month = v.month
	if v, _ := p.look(0); v.meaning == meansDay && p.kind(1) == tokOpen {
		p.at++
		list, ok := p.nth()
		if !ok || len(list) != 1 {
			return d, false
		}
		d.week, d.nth = v.day, list[0]
		return d, true
	}
	if p.kind(0) != tokTime || !p.tokens[p.at].bare {
		return d, true
	}
	if before.month != 0 && before.day == 0 && p.kind(1) == tokDash && p.kind(2) == tokTime {
		return d, !p.tokens[p.at+2].bare // Apr-Oct 9-18: days or hours, nobody knows
	}
	d.day, ok = p.bare()
	return d, ok && d.day >= 1 && d.day <= 31
}

// timeBehindDash tells the dash of "Apr - 9:00-18:00" from that of "Apr-Oct".
func (p *parser) timeBehindDash(d dayOf) bool {
	return p.kind(1) == tokTime && (d.day == 0 || !p.tokens[p.at+1].bare)
}

// dayOfList tells that a comma is followed by another day of the same month.
func (p *parser) dayOfList(d dayOf) bool {
	return d.day != 0 && p.kind(1) == tokTime && p.tokens[p.at+1].bare && p.kind(2) != tokDash
}

// nth reads the numbers behind a weekday: [1], [2,4], [1-2], [-1].
func (p *parser) nth() (list []int, ok bool) {
	if p.kind(0) != tokOpen || !p.tokens[p.at].square {
		return nil, false
	}
	p.at++
	for {
		sign := 1
		if p.kind(0) == tokDash {
			sign, p.at = -1, p.at+1
		}
		from, ok := p.bare()
		if !ok || from < 1 || from > 5 {
			return nil, false
		}
		to := from
		if p.kind(0) == tokDash && sign > 0 {
			p.at++
			if to, ok = p.bare(); !ok || to < from || to > 5 {
				return nil, false
			}
		}
		for n := from; n <= to; n++ {
			list = append(list, sign*n)
		}
		switch p.kind(0) {
		case tokComma:
			p.at++
		case tokClose:
			p.at++
			return list, true
		default:
			return nil, false
		}
	}
}

// skipOffset passes over "+1 day" and "-2 days".
func (p *parser) skipOffset() bool {
	_, ok := p.offset()
	return ok
}

// offset reads "+1 day" or "-2 days", and 0 when there is none.
func (p *parser) offset() (days int, ok bool) {
	sign := 1
	switch p.kind(0) {
	case tokPlus:
	case tokDash:
		sign = -1
	default:
		return 0, true
	}
	if v, _ := p.look(2); p.kind(1) != tokTime || !p.tokens[p.at+1].bare || v.meaning != meansDayUnit {
		return 0, true // the dash of another thing
	}
	days = sign * p.tokens[p.at+1].hour
	p.at += 3
	return days, true
}
