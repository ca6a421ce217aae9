// Package markup reads the text of a message with its variables and formatting,
// and makes of it what one person receives: a plain text, and where in it what is
// bold or a link.
//
// It promises that a text is read once and rendered for any number of people; that
// no value of a variable is ever taken for formatting; that offsets and lengths
// count UTF-16 units, as messengers do, and never cut a character; and that the
// work is bounded by the length of the text. What messengers would refuse is an
// error that says where and what to do. It refuses to know people, campaigns and
// messengers.
package markup

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format says how the text of a message is written.
type Format string

// The formats (contract 4.4). Plain text has variables and no
// formatting.
const (
	Plain    Format = "PLAIN"
	Markdown Format = "MARKDOWN"
	HTML     Format = "HTML"
)

// Style is what an entity does to its part of the text.
type Style string

// The styles.
const (
	Bold          Style = "bold"
	Italic        Style = "italic"
	Underline     Style = "underline"
	Strikethrough Style = "strikethrough"
	Spoiler       Style = "spoiler"
	Code          Style = "code"
	Pre           Style = "pre"
	Link          Style = "text_url"
	Quote         Style = "blockquote"
)

// Lengths of a message in UTF-16 units (contract 4.4 and 5).
const (
	MaxLength  = 4096
	MaxCaption = 1024 // beside an attachment
)

// Entity is the style of a part of a text. Offset and Length count UTF-16 units.
type Entity struct {
	Type      Style  `json:"type" enum:"bold,italic,underline,strikethrough,spoiler,code,pre,text_url,blockquote"`
	Offset    int    `json:"offset"`
	Length    int    `json:"length"`
	URL       string `json:"url,omitempty" doc:"Of a text_url."`
	Language  string `json:"language,omitempty" doc:"Of a pre."`
	Collapsed bool   `json:"collapsed,omitempty" doc:"A blockquote that opens when touched."`
}

// SyntaxError says what of a text cannot be read. At counts characters from 1; 0 is the
// text as a whole.
type SyntaxError struct {
	At      int
	Problem string
}

// Error is the sentence for people, as it stands behind the name of a field.
func (e *SyntaxError) Error() string {
	problem := strings.TrimSuffix(e.Problem, ".")
	if e.At == 0 {
		return problem
	}
	return fmt.Sprintf("at character %d, %s", e.At, problem)
}

// Text is a text that was read. It does not change: many may render it at once.
type Text struct {
	steps     []step
	spans     []span
	variables []string
	optional  []string
}

// step is a piece of text, a variable, or the beginning or end of a span.
type step struct {
	do   action
	text string // the text, or the variable's name
	// instead stands in for a variable without a value, when there is one (hasInstead).
	instead    string
	hasInstead bool
	span       int
}

type action uint8

const (
	write action = iota
	insert
	open
	shut
)

// span is a styled part. The address of a link may hold variables.
type span struct {
	style     Style
	url       []step
	language  string
	collapsed bool
}

// Parse reads a text. Its error is a SyntaxError.
func Parse(source string, f Format) (*Text, error) {
	if n := Length(source); n > MaxLength {
		return nil, &SyntaxError{0, fmt.Sprintf("the text has %d characters (UTF-16 units) and may have %d; shorten it.", n, MaxLength)}
	}
	p := &parser{source: source}
	if at := strings.IndexFunc(source, forbidden); at >= 0 {
		return nil, p.wrong(at, "there is a character that no messenger shows; remove it.")
	}
	var err error
	switch f {
	case Plain:
		err = p.plain()
	case Markdown:
		p.unescape = unescapeMarkdown
		err = p.markdown()
	case HTML:
		p.unescape = unescapeHTML
		err = p.html()
	default:
		err = &SyntaxError{0, fmt.Sprintf("there is no format %q; use PLAIN, MARKDOWN or HTML.", string(f))}
	}
	if err != nil {
		return nil, err
	}
	p.flush()
	p.out.variables, p.out.optional = p.out.names()
	return &p.out, nil
}

// forbidden are bytes that are no text, and characters that JSON and messengers
// do not carry.
func forbidden(r rune) bool {
	return r == utf8.RuneError || r < ' ' && r != '\n' && r != '\t' && r != '\r'
}

// Variables are the names in the text and its links, each once, in their order.
func (t *Text) Variables() []string { return slices.Clone(t.variables) }

// Optional are those of Variables that have a text of their own wherever they stand,
// which they are replaced by for people without a value: {{first_name|friend}}.
func (t *Text) Optional() []string { return slices.Clone(t.optional) }

// WithDefault are the names that have such a text somewhere.
func (t *Text) WithDefault() (out []string) {
	t.inserts(func(s step) {
		if s.hasInstead && !slices.Contains(out, s.text) {
			out = append(out, s.text)
		}
	})
	return out
}

// names are the variables, each once in their order, and the optional ones among them.
func (t *Text) names() (all, optional []string) {
	all = []string{}
	needed := map[string]bool{}
	t.inserts(func(s step) {
		if !slices.Contains(all, s.text) {
			all = append(all, s.text)
		}
		needed[s.text] = needed[s.text] || !s.hasInstead
	})
	for _, name := range all {
		if !needed[name] {
			optional = append(optional, name)
		}
	}
	return all, optional
}

// inserts visits every place of a variable, those in addresses too.
func (t *Text) inserts(visit func(step)) {
	add := func(steps []step) {
		for _, s := range steps {
			if s.do == insert {
				visit(s)
			}
		}
	}
	for _, s := range t.steps {
		switch s.do {
		case insert:
			add([]step{s})
		case open:
			add(t.spans[s.span].url)
		}
	}
}

// Length is the length of a text in UTF-16 units.
func Length(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
