// Package tilebuild makes a tile archive (PMTiles) in the Shortbread schema from
// OpenStreetMap extracts, zooms 0 to 14.
//
// It promises that the same extracts give the same bytes on any number of
// cores; that memory stays within a small multiple of the source however many
// tiles there are; that areas are valid polygons, lines of the same kind are
// joined before they are simplified, labels lie inside their areas and nothing
// reaches beyond the buffer of its tile; and that a build that fails or is
// cancelled leaves nothing behind. What cannot be drawn (relations that do not
// close, areas that the extract cuts off) is left out and reported.
//
// It refuses files that are not readable extracts, and extracts without
// anything that a map shows.
//
// The rules are those of map contract 2 and 8. The stages, in order:
//
//	scan.go    read relations, nodes, ways; nodes and ways are drawn at once
//	areas.go   relations into polygons
//	sea.go     the coast into the ocean, and the backdrop of the world
//	draw.go    an object into records: a feature, or a part of it, in one tile
//	geo/tilesort  records into the order of tiles, through a temporary file
//	encode.go  the records of a tile into the tile
//	write.go   tiles into the archive
package tilebuild

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"svc/geo/buildkit"
	"svc/geo/coast"
	"svc/geo/index"
	"svc/geo/nodes"
	"svc/geo/osm"
	"svc/geo/outfile"
	"svc/geo/shortbread"
	"svc/geo/tagset"
	"svc/geo/tile"
	"svc/geo/tilesort"
)

// Options say what to build.
type Options struct {
	Inputs   []string          // .osm.pbf files; an object that several hold is taken from the first
	Out      string            // the .pmtiles file to write
	Index    *index.Index      // of the same extracts: gives category and rank; nil for none
	World    []byte            // the backdrop, see coast.ReadWorld; nil for none
	Bounds   *[4]float64       // minlon, minlat, maxlon, maxlat in degrees; nil for everything
	Langs    []string          // languages of names to keep; empty keeps all
	Progress buildkit.Progress // nil for none
	Version  string            // of this program, noted in the archive
	TempDir  string            // for what does not fit into memory; empty for the folder of Out
}

// Run builds the archive.
func Run(ctx context.Context, o Options) (*Report, error) {
	switch {
	case o.Out == "":
		return nil, errors.New("name the tile file to write")
	case len(o.Inputs) == 0:
		return nil, errors.New("name at least one .osm.pbf file")
	}
	if o.TempDir == "" {
		o.TempDir = filepath.Dir(o.Out)
	}
	world, err := readWorld(o.World)
	if err != nil {
		return nil, err
	}
	files, err := buildkit.OpenAll(o.Inputs)
	if err != nil {
		return nil, err
	}
	defer buildkit.CloseAll(files)
	report, err := run(ctx, o, world, files)
	if errors.Is(err, osm.ErrUnsorted) { // the file knows now, and reads in full the second time
		report, err = run(ctx, o, world, files)
	}
	return report, err
}

func readWorld(data []byte) (*coast.World, error) {
	if data == nil {
		return nil, nil
	}
	return coast.ReadWorld(data)
}

func run(ctx context.Context, o Options, world *coast.World, files []*osm.File) (report *Report, err error) {
	report = newReport(filepath.Base(o.Out))
	t := buildkit.NewTimer(o.Progress)
	b := newBuilder(o, report, t, world, files)
	defer func() { err = errors.Join(err, b.sort.Close()) }()
	if err := b.gather(ctx, files); err != nil {
		return nil, err
	}
	if err := b.writeFile(ctx); err != nil {
		return nil, err
	}
	t.Done()
	report.Seconds, report.PeakBytes = t.Seconds(), buildkit.PeakMemory()
	return report, nil
}

func newBuilder(o Options, r *Report, p buildkit.Progress, world *coast.World, files []*osm.File) *builder {
	b := &builder{
		opts: o, report: r, progress: p, world: world,
		bounds: worldBox(o.Bounds),
		tags:   tagset.New(), names: layerNames{}, borders: map[int64][]shortbread.Border{},
	}
	size := int64(0)
	for _, f := range files {
		size += f.Size()
	}
	b.sort = tilesort.New(o.TempDir, size)
	b.workers.fresh = func() *worker {
		return &worker{
			painter: newPainter(b.sort, b.tags, b.bounds), mapper: shortbread.New(o.Langs),
			index: o.Index, locate: b.nodes.Locator(),
		}
	}
	return b
}

// gather turns the extracts into sorted records.
func (b *builder) gather(ctx context.Context, files []*osm.File) error {
	if err := b.scan(ctx, files); err != nil {
		return err
	}
	if err := b.drawAreas(ctx); err != nil {
		return err
	}
	b.nodes = nil
	objects := int64(0)
	for _, w := range b.workers.all {
		for _, n := range w.stats {
			objects += n
		}
		w.locate = nodes.Locator{}
	}
	if objects == 0 && len(b.shore) == 0 {
		return errors.New("nothing in these extracts can be shown on a map: is it the right file, and do --bounds hold some of it?")
	}
	if err := b.drawSea(ctx); err != nil {
		return err
	}
	for _, w := range b.workers.all {
		b.report.features(w.stats)
		b.names.join(w.names)
		if err := w.flush(); err != nil {
			return err
		}
	}
	b.workers = workerPool{}
	b.report.CutWays, b.report.Records, b.report.SortedBytes = b.cutWays, b.sort.Records(), b.sort.Bytes()
	return ctx.Err()
}

// describe fills what the archive says of itself.
func (b *builder) describe() tile.Info {
	info := tile.Info{
		Name: strings.TrimSuffix(filepath.Base(b.opts.Out), filepath.Ext(b.opts.Out)), Description: "Made with svc",
		Attribution: attribution, Version: b.opts.Version, Format: tile.PBF, MinZoom: 0, MaxZoom: shortbread.MaxZoom,
		Schema: "shortbread", SchemaVersion: "1.1",
	}
	data := b.degrees()
	info.Bounds = data
	if b.world != nil { // who asks for no tile outside the bounds would not see the backdrop
		info.Bounds = tile.WorldBounds()
	}
	info.Center = [2]float64{(data[0] + data[2]) / 2, (data[1] + data[3]) / 2}
	info.CenterZoom = centerZoom(data)
	for i, l := range shortbread.Layers() {
		fields := map[string]string{}
		for _, f := range l.AllFields(b.names.of(shortbread.Layer(i))) {
			fields[f.Name] = f.Type
		}
		info.Layers = append(info.Layers, tile.Layer{ID: l.Name, Description: l.Description, MinZoom: l.MinZoom, MaxZoom: l.MaxZoom, Fields: fields})
	}
	return info
}

const attribution = `<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap contributors</a>`

// writeFile writes the archive, whole or not at all.
func (b *builder) writeFile(ctx context.Context) error {
	err := outfile.Write(ctx, b.opts.Out, func(f *os.File) error {
		if err := b.writeTiles(ctx, f); err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			b.report.Bytes = info.Size()
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("write the tiles: %w", err)
	}
	return nil
}
