package recipient_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"svc/app/org"
	"svc/app/recipient/recipienttest"
)

// What one POST /recipients may cost (issue 14, what a write costs).
const (
	createWritesTarget = 60.0  // KB that it writes
	createBytesTarget  = 800.0 // bytes by which the database grows
)

// BenchmarkCreate creates people one after the other, and by 64 callers at a time, in an
// organization that has many, and prints what each costs: time, bytes written by the
// process, and bytes of the database.
func BenchmarkCreate(b *testing.B) {
	h := recipienttest.New(b).Work()
	h.Org = recipienttest.NewOrg(b, h.DB, org.Enterprise)
	h.Upload(recipienttest.PeopleCSV(0, 50_000), nil).Want(201)
	h.Idle()
	made := atomic.Int64{}
	create := func() {
		n := made.Add(1)
		body := fmt.Sprintf(`{"messenger_id":%d,"username":"created_%d","first_name":"Anna %d","last_name":"Karimova","consent_status":"OPTED_IN","tags":["vip"],"language":"uz"}`,
			9_000_000_000+n, n, n)
		h.Do("POST /recipients", body).Want(201)
	}
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprint(callers), func(b *testing.B) {
			size, written, first := sizeOf(h, b), writtenBytes(b), made.Load()
			b.ResetTimer()
			var all sync.WaitGroup
			for range callers {
				all.Go(func() {
					for range (b.N + callers - 1) / callers {
						create()
					}
				})
			}
			all.Wait()
			b.StopTimer()
			n := float64(made.Load() - first)
			b.ReportMetric(float64(writtenBytes(b)-written)/n/1e3, "written-KB")
			b.ReportMetric(createWritesTarget, "target-KB")
			b.ReportMetric(float64(sizeOf(h, b)-size)/n, "grown-B")
			b.ReportMetric(createBytesTarget, "target-B")
		})
	}
}

// sizeOf is that of the database in bytes, with everything in its file.
func sizeOf(h *recipienttest.Harness, b *testing.B) int64 {
	b.Helper()
	if err := h.DB.Check(b.Context()); err != nil {
		b.Fatal(err)
	}
	n, err := h.DB.Size()
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// writtenBytes is what the process gave to the system to write so far.
func writtenBytes(b *testing.B) (n int64) {
	b.Helper()
	data, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Skip("the system does not tell what is written: ", err)
	}
	for line := range strings.Lines(string(data)) {
		_, _ = fmt.Sscanf(line, "wchar: %d", &n)
	}
	return n
}
