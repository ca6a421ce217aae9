package dispatch_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/dispatch"
	"svc/store/kv"
	"svc/store/storetest"
)

// account is a key as sending has it: small, and served again and again.
type account struct {
	ID   string        `json:"id"`
	Left int           `json:"left"`
	Sent int           `json:"sent"`
	Last time.Time     `json:"last,omitzero"`
	Slot dispatch.Slot `json:"slot"`
}

var (
	accounts    = store.NewTable("bench_account", "", func(a *account) string { return a.ID }).Global()
	accountWork = dispatch.NewIndex(accounts, dispatch.Of[account]{
		Slot: func(a *account) *dispatch.Slot { return &a.Slot }, Queue: func(*account) string { return "bench" },
	})
)

// written counts the bytes that transactions write: keys and values.
type written struct {
	kv.Engine
	bytes atomic.Int64
}

type writtenTx struct {
	kv.Tx
	w *written
}

func (w *written) Update(ctx context.Context, fn func(kv.Tx) error) error {
	return w.Engine.Update(ctx, func(tx kv.Tx) error { return fn(writtenTx{tx, w}) })
}

func (t writtenTx) Write(b kv.Batch) error {
	for _, p := range b.Put {
		t.w.bytes.Add(int64(len(p.Key) + len(p.Value)))
	}
	for _, key := range b.Delete {
		t.w.bytes.Add(int64(len(key)))
	}
	return t.Tx.Write(b)
}

// BenchmarkDispatch prints how many pieces of work a second are claimed and settled,
// durably, on a file, and how many bytes of keys and values one writes: with 64 keys that
// never wait for a place, and with 5,000 that take turns for 500.
func BenchmarkDispatch(b *testing.B) {
	for _, c := range []struct{ keys, each, concurrency int }{{64, 400, 64}, {5000, 8, 500}} {
		b.Run(fmt.Sprint(c.keys, "keys"), func(b *testing.B) {
			const target = 5000
			for b.Loop() {
				took, bytes := benchmark(b, c.keys, c.each, c.concurrency)
				n := float64(c.keys * c.each)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(n/took.Seconds(), "works/s")
				b.ReportMetric(target, "target/s")
				b.ReportMetric(float64(bytes)/n, "bytes/work")
			}
		})
	}
}

func benchmark(b *testing.B, keys, each, concurrency int) (took time.Duration, bytes int64) {
	path := filepath.Join(b.TempDir(), "bench.db")
	bolt, err := kv.OpenBolt(path)
	if err != nil {
		b.Fatal(err)
	}
	w := &written{Engine: bolt}
	db := storetest.OpenWith(b, path, store.Options{Tables: append(tables(), accounts), Engine: w})
	for from := 0; from < keys; from += 500 {
		err := db.Update(b.Context(), func(tx *store.Tx) error {
			for i := from; i < min(keys, from+500); i++ {
				a := account{ID: fmt.Sprintf("account%06d", i), Left: each}
				accountWork.Wake(tx, &a, tx.DB().Now())
				if err := accounts.Put(tx, store.Platform, &a); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	var done atomic.Int64
	all := make(chan struct{})
	d := dispatch.New(db, nil)
	dispatch.Register(d, "bench", accountWork, dispatch.Handler[account, string, bool]{
		Claim: func(_ *store.Tx, e *dispatch.Entry[account]) (dispatch.Offer[string], error) {
			a := e.Record
			if a.Left == 0 {
				return dispatch.Offer[string]{}, nil
			}
			a.Left--
			return dispatch.Offer[string]{OK: true, Work: a.ID}, nil
		},
		Work:    func(context.Context, string) (bool, bool) { return true, true },
		Crashed: func(string, error) bool { return false },
		Settle: func(_ *store.Tx, e *dispatch.Entry[account], _ string, _ bool) error {
			e.Record.Sent++
			e.Record.Last = e.Now
			e.Took(time.Millisecond)
			if e.Record.Left == 0 {
				e.Record.Slot.Due = time.Time{}
				if e.Record.Sent == each && done.Add(1) == int64(keys) {
					close(all)
				}
			}
			return nil
		},
		Release: func(*store.Tx, *dispatch.Entry[account], dispatch.Claim, dispatch.Why) error { return nil },
		Poison:  func(*store.Tx, *dispatch.Entry[account], string, error) error { return nil },
	}, dispatch.Options{Concurrency: concurrency})
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	w.bytes.Store(0)
	begin := time.Now()
	go func() { ended <- d.Run(ctx) }()
	<-all
	took, bytes = time.Since(begin), w.bytes.Load()
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	_ = os.Remove(path)
	return took, bytes
}
