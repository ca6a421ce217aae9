package rank

import (
	"hash/fnv"
	"os"
	"testing"
)

func corpus(tb testing.TB, file string) Labelled {
	tb.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		tb.Fatal(err)
	}
	l, err := ReadLabelled(data)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// part leaves the third of the questions that is held back, or the others.
func part(l Labelled, held bool) Labelled {
	var out []Question
	for _, q := range l.Queries {
		h := fnv.New32a()
		h.Write([]byte(q.Query))
		if (h.Sum32()%3 == 0) == held {
			out = append(out, q)
		}
	}
	l.Queries = out
	return l
}

// goals are the recalls that keywords alone must reach.
var goals = map[string]float64{"exact": 0.97, "cross_script": 0.97, "typo": 0.9, "synonym": 0.75, "cross_lang": 0.65}

func TestRecall(t *testing.T) {
	for _, c := range []struct {
		name string
		l    Labelled
		show bool
	}{
		{"development, two thirds", part(corpus(t, "development.json"), false), true},
		{"development, the third held back", part(corpus(t, "development.json"), true), false},
		{"own trades", part(corpus(t, "own.json"), false), true},
		{"own trades, held back", part(corpus(t, "own.json"), true), false},
	} {
		table, err := c.l.Measure()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range table {
			t.Logf("%-34s %-13s %3d questions  recall@5 %.3f  goal %.2f", c.name, r.Kind, r.Questions, r.Share(), goals[r.Kind])
			if c.show {
				for _, m := range r.Missed {
					t.Logf("    missed: %s", m)
				}
			}
		}
	}
}
