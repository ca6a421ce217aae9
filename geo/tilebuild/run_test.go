package tilebuild

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/paulmach/orb/planar"

	"svc/geo/buildkit"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/tilesort"
)

// town is a drawing with something in every kind of layer.
func town() *drawing {
	d := &drawing{}
	for i := range int32(30) {
		d.way("highway=residential name=Koʻcha", 100*i, 0, 100*i, 9000)
		d.box("building=yes", 100*i+20, 500, 100*i+60, 540)
		d.node(100*i, 700, "addr:housenumber=1 addr:street=Koʻcha")
		d.node(100*i+50, 800, "amenity=cafe name=Choyxona")
	}
	lake, island := d.box("", 100, 4100, 2100, 5100), d.box("", 400, 4400, 700, 4700)
	d.relation("type=multipolygon natural=water name=Koʻl", lake, -island)
	d.node(1000, 1000, "place=city name=Shahar")
	return d
}

// files lists a folder.
func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// TestSameBytes: the same file for the same input, on one core or two, from a
// file that is sorted or not, through memory or through the disk.
func TestSameBytes(t *testing.T) {
	in := osmtest.Extract(t, "andorra-valhalla.osm.pbf")
	build := func(change func(*builder)) []byte {
		t.Helper()
		o := Options{Inputs: []string{in}, Out: filepath.Join(t.TempDir(), "a.pmtiles"), TempDir: t.TempDir(), Progress: buildkit.Silent{}}
		files, err := buildkit.OpenAll(o.Inputs)
		if err != nil {
			t.Fatal(err)
		}
		defer buildkit.CloseAll(files)
		b := newBuilder(o, newReport("a"), buildkit.Silent{}, nil, files)
		change(b)
		if err := errors.Join(b.gather(context.Background(), files), b.writeFile(context.Background()), b.sort.Close()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	first := build(func(*builder) {})
	for _, cores := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(cores)
		again := build(func(*builder) {})
		runtime.GOMAXPROCS(old)
		if !bytes.Equal(first, again) {
			t.Errorf("with %d cores the archive differs", cores)
		}
	}
	spilled := build(func(b *builder) { b.sort.Limit, b.sort.Keep = 100<<10, 300<<10 })
	if !bytes.Equal(first, spilled) {
		t.Error("through the disk the archive differs")
	}
}

// TestUnsorted: a file in another order gives the same tiles.
func TestUnsorted(t *testing.T) {
	d := town()
	var want []byte
	for i, o := range []osmtest.Options{sorted, {PerBlob: 7}, {PerBlob: 7, Claim: true}, {PerBlob: 50, Mixed: true}} {
		if i > 0 {
			slices.Reverse(d.nodes)
		}
		in, out := d.write(t, o), filepath.Join(t.TempDir(), "a.pmtiles")
		if _, err := Run(context.Background(), Options{Inputs: []string{in}, Out: out}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%+v gives other tiles", o)
		}
	}
}

// TestHints: points of interest carry the category and the rank of the index;
// what the index has as part of another object is not drawn a second time.
func TestHints(t *testing.T) {
	d := town()
	d.box("amenity=hospital name=Shifoxona", 2500, 2500, 2900, 2900)
	d.node(2600, 2600, "amenity=hospital name=Shifoxona") // the same, as a node
	in := d.write(t, sorted)
	path := filepath.Join(t.TempDir(), "a.svcmap")
	if _, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: []string{in}, Out: path}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	with, _ := d.build(t, func(o *Options) { o.Index = x })
	without, _ := d.build(t)
	tile := at(t, with, home)
	if got := tile.with("pois", "name", "Shifoxona"); len(got) != 1 || got[0].Properties["category"] != "health.hospital" {
		t.Errorf("the hospital: %v", got)
	}
	if got := at(t, without, home).with("pois", "name", "Shifoxona"); len(got) != 2 {
		t.Errorf("without an index: %v", got)
	}
	teahouses := tile.with("pois", "name", "Choyxona")
	for _, f := range teahouses {
		rank, _ := f.Properties["rank"].(float64)
		if f.Properties["category"] != "food.teahouse" || !(rank > 0.02 && rank <= 1) {
			t.Errorf("a teahouse: %v", f.Properties)
		}
	}
	city := tile["place_labels"]
	if rank, _ := city[0].Properties["rank"].(float64); len(teahouses) != 30 || len(city) != 1 || !(rank > 0.3 && rank <= 1) {
		t.Errorf("%d teahouses, the city %v", len(teahouses), city[0].Properties)
	}
}

// stopper cancels when a stage begins.
type stopper struct {
	buildkit.Silent
	at     int
	stages atomic.Int32
	cancel context.CancelFunc
}

func (s *stopper) Stage(string, int64) {
	if int(s.stages.Add(1)) == s.at {
		s.cancel()
	}
}

// TestCancelled: whenever a build is stopped, nothing is left.
func TestCancelled(t *testing.T) {
	in := town().write(t, sorted)
	for stage := 1; ; stage++ {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		s := &stopper{at: stage, cancel: cancel}
		_, err := Run(ctx, Options{Inputs: []string{in}, Out: filepath.Join(dir, "a.pmtiles"), Progress: s})
		cancel()
		if int(s.stages.Load()) < stage {
			if stage < 6 || err != nil {
				t.Errorf("%d stages, %v", stage-1, err)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at stage %d: %v", stage, err)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("stopped at stage %d, left: %v", stage, left)
		}
	}
}

// TestBadInput: one clear error, and nothing left.
func TestBadInput(t *testing.T) {
	good, err := os.ReadFile(town().write(t, sorted))
	if err != nil {
		t.Fatal(err)
	}
	empty, err := os.ReadFile((&drawing{}).write(t, sorted))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		data   []byte
		change func(*Options)
		want   string
	}{
		{name: "no extract", data: []byte("this is no extract\n"), want: "in.osm.pbf"},
		{name: "cut short", data: good[:len(good)*2/3], want: "in.osm.pbf"},
		{name: "empty", data: empty, want: "nothing in these extracts can be shown on a map"},
		{name: "bounds elsewhere", data: good, change: func(o *Options) { o.Bounds = &[4]float64{1, 1, 2, 2} }, want: "nothing in these extracts"},
		{name: "no output", data: good, change: func(o *Options) { o.Out = "" }, want: "name the tile file to write"},
		{name: "no input", data: good, change: func(o *Options) { o.Inputs = nil }, want: "name at least one"},
		{name: "a folder that is not there", data: good, change: func(o *Options) { o.Out += "/no/such/a.pmtiles" }, want: "write the tiles"},
		{name: "a bad backdrop", data: good, change: func(o *Options) { o.World = []byte("rubbish") }, want: "world"},
	} {
		dir, in := t.TempDir(), filepath.Join(t.TempDir(), "in.osm.pbf")
		if err := os.WriteFile(in, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		o := Options{Inputs: []string{in}, Out: filepath.Join(dir, "a.pmtiles")}
		if c.change != nil {
			c.change(&o)
		}
		_, err := Run(context.Background(), o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("%s: left %v", c.name, left)
		}
	}
}

// TestSpillFails: the temporary folder is told of in the error.
func TestSpillFails(t *testing.T) {
	s := tilesort.New(filepath.Join(t.TempDir(), "missing"), 0)
	s.Keep = 0
	b := s.Fresh()
	b.Add(1, []byte{1, 2, 3})
	if err := s.Take(b); err == nil || !strings.Contains(err.Error(), "temporary file") {
		t.Errorf("%v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// The child of TestFullDisk builds what these variables say.
const (
	fullIn  = "SVC_TEST_TILES_IN"
	fullOut = "SVC_TEST_TILES_OUT"
)

func TestMain(m *testing.M) {
	if in := os.Getenv(fullIn); in != "" {
		os.Exit(buildOnFullDisk(in, os.Getenv(fullOut)))
	}
	os.Exit(m.Run())
}

// buildOnFullDisk builds where no file may grow beyond 20 kB, and gives 0 when
// that was refused.
func buildOnFullDisk(in, out string) int {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 20_000, Max: 20_000}); err != nil {
		return 2
	}
	_, err := Run(context.Background(), Options{Inputs: []string{in}, Out: out})
	_, _ = os.Stdout.WriteString(errors.Join(err).Error())
	if errors.Is(err, syscall.EFBIG) {
		return 0
	}
	return 3
}

// TestFullDisk: a disk that takes no more gives one error and no file.
func TestFullDisk(t *testing.T) {
	d := town()
	for i := range 600 {
		d.node(int32(i*37%9000), int32(i*91%9000), "amenity=cafe name=N"+strings.Repeat(string(rune('a'+i%26)), i))
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), fullIn+"="+d.write(t, sorted), fullOut+"="+filepath.Join(dir, "a.pmtiles"))
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("write the tiles")) {
		t.Errorf("%v: %s", err, out)
	}
	if left := files(t, dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// TestReport adds up.
func TestReport(t *testing.T) {
	r, report := town().build(t)
	tiles, bytes := int64(0), int64(0)
	for _, z := range report.Zooms {
		tiles += z.Tiles
		bytes += z.Bytes
	}
	have, _, _ := r.Counts()
	if report.Tiles != tiles || uint64(tiles) != have || report.Bytes != r.Size() || bytes == 0 || bytes > r.Size() {
		t.Errorf("%+v, the archive has %d tiles in %d bytes", report, have, r.Size())
	}
	if report.Features["streets"] != 30 || report.Features["pois"] != 30 || report.Features["water_polygons"] != 1 || report.Records == 0 || report.PeakBytes == 0 {
		t.Errorf("%+v", report)
	}
	info := r.Info()
	if info.Schema != "shortbread" || info.SchemaVersion != "1.1" || info.MaxZoom != 14 || info.MinZoom != 0 || !strings.Contains(info.Attribution, "OpenStreetMap") || len(info.Layers) == 0 {
		t.Errorf("%+v", info)
	}
	if water := at(t, r, home)["water_polygons"]; len(water) > 0 && planar.Area(water[0].Geometry) <= 0 {
		t.Errorf("%v", water)
	}
}

// meter adds up what a build says of its progress.
type meter struct {
	stage string
	total map[string]int64
	added map[string]int64
	done  bool
}

func (m *meter) Stage(name string, total int64) { m.stage, m.total[name] = name, total }
func (m *meter) Add(n int64)                    { m.added[m.stage] += n }
func (m *meter) Done()                          { m.done = true }

// TestProgress: what the stages say they will do is what they do.
func TestProgress(t *testing.T) {
	m := &meter{total: map[string]int64{}, added: map[string]int64{}}
	d := town()
	d.box("natural=wood", 0, 0, 40*4096, 40*4096) // many tiles of one record
	_, report := d.build(t, func(o *Options) { o.Progress = m })
	for _, stage := range []string{"read relations", "read nodes", "read ways", "draw areas", "draw the sea", "write tiles"} {
		total, known := m.total[stage]
		if _, timed := report.Seconds[stage]; !known || !timed || m.added[stage] != total || stage != "draw the sea" && total == 0 {
			t.Errorf("%s: %d of %d", stage, m.added[stage], total)
		}
	}
	if !m.done {
		t.Error("it never ends")
	}
}
