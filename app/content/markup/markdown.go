package markup

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks are what begins and ends a style, the longer before its own beginning.
//
// The marks are those of the messenger's own Markdown. Unlike there a character
// that cannot be a mark where it stands is just a character: "5 * 3", "* item",
// "snake_case" and "Done!" need no backslash. What could be one and is never
// closed is an error.
var marks = []struct {
	text  string
	style Style
}{
	{"||", Spoiler}, {"**", Bold}, {"*", Bold}, {"__", Underline}, {"_", Italic}, {"~~", Strikethrough}, {"~", Strikethrough},
}

const (
	fence     = "```"
	tick      = "`"
	linkMark  = "["
	quoteMark = ">"
)

// markdown reads a text with marks.
func (p *parser) markdown() error {
	p.findLinks()
	for p.at < len(p.source) {
		if err := p.lineStart(); err != nil {
			return err
		}
		if p.at == len(p.source) {
			break
		}
		if err := p.mark(); err != nil {
			return err
		}
	}
	if o, ok := p.top(); ok && o.mark == quoteMark {
		p.shut()
	}
	if o, ok := p.top(); ok {
		return p.unclosed(o)
	}
	return nil
}

func (p *parser) unclosed(o opened) error {
	if o.mark == linkMark {
		return p.wrong(o.at, "the [ begins a link, and what begins in its text must end there; write [text](https://example.com).")
	}
	return p.wrong(o.at, `the %s begins a style that is never closed; close it with %[1]s, or write \%s for the character itself.`,
		o.mark, o.mark[:1])
}

// lineStart opens and closes quotations, which are lines that begin with >.
func (p *parser) lineStart() error {
	if p.at > 0 && p.source[p.at-1] != '\n' {
		return nil
	}
	if !strings.HasPrefix(p.rest(), quoteMark) {
		return nil
	}
	if !p.inside(Quote) {
		if o, ok := p.top(); ok {
			return p.unclosed(o)
		}
		p.open(span{style: Quote}, quoteMark)
	}
	p.at++
	if strings.HasPrefix(p.rest(), " ") {
		p.at++
	}
	return nil
}

// newline ends a quotation when the next line is none of it.
func (p *parser) newline() error {
	if p.inside(Quote) && !strings.HasPrefix(p.rest()[1:], quoteMark) {
		if o, _ := p.top(); o.mark != quoteMark {
			return p.unclosed(o)
		}
		p.shut()
	}
	p.write("\n")
	p.at++
	return nil
}

// mark reads one thing: a variable, a mark, or characters.
func (p *parser) mark() error {
	v, is, err := p.variable()
	if err != nil {
		return err
	}
	s := p.rest()
	switch {
	case is:
		p.add(v)
		return nil
	case s[0] == '\n':
		return p.newline()
	case s[0] == '\\' && len(s) > 1 && punctuation(s[1]):
		p.write(s[1:2])
		p.at += 2
		return nil
	case strings.HasPrefix(s, fence):
		return p.code(fence, span{style: Pre})
	case s[0] == '`':
		return p.code(tick, span{style: Code})
	case s[0] == '[' && p.links[p.at]:
		if p.inside(Link) {
			return p.wrong(p.at, "a link cannot stand inside another.")
		}
		p.open(span{style: Link}, linkMark)
		p.at++
		return nil
	case s[0] == ']':
		return p.linkEnd()
	}
	if done, err := p.styleMark(); done || err != nil {
		return err
	}
	p.literal("{\\\n`[]|*_~")
	return nil
}

func punctuation(c byte) bool {
	return c < utf8.RuneSelf && (unicode.IsPunct(rune(c)) || unicode.IsSymbol(rune(c)))
}

// styleMark reads one of marks, if one stands here and may.
func (p *parser) styleMark() (bool, error) {
	s := p.rest()
	top, any := p.top()
	if any && top.mark != linkMark && top.mark != quoteMark && strings.HasPrefix(s, top.mark) && p.mayClose(top.mark) {
		p.shut()
		p.at += len(top.mark)
		return true, nil
	}
	for _, m := range marks {
		if !strings.HasPrefix(s, m.text) {
			continue
		}
		switch {
		case p.isOpen(m.text) && p.mayClose(m.text):
			return false, p.unclosed(top) // it closes what stands around top
		case p.mayOpen(m.text) && !p.inside(m.style):
			p.open(span{style: m.style}, m.text)
			p.at += len(m.text)
			return true, nil
		}
		p.write(m.text)
		p.at += len(m.text)
		return true, nil
	}
	return false, nil
}

func (p *parser) isOpen(mark string) bool {
	for _, o := range p.stack {
		if o.mark == mark {
			return true
		}
	}
	return false
}

// around are the characters before and behind a mark that stands here; 0 for none.
func (p *parser) around(mark string) (before, behind rune) {
	if p.at > 0 {
		before, _ = utf8.DecodeLastRuneInString(p.source[:p.at])
	}
	if rest := p.rest()[len(mark):]; rest != "" {
		behind, _ = utf8.DecodeRuneInString(rest)
	}
	return before, behind
}

// mayOpen: something must stand behind the mark, and a single mark inside a word
// or number is a character.
func (p *parser) mayOpen(mark string) bool {
	before, behind := p.around(mark)
	return behind != 0 && !unicode.IsSpace(behind) && !(wordly(mark) && word(before))
}

func (p *parser) mayClose(mark string) bool {
	before, behind := p.around(mark)
	return !unicode.IsSpace(before) && !(wordly(mark) && word(behind))
}

// wordly are the marks that also stand inside words.
func wordly(mark string) bool { return len(mark) == 1 || mark == "__" }

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// code reads up to the same mark; in it only variables mean something.
func (p *parser) code(mark string, s span) error {
	start := p.at
	if !strings.Contains(p.rest()[len(mark):], mark) {
		return p.wrong(start, "the %s begins code that is never closed; close it with %[1]s, or write \\` for the character itself.", mark)
	}
	p.open(s, mark)
	p.at += len(mark)
	if mark == fence {
		p.fenceLanguage()
	}
	for !strings.HasPrefix(p.rest(), mark) {
		v, is, err := p.variable()
		switch {
		case err != nil:
			return err
		case is:
			p.add(v)
		case p.at == len(p.source):
			return p.wrong(start, "the code is never closed.")
		default:
			p.writeRune()
		}
	}
	p.shut()
	p.at += len(mark)
	return nil
}

// fenceLanguage reads the word behind ``` when a line ends behind it.
func (p *parser) fenceLanguage() {
	line, _, more := strings.Cut(p.rest(), "\n")
	if !more || strings.Contains(line, tick) || strings.IndexFunc(line, func(r rune) bool { return !word(r) && !strings.ContainsRune("+-#._", r) }) >= 0 {
		return
	}
	p.out.spans[len(p.out.spans)-1].language = cut(line)
	p.at += len(line) + 1
}

// findLinks notes every [ whose ] is followed by an address.
func (p *parser) findLinks() {
	p.links = map[int]bool{}
	var open []int
	for i := 0; i < len(p.source); i++ {
		switch p.source[i] {
		case '\\':
			i++
		case '[':
			open = append(open, i)
		case ']':
			if n := len(open); n > 0 {
				p.links[open[n-1]] = strings.HasPrefix(p.source[i+1:], "(")
				open = open[:n-1]
			}
		}
	}
}

// linkEnd reads the ] behind the text of a link, and its address.
func (p *parser) linkEnd() error {
	if !strings.HasPrefix(p.rest(), "](") || !p.inside(Link) {
		p.writeRune()
		return nil
	}
	o, _ := p.top()
	if o.mark != linkMark {
		return p.unclosed(o)
	}
	start := p.at + len("](")
	end, err := p.addressEnd(start)
	if err != nil {
		return err
	}
	address, err := p.addressSteps(p.source[start:end], start, func(text string) (string, int) {
		if len(text) > 1 && text[0] == '\\' && punctuation(text[1]) {
			return text[1:2], 2
		}
		_, n := utf8.DecodeRuneInString(text)
		return text[:n], n
	})
	if err != nil {
		return err
	}
	p.out.spans[o.span].url = address
	p.shut()
	p.at = end + 1
	return nil
}

// addressEnd finds the ) that ends an address; ( inside it must be closed too, as
// in addresses of encyclopedias.
func (p *parser) addressEnd(start int) (int, error) {
	depth := 0
	for i := start; i < len(p.source); i++ {
		switch p.source[i] {
		case '\\':
			i++
		case '\n':
			i = len(p.source)
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return i, nil
			}
			depth--
		}
	}
	return 0, p.wrong(start, "the address of the link has no ); write [text](https://example.com).")
}

// unescapeMarkdown takes the backslashes from characters that they keep from being marks.
func unescapeMarkdown(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && punctuation(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Escape writes a text so that it stands for itself in a format. There is no way to
// write {{ in plain text; in the other formats there is.
func Escape(text string, f Format) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case f == HTML && strings.ContainsRune("<>&\"{}", r):
			fmt.Fprintf(&b, "&#%d;", r)
		case f == Markdown && r < utf8.RuneSelf && punctuation(byte(r)):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
