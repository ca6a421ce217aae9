package doctor

import (
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
)

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
		n := only(Examine(t.Context(), &Subject{Keys: keys, Data: dir}, tt.now), "clock")["time"]
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
		n := only(Examine(t.Context(), &Subject{Map: file, Data: t.TempDir()}, source.Add(tt.after)), "map")["age"]
		if n.Verdict != tt.verdict {
			t.Errorf("after %v: %+v", tt.after, n)
		}
	}
}

// TestDoctorBesideARunningServer: a usage file that a server has open is well.
func TestDoctorBesideARunningServer(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "usage.db")
	about := func() Finding {
		return only(Examine(t.Context(), &Subject{Usage: path, Data: dir}, time.Now()), "usage")["usage file"]
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
