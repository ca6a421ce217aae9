package gate

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"svc/app/mapkey"
)

// deaf is a response writer that costs nothing, so that the figure is the gate's.
type deaf struct{ h http.Header }

func (d deaf) Header() http.Header         { return d.h }
func (d deaf) Write(b []byte) (int, error) { return len(b), nil }
func (d deaf) WriteHeader(int)             {}

// targets are those of map contract 15, in nanoseconds.
func targets(b *testing.B) {
	b.Helper()
	b.ReportMetric(5000, "target-ns")
	b.ReportMetric(1000, "stretch-ns")
}

// benchGate is a gate with every check at work: a thousand keys, an allowlist
// with wildcards, a rate limit, a quota and metering.
func benchGate(b *testing.B) (http.Handler, func() *http.Request) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "keys.json")
	text := `[{"key":"0123456789abcdef0123456789abcdef","origins":["https://a.example","https://*.b.example"],` +
		`"rate_limit":1000000000000,"monthly_quota":1000000000000}`
	for i := range 999 {
		text += fmt.Sprintf(`,{"key":"%032x"}`, i)
	}
	if err := os.WriteFile(path, []byte(text+"]"), 0o600); err != nil {
		b.Fatal(err)
	}
	keys, err := mapkey.OpenKeys(path, mapkey.KeyOptions{})
	if err != nil {
		b.Fatal(err)
	}
	meter := mapkey.OpenMeter(filepath.Join(b.TempDir(), "usage.db"), mapkey.MeterOptions{})
	b.Cleanup(func() { _ = meter.Close(b.Context()) })
	served := 0
	next := New(Config{Keys: keys, Require: true, Meter: meter}).Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served++ }))
	request := func() *http.Request {
		r, err := http.NewRequest("GET", "/tiles/14/11343/6124.pbf?key=0123456789abcdef0123456789abcdef", nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Origin", "https://maps.b.example")
		r.Header.Set("Referer", "https://maps.b.example/page")
		return r
	}
	next.ServeHTTP(deaf{http.Header{}}, request())
	if served != 1 {
		b.Fatal("the benchmark's request is refused")
	}
	return New(Config{Keys: keys, Require: true, Meter: meter}).Wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})), request
}

// BenchmarkGate is one admitted request through CORS, path, key, origin, bucket,
// quota and counter.
func BenchmarkGate(b *testing.B) {
	next, request := benchGate(b)
	r, w := request(), deaf{http.Header{}}
	b.ReportAllocs()
	for b.Loop() {
		next.ServeHTTP(w, r)
	}
	targets(b)
}

// BenchmarkGateParallel is the same on every core at once with one key, the
// worst case for its locks.
func BenchmarkGateParallel(b *testing.B) {
	next, request := benchGate(b)
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		r, w := request(), deaf{http.Header{}}
		for pb.Next() {
			next.ServeHTTP(w, r)
		}
	})
	targets(b)
}

// BenchmarkGateRefused is a request that is refused for its origin.
func BenchmarkGateRefused(b *testing.B) {
	next, request := benchGate(b)
	r, w := request(), deaf{http.Header{}}
	r.Header.Set("Origin", "https://evil.example")
	b.ReportAllocs()
	for b.Loop() {
		next.ServeHTTP(w, r)
	}
	targets(b)
}
