package mapkey

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkCheck is the decision alone, without HTTP. The target is that of the
// whole gate (map contract 15).
func BenchmarkCheck(b *testing.B) {
	c := Checker{
		Keys:  openKeys(b, `[{"key":"`+secret+`","origins":["https://*.a.example"],"rate_limit":1000000000000,"monthly_quota":1000000000000}]`),
		Meter: openMeter(b, filepath.Join(b.TempDir(), "usage.db")),
	}
	q := Request{Key: secret, Origin: "https://maps.a.example", Product: Tiles}
	b.ReportAllocs()
	for b.Loop() {
		if d := c.Check(time.Now(), q); d.Outcome != Admitted {
			b.Fatal(d.Outcome)
		}
	}
	b.ReportMetric(5000, "target-ns")
	b.ReportMetric(1000, "stretch-ns")
}

// BenchmarkFlush is one flush of a thousand busy keys into a file that holds a
// month of them; it says how much of the flush interval writing takes.
func BenchmarkFlush(b *testing.B) {
	m := openMeter(b, filepath.Join(b.TempDir(), "usage.db"))
	ids := make([]ID, 1000)
	for i := range ids {
		ids[i] = KeyID(fmt.Sprint(i))
		for h := range 24 {
			m.Admit(ids[i], Search, noon.Add(time.Duration(-h)*time.Hour), 0)
		}
	}
	flush(b, m)
	for b.Loop() {
		for _, id := range ids {
			m.Admit(id, Search, noon, 0)
			m.Admit(id, Tiles, noon, 0)
		}
		flush(b, m)
	}
	b.ReportMetric(float64(DefaultFlush.Nanoseconds()), "interval-ns")
}
