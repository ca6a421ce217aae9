package search

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/geo/build"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osm/osmtest"
	"svc/geo/text"
)

func open(t *testing.T, in string) *index.Index {
	out := filepath.Join(t.TempDir(), "a.svcmap")
	if _, err := build.Run(context.Background(), build.Options{Inputs: []string{in}, Out: out}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

func (r *request) oracle(tokens []string, limit int) []hit {
	r.begin(tokens)
	for st := range stageCount {
		n := nameScan{request: r, stage: st}
		n.houses = r.filter.categories[r.engine.address]
		scan := n.sets
		if len(tokens) == 1 && st < mixedStage {
			scan = n.lists
		} else if !r.candidates(st) {
			continue
		}
		if st == trigramStage && len(tokens) > 1 {
			n.areas = r.areasOf()
		}
		tt := &top{size: 1 << 40}
		scan(tt)
		slices.SortFunc(tt.hits, func(a, b hit) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entry, b.entry))
		})
		if out := r.distinct(tt.hits, limit); len(out) > 0 {
			return out
		}
	}
	return nil
}

func TestZZ(t *testing.T) {
	for _, name := range []string{"delaware", "malta", "uz-places", "moscow-center"} {
		t.Run(name, func(t *testing.T) {
			var x *index.Index
			if name == "delaware" {
				x = open(t, osmtest.Delaware(t))
			} else {
				x = open(t, osmtest.Extract(t, name+".osm.pbf"))
			}
			t.Log("rows", len(x.Rows), "sets", x.Sets(), "terms", x.Terms())
			e := New(x)
			rng := rand.New(rand.NewPCG(1, 2))
			bad, stages := 0, map[string]int{}
			n := 0
			for range 3000 {
				id := uint32(rng.IntN(len(x.Rows)))
				name := x.Text(x.Detail(id).Name)
				toks := text.Significant(text.Tokens(name))
				if len(toks) == 0 {
					continue
				}
				toks = slices.Clone(toks[:min(len(toks), 1+rng.IntN(3))])
				for i, tk := range toks {
					rs := []rune(tk)
					switch rng.IntN(4) {
					case 0:
						toks[i] = string(rs[:1+rng.IntN(len(rs))])
					case 1:
						rs[rng.IntN(len(rs))] = rune('a' + rng.IntN(26))
						toks[i] = string(rs)
					}
				}
				q := Query{Limit: 1 + rng.IntN(4), Lang: "uz"}
				q.Bias = []float64{0, -1, -0.1, 0.5, 1, 5, 1e6, 1e300, -1e300}[rng.IntN(9)]
				if rng.IntN(4) > 0 {
					p := x.Rows[rng.IntN(len(x.Rows))].Point()
					p.X += int32(rng.IntN(2e7)) - 1e7
					p.Y += int32(rng.IntN(2e7)) - 1e7
					q.Ref = &p
				}
				if rng.IntN(3) == 0 {
					q.Kinds = KindSet(1 << rng.IntN(5))
				}
				n++
				s := newScratchCached(e)
				r := request{engine: e, scratch: s, q: &q, filter: e.newFilter(&q)}
				got := r.byName(toks)
				r2 := request{engine: e, scratch: s, q: &q, filter: e.newFilter(&q)}
				want := r2.oracle(toks, q.Limit)
				if len(got) > 0 {
					stages[got[0].reason]++
				}
				same := len(got) == len(want)
				for i := 0; same && i < len(got); i++ {
					same = got[i].entry == want[i].entry && got[i].score == want[i].score
				}
				if !same {
					bad++
					if bad < 10 {
						t.Errorf("%q %+v:\n%s\n%s", toks, q, hs(x, got), hs(x, want))
					}
				}
			}
			t.Log(n, "queries", bad, "bad", stages)
		})
	}
}

var cached = map[*Engine]*scratch{}

func newScratchCached(e *Engine) *scratch {
	if cached[e] == nil {
		cached[e] = newScratch(e.x)
	}
	return cached[e]
}

func hs(x *index.Index, l []hit) string {
	var b strings.Builder
	for _, h := range l {
		fmt.Fprintf(&b, "%d %q %v %s; ", h.entry, x.Text(x.Detail(h.entry).Name), h.score, h.reason)
	}
	return b.String()
}

func TestZZPerf(t *testing.T) {
	x := open(t, osmtest.Delaware(t))
	e := New(x)
	p := x.Rows[len(x.Rows)/2].Point()
	// frequent trigrams
	long := strings.Repeat("the and ing ion ent ation for ", 40)
	var words []string
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, string(c)+"a")
	}
	var firsts []string
	for c := 'a'; c <= 'l'; c++ {
		firsts = append(firsts, string(c)+" ")
	}
	qs := []string{"a", "s", "a 1", "s 1", "c 2", "st 1", "a b", "a b c d e f g h i j k l", strings.Join(words[:12], " "), long, strings.ReplaceAll(long, " ", ""),
		"main street 1", "street 1", "street", "kafe", "park", "park a", "xq zz yy ww", "park xqzzy", "kafe main street dover", strings.Repeat("1", 1000), "uiea", "aeiou", "main street xyzzyq", "main street de", "1 2 3 4 5 6", "b 1 2 3"}
	for _, q := range qs {
		for _, ref := range []*geom.Point{nil, &p} {
			for _, lim := range []int{10, 50} {
				best := time.Hour
				var a Answer
				for range 3 {
					t0 := time.Now()
					a = e.Search(Query{Text: q, Lang: "uz", Limit: lim, Ref: ref, Layout: true})
					best = min(best, time.Since(t0))
				}
				r := ""
				if len(a.Results) > 0 {
					r = a.Results[0].Reason
				}
				if best > 2*time.Millisecond {
					t.Logf("%.40q ref=%v limit=%d: %v, %d %s", q, ref != nil, lim, best, len(a.Results), r)
				}
			}
		}
	}
}
