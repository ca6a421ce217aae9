package search

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"svc/geo/index"
	"svc/geo/text"
)

// Address queries (map contract 41.6).
const (
	exactHouse    = 1.0
	weightStreet  = 0.7
	weightHouse   = 0.3
	bonusAddress  = 0.1
	minStreetText = 0.7
	lossStreet    = 0.2
	lossOther     = 0.03  // of a house with another number, beside its street
	maxApart      = 40    // numbers farther from the one that was asked stand for nothing
	lossRange     = 0.005 // of a house with a range of numbers, for each number of it
	maxLossRange  = 0.4
	nearNumbers   = 3 // other numbers of one street that are offered
)

// byAddress finds the houses with a number along the streets that the words
// name, and the streets themselves as a fallback. A house with another number is
// never an address: the nearest ones stand behind their street, as approximate.
func (r *request) byAddress(tokens []string, house string) []hit {
	r.begin(tokens)
	var found []hit
	for st := range stageCount {
		if !r.prepare(st) || !r.candidates(st) {
			continue
		}
		found = r.merge(found, r.collect(r.q.Limit, func(t *top) { r.scoreAddresses(st, house, t) }), r.q.Limit)
		if slices.ContainsFunc(found, func(h hit) bool { return h.strong }) {
			break
		}
	}
	return found
}

func (r *request) scoreAddresses(st stage, house string, t *top) {
	x, s := r.engine.x, r.scratch
	loss := lossStage * float64(st)
	s.sets.Each(func(set uint32) bool {
		x.ReadSet(set, &s.set)
		if !r.relate(st) {
			return true
		}
		ceiling := r.ceiling() - loss
		asked := false
		eachHouse(x, set, house, func(entry uint32, within float64) {
			asked = r.offerHouse(entry, ceiling-within, loss+within, house, t) || asked
		})
		if ceiling <= minStreetText {
			return true
		}
		for id := range s.set.Members {
			row := &x.Rows[id]
			if x.Kind(row) != index.Street || !r.filter.passes(row) {
				continue
			}
			score := r.text(x.Context(row))
			if text := score.score - loss; score.ok && text > minStreetText {
				t.add(hit{entry: id, score: r.final(text, row) - lossStreet, reason: byStreet, words: score.matched, strong: score.strong, areas: score.context, text: text})
			}
		}
		if !asked {
			r.offerNearest(set, house, loss, t)
		}
		return true
	})
}

// offerHouse offers a house that has the number; false when it is none of the kinds
// that have addresses, or does not answer to the words.
func (r *request) offerHouse(entry uint32, ceiling, loss float64, house string, t *top) bool {
	x := r.engine.x
	most := ceiling*weightStreet + exactHouse*weightHouse + bonusAddress
	if !hasAddress(x, entry) || !t.wants(r.atMost(most, entry, t.bar())) {
		return false
	}
	row := &x.Rows[entry]
	score := r.text(x.Context(row))
	if !score.ok || !r.filter.passes(row) {
		return false
	}
	text := (score.score-loss)*weightStreet + exactHouse*weightHouse + bonusAddress
	t.add(hit{entry: entry, score: r.final(text, row), reason: byAddress, words: score.matched, house: house, strong: score.strong, areas: score.context, text: text})
	return true
}

// complexes is the category of named complexes of buildings, which have an address as points
// of interest do; other places and nature have none.
const complexes = "place.neighbourhood"

func hasAddress(x *index.Index, entry uint32) bool {
	switch x.CoarseKind(entry) {
	case index.Address, index.POI:
		return true
	case index.Place:
		return x.CategoryID(x.Rows[entry].Category) == complexes
	}
	return false
}

// offerNearest offers the houses along a name whose numbers are nearest to the one
// that was asked for and that none of them has.
func (r *request) offerNearest(set uint32, house string, loss float64, t *top) {
	x := r.engine.x
	wanted := leadingNumber(house)
	type other struct {
		apart int
		entry uint32
	}
	var near []other
	for _, h := range x.Houses(set) {
		number := x.Text(h.Number)
		apart := abs(leadingNumber(number) - wanted)
		if apart > maxApart || len(near) == nearNumbers && apart >= near[nearNumbers-1].apart {
			continue
		}
		row := &x.Rows[h.Entry]
		if !hasAddress(x, h.Entry) || !r.filter.passes(row) || !r.text(x.Context(row)).ok {
			continue
		}
		at, _ := slices.BinarySearchFunc(near, apart, func(o other, apart int) int { return o.apart - apart })
		for at < len(near) && near[at].apart == apart {
			at++
		}
		near = slices.Insert(near, at, other{apart, h.Entry})
		near = near[:min(len(near), nearNumbers)]
	}
	for i, o := range near {
		row := &x.Rows[o.entry]
		score := r.text(x.Context(row))
		text := score.score - loss
		if text <= minStreetText {
			continue
		}
		t.add(hit{
			entry: o.entry, score: text*weightText - lossStreet - lossOther*float64(i+1), reason: byStreet,
			words: score.matched, approximate: true,
		})
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// leadingNumber is the number that a house number begins with; 0 for none.
func leadingNumber(house string) int {
	end := strings.IndexFunc(house, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(house)
	}
	n, _ := strconv.Atoi(house[:min(end, 6)])
	return n
}

// eachHouse calls yield with the houses along a name that have the number. A range
// has every number in it, and loses to the number itself the more the wider it is: one of
// hundreds is the number of a flat and that of its house.
func eachHouse(x *index.Index, set uint32, house string, yield func(entry uint32, loss float64)) {
	houses := x.Houses(set)
	number, err := strconv.Atoi(house)
	ranges := 0
	for ; ranges < len(houses); ranges++ {
		h := x.Text(houses[ranges].Number)
		from, to, ok := text.HouseRange(h)
		if !ok {
			break
		}
		if h == house || err == nil && number >= from && number <= to {
			yield(houses[ranges].Entry, min(maxLossRange, lossRange*float64(to-from)))
		}
	}
	houses = houses[ranges:]
	at := sort.Search(len(houses), func(i int) bool { return x.Text(houses[i].Number) >= house })
	for _, h := range houses[at:] {
		if x.Text(h.Number) != house {
			return
		}
		yield(h.Entry, 0)
	}
}
