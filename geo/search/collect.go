package search

import (
	"cmp"
	"math"
	"slices"

	"svc/geo/entry"
	"svc/geo/result"
)

// hit is an entry that a query found.
type hit struct {
	entry       uint32
	score       float64
	reason      string
	words       uint32 // positions of the query words that matched
	house       string // the house number that matched
	matched     []string
	whole       bool           // its primary name is all of the words that no area took
	called      bool           // or any other of its names
	context     bool           // some words are those of an area
	areas       uint32         // positions of those words
	text        float64        // the score of its words; 0 in listings
	strong      bool           // it answers every word: no weaker way of finding is needed
	approximate bool           // a house with another number than the one that was asked for
	shown       *result.Result // made for the query, such as a coordinate; entry is beside it
}

// top keeps the best hits, twice as many and more as are asked for, because
// repeats are taken out afterwards.
type top struct {
	hits []hit
	size int
	lost bool // something did not find room
}

// wants reports whether a hit that scores at most so may still be kept. What
// it turns away is lost.
func (t *top) wants(most float64) bool {
	if !t.full() || most >= t.hits[0].score {
		return true
	}
	t.lost = true
	return false
}

// bar is the score below which nothing is kept any more.
func (t *top) bar() float64 {
	if !t.full() {
		return math.Inf(-1)
	}
	return t.hits[0].score
}

// worse orders hits: by score, then by importance, which is the entry's number.
func worse(a, b *hit) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return a.entry > b.entry
}

func (t *top) full() bool { return len(t.hits) == t.size }

// add keeps h if it is among the best: hits form a heap with the worst on top.
func (t *top) add(h hit) {
	if !t.full() {
		t.hits = append(t.hits, h)
		for i := len(t.hits) - 1; i > 0; {
			up := (i - 1) / 2
			if !worse(&t.hits[i], &t.hits[up]) {
				return
			}
			t.hits[i], t.hits[up] = t.hits[up], t.hits[i]
			i = up
		}
		return
	}
	t.lost = true
	if !worse(&t.hits[0], &h) {
		return
	}
	t.hits[0] = h
	for i := 0; ; {
		down := 2*i + 1
		if down >= len(t.hits) {
			return
		}
		if down+1 < len(t.hits) && worse(&t.hits[down+1], &t.hits[down]) {
			down++
		}
		if !worse(&t.hits[down], &t.hits[i]) {
			return
		}
		t.hits[i], t.hits[down] = t.hits[down], t.hits[i]
		i = down
	}
}

// collect runs fill with room for more hits than asked for, takes out
// repeats, and tries again with more room when too few are left.
func (r *request) collect(limit int, fill func(*top)) []hit {
	first := 2*limit + 12
	if len(r.types)+len(r.kept) > 0 {
		first *= 3 // what the kind of a street or area decides is weighed at the end
	}
	for size := first; ; size *= 8 {
		t := &top{hits: r.scratch.top.hits[:0], size: size}
		fill(t)
		t.hits = r.byTypes(t.hits)
		slices.SortFunc(t.hits, func(a, b hit) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
		})
		r.scratch.top.hits = t.hits
		out := r.distinct(t.hits, limit)
		if len(out) == limit || !t.lost || size > len(r.engine.x.Rows) {
			for i := range out {
				if out[i].matched == nil { // hits of another search have theirs
					out[i].matched = texts(r.words, out[i].words)
					if out[i].house != "" {
						out[i].matched = append(out[i].matched, out[i].house)
					}
				}
			}
			return out
		}
	}
}

// distinct takes the best of what is one to a reader, up to limit.
func (r *request) distinct(hits []hit, limit int) []hit {
	var out []hit
	repeats := entry.NewRepeats(r.engine.x)
	for _, h := range hits {
		if len(out) == limit {
			break
		}
		if h.shown == nil && (!r.repeats && repeats.Seen(h.entry) || slices.ContainsFunc(out, func(o hit) bool { return o.entry == h.entry && o.shown == nil })) {
			continue
		}
		out = append(out, h)
	}
	return out
}
