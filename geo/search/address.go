package search

import (
	"sort"
	"strconv"
	"strings"

	"svc/geo/index"
	"svc/geo/text"
)

// Address queries (map contract 41.6).
const (
	exactHouse    = 1.0
	prefixHouse   = 0.75
	weightStreet  = 0.7
	weightHouse   = 0.3
	bonusAddress  = 0.1
	minStreetText = 0.7
	lossStreet    = 0.2
)

// byAddress finds the houses with a number along the streets that the words
// name, and the streets themselves as a fallback.
func (r *request) byAddress(tokens []string, house string) []hit {
	r.begin(tokens)
	for st := range stageCount {
		if !r.candidates(st) {
			continue
		}
		if hits := r.collect(r.q.Limit, func(t *top) { r.scoreAddresses(st, house, t) }); len(hits) > 0 {
			return hits
		}
	}
	return nil
}

func (r *request) scoreAddresses(st stage, house string, t *top) {
	x, s := r.engine.x, r.scratch
	s.sets.each(func(set uint32) bool {
		x.ReadSet(set, &s.set)
		score, matched, _, ok := r.textScore(st)
		if !ok {
			return true
		}
		eachHouse(x, set, house, func(entry uint32, fit float64) {
			kind, _ := x.Coarse(entry)
			text := score*weightStreet + fit*weightHouse + bonusAddress
			if kind != index.Address && kind != index.POI || !t.wants(r.atMost(text, entry)) {
				return
			}
			if row := &x.Rows[entry]; r.filter.passes(row) {
				t.add(hit{entry: entry, score: r.final(text, row), reason: byAddress, words: matched, house: house})
			}
		})
		if score <= minStreetText {
			return true
		}
		for id := range s.set.Members {
			if row := &x.Rows[id]; x.Kind(row) == index.Street && r.filter.passes(row) {
				t.add(hit{entry: id, score: r.final(score, row) - lossStreet, reason: byStreet, words: matched})
			}
		}
		return true
	})
}

// eachHouse calls yield with the houses along a name that have the number, or
// one that begins with it, and how well it fits. A range has every number in it.
func eachHouse(x *index.Index, set uint32, house string, yield func(entry uint32, fit float64)) {
	houses := x.Houses(set)
	number, err := strconv.Atoi(house)
	ranges := 0
	for ; ranges < len(houses); ranges++ {
		h := x.Text(houses[ranges].Number)
		from, to, ok := text.HouseRange(h)
		if !ok {
			break
		}
		fit := fitOf(h, house)
		if err == nil && number >= from && number <= to {
			fit = exactHouse
		}
		if fit > 0 {
			yield(houses[ranges].Entry, fit)
		}
	}
	houses = houses[ranges:]
	at := sort.Search(len(houses), func(i int) bool { return x.Text(houses[i].Number) >= house })
	for _, h := range houses[at:] {
		fit := fitOf(x.Text(h.Number), house)
		if fit == 0 {
			return
		}
		yield(h.Entry, fit)
	}
}

// fitOf is how well a house number answers to the one that is asked for.
func fitOf(number, asked string) float64 {
	switch {
	case number == asked:
		return exactHouse
	case strings.HasPrefix(number, asked):
		return prefixHouse
	}
	return 0
}
