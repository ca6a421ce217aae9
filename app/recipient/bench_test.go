package recipient_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/app/org"
	"svc/app/recipient/recipienttest"
)

// The figures of the messaging core (issue 4, 6) beside their targets. Run with
// -benchtime=1x; SVC_BENCH_RECORDS is how many recipients there are, 100,000 when
// it is not set.

// pageTarget is the p99 of a page at a million.
const pageTarget = 10 * time.Millisecond

func benchRecords() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_RECORDS")); err == nil {
		return n
	}
	return 100_000
}

// BenchmarkList is pages of 50 at SVC_BENCH_RECORDS recipients, through the whole
// operation: decoding, filter, totals, names of lists, JSON.
func BenchmarkList(b *testing.B) {
	h := recipienttest.New(b).Work()
	h.Org = recipienttest.NewOrg(b, h.DB, org.Enterprise)
	for from := 0; from < benchRecords(); from += 100_000 {
		n := min(100_000, benchRecords()-from)
		fields := map[string]string{"new_list_name": fmt.Sprint("List ", from)}
		h.Upload(recipienttest.PeopleCSV(from, n), fields).Want(201)
	}
	list := h.Do("GET /lists?limit=1", nil).Want(200).String("data.0.id")
	now := h.DB.Now()
	hour := now.Truncate(time.Hour)
	for _, q := range []struct{ name, query string }{
		{"newest", ""},
		{"any_offset", "offset=%d"},
		{"consent", "consent_status=OPTED_IN"},
		{"three_filters", "consent_status=AUTHORIZED&language=ru&tag=tag7"},
		{"list_and_tag", "tag=tag3&list_id=" + list},
		{"not_suppressed_created", "suppressed=false&created_from=" + hour.Add(-time.Hour).Format(time.RFC3339) + "&created_to=" + hour.Add(time.Hour).Format(time.RFC3339)},
		{"created_within_the_hour", "created_from=" + hour.Format(time.RFC3339) + "&created_to=" + now.Format(time.RFC3339Nano)},
		{"by_name", "sort=first_name"},
		{"filtered_by_name", "sort=first_name&tag=tag9&language=uz"},
		{"q_username_2", "q=ol"},
		{"q_username_7", "q=olga_12"},
		{"q_name_2", "q=al"},
		{"q_name_3", "q=%D0%B4%D0%B8%D0%BB"},
		{"q_name_cyrillic", "q=%D0%BC%D0%B0%D0%BB%D0%B8%D0%BA%D0%B0"},
		{"q_name_first_last", "q=dilshod+surname12"},
		{"q_last_name", "q=surname123"},
		{"q_id_2", "q=12"},
		{"q_id_5", "q=12345"},
	} {
		b.Run(q.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				took = took[:0]
				for i := range 200 {
					query := q.query
					if strings.Contains(query, "%d") {
						query = fmt.Sprintf(query, i*7919%max(1, benchRecords()-50))
					}
					took = append(took, recipienttest.Timed(b, func() { h.Do("GET /recipients?"+query, nil).Want(200) }))
				}
			}
			slices.Sort(took)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
			b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "p99-ms")
			b.ReportMetric(pageTarget.Seconds()*1000, "target-ms")
		})
	}
	b.Run("newest_8_connections", func(b *testing.B) { benchConnections(b, h.Server) })
}

// benchConnections asks for a page over eight connections at once, each of which asks
// again when it has its answer. In one process without connections a caller would keep
// its processor for ten milliseconds, and the others would wait for as long.
func benchConnections(b *testing.B, pages http.Handler) {
	const connections, each = 8, 500
	server := httptest.NewServer(pages)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	var took []time.Duration
	for b.Loop() {
		took = make([]time.Duration, connections*each)
		var all sync.WaitGroup
		for c := range connections {
			all.Go(func() {
				for i := range each {
					begin := time.Now()
					resp, err := client.Get(server.URL + "/recipients?limit=50")
					if err != nil {
						b.Error(err)
						return
					}
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
					took[c*each+i] = time.Since(begin)
				}
			})
		}
		all.Wait()
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(p50.Seconds()*1000, "p50-ms")
	b.ReportMetric(p99.Seconds()*1000, "p99-ms")
	b.ReportMetric(float64(p99)/float64(p50), "p99/p50")
	b.ReportMetric(5, "target-p99/p50")
}
