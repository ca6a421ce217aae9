package search

import (
	"slices"

	"svc/geo/category"
	"svc/geo/text"
)

// Bounds on a query: what is longer is cut, never refused.
const (
	maxQueryTokens = 12
)

// parsed is a query taken apart.
type parsed struct {
	words       []string // the name that is left, generic words dropped
	tail        []string // the same with the house number back in its place
	all         []string // every token, generic words dropped
	allButHouse []string // the same without the house number
	house       string   // house number in its stored form; empty without one
	intent      category.Intent
}

// parse takes the house number out, then the category word, then generic words.
func parse(q string) parsed {
	raw := text.Tokens(q)
	raw = raw[:min(len(raw), maxQueryTokens)]
	var p parsed
	at := houseAt(raw)
	rest := raw
	if at >= 0 {
		p.house = text.HouseNumber(raw[at])
		rest = slices.Concat(raw[:at], raw[at+1:])
	}
	p.all, p.allButHouse = text.Significant(raw), text.Significant(rest)
	if in, ok := category.FindIntent(rest); ok {
		p.intent = in
		rest = slices.Concat(rest[:in.From], rest[in.To:])
		if at >= 0 { // the same cut with the number still in
			at = max(0, at-(in.To-in.From))
		}
	}
	p.words = rest
	if len(rest) > 0 {
		p.words = text.Significant(rest)
		p.tail = p.words
		if at >= 0 {
			p.tail = text.Significant(slices.Insert(slices.Clone(rest), min(at, len(rest)), p.house))
		}
	}
	return p
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
