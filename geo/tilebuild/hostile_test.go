package tilebuild

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"svc/geo/buildkit"
	"svc/geo/mvt"
	"svc/geo/tagset"
	"svc/geo/tilesort"
)

// late is a context that ends between two looks at it and tells nobody who waits:
// only who looks at every object notices.
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

// lastStage remembers where a build came to.
type lastStage struct {
	buildkit.Silent
	name string
}

func (l *lastStage) Stage(name string, _ int64) { l.name = name }

// scribble is an area of n random corners, which crosses itself n*n/5 times.
func (d *drawing) scribble(text string, n int) int64 {
	r := rand.New(rand.NewPCG(1, uint64(len(d.ways))))
	var xy []int32
	for range n {
		xy = append(xy, r.Int32N(4000), r.Int32N(4000))
	}
	return d.area(text, xy...)
}

// TestCancelledWithinABlock: a block holds thousands of ways, and each can take
// long.
func TestCancelledWithinABlock(t *testing.T) {
	d := town()
	for range 20 {
		d.scribble("natural=wood", 10)
	}
	s := &lastStage{}
	o := Options{Inputs: []string{d.write(t, sorted)}, Out: filepath.Join(t.TempDir(), "a.pmtiles"), Progress: s}
	looks := &atomic.Int32{}
	looks.Store(5)
	if _, err := Run(late{t.Context(), looks}, o); !errors.Is(err, context.Canceled) || s.name != "read ways" {
		t.Errorf("%v, after the stage %q", err, s.name)
	}
}

// TestCancelledWithinATile: so does a tile.
func TestCancelledWithinATile(t *testing.T) {
	e := newEncoder(tagset.New())
	none := e.tags.ID(nil)
	out := (&mvt.Tile{}).Layer("land")
	draw := func() bool {
		e.inside = false
		e.rings = append(e.rings[:0], square)
		e.polygons(out, none)
		return e.inside
	}
	if !draw() {
		t.Fatal("nothing was drawn")
	}
	e.ended = func() bool { return true }
	if draw() {
		t.Error("it was drawn for nobody")
	}
}

// TestRepeatedMembers: a relation that names one way a million times is what it
// is with one, and one of more ways than there can be is reported.
func TestRepeatedMembers(t *testing.T) {
	d := town()
	lake := d.box("", 3000, 3000, 3500, 3500)
	d.relation("type=multipolygon natural=water name=Takror", slices.Repeat([]int64{lake}, 100_000)...)
	var many []int64
	for i := range int64(buildkit.MaxMembers + 1) {
		many = append(many, 1_000_000+i)
	}
	long := d.relation("type=multipolygon natural=water name=Uzun", many...)
	w := newPainterWorker(t)
	r, ok := w.relation(&d.relations[len(d.relations)-2])
	if !ok || len(r.ways) != 2 || cap(r.ways) > 10 {
		t.Errorf("%d ways of one that is repeated, room for %d", len(r.ways), cap(r.ways))
	}
	_, report := d.build(t)
	want := buildkit.Broken{Relation: long, Name: "Uzun", Problem: buildkit.TooManyMembers}
	if !slices.Equal(report.Broken, []buildkit.Broken{want}) {
		t.Errorf("broken: %+v, want %+v", report.Broken, want)
	}
}

// newPainterWorker is a worker without data.
func newPainterWorker(t testing.TB) *worker {
	b := newBuilder(Options{TempDir: t.TempDir()}, newReport("a"), buildkit.Silent{}, nil, nil)
	return b.workers.get()
}

// TestGuard: what a source may draw is in proportion to it.
func TestGuard(t *testing.T) {
	for source, want := range map[int64]int64{0: 128 << 20, 1000: 128 << 20, 10 << 20: 2000 << 20} {
		if got := tilesort.New(t.TempDir(), source).Most; got != want {
			t.Errorf("%d bytes of source may draw %d MB, want %d", source, got>>20, want>>20)
		}
	}
}
