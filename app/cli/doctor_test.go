package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/app/mapkey"
	"svc/geo/index"
	"svc/geo/mapbuild"
	"svc/geo/osm/osmtest"
	"svc/geo/route"
	"svc/geo/route/routetest"
)

func TestMain(m *testing.M) { os.Exit(routetest.Main(m)) }

// only is the findings of an area, by name.
func only(f findings, area string) map[string]finding {
	out := map[string]finding{}
	for _, one := range f {
		if one.Area == area {
			out[one.Name] = one
		}
	}
	return out
}

// TestDoctorAndTheRealEngine goes the whole way of a person: the printed
// configuration, the engine started with it, a map of the same country, the
// doctor.
func TestDoctorAndTheRealEngine(t *testing.T) {
	tiles := routetest.Tiles(t)
	listen := routetest.FreeAddress(t)
	var config bytes.Buffer
	if err := command(t, &config, "map", "engine-config", "--tiles", tiles, "--listen", listen); err != nil {
		t.Fatal(err)
	}
	engine := routetest.StartWith(t, config.Bytes(), listen, tiles)
	dir := t.TempDir()
	file := filepath.Join(dir, "andorra.svcmap")
	if _, err := mapbuild.Run(t.Context(), mapbuild.Options{Inputs: []string{osmtest.Extract(t, "andorra-valhalla.osm.pbf")}, Out: file, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := command(t, &out, "doctor", "--map", file, "--routing-url", engine.URL, "--json"); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	var got struct {
		OK     bool
		Checks findings
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || !got.OK {
		t.Fatalf("%v\n%s", err, out.String())
	}
	about := only(got.Checks, "engine")
	if n := about["answers"]; n.Verdict != route.Good || !strings.HasPrefix(n.Found, "version 3.9.1, tiles of ") {
		t.Errorf("%+v", n)
	}
	if n := about["3 alternatives"]; !strings.Contains(n.Found, "given") {
		t.Errorf("two towns of the map were no question: %+v", n)
	}
	for name, n := range about {
		if n.Verdict != route.Good && name != "3 alternatives" {
			t.Errorf("%+v", n)
		}
	}
	// The engine's own limits are told, with what to write.
	small := routetest.Start(t, `"max_contours": 6`, `"max_contours": 4`)
	out.Reset()
	err := command(t, &out, "doctor", "--map", file, "--routing-url", small.URL)
	if err == nil || err.Error() != "1 check failed" || !strings.Contains(out.String(), "→ write service_limits.isochrone.max_contours: 6") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// command runs a command of the program without a process.
func command(t *testing.T, out *bytes.Buffer, args ...string) error {
	t.Helper()
	root := New(Parts{Version: "test", Stdout: out, Stderr: &bytes.Buffer{}})
	root.SetArgs(args)
	return root.ExecuteContext(t.Context())
}

// TestDoctorOfTime: a clock that is behind, and data that is old.
func TestDoctorOfTime(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys.json")
	if err := os.WriteFile(keys, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	written := time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)
	if err := os.Chtimes(keys, written, written); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		now     time.Time
		verdict route.Verdict
		found   string
	}{
		{"right", written.Add(time.Hour), route.Good, "2026-11-20T13:00:00Z"},
		{"a little behind", written.Add(-4 * time.Minute), route.Good, "2026-11-20T11:56:00Z"},
		{"behind", written.Add(-72 * time.Hour), route.Bad, "was written in the future, 72h0m0s from now"},
		{"no battery", time.Unix(0, 0), route.Bad, "it is 1970-01-01T00:00:00Z, says this machine"},
	} {
		n := only(examine(context.Background(), Config{Keys: keys, Data: dir}, "", tt.now), "clock")["time"]
		if n.Verdict != tt.verdict || !strings.Contains(n.Found, tt.found) {
			t.Errorf("%s: %+v", tt.name, n)
		}
	}
}

// TestDoctorOfData: the age of the extract, not of the file.
func TestDoctorOfData(t *testing.T) {
	file := filepath.Join(t.TempDir(), "delaware.svcmap")
	if _, err := mapbuild.Run(t.Context(), mapbuild.Options{Inputs: []string{osmtest.Delaware(t)}, Out: file, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	source := x.Meta.SourceTime
	towns := townsOf(x)
	_ = x.Close()
	if len(towns) != 2 || towns[0] == towns[1] {
		t.Fatalf("towns %v", towns)
	}
	for _, tt := range []struct {
		after   time.Duration
		verdict route.Verdict
	}{{0, route.Good}, {oldData, route.Good}, {oldData + time.Hour, route.Warning}} {
		n := only(examine(context.Background(), Config{Map: file, Data: t.TempDir()}, "", source.Add(tt.after)), "map")["age"]
		if n.Verdict != tt.verdict {
			t.Errorf("after %v: %+v", tt.after, n)
		}
	}
}

// TestDoctorBesideARunningServer: a usage file that a server has open is well.
func TestDoctorBesideARunningServer(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "usage.db")
	about := func() finding {
		return only(examine(context.Background(), Config{Usage: path, Data: dir}, "", time.Now()), "usage")["usage file"]
	}
	meter := mapkey.OpenMeter(path, mapkey.MeterOptions{})
	if n := about(); n.Verdict != route.Good || !strings.Contains(n.Found, "a running server counts into it") {
		t.Errorf("while it runs: %+v", n)
	}
	if err := meter.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := about(); n.Verdict != route.Good || !strings.Contains(n.Found, "sound") {
		t.Errorf("afterwards: %+v", n)
	}
	// A pipe with that name keeps nobody waiting.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "mkfifo", path).CombinedOutput(); err != nil {
		t.Fatalf("mkfifo: %v %s", err, out)
	}
	if n := about(); n.Verdict != route.Bad || !strings.Contains(n.Found, "not a regular file") {
		t.Errorf("a pipe: %+v", n)
	}
}

// TestDoctorOfDisks: each file system that is written to is named once, from
// the nearest folder that exists.
func TestDoctorOfDisks(t *testing.T) {
	dir := t.TempDir()
	var f findings
	f.checkDisk(Config{Data: filepath.Join(dir, "not", "yet"), Usage: filepath.Join(dir, "usage.db")})
	if len(f) != 1 || !strings.HasPrefix(f[0].Found, dir+": ") {
		t.Errorf("%+v", f)
	}
}
