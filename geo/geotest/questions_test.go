package geotest

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/result"
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

// realQuestion is one line of questions.tsv.
type realQuestion struct {
	extract, class, text string
	right                *regexp.Regexp
}

// TestQuestions asks what people ask of real extracts and prints how many were answered
// right, by class.
func TestQuestions(t *testing.T) {
	questions := readQuestions(t)
	engines := map[string]*search.Engine{}
	for _, q := range questions {
		if engines[q.extract] == nil {
			engines[q.extract] = engineOf(t, q.extract)
		}
	}
	classes := map[string]*tally{}
	all := &tally{}
	for _, q := range questions {
		c := classes[q.class]
		if c == nil {
			c = &tally{}
			classes[q.class] = c
		}
		at, answers := q.ask(engines[q.extract])
		c.note(at)
		all.note(at)
		if at != 0 && *questionsShow {
			t.Logf("%s, %s: %q wants %s\n  %s", q.extract, q.class, q.text, q.right, strings.Join(answers, "\n  "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		t.Logf("%-24s %s", name, classes[name])
	}
	t.Logf("%-24s %s   target %.0f and %.0f %%", "all", all, 100*rightFirst, 100*rightInFive)
	if all.share(all.first) < rightFirst || all.share(all.five) < rightInFive {
		t.Error("fewer questions are answered right than should be")
	}
}

// tally counts answers.
type tally struct{ asked, first, five int }

func (c *tally) note(at int) {
	c.asked++
	if at == 0 {
		c.first++
	}
	if at >= 0 && at < 5 {
		c.five++
	}
}

func (c *tally) share(n int) float64 { return float64(n) / float64(max(c.asked, 1)) }

func (c *tally) String() string {
	return fmt.Sprintf("%4d asked, right first %5.1f %%, in five %5.1f %%", c.asked, 100*c.share(c.first), 100*c.share(c.five))
}

func readQuestions(t *testing.T) (out []realQuestion) {
	files, err := filepath.Glob("../testdata/questions*.tsv")
	if *questionsOf != "" {
		files, err = []string{*questionsOf}, nil
	}
	if err != nil || len(files) == 0 {
		t.Fatalf("no questions: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			if strings.HasPrefix(line, "#") {
				continue
			}
			f := strings.Split(line, "\t")
			if len(f) != 4 {
				t.Fatalf("line %d of %s has %d fields", i+1, file, len(f))
			}
			right, err := regexp.Compile(f[3])
			if err != nil {
				t.Fatalf("line %d of %s: %v", i+1, file, err)
			}
			out = append(out, realQuestion{extract: f[0], class: f[1], text: f[2], right: right})
		}
	}
	return out
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

// ask gives the place of the first right answer, -1 for none, and the first five as
// they are compared.
func (q *realQuestion) ask(e *search.Engine) (at int, answers []string) {
	at = -1
	for i, r := range e.Search(search.Query{Text: q.text, Lang: "uz", Limit: 5}).Results {
		line := describeAnswer(e.Index(), &r)
		answers = append(answers, line)
		if at < 0 && q.right.MatchString(line) {
			at = i
		}
	}
	return at, answers
}

func describeAnswer(x *index.Index, r *result.Result) string {
	return fmt.Sprintf("%s %s \"%s\" [%s] {%s} %s %s @%.4f,%.4f", r.Category, r.Kind, r.Name, r.Label, r.Address.Postcode, r.Reason, x.Rows[r.ID].Source, r.Lat, r.Lon)
}
