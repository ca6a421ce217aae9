package hours

import "unicode/utf8"

// MaxRaw is the longest text that is read, in bytes. The source allows 255
// characters; a longer one is unparsed and Raw is cut.
const MaxRaw = 2048

// Parse reads opening hours. Rules are separated by `;`, and a later one
// replaces the earlier for the days it names; a rule without days names all. A
// rule that does not read is skipped; Unparsed is set when none reads. (map contract 34 and 14.)
func Parse(raw string) Schedule {
	s := Schedule{Raw: raw, Unparsed: true}
	for d := range s.Days {
		s.Days[d] = []Span{}
	}
	if len(raw) > MaxRaw {
		n := MaxRaw
		for n > 0 && !utf8.RuneStart(raw[n]) {
			n--
		}
		s.Raw = raw[:n]
		return s
	}
	for _, text := range rules(raw) {
		p := parser{tokens: lex(text)}
		if pieces, ok := p.rule(); ok && s.apply(pieces) {
			s.Unparsed = false
		}
	}
	s.carry()
	s.AllDay = s.fullWeek()
	return s
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

// piece is one part of a rule: some days and what happens on them.
type piece struct {
	days    days
	holiday bool // PH or SH stands among the days
	spans   []Span
	off     bool // closed, or with spans a hole in the opening
	leading bool // off stands before its days: closed Sa, Su
}

func (p *piece) empty() bool { return p.days == 0 && !p.holiday && len(p.spans) == 0 && !p.off }

// hole tells a break within the opening.
func (p *piece) hole() bool { return p.off && len(p.spans) > 0 }

// apply writes the pieces of one rule over the days they name and tells whether
// they say when the place is open. Pieces of one rule add to each other;
// holidays are ignored, and a break alone says nothing.
func (s *Schedule) apply(pieces []piece) bool {
	var touched days
	read := false
	for i := range pieces {
		p := &pieces[i]
		if p.holiday && p.days == 0 {
			continue
		}
		named := p.days
		if named == 0 {
			named = everyDay
		}
		for d := range s.Days {
			if bit := days(1) << d; named&bit != 0 {
				s.Days[d] = p.on(s.Days[d], touched&bit != 0)
			}
		}
		if !p.hole() {
			touched |= named
			read = true
		}
	}
	return read
}

// on returns the spans of a day after the piece; added tells that an earlier
// piece of the same rule has already replaced what was there.
func (p *piece) on(spans []Span, added bool) []Span {
	if p.hole() {
		for _, h := range p.spans {
			spans = subtract(spans, h)
		}
		return spans
	}
	if p.off || !added {
		spans = []Span{}
	}
	return merge(append(spans, p.spans...))
}

// parser reads the tokens of one rule into pieces. Any surprise makes the rule
// unreadable.
type parser struct {
	tokens []token
	at     int
	pieces []piece
	cur    piece
}

func (p *parser) rule() ([]piece, bool) {
	for p.at < len(p.tokens) {
		if !p.step() {
			return nil, false
		}
	}
	if !p.flush() || len(p.pieces) == 0 {
		return nil, false
	}
	return p.pieces, true
}

// flush ends the piece being read; days without anything said about them make
// the rule unreadable.
func (p *parser) flush() bool {
	if p.cur.empty() {
		return true
	}
	if len(p.cur.spans) == 0 && !p.cur.off {
		return false
	}
	p.pieces = append(p.pieces, p.cur)
	p.cur = piece{}
	return true
}

func (p *parser) step() bool {
	switch t := p.tokens[p.at]; t.kind {
	case tokComma:
		p.at++
		return true
	case tokDash: // Пн-Пт — 9:00-18:00, Вс - выходной
		p.at++
		return (p.cur.days != 0 || p.cur.holiday) && len(p.cur.spans) == 0 && !p.cur.off
	case tokTime:
		return p.times()
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
	case meansAllDay:
		p.at += size
		p.cur.spans = append(p.cur.spans, Span{0, day})
		return true
	case meansOpen:
		p.at += size
		if len(p.cur.spans) == 0 && !p.timeAhead(0) {
			p.cur.spans = append(p.cur.spans, Span{0, day})
		}
		return true
	case meansFrom:
		p.at += size
		next, _ := p.look(0)
		return p.kind(0) == tokTime || next.meaning == meansDay
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
