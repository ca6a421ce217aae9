package markup

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// parser is the state that the three formats share.
type parser struct {
	source string
	at     int // the byte that comes next
	out    Text
	stack  []opened
	text   strings.Builder // written and not yet a step
	links  map[int]bool    // the [ of Markdown links
	// unescape reads what the format escapes; nil: nothing.
	unescape func(string) string
}

// opened is a span that is not closed yet.
type opened struct {
	span int
	mark string // how it was written
	at   int    // where, in bytes
}

// MaxName is how long the name of a variable may be, and MaxDefault the text that stands
// in for a missing value, in characters.
const (
	MaxName    = 64
	MaxDefault = 200
)

func (p *parser) rest() string { return p.source[p.at:] }

func (p *parser) wrong(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{utf8.RuneCountInString(p.source[:at]) + 1, fmt.Sprintf(format, args...)}
}

// write adds text as it stands.
func (p *parser) write(s string) { p.text.WriteString(s) }

// add adds a step behind the text that was written.
func (p *parser) add(s step) {
	p.flush()
	p.out.steps = append(p.out.steps, s)
}

func (p *parser) flush() {
	if p.text.Len() > 0 {
		p.out.steps = append(p.out.steps, step{do: write, text: p.text.String()})
		p.text.Reset()
	}
}

// writeRune adds the character that comes next and passes it.
func (p *parser) writeRune() {
	_, n := utf8.DecodeRuneInString(p.rest())
	p.write(p.source[p.at : p.at+n])
	p.at += n
}

// open begins a span that was written as mark.
func (p *parser) open(s span, mark string) {
	p.out.spans = append(p.out.spans, s)
	i := len(p.out.spans) - 1
	p.add(step{do: open, span: i})
	p.stack = append(p.stack, opened{i, mark, p.at})
}

// shut ends the span that was begun last.
func (p *parser) shut() {
	last := p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	p.add(step{do: shut, span: last.span})
}

// inside says whether a span of that style is open.
func (p *parser) inside(s Style) bool {
	for _, o := range p.stack {
		if p.out.spans[o.span].style == s {
			return true
		}
	}
	return false
}

func (p *parser) top() (opened, bool) {
	if len(p.stack) == 0 {
		return opened{}, false
	}
	return p.stack[len(p.stack)-1], true
}

const opening, closing, bar = "{{", "}}", "|"

// variable reads {{name}} or {{name|text}} at the place p.at, if one stands there. The
// text is taken as it stands, without the blanks around it, and is never formatting
// (contract 21.2, Variables): what the format escapes, as in &amp; or \*, is
// read by unescape.
func (p *parser) variable() (step, bool, error) {
	if !strings.HasPrefix(p.rest(), opening) {
		return step{}, false, nil
	}
	inner := p.rest()[len(opening):]
	end := strings.IndexAny(inner, "{}\n")
	if end < 0 || !strings.HasPrefix(inner[end:], closing) {
		return step{}, false, p.wrong(p.at, "the {{ has no }} behind the name of a variable; write {{first_name}}.")
	}
	name, instead, hasInstead := strings.Cut(inner[:end], bar)
	name, instead = strings.TrimSpace(name), strings.TrimSpace(instead)
	if p.unescape != nil {
		instead = p.unescape(instead)
	}
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return step{}, false, p.wrong(p.at, "there is no name between {{ and }}; write {{first_name}}.")
	case n > MaxName:
		return step{}, false, p.wrong(p.at, "the name of a variable has at most %d characters.", MaxName)
	case utf8.RuneCountInString(instead) > MaxDefault:
		return step{}, false, p.wrong(p.at, "the text behind %s in a variable has at most %d characters.", bar, MaxDefault)
	}
	p.at += len(opening) + end + len(closing)
	return step{do: insert, text: name, instead: instead, hasInstead: hasInstead}, true, nil
}

// plain reads a text without formatting.
func (p *parser) plain() error {
	for p.at < len(p.source) {
		v, is, err := p.variable()
		switch {
		case err != nil:
			return err
		case is:
			p.add(v)
		default:
			p.literal(opening)
		}
	}
	return nil
}

// literal adds everything up to the next of the characters in stops, and at least
// one character.
func (p *parser) literal(stops string) {
	p.writeRune()
	end := strings.IndexAny(p.rest(), stops)
	if end < 0 {
		end = len(p.rest())
	}
	p.write(p.rest()[:end])
	p.at += end
}
