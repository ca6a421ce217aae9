package search

import (
	"slices"
	"strings"

	"svc/geo/category"
	"svc/geo/text"
)

// maxQueryTokens bounds a query: what is longer is cut, never refused.
const maxQueryTokens = 12

// parsed is a query taken apart.
type parsed struct {
	words       []string // the name that is left, generic words dropped
	tail        []string // the same with the house number back in its place
	all         []string // every token, generic words dropped
	allButHouse []string // the same without the house number
	houses      []string // readings of the house number in its stored form, the fuller first
	intent      category.Intent
	ambiguous   bool // the category word may as well be part of a name
}

// parse takes the house number out, then the category word, then generic words.
func parse(q string) parsed {
	raw := text.Tokens(q)
	raw = raw[:min(len(raw), maxQueryTokens)]
	var p parsed
	at := houseAt(raw)
	house := at
	rest := raw
	if at >= 0 {
		p.houses = []string{text.HouseNumber(raw[at])}
		rest = slices.Concat(raw[:at], raw[at+1:])
		if at < len(rest) && isLetter(rest[at]) && isNumber(raw[at]) {
			p.houses = []string{raw[at] + rest[at], raw[at]} // "12 a" is 12a, or else 12
			rest = slices.Concat(rest[:at], rest[at+1:])
		}
	}
	p.all, p.allButHouse = text.Significant(raw), text.Significant(rest)
	if in, ok := category.FindIntent(rest); ok {
		p.intent, p.ambiguous = in, !text.IsGeneric(rest[in.From])
		rest = slices.Concat(rest[:in.From], rest[in.To:])
		if at > in.From { // the same cut with the number still in
			at = max(in.From, at-(in.To-in.From))
		}
	}
	p.words = rest
	if len(rest) > 0 {
		p.words = text.Significant(rest)
		p.tail = p.words
		if at >= 0 {
			p.tail = text.Significant(slices.Insert(slices.Clone(rest), min(at, len(rest)), raw[house]))
		}
	}
	return p
}

func isLetter(token string) bool { return len(token) == 1 && token[0] >= 'a' && token[0] <= 'z' }

func isNumber(token string) bool {
	return strings.TrimLeft(token, "0123456789") == ""
}

// houseAt is the position of the house number, counted from the end; -1
// without one. Of "5 12" neither number is one: the second follows another.
func houseAt(tokens []string) int {
	for i := len(tokens) - 1; i > 0; i-- {
		if text.IsHouseNumberToken(tokens[i]) && !text.IsHouseNumberToken(tokens[i-1]) {
			return i
		}
	}
	return -1
}
