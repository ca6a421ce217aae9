package recipient_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/app/org"
	"svc/app/recipient"
)

// memoryTarget is what a process may take while ten imports of nine megabytes are sent to
// it at once (messaging decisions, 21.3; before, it took 2,961 MB).
const memoryTarget = 500 // MB

// BenchmarkImportMemory sends ten files of nine megabytes at once, each of another
// organization, and reports the most memory that the process had from the system and
// did not give back.
func BenchmarkImportMemory(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(200)) // as a server has it
	const size = 9 << 20
	rows := "username" + strings.Repeat(",a", 199) + "\n"
	for len(rows) < size {
		rows += fmt.Sprintf("user_%d%s\n", len(rows), strings.Repeat(",", 180)) + rows[:min(len(rows), 1<<20)]
	}
	cells := "username"
	for n := range 90 {
		cells += fmt.Sprintf(",c%d", n)
	}
	var many strings.Builder
	many.WriteString(cells + "\n")
	for n := 0; many.Len() < size; n++ {
		fmt.Fprintf(&many, "user_%d%s\n", n, strings.Repeat(",x", 90))
	}
	for _, tt := range []struct{ name, content string }{
		{"commas", strings.Repeat(",", size)}, {"rows_of_commas", rows[:size]}, {"small_cells", many.String()}, {"people", peopleCSV(0, 100_000)},
	} {
		b.Run(tt.name, func(b *testing.B) {
			for b.Loop() {
				h := newHouse(b, recipient.Options{})
				runtime.GC()
				debug.FreeOSMemory()
				before := resident()
				peak := watch()
				var all sync.WaitGroup
				for range 10 {
					one := *h
					server := *h.Server
					server.Org = newOrg(b, h.db, org.Enterprise)
					one.Server = &server
					all.Go(func() { one.upload(tt.content, map[string]string{"dry_run": "true"}) })
				}
				all.Wait()
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(peak()-before)/1e6, "peak-MB")
				b.ReportMetric(memoryTarget, "target-MB")
			}
		})
	}
}

// resident is the memory that the process has from the system.
func resident() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// watch looks at the memory until peak is asked for.
func watch() (peak func() uint64) {
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		var high uint64
		for {
			high = max(high, resident())
			select {
			case <-tick.C:
			case <-stop:
				most <- high
				return
			}
		}
	}()
	return func() uint64 {
		close(stop)
		return <-most
	}
}
