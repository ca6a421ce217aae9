package hours

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type tokenKind uint8

const (
	tokUnknown tokenKind = iota
	tokTime              // 9:00, 09.00 or a bare hour
	tokWord              // letters, lower case
	tokDash
	tokComma
	tokPlus
	tokSlash
)

// token is one lexical piece of a rule.
type token struct {
	kind   tokenKind
	word   string
	hour   int
	minute int
	bare   bool // an hour without minutes
}

// rules splits the text at semicolons and line ends. What follows || is a
// fallback for times the rules before it do not cover; it is left out.
func rules(raw string) []string {
	s := norm.NFC.String(strings.ToLower(raw))
	s, _, _ = strings.Cut(s, "||")
	return strings.FieldsFunc(s, func(r rune) bool { return r == ';' || r == '\n' || r == '\r' })
}

// lex reads one rule. Comments in quotes, colons, full stops and spaces between
// the pieces say nothing.
func lex(rule string) []token {
	var list []token
	for rule != "" {
		r, n := utf8.DecodeRuneInString(rule)
		switch {
		case unicode.IsSpace(r), r == ':', r == '.':
			rule = rule[n:]
			continue
		case r == '"':
			end := strings.IndexByte(rule[1:], '"')
			if end < 0 {
				return append(list, token{})
			}
			rule = rule[end+2:]
			continue
		case '0' <= r && r <= '9':
			t, size := lexTime(rule)
			list, rule = append(list, t), rule[size:]
			continue
		case unicode.IsLetter(r):
			size := strings.IndexFunc(rule, func(r rune) bool { return !unicode.IsLetter(r) })
			if size < 0 {
				size = len(rule)
			}
			list, rule = append(list, token{kind: tokWord, word: rule[:size]}), rule[size:]
			continue
		}
		list, rule = append(list, token{kind: punctuation(r)}), rule[n:]
	}
	return list
}

func punctuation(r rune) tokenKind {
	switch r {
	case '-', '‐', '‑', '‒', '–', '—', '―', '−', '~':
		return tokDash
	case ',':
		return tokComma
	case '+':
		return tokPlus
	case '/':
		return tokSlash
	}
	return tokUnknown
}

// lexTime reads an hour of one or two digits and the two digits of its minutes
// behind a colon or a full stop. Longer numbers (a year) are unknown.
func lexTime(s string) (token, int) {
	n := digits(s)
	if n > 2 {
		return token{}, n
	}
	t := token{kind: tokTime, hour: number(s[:n]), bare: true}
	if n+2 < len(s) && (s[n] == ':' || s[n] == '.') && digits(s[n+1:]) > 0 {
		m := digits(s[n+1:])
		size := n + 1 + m
		t.minute, t.bare = number(s[n+1:n+1+min(m, 2)]), false
		if m != 2 || t.minute > 59 {
			return token{}, size
		}
		return t, size
	}
	return t, n
}

func digits(s string) int {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// number is the value of at most two digits.
func number(s string) int {
	v := 0
	for i := range len(s) {
		v = v*10 + int(s[i]-'0')
	}
	return v
}
