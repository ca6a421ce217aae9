package search

import (
	"math"
	"math/bits"
	"slices"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/reading"
	"svc/geo/text"
)

// Listings in, along and near a place (map contract 41.7).
const (
	weightPlaceRank = 0.3
	weightPlaceNear = 0.7
	streetReach     = 400   // metres from the line of a street
	nearReach       = 1_500 // metres from a place after a near-word
	farReach        = 5_000 // the same where there is nothing so near
	bonusNamed      = 0.15  // of a member that bears the words as a name
	bonusCalled     = 0.75  // of one whose whole name they are
	otherReach      = 1_500

	wordsInside = 1 - 2*lossExtra // least text score of a name that has all words, and two more
)

// placeReach is how far a place without a polygon extends, in metres.
var placeReach = map[string]float64{"place.city": 10_000, "place.town": 4_000, "place.suburb": 2_500}

// spot is a place in which a category is listed.
type spot struct {
	entry    uint32
	at       geom.Point
	box      geom.Box
	reach    float64        // metres from at, or from the lines
	lines    [][]geom.Point // of a street
	contexts []bool         // those that lie in the place; nil when it is no area
	area     bool           // it has an outline
	others   []hit          // its namesakes
	scale    float64        // metres at which nearness is a half
}

// list lists the members of the filter's categories: in the place of the reading, or
// everywhere.
func (r *request) list(rd *reading.Reading) []hit {
	if rd.Place == nil {
		return r.browse(rd.Beside)
	}
	var s *spot
	if !rd.Points {
		s = r.find(rd.Place, rd.Near)
	} else if hits := r.findInside(rd.Place, pointKinds); len(hits) > 0 {
		s = r.spotOf(hits, rd.Near)
	}
	if s == nil || rd.Nearest && (s.area || s.lines != nil) {
		return nil
	}
	named := r.namedAt(rd, s)
	in := *r
	in.types = nil
	in.begin(nil)
	found, members := in.members(s, named)
	for _, h := range s.others { // of namesakes, one near which there is something
		if members > 0 {
			break
		}
		if o := r.spotOf([]hit{h}, rd.Near); !rd.Nearest || !o.area && o.lines == nil {
			found, members = in.members(o, named)
		}
	}
	if rd.Near && members == 0 {
		s.widen()
		found, members = in.members(s, named)
	}
	if members == 0 && !slices.ContainsFunc(named, func(h hit) bool { return h.called }) {
		return nil
	}
	return found
}

// members lists what the filter keeps of a spot, beside some hits by name, and tells
// how many there are.
func (r *request) members(s *spot, named []hit) (found []hit, count int) {
	box := s.box
	if r.q.Box != nil {
		box = box.Intersection(*r.q.Box)
	}
	found = r.collect(r.q.Limit, func(t *top) {
		count = 0
		for _, h := range named {
			t.add(h)
		}
		for c, kept := range r.filter.categories {
			if !kept {
				continue
			}
			r.engine.eachMember(uint8(c), &box, func(id uint32) {
				row := &r.engine.x.Rows[id]
				if !r.filter.passes(row) || slices.ContainsFunc(named, func(h hit) bool { return h.entry == id }) {
					return
				}
				if metres, inside := s.holds(r.engine.x, row); inside {
					count++
					t.add(hit{entry: id, score: s.score(row, metres), reason: byCategory})
				}
			})
		}
	})
	return found, count
}

// widen reaches farther around a place near which there is nothing.
func (s *spot) widen() {
	if s.lines != nil {
		s.reach, s.box = nearReach, s.box.Grow(nearReach-streetReach)
		return
	}
	s.reach = max(s.reach, farReach)
	s.box = s.box.Union(geom.Around(s.at, s.reach))
}

// namedAt are the members that bear the words of the place as a name, and what all
// words together name almost exactly.
func (r *request) namedAt(rd *reading.Reading, s *spot) []hit {
	if rd.Beside == nil {
		return nil
	}
	in := *r
	in.plain, in.types = true, nil
	place := text.Significant(rd.Place)
	floor := browseMinText
	if len(place) > 1 {
		floor = wordsInside
	}
	found := in.byNameAbove(place, browseHits, floor)
	in.filter, in.plain = r.engine.newFilter(r.q), false
	all := in.byNameAbove(rd.Beside, browseHits, browseMinText)
	whole := map[uint32]float64{} // what all words are the name of
	for _, h := range all {
		called := h.called && (h.areas == 0 || in.inAreaName(h.areas, rd.Place) || len(in.words)-bits.OnesCount32(h.areas) > 1 && in.within(h.areas, rd.Place))
		if called {
			whole[h.entry] = h.score
		}
		if !slices.ContainsFunc(found, func(f hit) bool { return f.entry == h.entry }) && (called || r.filter.categories[r.engine.x.Rows[h.entry].Category]) {
			found = append(found, h)
		}
	}
	for i := range found {
		h := &found[i]
		row := &r.engine.x.Rows[h.entry]
		metres, _ := s.holds(r.engine.x, row)
		score, called := whole[h.entry]
		switch {
		case called: // where it is says nothing: the place may have been read from its name
			h.score, h.called = score+bonusCalled, true
		case h.called:
			h.score = s.score(row, metres) + bonusCalled
		default:
			h.score = s.score(row, metres) + bonusNamed
		}
		if !r.filter.categories[row.Category] {
			h.reason = byName
		}
	}
	return found
}

// within reports whether the query words of a mask are words of a place: the word for a
// category is none, even where an area has it in its name. inAreaName is the exception.
func (r *request) within(mask uint32, place []string) bool {
	for i := range r.words {
		if mask&(1<<i) != 0 && !slices.Contains(place, r.words[i].text) {
			return false
		}
	}
	return true
}

// score orders the members of a listing: by importance and by how near they are.
func (s *spot) score(row *index.Row, metres float64) float64 {
	return row.Importance()*weightPlaceRank + weightPlaceNear/(1+metres/s.scale)
}

// holds tells how far an entry is from the middle or line of the spot, and whether it
// is in the listing.
func (s *spot) holds(x *index.Index, row *index.Row) (metres float64, ok bool) {
	near := geom.From(row.Point())
	if s.lines != nil {
		metres = math.Inf(1)
		for _, l := range s.lines {
			for i := 1; i < len(l); i++ {
				d, _ := near.ToSegment(l[i-1], l[i])
				metres = min(metres, d)
			}
		}
		return metres, metres <= s.reach
	}
	metres = near.Metres(s.at)
	if s.contexts != nil && s.box.Contains(row.Point()) && s.contexts[x.Context(row)] {
		return metres, true
	}
	return metres, metres <= s.reach
}

// spotOf is what a listing at the best of some entries covers. A place that is a point
// on the map takes the area of a namesake around it.
func (r *request) spotOf(hits []hit, near bool) *spot {
	x, h := r.engine.x, hits[0]
	row, d := &x.Rows[h.entry], x.Detail(h.entry)
	s := &spot{entry: h.entry, at: row.Point(), scale: nearReach / 3}
	for _, o := range hits[1:] {
		if o.text == h.text && o.called == h.called {
			s.others = append(s.others, o)
		}
	}
	if x.Kind(row) == index.Street {
		if shape := x.Shape(&d); shape.Kind != index.NoShape {
			s.lines, s.reach, s.scale = shape.Parts, streetReach, streetReach/4
			s.box = d.Box.Grow(s.reach)
			r.addPieces(s, hits)
			return s
		}
	}
	reach, ok := placeReach[x.CategoryID(row.Category)]
	if !ok {
		reach = otherReach
	}
	s.box = geom.Around(s.at, reach)
	s.reach = reach
	if x.Kind(row) == index.Place {
		s.contexts = r.contextsIn(row.Set)
		if !d.HasGeometry() {
			r.addNamesakes(s, row.Set)
		}
		r.takeArea(s, hits, &d)
		if s.contexts != nil {
			s.reach = 0
		}
	}
	if near {
		s.reach = max(nearReach, s.reach)
		s.box = s.box.Union(geom.Around(s.at, s.reach))
	}
	return s
}

// spotOfAreas is what lies in areas that have all the words and are no entries: a town
// that only addresses name.
func (r *request) spotOfAreas(words []string) *spot {
	in := *r
	in.begin(text.Significant(words))
	contexts := in.contextsOfAll()
	if len(in.words) == 0 || !slices.Contains(contexts, true) {
		return nil
	}
	b := r.engine.x.Meta.Bounds
	sw, ne := geom.FromDegrees(b[1], b[0]), geom.FromDegrees(b[3], b[2])
	s := &spot{box: geom.Box{MinX: sw.X, MinY: sw.Y, MaxX: ne.X, MaxY: ne.Y}, contexts: contexts, area: true, scale: 5_000}
	if s.at = s.box.Center(); r.q.Ref != nil {
		s.at = *r.q.Ref
	}
	return s
}

// takeArea gives the spot the extent of its entry, else that of a namesake that is
// drawn as an area around it and is not far larger, as a region is.
func (r *request) takeArea(s *spot, hits []hit, d *index.Detail) {
	x := r.engine.x
	if d.HasGeometry() {
		s.area = true
		s.box, s.scale = d.Box, max(nearReach/3, min(5_000, d.Box.Diagonal()/8))
		return
	}
	for _, h := range hits[1:] {
		row, o := &x.Rows[h.entry], x.Detail(h.entry)
		if !h.called || x.Kind(row) != index.Place || !o.HasGeometry() || !o.Box.Contains(s.at) || o.Box.Diagonal() > 4*s.reach {
			continue
		}
		s.area = true
		s.box, s.scale = o.Box, max(nearReach/3, min(5_000, o.Box.Diagonal()/8))
		for c, in := range r.contextsIn(row.Set) {
			if s.contexts == nil {
				s.contexts = make([]bool, x.Contexts())
			}
			s.contexts[c] = s.contexts[c] || in
		}
		return
	}
}

// contextsIn marks the contexts of an area; nil when the name set is none.
func (r *request) contextsIn(set uint32) []bool {
	area, ok := r.engine.x.AreaOf(set)
	if !ok {
		return nil
	}
	in := make([]bool, r.engine.x.Contexts())
	r.engine.x.AreaContexts(area, func(context uint32, _ bool) { in[context] = true })
	return in
}

// addPieces adds to a street the others beside it that answer as well: its pieces, and the
// West Broadway to the East Broadway.
func (r *request) addPieces(s *spot, hits []hit) {
	x := r.engine.x
	beside := s.box
	for _, h := range hits[1:] {
		row, d := &x.Rows[h.entry], x.Detail(h.entry)
		if x.Kind(row) != index.Street || h.text != hits[0].text || !d.Box.Intersects(beside) {
			continue
		}
		if shape := x.Shape(&d); shape.Kind != index.NoShape {
			s.lines = slices.Concat(s.lines, shape.Parts)
			s.box = s.box.Union(d.Box.Grow(s.reach))
		}
	}
}

// addNamesakes gives a place that is a point the contexts of the areas of its name around
// it: the municipality of a city is mapped apart from it, and its other names differ.
func (r *request) addNamesakes(s *spot, set uint32) {
	x := r.engine.x
	var own, other index.NameSet
	if x.ReadSet(set, &own); len(own.Variants) == 0 || len(own.Variants[0]) == 0 {
		return
	}
	name := own.Variants[0]
	x.AreasByTerm(index.Span{From: name[0], To: name[0] + 1}, func(_, area uint32) {
		x.ReadSet(x.SetOf(area), &other)
		if !slices.ContainsFunc(other.Variants, func(v []uint32) bool { return slices.Equal(v, name) }) {
			return
		}
		if s.contexts == nil {
			s.contexts = make([]bool, x.Contexts())
		}
		x.AreaContexts(area, func(context uint32, coarse bool) {
			s.contexts[context] = s.contexts[context] || !coarse
		})
	})
}

// namesNear finds names near a place, or along a street; nil when there is no such place.
// In an area they are found by its words.
func (r *request) namesNear(rd *reading.Reading) []hit {
	var s *spot
	if rd.Floor == 0 {
		s = r.find(rd.Place, rd.Near)
	} else if hits := r.findInside(rd.Place, KindSet(0).With(index.Street)); len(hits) > 0 {
		s = r.spotOf(hits, rd.Near)
	}
	if s == nil || !rd.Near && s.lines == nil {
		return nil
	}
	q := *r.q
	box := s.box
	if q.Box != nil {
		box = box.Intersection(*q.Box)
	}
	q.Box, q.Ref = &box, &s.at
	if rd.Floor > 0 { // two streets are none along the other
		q.Kinds = KindSet(0).With(index.POI)
	}
	in := *r
	in.q, in.filter = &q, r.engine.newFilter(&q)
	if rd.Category != "" {
		in.filter.restrict(r.engine.x, rd.Category)
	}
	hits := in.byNameAbove(rd.Words, q.Limit, rd.Floor)
	if len(hits) == 0 && rd.Near && s.lines != nil && r.q.Box == nil {
		s.widen()
		box = s.box
		in.filter.box = &box
		hits = in.byNameAbove(rd.Words, q.Limit, rd.Floor)
	}
	if !rd.Near {
		hits = slices.DeleteFunc(hits, func(h hit) bool {
			_, along := s.holds(r.engine.x, &r.engine.x.Rows[h.entry])
			return !along || !h.strong
		})
	}
	return hits
}
