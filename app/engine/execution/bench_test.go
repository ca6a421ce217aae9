package execution_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"svc/ai"
	"svc/app/api/apitest"
	"svc/app/business"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/store"
)

// BenchmarkMillion is the list of executions, by each of its filters, and the costs by every
// grouping, at a million executions over 90 days (SVC_BENCH_RECORDS says how many). It reports
// the 99th percentile of an answer. Target: below 50 ms (issue 17).
func BenchmarkMillion(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("SVC_BENCH_RECORDS"))
	if err != nil {
		n = 1_000_000
	}
	w := newWorld(b, store.Options{})
	provider := w.provider(ai.OpenAI, "OpenAI")
	shops := apitest.New(b, w.db, business.New(w.db, business.Options{}))
	shops.Org = w.Org
	shop := shops.Do("POST /ai/businesses", map[string]any{"name": "Gul"}).Want(201).String("id")
	fill(b, w, n, provider, shop)
	for _, query := range []string{
		"", "?offset=500", "?agent=DECISION", "?status=FAILED", "?mode=PLAYGROUND", "?agent=SELLER&mode=LIVE&status=SUCCEEDED", "?conversation_id=cnv_7",
		"?business_id=" + shop, "?business_id=" + shop + "&status=FAILED&offset=100",
	} {
		b.Run("executions"+query, func(b *testing.B) { w.slowest(b, "GET /ai/executions"+query) })
	}
	for _, days := range []int{1, 7, 30, 90} { // to the second, so that both ends cut an hour
		from, to := w.db.Now().AddDate(0, 0, -days).Add(11*time.Minute), w.db.Now().Add(-19*time.Minute)
		times := "?from=" + from.Format(time.RFC3339) + "&to=" + to.Format(time.RFC3339)
		b.Run(fmt.Sprintf("executions of %d days", days), func(b *testing.B) { w.slowest(b, "GET /ai/executions"+times) })
		b.Run(fmt.Sprintf("failed executions of %d days", days), func(b *testing.B) { w.slowest(b, "GET /ai/executions"+times+"&status=FAILED&offset=100") })
	}
	for _, by := range []string{"day", "agent", "model", "provider", "mode", "business"} {
		from := w.db.Now().AddDate(0, 0, -89).Format(time.RFC3339)
		b.Run("costs by "+by, func(b *testing.B) { w.slowest(b, "GET /ai/costs?group_by="+by+"&from="+from) })
	}
}

// slowest reports how long answers take.
func (w *world) slowest(b *testing.B, route string) {
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		w.Do(route, nil).Want(200)
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(50, "target-p99-ms")
}

// fill makes executions as a busy organization has them.
func fill(b *testing.B, w *world, n int, provider, shop string) {
	b.Helper()
	const chunk = 1000
	begun := time.Now()
	for at := 0; at < n; at += chunk {
		err := w.db.Update(b.Context(), func(tx *store.Tx) error {
			for i := at; i < min(at+chunk, n); i++ {
				who := []agent.Agent{agent.Seller, agent.Decision, agent.Summary, agent.Composer}[i%4]
				start := begun.Add(-time.Duration(n-i) * 90 * 24 * time.Hour / time.Duration(n))
				if err := execution.Fill(tx, w.Org, who, provider, shop, fmt.Sprint("cnv_", i/20), start, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Logf("%d executions made in %v", n, time.Since(begun).Round(time.Second))
}
