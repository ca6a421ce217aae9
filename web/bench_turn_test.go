package web_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"svc/web/webtest"
)

// BenchmarkTurn is what a turn of the seller costs: in the playground, one after the other, with
// a model that answers at once; and live, 200 conversations at once with a model that takes two
// seconds. Requests to the model go over HTTP to its simulator, which is part of the figures.
// Targets (design of the AI, F): p50 below 8 ms, p99 below 20 ms; 95 turns a second.
func BenchmarkTurn(b *testing.B) {
	const people = 200
	s := openShop(b, webtest.Options{AICalls: people})
	play := &conversationPlay{shop: s, t: b, always: true}
	play.set("settings", "{}")
	play.set("business", "{}")
	script := func(pace string) {
		play.decide = map[string]any{"intent": "PRICE", "scenario": "PRICING", "next_action": "QUOTE_PRICE", "interest": "MEDIUM"}
		play.models = []string{`{"reply": "101 ta atirgul narxi 1 400 000 soʻm.", "language": "uz", "action": "QUOTE_PRICE"}`}
		play.script(pace)
	}
	b.Run("playground", func(b *testing.B) {
		script("")
		var took []time.Duration
		for b.Loop() {
			begun := time.Now()
			s.api.Do("POST /ai/playground/run", map[string]any{
				"business_id": s.business, "messages": []any{map[string]any{"author": "CUSTOMER", "text": "101 ta atirgul narxi qancha?"}},
			}).Want(200)
			took = append(took, time.Since(begun))
		}
		slices.Sort(took)
		ms := func(at int) float64 { return float64(took[len(took)*at/100].Microseconds()) / 1000 }
		b.ReportMetric(ms(50), "p50-ms/8")
		b.ReportMetric(ms(99), "p99-ms/20")
	})
	b.Run("together", func(b *testing.B) {
		script("slow 2s ")
		asked := 0
		for b.Loop() {
			b.StopTimer()
			for range people {
				asked++
				play.person = fmt.Sprintf("demo_user_%d5", 100+asked)
				play.says("101 ta atirgul narxi qancha?")
			}
			s.act(b, "settle", "")
			b.StartTimer()
			s.act(b, "advance", "8s")
			s.act(b, "settle", "")
			done := s.api.Do("GET /ai/executions?agent=SELLER&mode=LIVE&status=SUCCEEDED&limit=1", nil).Want(200)
			if n := done.Int("total"); n != asked {
				b.Fatalf("%d turns of %d", n, asked)
			}
		}
		b.ReportMetric(people*float64(b.N)/b.Elapsed().Seconds(), "turns/s")
		b.ReportMetric(95, "target-turns/s")
	})
}
