package recipient_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
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
// it at once (contract 21.3; before, it took 2,961 MB).
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
				body, contentType := formOf(b, tt.content) // the senders are in this process too
				runtime.GC()
				debug.FreeOSMemory()
				before := resident()
				peak := watch()
				var all sync.WaitGroup
				for range 10 {
					server := *h.Server
					server.Org = newOrg(b, h.db, org.Enterprise)
					all.Go(func() { server.Do("POST /recipients/import", body, "Content-Type", contentType) })
				}
				all.Wait()
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(float64(peak()-before)/1e6, "peak-MB")
				b.ReportMetric(memoryTarget, "target-MB")
			}
		})
	}
}

// formOf is a form with a file that is looked through.
func formOf(b *testing.B, content string) (body []byte, contentType string) {
	b.Helper()
	out := bytes.NewBuffer(make([]byte, 0, len(content)+1024))
	w := multipart.NewWriter(out)
	file, err := w.CreateFormFile("file", "people.csv")
	if err == nil {
		_, err = io.WriteString(file, content)
	}
	if err := errors.Join(err, w.WriteField("dry_run", "true"), w.Close()); err != nil {
		b.Fatal(err)
	}
	return out.Bytes(), w.FormDataContentType()
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
