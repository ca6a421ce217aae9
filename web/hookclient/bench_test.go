package hookclient

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"svc/app/api/apitest"
	"svc/app/event"
	"svc/app/hook"
	"svc/store"
	"svc/store/storetest"
)

// BenchmarkDeliveries is events on their way to a receiver on this machine, from
// the transaction that records them until the receiver has them and the outcome is
// durable. Target: 6,000 a second, and ten endpoints of one host not slower than one.
func BenchmarkDeliveries(b *testing.B) {
	for _, endpoints := range []int{1, 10} {
		b.Run(fmt.Sprintf("endpoints=%d", endpoints), func(b *testing.B) { benchDeliveries(b, endpoints) })
	}
}

func benchDeliveries(b *testing.B, endpoints int) {
	const burst = 2000 // deliveries
	db := storetest.Open(b, tables()...)
	owner := organization(b, db)
	var received atomic.Int64
	all := make(chan struct{}, 1)
	goal := int64(0)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if received.Add(1) == atomic.LoadInt64(&goal) {
			all <- struct{}{}
		}
	}))
	defer srv.Close()
	c := New(Options{AllowPrivate: true})
	defer c.Close()
	s := hook.New(db, hook.Options{Sender: c, AllowPrivate: true})
	api := apitest.New(b, db, s)
	api.Org = owner
	for i := range endpoints {
		api.Do("POST /webhooks", map[string]any{"url": fmt.Sprintf("%s/%d", srv.URL, i), "events": []string{"*"}}).Want(201)
	}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	sent := 0
	for b.Loop() {
		sent += burst
		atomic.StoreInt64(&goal, int64(sent))
		for n := 0; n < burst/endpoints; n += 100 {
			err := db.Update(ctx, func(tx *store.Tx) error {
				for i := range min(100, burst/endpoints) {
					err := event.Emit(tx, owner, event.MessageDelivered, map[string]any{"recipient_id": db.NewID("rcp"), "n": i})
					if err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		}
		<-all
	}
	b.StopTimer()
	b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "deliveries/s")
	b.ReportMetric(6000, "target/s")
	cancel()
	if err := <-ended; err != nil { // it saves what came of the last ones
		b.Error(err)
	}
	if n := received.Load(); n != int64(sent) {
		b.Errorf("%d received, want %d", n, sent)
	}
}
