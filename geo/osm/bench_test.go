//go:build unix

package osm_test

import (
	"context"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	paulmach "github.com/paulmach/osm"
	"github.com/paulmach/osm/osmpbf"

	"svc/geo/osm"
	"svc/geo/osm/osmtest"
)

// benchExtract gives the big extract when it is there, else Delaware.
func benchExtract(b *testing.B) string {
	dir := os.Getenv("SVC_TEST_OSM")
	if dir == "" {
		dir = "../../../shared/osm"
	}
	path := dir + "/bench-merged-22-areas.osm.pbf"
	if _, err := os.Stat(path); err == nil {
		return path
	}
	return osmtest.Delaware(b)
}

// cpuTime gives the processor time of this process.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkScan reads all objects of an extract. Target: 25 MB of source a
// core-second, stretch 40.
func BenchmarkScan(b *testing.B) {
	path := benchExtract(b)
	b.Run("svc", func(b *testing.B) { perCore(b, path, scanOurs) })
	b.Run("paulmach", func(b *testing.B) { perCore(b, path, scanPaulmach) })
}

func perCore(b *testing.B, path string, scan func(*testing.B, string) int) {
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	objects := 0
	start := cpuTime(b)
	for b.Loop() {
		objects = scan(b, path)
	}
	spent := cpuTime(b) - start
	b.ReportMetric(float64(info.Size())*float64(b.N)/1e6/spent.Seconds(), "MB/core-s")
	b.ReportMetric(25, "target-MB/core-s")
	b.ReportMetric(float64(objects), "objects")
}

func scanOurs(b *testing.B, path string) int {
	f, err := osm.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	total := 0
	err = osm.Scan(context.Background(), f, osm.Nodes|osm.Ways|osm.Relations, nil,
		func(bl *osm.Block) (int, error) { return len(bl.Nodes) + len(bl.Ways) + len(bl.Relations), nil },
		func(n int) error { total += n; return nil })
	if err != nil {
		b.Fatal(err)
	}
	return total
}

func scanPaulmach(b *testing.B, path string) int {
	f, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	s := osmpbf.New(context.Background(), f, runtime.GOMAXPROCS(0))
	defer s.Close()
	total := 0
	for s.Scan() {
		var _ paulmach.Object = s.Object()
		total++
	}
	if err := s.Err(); err != nil {
		b.Fatal(err)
	}
	return total
}
