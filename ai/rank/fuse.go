package rank

import (
	"cmp"
	"slices"
)

// Weights of the fusion: reciprocal rank, and what the customer's language adds.
const (
	fuseRank = 60
	fuseLang = 0.002
)

// Source of a second list: an index of vectors, or whatever else ranks chunks.
type Source interface {
	// Nearest answers at most limit chunks of the sources, the best first.
	Nearest(sources []string, limit int) []Ref
}

// Ref names a chunk.
type Ref struct{ Source, ID string }

// Fused is a chunk with what found it.
type Fused struct {
	Ref
	Score              float64
	Coverage           float64 // of the keywords, 0 when they did not find it
	Keywords, Semantic bool    // which list had it
}

// Fuse searches by keywords and joins the list with that of second, which may be nil: the
// sum of 1/(60 + rank) over both, and a little for chunks in the customer's language.
func (x *Index) Fuse(q Query, second Source) []Fused {
	limit := min(q.Limit, MaxHits)
	if limit < 1 {
		limit = 5
	}
	wide := q
	wide.Limit = max(listed, limit)
	hits := x.Search(wide)
	var near []Ref
	if second != nil {
		near = second.Nearest(q.Sources, wide.Limit)
	}
	found := map[Ref]*Fused{}
	entry := func(r Ref) *Fused {
		if found[r] == nil {
			found[r] = &Fused{Ref: r}
		}
		return found[r]
	}
	for i, h := range hits {
		f := entry(Ref{h.Source, h.ID})
		f.Score += 1 / float64(fuseRank+i+1)
		f.Keywords, f.Coverage = true, h.Coverage
	}
	for i, r := range near[:min(len(near), wide.Limit)] {
		if f := entry(r); !f.Semantic {
			f.Score += 1 / float64(fuseRank+i+1)
			f.Semantic = true
		}
	}
	return x.ordered(found, q, limit)
}

// ordered sorts what was found; chunks that are gone or not asked for, and nearly equal
// ones, are left out.
func (x *Index) ordered(found map[Ref]*Fused, q Query, limit int) []Fused {
	x.mu.RLock()
	defer x.mu.RUnlock()
	docs := map[Ref]*doc{}
	all := make([]*Fused, 0, len(found))
	for r, f := range found {
		d := x.find(r)
		if d == nil || len(q.Sources) > 0 && !slices.Contains(q.Sources, r.Source) {
			continue
		}
		if q.Lang != "" && (d.lang == q.Lang || d.lang == AnyLang) {
			f.Score += fuseLang
		}
		docs[r] = d
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *Fused) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Source, b.Source), cmp.Compare(a.ID, b.ID))
	})
	var out []Fused
	for _, f := range all {
		if len(out) == limit {
			break
		}
		if !slices.ContainsFunc(out, func(o Fused) bool { return twins(docs[o.Ref], docs[f.Ref]) }) {
			out = append(out, *f)
		}
	}
	return out
}

func (x *Index) find(r Ref) *doc {
	g := x.groups[r.Source]
	if g == nil {
		return nil
	}
	for _, n := range g.docs {
		if x.docs[n].id == r.ID {
			return &x.docs[n]
		}
	}
	return nil
}
