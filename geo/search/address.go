package search

import (
	"sort"
	"strconv"
	"strings"

	"svc/geo/index"
	"svc/geo/text"
)

// Rule 6 of the specification.
const (
	exactHouse      = 1.0
	prefixHouse     = 0.75
	weightStreet    = 0.7
	weightHouse     = 0.3
	bonusAddress    = 0.1
	minStreetText   = 0.7
	lossStreet      = 0.2
	maxPrefixHouses = 500 // numbers that one prefix may stand for along one name
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
			if row := &x.Rows[entry]; r.filter.passes(row) {
				text := score*weightStreet + fit*weightHouse + bonusAddress
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
		from, to, ok := text.HouseRange(x.Text(houses[ranges].Number))
		if !ok {
			break
		}
		if err == nil && number >= from && number <= to || x.Text(houses[ranges].Number) == house {
			yield(houses[ranges].Entry, exactHouse)
		}
	}
	houses = houses[ranges:]
	at := sort.Search(len(houses), func(i int) bool { return x.Text(houses[i].Number) >= house })
	for i := 0; at < len(houses) && i < maxPrefixHouses; at, i = at+1, i+1 {
		n := x.Text(houses[at].Number)
		if !strings.HasPrefix(n, house) {
			return
		}
		if n == house {
			yield(houses[at].Entry, exactHouse)
		} else {
			yield(houses[at].Entry, prefixHouse)
		}
	}
}
