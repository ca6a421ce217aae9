package search

import (
	"cmp"
	"slices"

	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/text"
)

// run tries the readings of a plan in turn. One that was answered well ends it;
// otherwise the hits of all are merged.
func (r *request) run(p *reading.Plan) []hit {
	var found []hit
	for i := range p.Readings {
		rd := &p.Readings[i]
		if rd.Fallback && r.answered(rd, found) || rd.Last && len(found) > 0 || rd.Numbered && slices.ContainsFunc(found, isAddress) {
			continue
		}
		in := *r
		more := in.perform(rd)
		if r.trace != nil {
			r.trace(&in, rd, more)
		}
		for j := range more {
			more[j].score -= rd.Cost
		}
		found = r.merge(found, more, r.q.Limit)
		if final(rd, found) {
			break
		}
	}
	return found
}

// final reports whether a reading with such hits ends the search: a point always, an
// address that exists, a listing of a place, and the meeting of two streets.
func final(rd *reading.Reading, found []hit) bool {
	if rd.Decisive {
		return slices.ContainsFunc(found, func(h hit) bool { return h.called })
	}
	switch rd.How {
	case reading.AsPoint:
		return true
	case reading.AsPostcode: // alone it may be a name too
		return len(found) > 0 && len(rd.Words) > 0
	case reading.AsCrossing:
		return len(found) > 0
	case reading.AsNear:
		return slices.ContainsFunc(found, func(h hit) bool { return h.strong })
	case reading.AsListing:
		return len(found) > 0 && rd.Place != nil
	case reading.AsAddress:
		return slices.ContainsFunc(found, func(h hit) bool { return h.reason == byAddress && h.strong })
	}
	return false
}

// answered reports whether nothing else need be tried. What only sounds like the words
// does not answer them among the entries of one kind: another kind may have the name.
func (r *request) answered(rd *reading.Reading, found []hit) bool {
	return slices.ContainsFunc(found, func(h hit) bool {
		return h.strong && (len(rd.Types) == 0 || h.reason == stageNames[exactStage]) || h.reason == byAddress || h.reason == byCategory
	})
}

// perform searches by one reading, on a request of its own.
func (r *request) perform(rd *reading.Reading) []hit {
	r.types, r.plain, r.typed = rd.Types, rd.Whole, rd.Typed
	if rd.Category != "" && !r.narrow(rd.Category) {
		return nil
	}
	switch rd.How {
	case reading.AsAddress:
		var found []hit
		for _, house := range rd.Houses {
			hits := r.byAddress(rd.Words, house)
			if slices.ContainsFunc(hits, isAddress) {
				return hits
			}
			if rd.Called {
				continue
			}
			found = orElse(found, func() []hit { return hits })
		}
		return found
	case reading.AsListing:
		return r.list(rd)
	case reading.AsNear:
		return r.namesNear(rd)
	case reading.AsCrossing:
		return r.crossing(rd)
	case reading.AsPoint:
		return r.atPoint(rd.Point)
	case reading.AsPostcode:
		return r.byPostcode(rd)
	}
	hits := r.byNameAbove(rd.Words, r.q.Limit, rd.Floor)
	if rd.Called {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !h.called })
	}
	if rd.Numbered {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !r.hasNumbers(h.entry) })
	}
	return hits
}

// hasNumbers reports whether a name of an entry has each number of the query.
func (r *request) hasNumbers(id uint32) bool {
	x, set := r.engine.x, &r.scratch.set
	x.ReadSet(x.Rows[id].Set, set)
	return x.Kind(&x.Rows[id]) != index.Address && slices.ContainsFunc(set.Variants, func(name []uint32) bool {
		return !slices.ContainsFunc(r.words, func(w word) bool {
			return text.HasDigit(w.text) && !slices.ContainsFunc(name, w.equal.Has)
		})
	})
}

// narrow keeps one category or group of the filter; false when the file knows none
// of it.
func (r *request) narrow(wanted string) bool {
	r.filter = r.engine.newFilter(r.q)
	return r.filter.restrict(r.engine.x, wanted)
}

func isAddress(h hit) bool { return h.reason == byAddress }

// orElse is a, or what b finds when a is empty.
func orElse(a []hit, b func() []hit) []hit {
	if len(a) > 0 {
		return a
	}
	return b()
}

// merge puts the hits of a reading or stage among those that were found before: of
// one entry the better counts.
func (r *request) merge(found, more []hit, limit int) []hit {
	if len(found) == 0 {
		return more
	}
	if len(more) == 0 {
		return found
	}
	all := append(slices.Clone(found), more...)
	slices.SortStableFunc(all, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return r.distinct(all, limit)
}

// bonusType is what an entry gains whose words for its kind are those of the query,
// and loses whose kind they contradict (map contract 41.4).
const bonusType = 0.05

// byTypes weighs the words that say a kind, which names are searched without: of
// "Asaka koʻchasi" and "Asaka, tor koʻchasi" the one that was asked for comes first.
func (r *request) byTypes(hits []hit) []hit {
	for i := range hits {
		if len(r.kept) > 0 && r.namesKept(hits[i].entry) {
			hits[i].score += bonusType
		}
	}
	if len(r.types) == 0 {
		return hits
	}
	if r.typed {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return !r.namesTypes(h.entry) })
	}
	for i := range hits {
		hits[i].score += r.typeBonus(hits[i].entry)
	}
	return hits
}

// plainKinds are the generic words of a query that are none for a kind of street or area.
func plainKinds(tokens []string) (kept []string) {
	for _, t := range tokens {
		if text.IsGeneric(t) && len(text.Types([]string{t})) == 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

// namesKept reports whether the name of an entry has the generic words of the query that are
// none for a kind of street or area.
func (r *request) namesKept(id uint32) bool {
	d := r.engine.x.Detail(id)
	tokens := text.Tokens(r.engine.x.Text(d.Name))
	return !slices.ContainsFunc(r.kept, func(t string) bool { return !slices.Contains(tokens, t) })
}

func (r *request) typeBonus(id uint32) float64 {
	if r.namesTypes(id) {
		return bonusType
	}
	return r.kindBonus(id)
}

// namesTypes reports whether a name of an entry, or of its street, has the words for
// kinds of the query.
func (r *request) namesTypes(id uint32) bool {
	x := r.engine.x
	d := x.Detail(id)
	name := d.Name
	if x.Kind(&x.Rows[id]) == index.Address {
		name = d.Street
	}
	return r.sameTypes(x.Text(name)) || slices.ContainsFunc(d.Names, func(n index.NameRef) bool {
		return n.Key < index.SearchedNames && r.sameTypes(x.Text(n.Value))
	})
}

// sameTypes reports whether a name has words for its kind, and all are the query's.
func (r *request) sameTypes(name string) bool {
	types := text.Types(text.Tokens(name))
	if len(types) == 0 {
		return false
	}
	for _, t := range types {
		if !slices.Contains(r.types, t) {
			return false
		}
	}
	return true
}

// bonusStreet is what a street gains when a street was asked for and its name has no word
// for its kind in a language that we know: "boavista avenue" is the Avenida da Boavista.
const bonusStreet = 0.04

// kindBonus compares the kind of a place or street that its name does not say.
func (r *request) kindBonus(id uint32) float64 {
	x := r.engine.x
	row := &x.Rows[id]
	if x.Kind(row) == index.Street {
		if r.asksStreet() && !saysKind(x, id) {
			return bonusStreet
		}
		return 0
	}
	if x.Kind(row) != index.Place {
		return 0
	}
	asked := false
	for _, t := range r.types {
		for _, id := range reading.TypeCategories[t] {
			asked = true
			if x.CategoryID(row.Category) == id {
				return bonusType
			}
		}
	}
	if asked {
		return -bonusType
	}
	return 0
}

// saysKind reports whether a name of an entry has a word for a kind of street or area: the
// Republic Square is no street, whatever it is called in Maltese.
func saysKind(x *index.Index, id uint32) bool {
	d := x.Detail(id)
	says := func(name uint32) bool { return len(text.Types(text.Tokens(x.Text(name)))) > 0 }
	return says(d.Name) || slices.ContainsFunc(d.Names, func(n index.NameRef) bool { return n.Key < index.SearchedNames && says(n.Value) })
}

// asksStreet reports whether the query has a word for a kind of street.
func (r *request) asksStreet() bool {
	return slices.ContainsFunc(r.types, func(t string) bool { return reading.TypeCategories[t] == nil })
}

// placesFirst puts a place whose whole name was asked for before what needs the
// areas around it: "Toshkent" is the city (map contract 41.10).
func placesFirst(x *index.Index, hits []hit) {
	for i := range hits {
		h := &hits[i]
		if h.shown == nil && h.whole && !h.context && x.Kind(&x.Rows[h.entry]) == index.Place {
			for j := range i {
				if hits[j].context {
					hits[j].score = min(hits[j].score, h.score)
				}
			}
			slices.SortStableFunc(hits[:i+1], func(a, b hit) int {
				if a.context != b.context && a.score == b.score {
					if b.context {
						return -1
					}
					return 1
				}
				return cmp.Compare(b.score, a.score)
			})
			return
		}
	}
}
