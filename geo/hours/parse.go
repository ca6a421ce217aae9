package hours

import "unicode/utf8"

// MaxRaw is the longest text that is read, in bytes. The source allows 255
// characters; a longer one is unparsed and Raw is cut.
const MaxRaw = 2048

// Parse reads opening hours. Rules are separated by `;`, and a later one
// replaces the earlier for the days it names; a rule without days names all. (map contract 34.1.)
func Parse(raw string) *Hours {
	h := &Hours{raw: raw}
	if len(raw) > MaxRaw {
		n := MaxRaw
		for n > 0 && !utf8.RuneStart(raw[n]) {
			n--
		}
		h.raw = raw[:n]
		return h
	}
	for _, t := range rules(raw) {
		p := parser{tokens: lex(t.words)}
		p.read(t.fallback)
		h.rules = append(h.rules, p.rules...)
	}
	for i := range h.rules {
		h.says = h.says || h.rules[i].says()
	}
	return h
}

// rule is what stands between two separators, or behind a comma that begins other
// dates.
type rule struct {
	dates    dates
	pieces   []piece
	added    bool // to what the rules before it say, not instead of it
	fallback bool
	broken   bool // not understood; the dates in front of it were
}

// says tells whether the rule gives hours, or closes for good.
func (r *rule) says() bool {
	if r.broken {
		return false
	}
	for i := range r.pieces {
		p := &r.pieces[i]
		onHolidays := p.holiday() && !p.weekdays()
		always := r.dates.empty() && (p.days == 0 && len(p.nth) == 0 || p.days == everyDay)
		if !onHolidays && !p.hole() && (len(p.spans) > 0 || p.off && always) {
			return true
		}
	}
	return false
}

// moment is one end of a span: a time of the clock, or minutes from an event.
type moment struct {
	event  event
	minute int
}

// timeSpan is one opening as it is written.
type timeSpan struct {
	from, to moment
	plus     bool // nobody knows when it ends
}

// nthDayOf is the nth of a weekday in its month.
type nthDayOf struct{ day, nth int }

// piece is one part of a rule: some days and what happens on them.
type piece struct {
	days    days
	nth     []nthDayOf
	public  bool // PH stands among the days
	school  bool // SH does
	shift   int  // days from the holiday
	both    bool // only when weekday and holiday fall together: SH Mo-Fr
	spans   []timeSpan
	off     bool // closed, or with spans a hole in the opening
	leading bool // off stands before its days: closed Sa, Su
	doubt   bool // unknown, or only as a comment says
	extra   bool // behind a comma: added to the rules before
}

func (p *piece) holiday() bool  { return p.public || p.school }
func (p *piece) weekdays() bool { return p.days != 0 || len(p.nth) > 0 }

func (p *piece) empty() bool {
	return !p.weekdays() && !p.holiday() && len(p.spans) == 0 && !p.off && !p.doubt
}

// hole tells a break within the opening.
func (p *piece) hole() bool { return p.off && len(p.spans) > 0 }

// parser reads the tokens of one text into rules. Any surprise makes the rule that
// is being read a broken one.
type parser struct {
	tokens []token
	at     int
	rules  []rule
	now    rule
	cur    piece
}

func (p *parser) read(fallback bool) {
	p.now.fallback = fallback
	ok := true
	for ok && p.at < len(p.tokens) {
		ok = p.step()
	}
	if !ok || !p.flush() || len(p.now.pieces) == 0 {
		p.now.broken, p.now.pieces = true, nil
	}
	p.rules = append(p.rules, p.now)
}

// flush ends the piece being read; days without anything said about them make
// the rule unreadable.
func (p *parser) flush() bool {
	if p.cur.empty() {
		return true
	}
	if len(p.cur.spans) == 0 && !p.cur.off && !p.cur.doubt {
		return false
	}
	p.now.pieces = append(p.now.pieces, p.cur)
	p.cur = piece{}
	return true
}

// next ends the rule being read and begins another, which adds to it.
func (p *parser) next() bool {
	if !p.flush() {
		return false
	}
	if len(p.now.pieces) > 0 {
		p.rules = append(p.rules, p.now)
		p.now = rule{added: true, fallback: p.now.fallback}
	}
	return true
}

func (p *parser) step() bool {
	if p.datesAhead() {
		if len(p.cur.spans) > 0 || p.cur.off || len(p.now.pieces) > 0 {
			if !p.next() {
				return false
			}
		}
		if !p.dates(&p.now.dates) {
			p.now.dates = dates{} // which days it speaks of is not known
			return false
		}
		return true
	}
	switch t := p.tokens[p.at]; t.kind {
	case tokComma:
		p.at++
		return true
	case tokDash: // Пн-Пт — 9:00-18:00, Вс - выходной
		p.at++
		return (p.cur.weekdays() || p.cur.holiday() || !p.now.dates.empty()) && len(p.cur.spans) == 0 && !p.cur.off
	case tokTime, tokOpen:
		return p.times()
	case tokComment:
		p.at++
		p.cur.doubt = p.cur.doubt || !p.cur.off
		return true
	case tokWord:
		return p.sentence()
	}
	return false
}

// look reads the meaning of the word, or two words, at an offset; size is how
// many tokens it takes.
func (p *parser) look(ahead int) (v vocabulary, size int) {
	i := p.at + ahead
	if i >= len(p.tokens) || p.tokens[i].kind != tokWord {
		return vocabulary{}, 0
	}
	if i+1 < len(p.tokens) && p.tokens[i+1].kind == tokWord {
		if v, ok := phrasesOfTwo[[2]string{p.tokens[i].word, p.tokens[i+1].word}]; ok {
			return v, 2
		}
	}
	return words[p.tokens[i].word], 1
}

func (p *parser) kind(ahead int) tokenKind {
	if p.at+ahead < len(p.tokens) {
		return p.tokens[p.at+ahead].kind
	}
	return tokUnknown
}

func (p *parser) sentence() bool {
	v, size := p.look(0)
	switch v.meaning {
	case meansDay, meansDays, meansHoliday:
		return p.day(v, size)
	case meansOff:
		return p.off(size)
	case meansWeekend:
		return p.weekend(size)
	case meansBreak:
		return p.pause(size)
	case meansSun:
		return p.times()
	case meansUnknown:
		p.at += size
		p.cur.doubt = true
		return true
	case meansAllDay:
		p.at += size
		p.cur.spans = append(p.cur.spans, wholeDay)
		return true
	case meansOpen:
		p.at += size
		if len(p.cur.spans) == 0 && !p.timeAhead(0) {
			p.cur.spans = append(p.cur.spans, wholeDay)
		}
		return true
	case meansFrom:
		p.at += size
		next, _ := p.look(0)
		return p.kind(0) == tokTime || next.meaning == meansDay || next.meaning == meansMonth
	case meansWithout:
		p.at += size + 1 // без and what there is none of
		return p.at <= len(p.tokens)
	}
	return false
}

// timeAhead tells whether a time follows, behind an optional dash or с.
func (p *parser) timeAhead(ahead int) bool {
	if v, size := p.look(ahead); p.kind(ahead) == tokDash || v.meaning == meansFrom {
		ahead += max(size, 1)
	}
	return p.kind(ahead) == tokTime
}
