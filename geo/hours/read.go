package hours

// day reads a weekday, a range of them (Sa-Mo wraps), a set or a holiday. Days
// behind finished content start the next piece.
func (p *parser) day(v vocabulary, size int) bool {
	if len(p.cur.spans) > 0 || p.cur.off && !p.cur.leading || p.cur.doubt {
		if !p.flush() {
			return false
		}
		p.cur.extra = p.at > 0 && p.tokens[p.at-1].kind == tokComma
	}
	p.at += size
	switch v.meaning {
	case meansHoliday:
		return p.onHoliday(v.school)
	case meansDays:
		p.cur.days |= v.set
		return true
	}
	if p.kind(0) == tokOpen {
		return p.nthOf(v.day)
	}
	last := v.day
	if to, _ := p.look(1); to.meaning == meansDay && (p.kind(0) == tokDash || p.joins(0)) {
		last = to.day
		p.at += 2
	}
	for d := v.day; ; d = (d + 1) % 7 {
		p.cur.days |= 1 << d
		if d == last {
			return true
		}
	}
}

// onHoliday reads what stands behind PH or SH: days from it, or weekdays on which it
// must fall.
func (p *parser) onHoliday(school bool) (ok bool) {
	if school {
		p.cur.school = true
	} else {
		p.cur.public = true
	}
	if p.cur.shift, ok = p.offset(); !ok {
		return false
	}
	next, _ := p.look(0)
	if next.meaning == meansDay {
		if p.cur.weekdays() {
			return false
		}
		p.cur.both = true
	}
	return true
}

// nthOf reads the brackets behind a weekday.
func (p *parser) nthOf(day int) bool {
	list, ok := p.nth()
	if !ok {
		return false
	}
	for _, n := range list {
		p.cur.nth = append(p.cur.nth, nthDayOf{day, n})
	}
	shift, ok := p.offset()
	return ok && shift == 0 // Mo[1] +1 day is not read
}

// joins tells a word for "to" between two days or times.
func (p *parser) joins(ahead int) bool {
	v, _ := p.look(ahead)
	return v.meaning == meansTo
}

// off reads a word for closed. It belongs to the days before it, unless these
// have their times and other days follow: Mo-Fr 9:00-18:00 closed Su.
func (p *parser) off(size int) bool {
	next, _ := p.look(size)
	if p.kind(size) == tokDash {
		next, _ = p.look(size + 1)
	}
	dayFollows := next.meaning == meansDay || next.meaning == meansDays
	p.at += size
	if len(p.cur.spans) > 0 && dayFollows && !p.flush() {
		return false
	}
	if dayFollows && p.kind(0) == tokDash { // выходной - Вс
		p.at++
	}
	p.cur.leading = p.cur.empty()
	p.cur.off = true
	return true
}

// weekend reads выходные: the weekend when times follow or when the days before
// it have theirs, else a word for closed.
func (p *parser) weekend(size int) bool {
	set := vocabulary{meaning: meansDays, set: weekend}
	if p.timeAhead(size) && (p.cur.days == 0 || len(p.cur.spans) > 0) {
		return p.day(set, size)
	}
	if next, _ := p.look(size); len(p.cur.spans) > 0 && next.meaning != meansDay {
		if !p.day(set, size) {
			return false
		}
		p.cur.off = true
		return true
	}
	return p.off(size)
}

// pause reads a break: a hole in the days of the piece before it.
func (p *parser) pause(size int) bool {
	days := p.cur.days // of what is interrupted
	if len(p.cur.spans) > 0 || p.cur.off {
		p.flush()
	}
	if n := len(p.now.pieces); days == 0 && n > 0 {
		days = p.now.pieces[n-1].days
	}
	p.at += size
	if v, n := p.look(0); v.meaning == meansBreak { // перерыв на обед
		p.at += n
	}
	if !p.timeAhead(0) {
		return false
	}
	if p.kind(0) == tokDash {
		p.at++
	}
	p.cur = piece{days: days, off: true}
	return true
}

// wholeDay is 0:00-24:00.
var wholeDay = timeSpan{to: moment{minute: day}}

// times reads one span, with its open end, or the hours of a whole day.
func (p *parser) times() bool {
	if p.wholeDay() {
		p.cur.spans = append(p.cur.spans, wholeDay)
		return true
	}
	from, _, ok := p.moment()
	if !ok || from.event == clockTime && from.minute >= day {
		return false
	}
	span := timeSpan{from: from, to: moment{minute: day}}
	if p.kind(0) == tokPlus { // 18:00+: nobody knows until when
		p.at++
		span.plus = true
		p.cur.spans = append(p.cur.spans, span)
		return true
	}
	if p.kind(0) != tokDash && !p.joins(0) {
		return false
	}
	p.at++
	to, end, ok := p.moment()
	if !ok || end.bare && (end.hour > 24 || end.hour == 0) { // 9-30 and 9-00 are a time, not a span
		return false
	}
	span.to = to
	if from.event == clockTime && to.event == clockTime {
		if span.to.minute <= span.from.minute {
			span.to.minute += day
		}
		if span.to.minute-span.from.minute > day {
			return false
		}
		if span.from.minute == 0 && span.to.minute == day-1 { // 00:00-23:59 means the whole day
			span.to.minute = day
		}
	}
	if p.kind(0) == tokPlus {
		p.at++
		span.plus = true
	}
	p.cur.spans = append(p.cur.spans, span)
	return p.kind(0) != tokSlash // every so many minutes: not open all the time
}

// moment reads a time, an event, or an event with an offset in brackets; clock is the
// time as written.
func (p *parser) moment() (m moment, clock token, ok bool) {
	if v, size := p.look(0); v.meaning == meansSun {
		p.at += size
		return moment{event: v.event}, clock, true
	}
	if p.kind(0) != tokOpen {
		clock, ok = p.time()
		return moment{minute: clock.minutes()}, clock, ok
	}
	v, size := p.look(1)
	if v.meaning != meansSun || p.tokens[p.at].square {
		return m, clock, false
	}
	p.at += 1 + size
	sign := 1
	switch p.kind(0) {
	case tokPlus:
	case tokDash:
		sign = -1
	default:
		return m, clock, false
	}
	p.at++
	by, ok := p.time()
	if !ok || by.bare || by.minutes() >= day/2 || p.kind(0) != tokClose {
		return m, clock, false
	}
	p.at++
	return moment{event: v.event, minute: sign * by.minutes()}, clock, true
}

func (t token) minutes() int { return t.hour*60 + t.minute }

// time reads a time with its unit or half of the day. Hours up to 48 are those
// of the next day, as the standard of the field allows.
func (p *parser) time() (token, bool) {
	if p.kind(0) != tokTime {
		return token{}, false
	}
	t := p.tokens[p.at]
	p.at++
	switch v, size := p.look(0); v.meaning {
	case meansUnit:
		p.at += size
	case meansAM, meansPM:
		p.at += size
		if t.hour < 1 || t.hour > 12 {
			return token{}, false
		}
		t.hour %= 12
		if v.meaning == meansPM {
			t.hour += 12
		}
		t.bare = false
	}
	return t, t.minutes() <= 2*day
}

// wholeDay reads 24/7, 24 hours and their translations.
func (p *parser) wholeDay() bool {
	t := p.tokens[p.at]
	if !t.bare || t.hour != 24 {
		return false
	}
	if p.kind(1) == tokSlash && p.kind(2) == tokTime && p.tokens[p.at+2].bare && p.tokens[p.at+2].hour == 7 {
		p.at += 3
		return true
	}
	if v, size := p.look(1); v.meaning == meansUnit {
		p.at += 1 + size
		return true
	}
	return false
}
