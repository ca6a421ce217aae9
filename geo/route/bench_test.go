package route

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// appendDifference is the inverse of difference.
func appendDifference(dst []byte, v int64) []byte {
	bits := uint64(v) << 1
	if v < 0 {
		bits = ^bits
	}
	for bits >= 32 {
		dst = append(dst, byte(bits&31|32)+63)
		bits >>= 5
	}
	return append(dst, byte(bits)+63)
}

// encodePolyline is the inverse of appendPolyline.
func encodePolyline(g Geometry) string {
	var out []byte
	var before Coord
	for _, c := range g {
		out = appendDifference(out, int64(c.Lat)-int64(before.Lat))
		out = appendDifference(out, int64(c.Lon)-int64(before.Lon))
		before = c
	}
	return string(out)
}

// longAnswer is an engine's answer to a route of 1,000 km: the measures of a
// real one from the same engine are a point each 50 to 70 metres on country
// roads and a manoeuvre each 4 to 8 kilometres, in all the engine's fields. The
// engine writes sentences for languages other than Uzbek only.
func longAnswer(sentences bool) []byte {
	const points, manoeuvres = 18_000, 200
	random := rand.New(rand.NewPCG(1, 2))
	g := Geometry{{69_240_000, 41_310_000}}
	for range points - 1 {
		last := g[len(g)-1]
		g = append(g, Coord{last.Lon - 700 + int32(random.IntN(400)), last.Lat - 200 + int32(random.IntN(400))})
	}
	var b strings.Builder
	b.WriteString(`{"trip":{"locations":[{"type":"break","lat":41.31,"lon":69.24,"original_index":0},{"type":"break","lat":38.86,"lon":60.1,"original_index":1}],"legs":[{"maneuvers":[`)
	for i := range manoeuvres {
		if i > 0 {
			b.WriteByte(',')
		}
		kind := []int{10, 15, 26, 27, 8, 9, 23}[i%7]
		said := `"instruction":""`
		if sentences {
			said = fmt.Sprintf(`"instruction":"Turn right onto Amir Temur koʻchasi/M %d. Continue on M %d.","verbal_transition_alert_instruction":"Turn right onto Amir Temur koʻchasi.","verbal_succinct_transition_instruction":"Turn right.","verbal_pre_transition_instruction":"Turn right onto Amir Temur koʻchasi, M %d.","verbal_post_transition_instruction":"Continue on M %d for 5 kilometers."`,
				i%9, i%9, i%9, i%9)
		}
		fmt.Fprintf(&b, `{"type":%d,%s,"street_names":["M %d"],"begin_street_names":["Amir Temur koʻchasi","M %d"],"bearing_before":253,"bearing_after":289,"time":%d.17,"length":%d.654,"cost":156.291,"begin_shape_index":%d,"end_shape_index":%d,"travel_mode":"drive","travel_type":"car"}`,
			kind, said, i%9, i%9, 200+i, i%9, i*points/manoeuvres, min((i+1)*points/manoeuvres, points-1))
	}
	shape, _ := json.Marshal(encodePolyline(g))
	const sums = `"summary":{"has_time_restrictions":false,"has_toll":false,"has_highway":true,"has_ferry":false,"min_lat":38.5,"min_lon":60.1,"max_lat":41.3,"max_lon":69.2,"time":43210.929,"length":1000.433,"cost":51861.64}`
	fmt.Fprintf(&b, `],%s,"shape":%s}],%s,"status_message":"Found route between points","status":0,"units":"kilometers","language":"en-US"}}`, sums, shape, sums)
	return []byte(b.String())
}

// BenchmarkOverhead is what the server adds to the engine's own answer for a
// route of 1,000 km: reading the answer, building ours, writing it. Target:
// below 2 ms (issue 3, section 4).
func BenchmarkOverhead(b *testing.B) {
	for _, language := range []string{"en", "uz"} {
		body := longAnswer(language != "uz")
		b.Run(language, func(b *testing.B) {
			b.ReportAllocs()
			size := 0
			var dst []byte
			for b.Loop() {
				a, err := readRoute(body, Request{Mode: Car, Language: language})
				if err != nil {
					b.Fatal(err)
				}
				if dst, err = a.AppendJSON(dst[:0]); err != nil {
					b.Fatal(err)
				}
				size = len(dst)
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/route")
			b.ReportMetric(2, "target-ms/route")
			b.ReportMetric(float64(len(body))/1e3, "kB-in")
			b.ReportMetric(float64(size)/1e3, "kB-out")
		})
	}
}

// BenchmarkWholeCall is the same with everything around it: the request, the
// connection to an engine that answers at once, its 400 kB. The ratio to
// "bare", which only reads the answer, is what the client costs.
func BenchmarkWholeCall(b *testing.B) {
	body := longAnswer(true)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
	defer s.Close()
	c := &Client{BaseURL: s.URL}
	r := Request{Points: []Point{{69.24, 41.31}, {60.1, 38.86}}, Mode: Car, Language: "en"}
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if _, err := c.exchange(context.Background(), "route", "/route", []byte(`{}`)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			a, err := c.Route(context.Background(), r)
			if err != nil {
				b.Fatal(err)
			}
			if _, err = a.AppendJSON(nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
