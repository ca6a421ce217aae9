// Command geocoders asks the questions of geo/testdata of svc and of Nominatim, in one run
// over the same extracts, and prints how many each answers right, by class.
//
//	go run ./geocoders [--osm DIR] [--keep DIR] [--show]
//
// `geocoders/run.sh` installs what it needs: the command nominatim (PyPI: nominatim-db,
// nominatim-api, falcon, uvicorn), osm2pgsql and a PostgreSQL server with PostGIS. The
// server is told as the variables of libpq tell it: PGHOST, PGPORT, PGUSER.
//
// What a right answer is stands in judge.go. Questions that no object of the extract
// answers (coordinates, crossings) are asked of svc alone and are not compared.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"svc/geo/geotest"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/search"
)

func main() {
	osm := flag.String("osm", "../../shared/osm", "folder with the real extracts")
	questions := flag.String("questions", "../geo/testdata/questions*.tsv", "files of questions")
	keep := flag.String("keep", "", "folder of Nominatim's projects, kept for the next run")
	show := flag.Bool("show", false, "list the questions that one of the two did not answer right first")
	flag.Parse()
	if err := run(*osm, *questions, *keep, *show); err != nil {
		fmt.Fprintln(os.Stderr, "geocoders:", err)
		os.Exit(1)
	}
}

// score is what both answered to the questions of a class.
type score struct{ ours, theirs geotest.Tally }

func run(osm, pattern, keep string, show bool) error {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no file of questions is named %s", pattern)
	}
	questions, err := geotest.ReadQuestions(files...)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "svc-geocoders")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if keep == "" {
		keep = dir
	}
	byExtract := map[string][]geotest.Question{}
	for _, q := range questions {
		byExtract[q.Extract] = append(byExtract[q.Extract], q)
	}
	classes := map[string]*score{}
	left := 0
	for _, extract := range slices.Sorted(maps.Keys(byExtract)) {
		c := comparison{extract: extract, input: filepath.Join(osm, extract+".osm.pbf"), dir: dir, keep: keep, show: show, classes: classes}
		n, err := c.run(byExtract[extract])
		if err != nil {
			return fmt.Errorf("%s: %w", extract, err)
		}
		left += n
	}
	print(classes, left)
	return nil
}

// comparison asks the questions of one extract.
type comparison struct {
	extract, input, dir, keep string
	show                      bool
	classes                   map[string]*score
}

// run gives how many questions are not compared.
func (c *comparison) run(questions []geotest.Question) (left int, err error) {
	began := time.Now()
	out := filepath.Join(c.dir, c.extract+".svcmap")
	if _, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: []string{c.input}, Out: out}); err != nil {
		return 0, err
	}
	x, err := index.Open(out)
	if err != nil {
		return 0, err
	}
	defer func() { _ = x.Close() }()
	built := time.Since(began)
	peer, imported, err := startNominatim(c.extract, c.input, c.keep)
	if errors.Is(err, errImport) {
		fmt.Printf("%s: its %d questions are not compared: %v\n", c.extract, len(questions), err)
		return len(questions), nil
	}
	if err != nil {
		return 0, err
	}
	defer peer.stop()
	fmt.Printf("%s: %d questions; built in %.1f s, imported into Nominatim in %.1f s\n", c.extract, len(questions), built.Seconds(), imported.Seconds())
	engine := search.New(x)
	judges := newJudge(x)
	for _, q := range questions {
		right := judges.objects(&q)
		if len(right) == 0 && !isAddress(&q) {
			left++
			continue
		}
		places, err := peer.search(q.Text)
		if err != nil {
			return 0, fmt.Errorf("Nominatim was asked for %q: %w", q.Text, err)
		}
		at, answers := q.Ask(engine)
		c.note(&q, at, judges.first(&q, right, places), answers, places)
	}
	return left, nil
}

func (c *comparison) note(q *geotest.Question, ours, theirs int, answers []string, places []place) {
	r := c.classes[q.Class]
	if r == nil {
		r = &score{}
		c.classes[q.Class] = r
	}
	r.ours.Note(ours)
	r.theirs.Note(theirs)
	if c.show && (ours != 0 || theirs != 0) {
		fmt.Printf("  %s: %q wants %s: ours %s, theirs %s\n", q.Class, q.Text, q.Right, position(ours), position(theirs))
		if ours != 0 && len(answers) > 0 {
			fmt.Println("    ours  ", answers[0])
		}
		if theirs != 0 && len(places) > 0 {
			fmt.Println("    theirs", places[0].String())
		}
	}
}

func position(at int) string {
	if at < 0 {
		return "not among five"
	}
	return fmt.Sprintf("number %d", at+1)
}

func print(classes map[string]*score, left int) {
	fmt.Printf("\n%-24s %6s   %-22s   %-22s\n", "class", "asked", "svc: first, in five", "Nominatim: first, in five")
	all := score{}
	line := func(name string, r *score) {
		fmt.Printf("%-24s %6d   %6.1f %% %8.1f %%      %6.1f %% %8.1f %%\n", name, r.ours.Asked,
			100*r.ours.Share(r.ours.First), 100*r.ours.Share(r.ours.Five), 100*r.theirs.Share(r.theirs.First), 100*r.theirs.Share(r.theirs.Five))
	}
	for _, name := range slices.Sorted(maps.Keys(classes)) {
		r := classes[name]
		line(name, r)
		all.ours, all.theirs = sum(all.ours, r.ours), sum(all.theirs, r.theirs)
	}
	line("all", &all)
	fmt.Printf("not compared, since no object of the extract answers them or Nominatim cannot read it: %d\n", left)
}

func sum(a, b geotest.Tally) geotest.Tally {
	return geotest.Tally{Asked: a.Asked + b.Asked, First: a.First + b.First, Five: a.Five + b.Five}
}
