package hours

// day reads a weekday, a range of them (Sa-Mo wraps), a set or a holiday. Days
// behind finished content start the next piece.
func (p *parser) day(v vocabulary, size int) bool {
	if len(p.cur.spans) > 0 || p.cur.off && !p.cur.leading {
		if !p.flush() {
			return false
		}
	}
	p.at += size
	switch v.meaning {
	case meansHoliday:
		p.cur.holiday = true
		next, _ := p.look(0)
		return next.meaning != meansDay // PH Mo-Fr: only on such holidays
	case meansDays:
		p.cur.days |= v.set
		return true
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
	days := p.cur.days
	if len(p.cur.spans) > 0 || p.cur.off {
		p.flush()
	}
	if days == 0 && len(p.pieces) > 0 {
		days = p.pieces[len(p.pieces)-1].days
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

// times reads one span, with its open end, or the hours of a whole day.
func (p *parser) times() bool {
	if p.wholeDay() {
		p.cur.spans = append(p.cur.spans, Span{0, day})
		return true
	}
	open, ok := p.time()
	if !ok || open.minutes() >= day {
		return false
	}
	span := Span{open.minutes(), day}
	if p.kind(0) == tokPlus { // 18:00+ is read as until midnight
		p.at++
		p.cur.spans = append(p.cur.spans, span)
		return true
	}
	if p.kind(0) != tokDash && !p.joins(0) {
		return false
	}
	p.at++
	end, ok := p.time()
	if !ok || end.bare && (end.hour > 24 || end.hour == 0) { // 9-30 and 9-00 are a time, not a span
		return false
	}
	span.Close = end.minutes()
	if span.Close <= span.Open {
		span.Close += day
	}
	if span.Close-span.Open > day {
		return false
	}
	if span == (Span{0, day - 1}) { // 00:00-23:59 means the whole day
		span.Close = day
	}
	if p.kind(0) == tokPlus {
		p.at++
	}
	p.cur.spans = append(p.cur.spans, span)
	return true
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
