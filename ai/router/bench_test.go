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

// instant answers after a while, and notes when each request arrived at the wire.
type instant struct{ after time.Duration }

const instantBody = `{"id":"c","model":"m","choices":[{"finish_reason":"stop","message":{"content":"ok"}}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`

func (i instant) RoundTrip(r *http.Request) (*http.Response, error) {
	if stamp, ok := r.Context().Value(stampKey{}).(*time.Time); ok {
		*stamp = time.Now()
	}
	if i.after > 0 {
		<-time.After(i.after)
	}
	_ = r.Body.Close()
	return &http.Response{
		StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
		Body: io.NopCloser(strings.NewReader(instantBody)), ContentLength: int64(len(instantBody)),
	}, nil
}

type stampKey struct{}

// answersIn is how long a model takes: a quick one.
const answersIn = 100 * time.Millisecond

// BenchmarkOverhead is the time between the call and the wire at 200 concurrent calls,
// with the router and bare, and what a call allocates. Targets: p99 below 1 ms, less than
// 64 KiB a call beyond its body (issue 17). Saturated is the same over a wire that takes no
// time: there the calls wait for a processor, with the router and bare alike.
func BenchmarkOverhead(b *testing.B) {
	b.Run("at work", func(b *testing.B) { overheads(b, answersIn) })
	b.Run("saturated", func(b *testing.B) { overheads(b, 0) })
}

func overheads(b *testing.B, wire time.Duration) {
	p := providers.Over(instant{wire}).Open(ai.Config{Kind: ai.OpenAI, Key: "k"})
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
		b.Run(name, func(b *testing.B) { overhead(b, call, wire > 0) })
	}
}

func overhead(b *testing.B, call func(context.Context) error, target bool) {
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
	if target {
		b.ReportMetric(1000, "target-µs")
	}
	b.ReportMetric(float64(behind.TotalAlloc-before.TotalAlloc)/float64(calls)/1024, "KiB/call")
	b.ReportMetric(64, "target-KiB")
}
