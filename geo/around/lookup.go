package around

import (
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
	"svc/geo/text"
)

// maxLookupWords is the number of words of a name that are compared.
const maxLookupWords = 12

// Lookup finds the entry that a label on the map stands for: of those within
// radius metres of p, the one whose names share the most words, by sound, with
// name. With an empty name only nameless entries are considered. Nil when none
// fits. The cost is that of the bearers of the words, whatever the radius.
func Lookup(x *index.Index, p geom.Point, name string, radius float64, lang string) *result.Result {
	l := lookup{x: x, near: geom.From(p), radius: radius}
	if words := text.Significant(text.Tokens(name)); len(words) > 0 {
		l.named(words[:min(len(words), maxLookupWords)])
	} else {
		l.nameless(p)
	}
	if !l.found {
		return nil
	}
	r := result.New(x, l.id, lang, &p)
	r.Reason = "lookup"
	return &r
}

// lookup keeps the best entry so far.
type lookup struct {
	x      *index.Index
	near   geom.Near
	radius float64
	score  float64
	id     uint32
	found  bool
}

// named offers every entry that bears one of the words in one of its names.
func (l *lookup) named(words []string) {
	hits := map[uint32]int{}
	for _, w := range words {
		counted := map[uint32]bool{}
		span := l.x.SkeletonExact(text.Skeleton(w))
		for i := span.From; i < span.To; i++ {
			l.x.Postings(l.x.TermAtSkeleton(i), func(set uint32) {
				if !counted[set] {
					counted[set] = true
					hits[set]++
				}
			})
		}
	}
	var set index.NameSet
	for id, n := range hits {
		share := float64(n) / float64(len(words))
		l.x.ReadSet(id, &set)
		for e := range set.Members {
			l.offer(e, share)
		}
		for _, h := range l.x.Houses(id) {
			if l.x.Rows[h.Entry].Set == id {
				l.offer(h.Entry, share)
			}
		}
	}
}

func (l *lookup) nameless(p geom.Point) {
	every := OfKinds(l.x, ^search.KindSet(0))
	each(l.x, &every, p, l.radius, func(id uint32, row *index.Row, _ float64) {
		if !row.Has(index.FlagNamed) {
			l.offer(id, 0)
		}
	})
}

// offer scores one entry: share is the part of the words that its names hold.
func (l *lookup) offer(id uint32, share float64) {
	row := &l.x.Rows[id]
	d := l.near.Metres(row.Point())
	if d > l.radius {
		return
	}
	score := share + 0.3/(1+d/30) + row.Importance()*0.2
	switch l.x.Kind(row) {
	case index.POI, index.Place, index.Nature:
		score += 0.1
	}
	if !l.found || score > l.score || score == l.score && id < l.id {
		l.score, l.id, l.found = score, id, true
	}
}
