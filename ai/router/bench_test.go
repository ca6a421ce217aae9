package router_test

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/router"
)

// instant answers at once, and notes when each request arrived at the wire.
type instant struct{}

const instantBody = `{"id":"c","model":"m","choices":[{"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`

func (instant) RoundTrip(r *http.Request) (*http.Response, error) {
	if stamp, ok := r.Context().Value(stampKey{}).(*time.Time); ok {
		*stamp = time.Now()
	}
	_ = r.Body.Close()
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(instantBody)), ContentLength: int64(len(instantBody)),
	}, nil
}

type stampKey struct{}

// BenchmarkOverhead is the time between the call and the wire at 200 concurrent calls,
// with the router and bare, and what a call allocates. Targets: p99 below 1 ms, less than
// 64 KiB a call beyond its body (issue 17).
func BenchmarkOverhead(b *testing.B) {
	p := providers.Over(instant{}).Open(ai.Config{Kind: ai.OpenAI, Key: "k"})
	request := ai.Request{
		Model: "m", System: strings.Repeat("You are brief. ", 100), MaxTokens: 100,
		Messages: []ai.Message{{Role: ai.User, Text: strings.Repeat("How much is it? ", 20)}},
	}
	r := router.New(router.Options{Slots: 256})
	chain := []router.Entry{{Provider: "a", Model: "m", Handle: p}}
	for name, call := range map[string]func(context.Context) error{
		"router": func(ctx context.Context) error {
			_, _, err := r.Run(ctx, router.Plan{Chain: chain, Request: request})
			return err
		},
		"bare": func(ctx context.Context) error {
			_, err := p.Generate(ctx, request)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) { overhead(b, call) })
	}
}

func overhead(b *testing.B, call func(context.Context) error) {
	const at, each = 200, 50
	var all []time.Duration
	var before, behind runtime.MemStats
	calls := 0
	runtime.ReadMemStats(&before)
	for b.Loop() {
		took := make([][]time.Duration, at)
		var group sync.WaitGroup
		for i := range at {
			group.Go(func() {
				for range each {
					var wire time.Time
					begun := time.Now()
					if err := call(context.WithValue(context.Background(), stampKey{}, &wire)); err != nil {
						b.Error(err)
						return
					}
					took[i] = append(took[i], wire.Sub(begun))
					runtime.Gosched()
				}
			})
		}
		group.Wait()
		calls += at * each
		all = slices.Concat(append([][]time.Duration{all}, took...)...)
	}
	runtime.ReadMemStats(&behind)
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
	b.ReportMetric(1000, "target-µs")
	b.ReportMetric(float64(behind.TotalAlloc-before.TotalAlloc)/float64(calls)/1024, "KiB/call")
	b.ReportMetric(64, "target-KiB")
}
