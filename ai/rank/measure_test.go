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
			t.Logf("%-34s %-13s %3d questions  first %3d  recall@5 %.3f  goal %.2f", c.name, r.Kind, r.Questions, r.First, r.Share(), Goal(r.Kind))
			if c.show {
				for _, m := range r.Missed {
					t.Logf("    missed: %s: %v, want %v", m.Query, m.Got, m.Want)
				}
			}
		}
	}
}

// TestRecallReachesTheGoals holds every kind of question of both corpora to its goal.
func TestRecallReachesTheGoals(t *testing.T) {
	for _, file := range []string{"development.json", "own.json", "unseen.json"} {
		table, err := corpus(t, file).Measure()
		if err != nil {
			t.Fatal(err)
		}
		if len(table) != 5 {
			t.Errorf("%s: %d kinds of questions", file, len(table))
		}
		for _, r := range table {
			if r.Share() < Goal(r.Kind) {
				t.Errorf("%s: recall@5 of %s is %.3f, want %.2f; missed %v", file, r.Kind, r.Share(), Goal(r.Kind), r.Missed)
			}
		}
	}
}
