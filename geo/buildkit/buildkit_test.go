package buildkit

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// listener writes down what it hears.
type listener struct{ heard []string }

func (l *listener) Stage(name string, total int64) {
	l.heard = append(l.heard, fmt.Sprintf("%s %d", name, total))
}
func (l *listener) Add(n int64) { l.heard = append(l.heard, fmt.Sprint(n)) }
func (l *listener) Done()       { l.heard = append(l.heard, "done") }

func TestTimer(t *testing.T) {
	l := &listener{}
	now := time.Unix(1000, 0)
	timer := NewTimer(l)
	timer.now = func() time.Time { return now }
	for _, s := range []struct {
		stage string
		takes time.Duration
	}{{"read", 2 * time.Second}, {"write", 500 * time.Millisecond}, {"read", time.Second}} {
		timer.Stage(s.stage, 7)
		timer.Add(3)
		now = now.Add(s.takes)
	}
	timer.Done()
	now = now.Add(time.Hour)
	timer.Stage("write", 0) // what comes after Done counts from there
	now = now.Add(time.Second)
	timer.Done()
	if want := map[string]float64{"read": 3, "write": 1.5}; !maps.Equal(timer.Seconds(), want) {
		t.Errorf("%v, want %v", timer.Seconds(), want)
	}
	want := []string{"read 7", "3", "write 7", "3", "read 7", "3", "done", "write 0", "done"}
	if !slices.Equal(l.heard, want) {
		t.Errorf("heard %q, want %q", l.heard, want)
	}
}

// TestSilent: nobody need listen.
func TestSilent(t *testing.T) {
	timer := NewTimer(nil)
	timer.Stage("read", 1)
	timer.Add(1)
	timer.Done()
	if _, ok := timer.Seconds()["read"]; !ok {
		t.Error("the stage is not timed")
	}
}

func TestPeakMemory(t *testing.T) {
	for status, want := range map[string]int64{
		"Name:\tsvc\nVmHWM:\t   2048 kB\nVmRSS:\t  1024 kB\n": 2048 << 10,
		"Name:\tsvc\n": 0,
		"VmHWM:\n":     0,
		"VmHWM:\tx kB": 0,
	} {
		if got := peakOf(status); got != want {
			t.Errorf("%q: %d, want %d", status, got, want)
		}
	}
	if got := PeakMemory(); got < 1<<20 {
		if _, err := os.Stat("/proc/self/status"); err == nil {
			t.Errorf("this process takes %d bytes", got)
		}
	}
}

// TestBrokenList: those with the smallest ids stay, whatever order they come in.
func TestBrokenList(t *testing.T) {
	var l BrokenList
	for i := range int64(500) {
		l.AddBroken(Broken{Relation: i*271%500 + 1, Name: "x"})
	}
	if l.BrokenTotal != 500 || len(l.Broken) != maxListed {
		t.Fatalf("%d of %d", len(l.Broken), l.BrokenTotal)
	}
	for i, b := range l.Broken {
		if b.Relation != int64(i+1) {
			t.Fatalf("relation %d at place %d", b.Relation, i)
		}
	}
}

func TestOpenAll(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.osm.pbf")
	f, err := os.Create(good)
	if err != nil {
		t.Fatal(err)
	}
	if err := osmtest.Write(f, osmtest.Options{}, []osm.Node{{ID: 1, Lat: 1, Lon: 1}}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := OpenAll([]string{good, good})
	if err != nil || len(files) != 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	CloseAll(files)
	if files[1].Close() == nil {
		t.Error("a file is still open")
	}
	files, err = OpenAll([]string{good, filepath.Join(dir, "lost.osm.pbf")})
	if files != nil || err == nil || !strings.Contains(err.Error(), "lost.osm.pbf") {
		t.Errorf("%v, %v", files, err)
	}
}
