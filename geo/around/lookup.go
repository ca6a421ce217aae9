package around

import (
	"math/bits"
	"slices"

	"svc/geo/entry"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/text"
	"svc/geo/text/script"
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
	hits := map[uint32]uint{} // by name set, a bit for each word
	for at, w := range words {
		span := l.x.SkeletonExact(script.Skeleton(w))
		for i := span.From; i < span.To; i++ {
			l.x.Postings(l.x.TermAtSkeleton(i), func(set uint32) { hits[set] |= 1 << at })
		}
	}
	share := func(found uint) float64 { return float64(bits.OnesCount(found)) / float64(len(words)) }
	var set index.NameSet
	for id, found := range hits {
		l.x.ReadSet(id, &set)
		for e := range set.Members {
			l.offer(e, share(found))
		}
		for _, h := range l.x.Houses(id) {
			if l.x.Rows[h.Entry].Set != id {
				continue // it has a name of its own
			}
			if at := slices.Index(words, l.x.Text(h.Number)); at >= 0 { // the number is part of an address's name
				l.offer(h.Entry, share(found|1<<at))
			} else {
				l.offer(h.Entry, share(found))
			}
		}
	}
}

func (l *lookup) nameless(p geom.Point) {
	every := OfKinds(l.x, ^entry.KindSet(0))
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
