package channel_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/channel"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/storetest"
)

// BenchmarkIntake is the time from a webhook of 1 KB to its 200 with 64 senders, while others are
// taken in (section 7: 2,000 a second, p99 below 50 ms).
func BenchmarkIntake(b *testing.B) {
	const senders = 64
	w := open(b, b.TempDir(), "", true)
	filler := strings.Repeat("x", 700)
	took := make([][]time.Duration, senders)
	var next atomic.Int64
	begun := time.Now()
	b.ResetTimer()
	var group sync.WaitGroup
	for i := range senders {
		group.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				body := bodyOf(said{external, fmt.Sprint(1000 + i), "m_" + fmt.Sprint(n), filler, time.Now()})
				sent := time.Now()
				w.post(body).Want(200)
				took[i] = append(took[i], time.Since(sent))
			}
		})
	}
	group.Wait()
	b.StopTimer()
	accepted := time.Since(begun)
	for due := true; due; {
		storetest.View(b, w.a.DB, func(tx *store.Tx) (err error) {
			due, err = channel.Due(tx)
			return err
		})
		<-time.After(time.Millisecond)
	}
	b.ReportMetric(float64(b.N)/time.Since(begun).Seconds(), "taken-in/s")
	all := slices.Sorted(slices.Values(slices.Concat(took...)))
	b.ReportMetric(float64(b.N)/accepted.Seconds(), "webhooks/s")
	b.ReportMetric(2000, "target-webhooks/s")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(50, "target-p99-ms")
}

// BenchmarkForged is how many wrong signatures are refused (section 7: 20,000 a second).
func BenchmarkForged(b *testing.B) {
	w := open(b, b.TempDir(), "", false)
	body := bodyOf(said{external, "1000", "m_1", strings.Repeat("x", 700), time.Now()})
	signature := graph.Sign(body, "another")
	var next atomic.Int64
	begun := time.Now()
	b.ResetTimer()
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for next.Add(1) <= int64(b.N) {
				if a := w.Do("POST /channels/meta/webhook", body, "X-Hub-Signature-256", signature); a.Status != 403 {
					b.Errorf("status %d", a.Status)
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/time.Since(begun).Seconds(), "refused/s")
	b.ReportMetric(20_000, "target-refused/s")
	if n := w.stored(); n != 0 {
		b.Errorf("%d webhooks are stored", n)
	}
}
