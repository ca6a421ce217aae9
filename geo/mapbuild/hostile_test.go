package mapbuild

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"svc/geo/buildkit"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// TestNumbersThatOverflow: steps and ends near the largest number must not wrap
// around into house numbers that nobody wrote.
func TestNumbersThatOverflow(t *testing.T) {
	most := strconv.Itoa(math.MaxInt)
	for _, c := range [][3]string{
		{"1", "9", most},
		{"9", "1", most},
		{strconv.Itoa(math.MaxInt - 5), most, "all"},
		{most, strconv.Itoa(math.MaxInt - 5), "even"},
		{strconv.Itoa(math.MinInt), "5", "1"},
		{"-9", "-1", "all"},
		{"1", "9", "-9223372036854775808"},
		{"1", "9", "99999999999999999999"},
	} {
		if got := between(c[0], c[1], c[2]); got != nil {
			t.Errorf("between %s and %s by %s: %v", c[0], c[1], c[2], got)
		}
	}
}

// TestJoinStar chains lines that all meet in one point: each is used once.
func TestJoinStar(t *testing.T) {
	const n = 2001
	var lines [][]geom.Point
	for i := range int32(n) {
		lines = append(lines, []geom.Point{{}, {X: 1000 + i, Y: 1}})
	}
	seen, chains := map[geom.Point]int{}, join(lines)
	for _, chain := range chains {
		for _, p := range chain {
			seen[p]++
		}
	}
	if len(chains) != n/2+1 {
		t.Errorf("%d chains of %d lines", len(chains), n)
	}
	for _, l := range lines {
		if seen[l[1]] != 1 {
			t.Fatalf("the end %v stands in %d chains", l[1], seen[l[1]])
		}
	}
}

// TestReportThatCannotBeWritten leaves nothing half-written and says that the
// map itself is there.
func TestReportThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "a.svcmap")
	if err := os.MkdirAll(filepath.Join(reportPath(out), "x"), 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	err := newReport(nil).Write(out)
	if err == nil || !strings.Contains(err.Error(), "is written, its report is not") {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// late is a context that ends between two looks at it and tells nobody who waits:
// only who looks at every area notices.
type late struct {
	context.Context
	looks *atomic.Int32
}

func (l late) Err() error {
	if l.looks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

type lastStage struct {
	buildkit.Silent
	name string
}

func (l *lastStage) Stage(name string, _ int64) { l.name = name }

// TestCancelledBetweenAreas: an area can take seconds, and there can be many.
func TestCancelledBetweenAreas(t *testing.T) {
	nodes, ways := town(3)
	for i := range int64(10) {
		ways = append(ways, osm.Way{ID: 1000 + i, Refs: []int64{1000, 1001, 1003, 1002, 1000}, Tags: tags("natural", "water", "name", "Koʻl")})
	}
	s := &lastStage{}
	looks := &atomic.Int32{}
	looks.Store(5)
	o := Options{Inputs: []string{extract(t, osmtest.Options{}, nodes, ways)}, Progress: s}
	if _, err := Model(late{t.Context(), looks}, o); !errors.Is(err, context.Canceled) || s.name != "assemble areas" {
		t.Errorf("%v, after the stage %q", err, s.name)
	}
}

// TestRepeatedMembers: a way that a relation names a million times is kept twice,
// so that the report can say so, and a relation has no more members than the
// source's database allows.
func TestRepeatedMembers(t *testing.T) {
	way := osm.Member{Type: osm.TypeWay, Ref: 7, Role: "outer"}
	kept, cut := areaMembers(append(slices.Repeat([]osm.Member{way}, 1_000_000), osm.Member{Type: osm.TypeNode, Ref: 1, Role: "admin_center"}))
	if len(kept) != 3 || cap(kept) > 10 || cut || kept[2].Role != roleCentre {
		t.Errorf("%d members, room for %d, cut %t", len(kept), cap(kept), cut)
	}
	many := make([]osm.Member, buildkit.MaxMembers+1)
	for i := range many {
		many[i] = osm.Member{Type: osm.TypeWay, Ref: int64(i)}
	}
	if kept, cut = areaMembers(many); len(kept) != buildkit.MaxMembers || !cut {
		t.Errorf("%d members, cut %t", len(kept), cut)
	}
	b := newBuilder(Options{}, buildkit.Silent{})
	b.drafts = []draft{{level: 4}}
	b.drafts[0].Source = index.NewSource('r', 5)
	b.shapeRelation(&relation{cut: true})
	if got := b.report.Broken; len(got) != 1 || got[0].Problem != buildkit.TooManyMembers || got[0].Relation != 5 {
		t.Errorf("reported %+v", got)
	}
}
