package geotest

import (
	"context"
	"flag"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/search"
)

var (
	questionsShow = flag.Bool("questions.show", false, "list the questions that were not answered right first")
	questionsOf   = flag.String("questions.of", "", "a file of questions of one's own, in place of those of the test data")
)

// The shares of questions that must be answered right, first and within five.
const (
	rightFirst  = 0.95
	rightInFive = 0.99
)

// TestQuestions asks what people ask of real extracts and prints how many were answered
// right, by class.
func TestQuestions(t *testing.T) {
	questions := readQuestions(t)
	engines := map[string]*search.Engine{}
	for _, q := range questions {
		if engines[q.Extract] == nil {
			engines[q.Extract] = engineOf(t, q.Extract)
		}
	}
	classes := map[string]*Tally{}
	all := &Tally{}
	for _, q := range questions {
		c := classes[q.Class]
		if c == nil {
			c = &Tally{}
			classes[q.Class] = c
		}
		at, answers := q.Ask(engines[q.Extract])
		c.Note(at)
		all.Note(at)
		if at != 0 && *questionsShow {
			t.Logf("%s, %s: %q wants %s\n  %s", q.Extract, q.Class, q.Text, q.Right, strings.Join(answers, "\n  "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		t.Logf("%-24s %s", name, classes[name])
	}
	t.Logf("%-24s %s   target %.0f and %.0f %%", "all", all, 100*rightFirst, 100*rightInFive)
	if all.Share(all.First) < rightFirst || all.Share(all.Five) < rightInFive {
		t.Error("fewer questions are answered right than should be")
	}
}

func readQuestions(t *testing.T) []Question {
	files, err := filepath.Glob("../testdata/questions*.tsv")
	if *questionsOf != "" {
		files, err = []string{*questionsOf}, nil
	}
	if err != nil || len(files) == 0 {
		t.Fatalf("no questions: %v", err)
	}
	questions, err := ReadQuestions(files...)
	if err != nil {
		t.Fatal(err)
	}
	return questions
}

// mostLeftOut is the share of the objects with a name that an index may lack.
const mostLeftOut = 0.005

func engineOf(t *testing.T, extract string) *search.Engine {
	out := filepath.Join(t.TempDir(), extract+".svcmap")
	report, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: []string{osmtest.Extract(t, extract+".osm.pbf")}, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if n := report.Named; n.Share > mostLeftOut {
		t.Errorf("%s: %.2f %% of %d objects with a name are not in the index, want %.1f at most: %v", extract, 100*n.Share, n.Objects, 100*mostLeftOut, n.Tags)
	} else {
		t.Logf("%s: %.2f %% of %d objects with a name are not in the index", extract, 100*n.Share, n.Objects)
	}
	x, err := index.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return search.New(x)
}
