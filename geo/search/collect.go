package search

import (
	"cmp"
	"container/heap"
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

func (t *top) Len() int           { return len(t.hits) }
func (t *top) Less(i, j int) bool { return worse(&t.hits[i], &t.hits[j]) }
func (t *top) Swap(i, j int)      { t.hits[i], t.hits[j] = t.hits[j], t.hits[i] }

// Push and Pop serve container/heap.
func (t *top) Push(v any) { t.hits = append(t.hits, v.(hit)) }

// Pop takes the worst.
func (t *top) Pop() any {
	h := t.hits[len(t.hits)-1]
	t.hits = t.hits[:len(t.hits)-1]
	return h
}

// worse orders hits: by score, then by importance, which is the entry's number.
func worse(a, b *hit) bool {
	if a.score != b.score {
		return a.score < b.score
	}
	return a.entry > b.entry
}

func (t *top) full() bool { return len(t.hits) == t.size }

// floor is the score of the worst hit kept.
func (t *top) floor() float64 { return t.hits[0].score }

func (t *top) add(h hit) {
	if !t.full() {
		heap.Push(t, h)
		return
	}
	t.lost = true
	if worse(&t.hits[0], &h) {
		t.hits[0] = h
		heap.Fix(t, 0)
	}
}

// collect runs fill with room for more hits than asked for, takes out
// repeats, and tries again with more room when too few are left.
func (r *request) collect(limit int, fill func(*top)) []hit {
	for size := 4*limit + 24; ; size *= 8 {
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
// city within the distance of its category (specification, rule 8).
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
