package geocode

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"svc/geo/buildkit"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/search"
)

// engines has one engine for all tests.
var engines struct {
	sync.Once
	x *index.Index
}

// delaware is an engine over the extract that every clone has.
func delaware(tb testing.TB) *search.Engine {
	tb.Helper()
	engines.Do(func() {
		dir, err := os.MkdirTemp("", "svc-geocode")
		if err != nil {
			tb.Fatal(err)
		}
		defer func() { _ = os.RemoveAll(dir) }() // what is mapped stays readable
		out := filepath.Join(dir, "delaware.svcmap")
		if _, err := mapbuild.Run(context.Background(), mapbuild.Options{Inputs: []string{osmtest.Delaware(tb)}, Out: out, Version: "test"}); err != nil {
			tb.Fatal(err)
		}
		if engines.x, err = index.Open(out); err != nil {
			tb.Fatal(err)
		}
	})
	return search.New(engines.x)
}

// addresses makes n questions of the map's own houses, as street, number and city.
func addresses(x *index.Index, n int) [][]string {
	rows := [][]string{{"id", "street", "housenumber", "city"}}
	for id := 0; len(rows) <= n; id = (id + 7) % len(x.Rows) {
		if d := x.Detail(uint32(id)); d.House != 0 && d.Street != 0 {
			rows = append(rows, []string{fmt.Sprint(len(rows)), x.Text(d.Street), x.Text(d.House), x.Text(x.Admin(&x.Rows[id]).City)})
		}
	}
	return rows
}

func encode(tb testing.TB, rows [][]string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func fileOf(tb testing.TB, in io.Reader, out string) *File {
	return &File{In: in, Comma: ',', Out: out, Lang: "en", Mark: "a", Engine: delaware(tb), Progress: buildkit.Silent{}}
}

// cut gives the first n bytes and then fails, as a disk does.
type cut struct {
	in io.Reader
	n  int
}

var errDisk = errors.New("the disk is gone")

func (c *cut) Read(p []byte) (int, error) {
	if c.n == 0 {
		return 0, errDisk
	}
	n, err := c.in.Read(p[:min(len(p), c.n)])
	c.n -= n
	return n, err
}

func TestFileGoesOn(t *testing.T) {
	e := delaware(t)
	content := encode(t, addresses(e.Index(), 5*chunk/2))
	whole := filepath.Join(t.TempDir(), "whole.csv")
	r, err := fileOf(t, bytes.NewReader(content), whole).Run(t.Context())
	if err != nil || r.Rows != 5*chunk/2 || r.Resumed != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if found := r.Reasons["address"]; found < r.Rows*8/10 {
		t.Errorf("%d of %d houses of the map itself are found: %v", found, r.Rows, r.Reasons)
	}
	if left, err := filepath.Glob(whole + ".*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}

	out := filepath.Join(t.TempDir(), "out.csv")
	if _, err := fileOf(t, &cut{bytes.NewReader(content), len(content) * 3 / 4}, out).Run(t.Context()); !errors.Is(err, errDisk) {
		t.Fatalf("stopped with %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("half of it has the name of the whole")
	}
	// What a kill leaves: a row that is not whole, in the middle of a quoted cell.
	p, err := os.OpenFile(out+".part", os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = p.WriteString("77,Market Street,12,Wilm,39.7,-75.5,address,\"Mark\net")
	_ = p.Close()

	other := fileOf(t, bytes.NewReader(content), out)
	other.Mark = "b"
	if _, err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "--restart") {
		t.Errorf("another mark: %v", err)
	}
	r, err = fileOf(t, bytes.NewReader(content), out).Run(t.Context())
	if err != nil || r.Rows != 5*chunk/2 || r.Resumed < chunk || r.Resumed%chunk != 0 {
		t.Errorf("gone on: %+v, %v", r, err)
	}
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("what was stopped once is another file: %d and %d bytes, %v", len(got), len(want), err)
	}
}

func TestFileIsStopped(t *testing.T) {
	content := encode(t, addresses(delaware(t).Index(), 10))
	out := filepath.Join(t.TempDir(), "out.csv")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fileOf(t, bytes.NewReader(content), out).Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
	f := fileOf(t, bytes.NewReader(content), out)
	f.Mark, f.Restart = "another", true
	if r, err := f.Run(t.Context()); err != nil || r.Rows != 10 || r.Resumed != 0 {
		t.Errorf("begun again: %+v, %v", r, err)
	}
	held, err := os.OpenFile(out+".part", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	lock(t, held)
	if _, err := fileOf(t, bytes.NewReader(content), out).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("two at a time: %v", err)
	}
}

func TestFileRows(t *testing.T) {
	const in = "id,address,lang,note\n1,\"North King Street\",en,\"a \"\"quoted\"\" word\"\n2,,en,\n3,zzzzqqqq xxyyzz wwww,en\n4,wilmingtun,ru,x,surplus\n"
	out := filepath.Join(t.TempDir(), "out.csv")
	if _, err := fileOf(t, strings.NewReader(in), out).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll() // as many cells in each row
	if err != nil || len(rows) != 5 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	column := func(name string) int {
		for i, h := range rows[0] {
			if h == name {
				return i
			}
		}
		t.Fatalf("no column %s in %q", name, rows[0])
		return 0
	}
	for i, want := range []string{"", "exact", emptyRow, nothingFound, ""} {
		if got := rows[i][column("found_reason")]; want != "" && got != want {
			t.Errorf("row %d: %s, want %s", i, got, want)
		}
	}
	if rows[1][column("note")] != `a "quoted" word` || rows[1][column("found_kind")] != "street" {
		t.Errorf("row 1: %q", rows[1])
	}
	if s := rows[4][column("found_score")]; s <= "0.50" || s >= "1.00" {
		t.Errorf("a misspelt name has the score %s", s)
	}
}

func TestFileRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "the first row",
		"a,b\n1,2\n":                         "no column is a question",
		"q,found_lat\n1,2\n":                 "found_lat already",
		"q\n\"" + strings.Repeat("x", 2<<20): "longer than 1 MiB",
	} {
		_, err := fileOf(t, strings.NewReader(in), filepath.Join(t.TempDir(), "out.csv")).Run(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", in, err, want)
		}
	}
}

func TestColumns(t *testing.T) {
	for _, tt := range []struct {
		header string
		chosen map[string]string
		want   string // field=index
		wrong  string
	}{
		{"Id,Address", nil, "q=1", ""},
		{"Улица,Дом,Город", nil, "street=0 housenumber=1 city=2", ""},
		{"Ko'cha,uy,Shahar,Tuman", nil, "street=0 housenumber=1 city=2 district=3", ""},
		{"addr:street,addr:housenumber,Postal Code,Longitude,latitude", nil, "street=0 housenumber=1 postcode=2 lon=3 lat=4", ""},
		{"Qayerda,City", map[string]string{"q": "qayerda"}, "q=0 city=1", ""},
		{"a,address", map[string]string{"name": "a"}, "name=0 q=1", ""},
		{"q,query", nil, "q=0", ""},
		{"a,b", map[string]string{"q": "c"}, "", `no column "c"; it has a, b`},
		{"a,b", map[string]string{"colour": "a"}, "", `no field "colour"`},
		{"lat,lon,lang", nil, "", "no column is a question"},
	} {
		got, err := columnsOf(strings.Split(tt.header, ","), tt.chosen)
		if tt.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), tt.wrong) {
				t.Errorf("%s: %v, want %q", tt.header, err, tt.wrong)
			}
			continue
		}
		fields := strings.Fields(tt.want)
		for _, f := range fields {
			name, at, _ := strings.Cut(f, "=")
			if i, ok := got[name]; !ok || fmt.Sprint(i) != at {
				t.Errorf("%s: %s is %d, %v", tt.header, f, i, ok)
			}
		}
		if err != nil || len(got) != len(fields) {
			t.Errorf("%s: %v, %v", tt.header, got, err)
		}
	}
}

// BenchmarkRows measures `svc map geocode` on all cores (issue: 3,000 rows a second).
func BenchmarkRows(b *testing.B) {
	content := encode(b, addresses(delaware(b).Index(), 4*chunk))
	rows := 0.0
	for b.Loop() {
		r, err := fileOf(b, bytes.NewReader(content), filepath.Join(b.TempDir(), "out.csv")).Run(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		rows += float64(r.Rows)
	}
	b.ReportMetric(rows/b.Elapsed().Seconds(), "rows/s")
	b.ReportMetric(3000, "target-rows/s")
}
