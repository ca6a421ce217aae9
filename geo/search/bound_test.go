package search

import (
	"cmp"
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/text"
)

// TestBounds compares searches by name, which end as soon as nothing better
// can come, with ones that look at every candidate: the bounds that end them
// must hold for any bias, reference point, kind and spelling.
func TestBounds(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.svcmap")
	if _, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: []string{osmtest.Extract(t, "uz-places.osm.pbf")}, Out: out}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	e, s, rng := New(x), newScratch(x), rand.New(rand.NewPCG(1, 2))
	answered := 0
	for range 2500 {
		tokens, q := randomWords(x, rng), randomQuery(x, rng)
		if len(tokens) == 0 {
			continue
		}
		got := (&request{engine: e, scratch: s, q: &q, filter: e.newFilter(&q)}).byName(tokens)
		want := exhaustive(&request{engine: e, scratch: s, q: &q, filter: e.newFilter(&q)}, tokens)
		if len(got) > 0 {
			answered++
		}
		if !slices.EqualFunc(got, want, func(a, b hit) bool { return a.entry == b.entry && a.score == b.score }) {
			t.Errorf("%q, bias %g, kinds %b, limit %d, near %v:\ngot  %v\nwant %v", tokens, q.Bias, q.Kinds, q.Limit, q.Ref, got, want)
		}
	}
	if answered < 1000 {
		t.Errorf("only %d queries found anything", answered)
	}
}

// exhaustive is byName with room for every hit, so that no scan ends early.
func exhaustive(r *request, tokens []string) []hit {
	r.begin(tokens)
	var found []hit
	for st := range stageCount {
		n := nameScan{request: r, stage: st, houses: r.filter.categories[r.engine.address]}
		scan := n.sets
		if !r.prepare(st) {
			continue
		}
		if len(tokens) == 1 && st < mixedStage {
			scan = n.lists
		} else if !r.candidates(st) {
			continue
		}
		all := &top{size: 1 << 40}
		scan(all)
		slices.SortFunc(all.hits, func(a, b hit) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
		})
		found = r.merge(found, r.distinct(all.hits, r.q.Limit), r.q.Limit)
		if slices.ContainsFunc(found, func(h hit) bool { return h.strong }) {
			break
		}
	}
	return found
}

// randomWords are up to three words of a name, some cut short or misspelt.
func randomWords(x *index.Index, rng *rand.Rand) []string {
	name := x.Text(x.Detail(uint32(rng.IntN(len(x.Rows)))).Name)
	tokens := slices.Clone(text.Significant(text.Tokens(name)))
	tokens = tokens[:min(len(tokens), 1+rng.IntN(3))]
	for i, w := range tokens {
		letters := []rune(w)
		switch rng.IntN(3) {
		case 0:
			letters = letters[:1+rng.IntN(min(3, len(letters)))]
		case 1:
			letters[rng.IntN(len(letters))] = rune('a' + rng.IntN(26))
		}
		tokens[i] = string(letters)
	}
	return tokens
}

func randomQuery(x *index.Index, rng *rand.Rand) Query {
	biases := []float64{0, -1, -0.1, 0.5, 1, 5, 1e6, 1e300, -1e300}
	q := Query{Lang: "uz", Limit: 1 + rng.IntN(4), Bias: biases[rng.IntN(len(biases))]}
	if rng.IntN(4) > 0 {
		p := x.Rows[rng.IntN(len(x.Rows))].Point()
		q.Ref = &geom.Point{X: p.X + rng.Int32N(geom.Scale), Y: p.Y + rng.Int32N(geom.Scale)}
	}
	if rng.IntN(3) == 0 {
		q.Kinds = KindSet(1 << rng.IntN(int(index.KindCount)))
	}
	return q
}
