package route

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
)

// filled is head, item after item, and tail: almost size bytes.
func filled(size int, head, item, tail string) []byte {
	n := (size - len(head) - len(tail) - len(item)) / (len(item) + 1)
	return []byte(head + strings.Repeat(item+",", n) + item + tail)
}

// TestBombs: an answer within the bytes that one may have, made to be gigabytes
// when it is decoded, is refused before that.
func TestBombs(t *testing.T) {
	const size = MaxAnswer - 1<<20
	line := strings.Repeat("??", size/2)
	readers := map[string]func([]byte) error{
		"route": func(b []byte) error { _, err := readRoute(b, Request{Language: uzbek, Alternatives: 3}); return err },
		"matrix": func(b []byte) error {
			_, err := readMatrix(b, MatrixRequest{Sources: make([]Point, 1), Targets: make([]Point, 1)})
			return err
		},
		"isochrone": func(b []byte) error { _, err := readIsochrone(b, IsochroneRequest{}); return err },
	}
	properties := strings.Builder{}
	for i := range 100_000 {
		_, _ = fmt.Fprintf(&properties, `,"%x":1`, i)
	}
	for _, tt := range []struct {
		name, call string
		body       []byte
	}{
		{"manoeuvres", "route", filled(size, `{"trip":{"legs":[{"shape":"????","maneuvers":[`, `{}`, `]}],"summary":{}}}`)},
		{"legs", "route", filled(size, `{"trip":{"legs":[`, `{}`, `],"summary":{}}}`)},
		{"legs with lines", "route", filled(size, `{"trip":{"legs":[`, `{"shape":"??"}`, `],"summary":{}}}`)},
		{"one leg with many lines", "route", filled(size, `{"trip":{"legs":[{`, `"shape":"??"`, `}]}}`)},
		{"alternates", "route", filled(size, `{"trip":{},"alternates":[`, `{}`, `]}`)},
		{"warnings", "route", filled(size, `{"trip":{"legs":[{"shape":"??"}],"warnings":[`, `{}`, `]}}`)},
		{"names", "route", filled(size, `{"trip":{"legs":[{"shape":"??","maneuvers":[{"street_names":[`, `""`, `]}]}]}}`)},
		{"a line", "route", []byte(`{"trip":{"legs":[{"shape":"` + line + `"}]}}`)},
		{"a line after a blank", "route", []byte(`{"trip":{"legs":[{"shape": "` + line + `"}]}}`)},
		{"depth", "route", []byte(strings.Repeat("[", size))},
		{"cells", "matrix", filled(size, `{"sources_to_targets":{"durations":[[`, `1`, `]],"distances":[[1]]}}`)},
		{"rows", "matrix", filled(size, `{"sources_to_targets":{"durations":[`, `[]`, `],"distances":[[1]]}}`)},
		{"features", "isochrone", filled(size, `{"type":"FeatureCollection","features":[`, `{}`, `]}`)},
		{"properties", "isochrone", []byte(`{"type":"FeatureCollection","features":[{"geometry":{"type":"Polygon","coordinates":[[[1,2]]]},"properties":{"a":1` + properties.String() + `}}]}`)},
		{"deep coordinates", "isochrone", []byte(`{"type":"FeatureCollection","features":[{"geometry":{"type":"Polygon","coordinates":` + strings.Repeat("[", 9000) + "1" + strings.Repeat("]", 9000) + `}}]}`)},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := readers[tt.call](tt.body)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || took > 128 {
			t.Errorf("%s: %v, with %d MB of memory", tt.name, err, took)
		}
	}
}

// TestWarningsAreFew: what is passed on is bounded too.
func TestWarningsAreFew(t *testing.T) {
	a, err := readRoute(filled(3000, `{"trip":{"legs":[{"shape":"??"}],"warnings":[`, `{"text":"x"}`, `]}}`), Request{})
	if err != nil || len(a.Warnings) != maxWarnings {
		t.Errorf("%v, %d warnings", err, len(a.Warnings))
	}
}

// TestAnswersByCall: a matrix and contours are never as long as routes, and a
// refusal is a sentence.
func TestAnswersByCall(t *testing.T) {
	status := http.StatusOK
	sent := 0
	s := engine(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = w.Write(filled(sent, `{"error":"no way","more":[`, "1", "]}"))
	})
	c := &Client{BaseURL: s.URL}
	matrix := func() error {
		_, err := c.Matrix(t.Context(), MatrixRequest{Sources: here.Points, Targets: here.Points})
		return err
	}
	isochrone := func() error {
		_, err := c.Isochrone(t.Context(), IsochroneRequest{Point: here.Points[0], Minutes: []float64{5}})
		return err
	}
	for _, tt := range []struct {
		ask    func() error
		status int
		bytes  int
		want   string
	}{
		{matrix, 200, 5 << 20, "routing engine unavailable: its answer is larger than 4 MB"},
		{isochrone, 200, 9 << 20, "routing engine unavailable: its answer is larger than 8 MB"},
		{matrix, 400, 100, "matrix: no way"},
		{matrix, 400, 5 << 20, "matrix: HTTP 400"},
	} {
		status, sent = tt.status, tt.bytes
		if err := tt.ask(); err == nil || err.Error() != tt.want {
			t.Errorf("%v, want %s", err, tt.want)
		}
	}
}

// TestKeysAreShort: a question of any length is remembered in 32 bytes while it
// is asked.
func TestKeysAreShort(t *testing.T) {
	release := make(chan struct{})
	s := engine(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-release
		_, _ = io.WriteString(w, small)
	})
	c := &Client{BaseURL: s.URL}
	done := make(chan error)
	go func() {
		_, err := c.Route(context.Background(), here)
		done <- err
	}()
	waitFor(t, func() bool { return c.waiting() == 1 })
	c.flights.mu.Lock()
	for key := range c.flights.by {
		if len(key) != 32 {
			t.Errorf("a key of %d bytes", len(key))
		}
	}
	c.flights.mu.Unlock()
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestNoDecodingAfterTheEnd: an answer whose time is over is not decoded.
func TestNoDecodingAfterTheEnd(t *testing.T) {
	c := &Client{}
	c.enter()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.decode(ctx, nil, func([]byte) (any, error) {
		t.Error("it was decoded")
		return nil, nil
	})
	if own := new(Error); !errors.As(err, &own) || !own.Unavailable {
		t.Errorf("%v", err)
	}
}
