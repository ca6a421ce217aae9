package queue_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// BenchmarkJobs prints how many jobs a second go from added to done, claims and
// results durable: the target is 2,000 webhook deliveries a second.
func BenchmarkJobs(b *testing.B) {
	const n = 4000
	db := storetest.Open(b, queue.Tables()...)
	var done sync.WaitGroup
	w := queue.New(db, queue.Options{Concurrency: map[queue.Name]int{queue.Webhooks: 128}})
	queue.Register(w, func(context.Context, queue.Job, call) error { done.Done(); return nil })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	var took time.Duration
	rounds := 0
	for b.Loop() {
		done.Add(n)
		rounds++
		begin := time.Now()
		for range n / 100 {
			err := db.Update(ctx, func(tx *store.Tx) error {
				for range 100 {
					if _, err := queue.Add(tx, call{}, time.Time{}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		done.Wait()
		took += time.Since(begin)
	}
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(n*float64(rounds)/took.Seconds(), "jobs/s")
}
