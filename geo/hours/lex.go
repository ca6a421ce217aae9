package hours

import (
	"slices"
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
	tokNumber  // of three digits or more: a year
	tokOpen    // [ or (
	tokClose   // ] or )
	tokComment // a text in quotes
)

// token is one lexical piece of a rule.
type token struct {
	kind   tokenKind
	word   string
	hour   int
	minute int
	bare   bool // an hour without minutes
	value  int  // of a tokNumber
	square bool // of tokOpen and tokClose
}

// text is one rule as it stands in the value.
type text struct {
	words    string
	fallback bool // it stands behind ||: for times that the rules before it leave open
}

// rules splits a value at semicolons, line ends and ||, outside comments.
func rules(raw string) (out []text) {
	s := norm.NFC.String(strings.ToLower(raw))
	fallback, quoted, from := false, false, 0
	end := func(at, next int, more bool) {
		out = append(out, text{s[from:at], fallback})
		from, fallback = next, more
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';' || c == '\n' || c == '\r':
			end(i, i+1, false)
		case c == '|' && i+1 < len(s) && s[i+1] == '|':
			end(i, i+2, true)
			i++
		}
	}
	end(len(s), len(s), false)
	return slices.DeleteFunc(out, func(t text) bool { return strings.TrimSpace(t.words) == "" })
}

// lex reads one rule. Colons, full stops and spaces between the pieces say nothing.
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
			list, rule = append(list, token{kind: tokComment}), rule[end+2:]
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
		list, rule = append(list, token{kind: punctuation(r), square: r == '[' || r == ']'}), rule[n:]
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
	case '[', '(':
		return tokOpen
	case ']', ')':
		return tokClose
	}
	return tokUnknown
}

// lexTime reads an hour of one or two digits and the two digits of its minutes
// behind a colon or a full stop. A number of four digits is a year.
func lexTime(s string) (token, int) {
	n := digits(s)
	if n == 4 {
		v := number(s[:2])*100 + number(s[2:4])
		return token{kind: tokNumber, value: v}, n
	}
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
