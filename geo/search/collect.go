package search

import (
	"cmp"
	"slices"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/text"
)

// hit is an entry that a query found.
type hit struct {
	entry   uint32
	score   float64
	reason  string
	words   uint32 // positions of the query words that matched
	house   string // the house number that matched
	matched []string
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
	for size := 2*limit + 12; ; size *= 8 {
		t := &top{hits: r.scratch.top.hits[:0], size: size}
		fill(t)
		slices.SortFunc(t.hits, func(a, b hit) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
		})
		r.scratch.top.hits = t.hits
		out := r.distinct(t.hits, limit)
		if len(out) == limit || !t.lost {
			for i := range out {
				out[i].matched = texts(r.words, out[i].words)
				if out[i].house != "" {
					out[i].matched = append(out[i].matched, out[i].house)
				}
			}
			return out
		}
	}
}

// distinct takes the best of what is one to a reader, up to limit.
func (r *request) distinct(hits []hit, limit int) []hit {
	var out []hit
	repeats := Repeats{x: r.engine.x, traits: r.engine.traits, seen: map[sameName][]geom.Point{}}
	for _, h := range hits {
		if len(out) == limit {
			break
		}
		if repeats.Seen(h.entry) || slices.ContainsFunc(out, func(o hit) bool { return o.entry == h.entry }) {
			continue
		}
		out = append(out, h)
	}
	return out
}

// sameName is what makes two entries one to a reader.
type sameName struct {
	name string
	kind index.Kind
	city uint32
}

// Repeats finds entries that repeat an earlier one: the same name, kind and
// city within the distance of its category (map contract 41.8).
type Repeats struct {
	x      *index.Index
	traits []traits
	seen   map[sameName][]geom.Point
}

// NewRepeats has seen nothing yet.
func NewRepeats(x *index.Index) *Repeats {
	return &Repeats{x: x, traits: traitsOf(x), seen: map[sameName][]geom.Point{}}
}

// Seen notes an entry and reports whether it repeats an earlier one.
func (s *Repeats) Seen(id uint32) bool {
	key := NameKey(s.x, id)
	if key == "" {
		return false
	}
	row := &s.x.Rows[id]
	t := &s.traits[row.Category]
	k := sameName{key, t.kind, s.x.Admin(row).City}
	if within(s.seen[k], row.Point(), t.repeat) {
		return true
	}
	s.seen[k] = append(s.seen[k], row.Point())
	return false
}

func within(points []geom.Point, p geom.Point, metres float64) bool {
	near := geom.From(p)
	for _, q := range points {
		if near.Metres(q) <= metres {
			return true
		}
	}
	return false
}

// NameKey is the name by which two entries are the same to a reader; an
// address has its street and number. Empty for the nameless, which are never
// the same.
func NameKey(x *index.Index, id uint32) string {
	row := &x.Rows[id]
	if !row.Has(index.FlagNamed) {
		return ""
	}
	d := x.Detail(id)
	if x.Kind(row) != index.Address {
		return text.Canonical(x.Text(d.Name))
	}
	street := d.Street
	if street == 0 {
		street = x.Admin(row).Neighbourhood
	}
	return text.Canonical(x.Text(street)) + " " + text.HouseNumber(x.Text(d.House))
}
