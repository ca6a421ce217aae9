package mapstyle

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"svc/web/mapstyle/mapstyletest"
)

// deaf is a response writer that costs nothing, so that the figure is ours.
type deaf struct{ h http.Header }

func (d deaf) Header() http.Header         { return d.h }
func (d deaf) Write(b []byte) (int, error) { return len(b), nil }
func (d deaf) WriteHeader(int)             {}

// BenchmarkAnswers is the time of one answer from memory. The target is 50 µs
// for a style.
func BenchmarkAnswers(b *testing.B) {
	h := New(Config{Assets: mapstyletest.Files(b)})
	for _, bm := range []struct{ name, path string }{
		{"style", "/styles/light.json?key=0123456789abcdef&lang=ru"},
		{"font", "/fonts/noto_sans_regular/1024-1279.pbf"},
		{"stack", "/fonts/noto_sans_bold,noto_sans_regular/1024-1279.pbf"},
		{"sprite", "/sprites/places@2x.png"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, bm.path, nil)
			r.Header.Set("Accept-Encoding", "gzip, deflate, br")
			w := deaf{http.Header{}}
			h.ServeHTTP(w, r) // makes what is made once
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(w, r)
			}
			b.ReportMetric(50000, "target-ns")
		})
	}
}

// BenchmarkStart is the time until the handler can answer, and with it what it
// adds to the start of the server.
func BenchmarkStart(b *testing.B) {
	files := mapstyletest.Files(b)
	for b.Loop() {
		New(Config{Assets: files})
	}
}
