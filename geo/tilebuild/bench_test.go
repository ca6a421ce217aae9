package tilebuild

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"svc/geo/osm/osmtest"
)

// BenchmarkBuild builds zooms 0 to 14. Targets (map contract 15): 0.7 MB of
// source a core-second, stretch 1.2; peak memory at most 4 times the source and
// 300 MB, stretch 2 times. Memory is that of the whole process: run it alone.
func BenchmarkBuild(b *testing.B) {
	for _, name := range []string{"malta.osm.pbf", "bench-merged-22-areas.osm.pbf"} {
		b.Run(name, func(b *testing.B) {
			in := osmtest.Extract(b, name)
			info, err := os.Stat(in)
			if err != nil {
				b.Fatal(err)
			}
			var peak int64
			began := coreSeconds(b)
			for b.Loop() {
				r, err := Run(context.Background(), Options{Inputs: []string{in}, Out: filepath.Join(b.TempDir(), "a.pmtiles")})
				if err != nil {
					b.Fatal(err)
				}
				peak = r.PeakBytes
			}
			source := float64(info.Size()) / 1e6
			b.ReportMetric(source*float64(b.N)/(coreSeconds(b)-began), "MB/core-s(target_0.7,stretch_1.2)")
			b.ReportMetric(float64(peak)/1e6, "MB-peak")
			b.ReportMetric(4*source+300, "MB-peak-target")
			b.ReportMetric(2*source+300, "MB-peak-stretch")
		})
	}
}

// coreSeconds is the time of processors that this process has used.
func coreSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(u.Utime) + seconds(u.Stime)
}
