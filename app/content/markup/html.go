package markup

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// The tags that messengers know. br is ours: it becomes a line break.
var tags = map[string]Style{
	"b": Bold, "strong": Bold, "i": Italic, "em": Italic, "u": Underline, "ins": Underline,
	"s": Strikethrough, "strike": Strikethrough, "del": Strikethrough, "tg-spoiler": Spoiler, "span": Spoiler,
	"code": Code, "pre": Pre, "a": Link, "blockquote": Quote,
}

const knownTags = "b, i, u, s, code, pre, a, blockquote, tg-spoiler and br"

// html reads a text with tags.
func (p *parser) html() error {
	for p.at < len(p.source) {
		v, is, err := p.variable()
		switch {
		case err != nil:
			return err
		case is:
			p.add(v)
		case p.rest()[0] == '<':
			if err := p.tag(); err != nil {
				return err
			}
		case p.rest()[0] == '&':
			text, n := reference(p.rest())
			p.write(text)
			p.at += n
		default:
			p.literal("{<&")
		}
	}
	if o, ok := p.top(); ok {
		return p.wrong(o.at, "the tag <%s> is never closed; write </%[1]s> behind what it holds.", o.mark)
	}
	return nil
}

// tag reads what begins with <.
func (p *parser) tag() error {
	body, end, err := p.tagBody()
	if err != nil {
		return err
	}
	if name, is := strings.CutPrefix(body, "/"); is {
		return p.endTag(strings.ToLower(strings.TrimSpace(name)), end)
	}
	name, rest := body, ""
	if i := strings.IndexAny(body, " \t\r\n/"); i >= 0 {
		name, rest = body[:i], body[i:]
	}
	name = strings.ToLower(name)
	if name == "br" {
		p.write("\n")
		p.at = end
		return nil
	}
	style, known := tags[name]
	if !known {
		return p.wrong(p.at, "messengers do not know the tag <%s>; use %s, or write &lt; for the character <.", cut(name), knownTags)
	}
	attributes, err := p.attributes(rest, end-1-len(rest))
	if err != nil {
		return err
	}
	s, err := p.styled(name, style, attributes)
	if err != nil {
		return err
	}
	p.open(s, name)
	p.at = end
	return nil
}

// tagBody is what stands between < and >, which may stand in quotes too.
func (p *parser) tagBody() (body string, end int, err error) {
	quote := byte(0)
	for i := p.at + 1; i < len(p.source); i++ {
		switch c := p.source[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && strings.Contains(p.source[p.at:i], "="):
			quote = c
		case c == '>':
			return p.source[p.at+1 : i], i + 1, nil
		case c == '<':
			i = len(p.source)
		}
	}
	return "", 0, p.wrong(p.at, "the < begins a tag that has no >; write &lt; for the character itself.")
}

func (p *parser) endTag(name string, end int) error {
	o, ok := p.top()
	switch {
	case !ok:
		return p.wrong(p.at, "the tag </%s> closes nothing; remove it.", cut(name))
	case o.mark != name:
		return p.wrong(p.at, "the tag </%s> stands where </%s> should; close tags in the reverse order of opening.", cut(name), o.mark)
	}
	p.shut()
	p.at = end
	return nil
}

// attribute is the value of one attribute and where it stands in the source.
type attribute struct {
	value string
	at    int
}

// attributes reads name=value pairs; offset is where s stands in the source.
func (p *parser) attributes(s string, offset int) (map[string]attribute, error) {
	out := map[string]attribute{}
	i := 0
	skip := func(set string) {
		for i < len(s) && strings.IndexByte(set, s[i]) >= 0 {
			i++
		}
	}
	for {
		skip(" \t\r\n/")
		if i == len(s) {
			return out, nil
		}
		name := untilAny(s[i:], " \t\r\n=/")
		if name == "" {
			return nil, p.wrong(offset+i, "an attribute has no name; write name=\"value\".")
		}
		i += len(name)
		skip(" \t\r\n")
		if i == len(s) || s[i] != '=' {
			out[strings.ToLower(name)] = attribute{at: offset + i}
			continue
		}
		i++
		skip(" \t\r\n")
		var a attribute
		a.at = offset + i
		if i < len(s) && (s[i] == '"' || s[i] == '\'') {
			quoted, _, _ := strings.Cut(s[i+1:], s[i:i+1])
			a.value, a.at = quoted, a.at+1
			i = min(len(s), i+len(quoted)+2)
		} else {
			a.value = untilAny(s[i:], " \t\r\n")
			i += len(a.value)
		}
		out[strings.ToLower(name)] = a
	}
}

func untilAny(s, set string) string {
	if i := strings.IndexAny(s, set); i >= 0 {
		return s[:i]
	}
	return s
}

// styled is the span of a tag with its attributes.
func (p *parser) styled(name string, style Style, attributes map[string]attribute) (span, error) {
	s := span{style: style}
	if (p.inside(Code) || p.inside(Pre)) && (name != "code" || !p.inside(Pre)) {
		return s, p.wrong(p.at, "there are no tags inside code; close it before <%s>.", name)
	}
	switch name {
	case "span":
		if attributes["class"].value != "tg-spoiler" {
			return s, p.wrong(p.at, "of <span> messengers know only <span class=\"tg-spoiler\">.")
		}
	case "code":
		return p.codeTag(s, attributes)
	case "a":
		return p.linkTag(s, attributes)
	case "blockquote":
		if p.inside(Quote) {
			return s, p.wrong(p.at, "a quotation cannot stand inside another.")
		}
		_, s.collapsed = attributes["expandable"]
	}
	return s, nil
}

// codeTag: <pre><code class="language-go"> says the language of the pre.
func (p *parser) codeTag(s span, attributes map[string]attribute) (span, error) {
	if !p.inside(Pre) {
		return s, nil
	}
	if o, _ := p.top(); o.mark == "pre" {
		if language, is := strings.CutPrefix(attributes["class"].value, "language-"); is {
			p.out.spans[o.span].language = cut(language)
		}
		return span{}, nil // styles nothing itself
	}
	return s, p.wrong(p.at, "there are no tags inside code; close it before <code>.")
}

func (p *parser) linkTag(s span, attributes map[string]attribute) (span, error) {
	if p.inside(Link) {
		return s, p.wrong(p.at, "a link cannot stand inside another.")
	}
	href, has := attributes["href"]
	if !has {
		return s, p.wrong(p.at, "the tag <a> needs an address: <a href=\"https://example.com\">.")
	}
	var err error
	s.url, err = p.addressSteps(href.value, href.at, func(text string) (string, int) {
		if text[0] == '&' {
			return reference(text)
		}
		_, n := utf8.DecodeRuneInString(text)
		return text[:n], n
	})
	return s, err
}

// addressSteps reads the address of a link, with its variables. next takes one
// character from the front of the source and says what it stands for.
func (p *parser) addressSteps(source string, at int, next func(string) (string, int)) (steps []step, err error) {
	inner := parser{source: p.source[:at+len(source)], at: at, unescape: p.unescape}
	variables := false
	for inner.at < len(inner.source) {
		v, is, err := inner.variable()
		switch {
		case err != nil:
			return nil, err
		case is:
			variables = true
			inner.add(v)
		default:
			text, n := next(inner.rest())
			inner.write(text)
			inner.at += n
		}
	}
	inner.flush()
	steps = inner.out.steps
	sample := ""
	for i, s := range steps {
		switch {
		case s.do == write:
			sample += s.text
		case i == 0:
			sample = "https://example.com"
		default:
			sample += "x.x"
		}
	}
	clean, ok := Address(sample)
	if !ok {
		return nil, p.wrong(at, "the link has no address that messengers open; begin it with https://.")
	}
	if !variables {
		return []step{{do: write, text: clean}}, nil
	}
	return steps, nil
}

// reference reads what begins with &, and says how many bytes it takes. What is no
// reference is the character & itself, as messengers have it.
func reference(s string) (text string, n int) {
	const longest = 12
	end := strings.IndexByte(s[:min(len(s), longest)], ';')
	if end < 0 {
		return "&", 1
	}
	name := s[1:end]
	if c, ok := named[name]; ok {
		return c, end + 1
	}
	digits, numeric := strings.CutPrefix(name, "#")
	base := 10
	if hex := strings.TrimLeft(digits, "xX"); numeric && len(hex) == len(digits)-1 {
		digits, base = hex, 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if !numeric || err != nil || code > utf8.MaxRune || !utf8.ValidRune(rune(code)) || forbidden(rune(code)) {
		return "&", 1
	}
	return string(rune(code)), end + 1
}

// unescapeHTML reads the references to characters in a text without tags.
func unescapeHTML(s string) string {
	var b strings.Builder
	for s != "" {
		if s[0] == '&' {
			text, n := reference(s)
			b.WriteString(text)
			s = s[n:]
			continue
		}
		next := strings.IndexByte(s, '&')
		if next < 0 {
			next = len(s)
		}
		b.WriteString(s[:next])
		s = s[next:]
	}
	return b.String()
}

var named = map[string]string{"lt": "<", "gt": ">", "amp": "&", "quot": `"`, "apos": "'", "nbsp": "\u00a0"}

// cut shortens what a sentence repeats.
func cut(s string) string {
	const most = 20
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
