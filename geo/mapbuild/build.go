// Package mapbuild makes a map file from OpenStreetMap extracts: it decides what
// is an entry, gives each its names, address, shape and importance, and hands
// the whole to geo/index.
//
// It promises that the same extracts give the same bytes, that a file which is
// not a readable extract, or holds nothing that a map can show, gives one clear
// error and no output, and that memory stays within a small multiple of the
// source. It repairs what it can (streets cut into ways, labels beside their
// areas) and reports what it cannot (relations that do not close).
//
// The rules are those of map contract 8 to 10. The stages, in order:
//
//	scan.go         read relations, ways, nodes
//	areas.go        rings, extents, points inside
//	places.go       label nodes into their boundaries
//	admins.go       the administrative tuple of every entry
//	contexts.go     the areas that every entry can be asked by
//	lines.go        ways into streets and rivers
//	pois.go         nodes into the areas that they repeat
//	houses.go       lists of numbers, streets of addresses
//	cities.go       the city of what no polygon and no tag gives one, from the houses around
//	streetless.go   and those of numbers that name none
//	named.go        what has a name and did not enter
//	interpolate.go  the numbers between two known ones
//	rank.go         importance
package mapbuild

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"svc/geo/buildkit"
	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osm"
	"svc/geo/outfile"
	"svc/geo/tile"
)

// Options say what to build.
type Options struct {
	Inputs   []string          // .osm.pbf files; an object that several hold is taken from the first
	Out      string            // the .svcmap file to write
	Langs    []string          // name variants to keep; empty keeps all
	Bounds   *[4]float64       // minlon, minlat, maxlon, maxlat in degrees; nil for everything
	Progress buildkit.Progress // nil for none
	Version  string            // of this program, noted in the file
}

var riverCategory, _ = category.Index("nature.river")

// builder carries a build from stage to stage.
type builder struct {
	*collector
	opts     Options
	progress buildkit.Progress
	report   *Report
	areas    []area
	locate   *locator
	streets  streetBook
	contexts *contexts
	isIn     map[uint32][]index.ContextArea // the lists of is_in, by text
}

// Run builds the map and its report (NAME.report.json beside it).
func Run(ctx context.Context, o Options) (*Report, error) {
	if o.Out == "" {
		return nil, errors.New("name the map file to write")
	}
	m, report, t, err := model(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := writeFile(ctx, o.Out, m, t); err != nil {
		return nil, err
	}
	t.Done()
	report.finish(t, o.Out)
	return report, report.Write(o.Out)
}

// Model builds the map without writing it.
func Model(ctx context.Context, o Options) (*index.Model, error) {
	m, _, _, err := model(ctx, o)
	return m, err
}

func model(ctx context.Context, o Options) (*index.Model, *Report, *buildkit.Timer, error) {
	if len(o.Inputs) == 0 {
		return nil, nil, nil, errors.New("name at least one .osm.pbf file")
	}
	t := buildkit.NewTimer(o.Progress)
	files, err := buildkit.OpenAll(o.Inputs)
	if err != nil {
		return nil, nil, nil, err
	}
	defer buildkit.CloseAll(files)
	b := newBuilder(o, t)
	err = b.scan(ctx, files, t)
	if errors.Is(err, osm.ErrUnsorted) { // the file knows now, and reads in full the second time
		b = newBuilder(o, t)
		err = b.scan(ctx, files, t)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if err := b.assemble(ctx); err != nil {
		return nil, nil, nil, err
	}
	b.describeModel(headerOf(files))
	b.report.count(b.m)
	return b.m, b.report, t, nil
}

func newBuilder(o Options, p buildkit.Progress) *builder {
	langs := languages{}
	for _, l := range o.Langs {
		langs[l] = true
	}
	m := &index.Model{Strings: index.NewInterner()}
	return &builder{collector: newCollector(m, langs), opts: o, progress: p, report: newReport(o.Inputs), contexts: newContexts()}
}

// assemble turns drafts into the model's entries.
func (b *builder) assemble(ctx context.Context) error {
	b.dropRepeats()
	if err := b.shapeAreas(ctx); err != nil {
		return err
	}
	b.mergePlaces()
	b.collectAreas()
	b.locate = b.newLocator()
	b.progress.Stage("place entries", 0)
	b.placeLines()
	b.assignAdmins(0)
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mergeLines()
	b.mergePOIs()
	b.mergePieces()
	b.joinHouses()
	b.dropBareHouses()
	b.splitHouses()
	b.progress.Stage("match addresses", 0)
	known := len(b.drafts)
	b.interpolate()
	b.assignAdmins(known)
	b.streets = b.newStreetBook()
	b.linkStreets(0)
	b.settleHouses()
	b.borrowCities()
	b.countNamed()
	b.clip()
	b.finishModel()
	if len(b.m.Entries) == 0 {
		return errors.New("nothing in these extracts can be shown on a map: no named place or street, no address and no point of interest. Is it the right file, and do --bounds hold some of it?")
	}
	return ctx.Err()
}

// dropRepeats keeps the first of an object that several extracts hold.
func (b *builder) dropRepeats() {
	if len(b.opts.Inputs) < 2 {
		return
	}
	seen := make(map[index.Source]bool, len(b.drafts))
	for i := range b.drafts {
		d := &b.drafts[i]
		d.repeated = seen[d.Source]
		d.gone = d.gone || d.repeated
		seen[d.Source] = true
	}
	ways := make(map[int64]bool, len(b.lines))
	b.lines = slices.DeleteFunc(b.lines, func(l interpolation) bool {
		repeated := ways[l.way]
		ways[l.way] = true
		return repeated
	})
}

// placeLines gives streets and rivers a point, so that their city is known
// before they are merged.
func (b *builder) placeLines() {
	for i := range b.drafts {
		if d := &b.drafts[i]; !d.gone && isLine(d) {
			pts, _, _ := b.line(d.refs)
			d.Point = geom.Middle(pts)
			d.gone = len(pts) < 2
		}
	}
}

// clip takes out what stands outside the wanted bounds. An area that reaches
// into them stays: addresses inside are made from it.
func (b *builder) clip() {
	if b.opts.Bounds == nil {
		return
	}
	w := *b.opts.Bounds
	sw, ne := geom.FromDegrees(w[1], w[0]), geom.FromDegrees(w[3], w[2])
	box := geom.Box{MinX: sw.X, MinY: sw.Y, MaxX: ne.X, MaxY: ne.Y}
	for i := range b.drafts {
		d := &b.drafts[i]
		reaches := d.Extra != nil && len(d.Extra.Shape) > 0 && kindOf(int(d.Category)) == index.Place && d.Extra.Box.Intersects(box)
		d.gone = d.gone || !box.Contains(d.Point) && !reaches
	}
}

// finishModel moves what is left into the model and renumbers references.
func (b *builder) finishModel() {
	at := make([]int32, len(b.drafts))
	left := 0
	for i := range b.drafts {
		at[i] = -1
		if !b.drafts[i].gone {
			at[i] = int32(left)
			left++
		}
	}
	b.m.Entries = make([]index.Entry, 0, left)
	for i := range b.drafts {
		d := &b.drafts[i]
		if d.gone {
			continue
		}
		d.Rank = rank(d)
		if d.StreetEntry >= 0 {
			d.StreetEntry = at[d.StreetEntry]
		}
		b.m.Entries = append(b.m.Entries, d.Entry)
	}
	b.finishContexts(at)
	for _, a := range b.areas {
		if at[a.draft] >= 0 && a.level > 0 {
			b.m.Areas = append(b.m.Areas, index.Area{Entry: at[a.draft], Level: a.level, Place: a.place})
		}
	}
	b.drafts, b.refBytes, b.nodes, b.ways, b.wayRefs, b.streets = nil, nil, nodes{}, nil, nil, nil
}

// describeModel fills what the file says of itself.
func (b *builder) describeModel(h sourceHeader) {
	meta := &b.m.Meta
	meta.SourceTime, meta.Builder, meta.Languages = h.time, b.opts.Version, b.opts.Langs
	for i, c := range category.All() {
		meta.Categories = append(meta.Categories, index.CategoryMeta{ID: c.ID, Kind: category.KindOf(i)})
	}
	box := emptyBox
	for i := range b.m.Entries {
		box = box.Extend(b.m.Entries[i].Point)
	}
	data := [4]float64{float64(box.MinX) / geom.Scale, float64(box.MinY) / geom.Scale, float64(box.MaxX) / geom.Scale, float64(box.MaxY) / geom.Scale}
	switch {
	case b.opts.Bounds != nil:
		meta.Bounds = *b.opts.Bounds
	case h.bounds != nil:
		meta.Bounds = tile.DataBounds(*h.bounds, data)
	default:
		meta.Bounds = data
	}
}

// sourceHeader is what the extracts say of themselves, taken together.
type sourceHeader struct {
	time   time.Time
	bounds *[4]float64
}

// headerOf takes together what the extracts say of themselves. The bounds are
// those of all, and nil when one does not say.
func headerOf(files []*osm.File) (h sourceHeader) {
	known := true
	all := [4]float64{180, 90, -180, -90}
	for _, f := range files {
		if t := f.Header().Replication; t.After(h.time) {
			h.time = t.UTC()
		}
		b := f.Header().Bounds
		if b == nil {
			known = false
			continue
		}
		west, east := b[0], b[2]
		if west > east { // across the 180th meridian
			west, east = -180, 180
		}
		all = [4]float64{min(all[0], west), min(all[1], b[1]), max(all[2], east), max(all[3], b[3])}
	}
	if known {
		h.bounds = &all
	}
	return h
}

// writeFile writes the map, whole or not at all.
func writeFile(ctx context.Context, out string, m *index.Model, p buildkit.Progress) error {
	err := outfile.Write(ctx, out, func(f *os.File) error {
		p.Stage("write the map", 0)
		return index.Write(f, m, p.Add)
	})
	if err != nil {
		return fmt.Errorf("write the map: %w", err)
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// sortedByKey lists a map in the order of its keys.
func sortedByKey[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
