package simulator

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gotd/td/telegram"
	"github.com/gotd/td/tg"

	"svc/messenger/simulator/world/record"
)

// A thousand accounts are connected at once, and each is told what concerns it.
func TestThousandAccounts(t *testing.T) {
	const accounts = 1000
	s := start(t, Options{Script: "person @vali name Vali"})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	goroutines := runtime.NumGoroutine()
	began := time.Now()
	var heard sync.WaitGroup
	heard.Add(accounts)
	var wg sync.WaitGroup
	turn := make(chan struct{}, 50) // a slow machine serves them in turn
	numbers := make([]string, accounts)
	for n := range numbers {
		numbers[n] = fmt.Sprintf("+99890%07d", n)
		turn <- struct{}{}
		wg.Go(func() {
			defer func() { <-turn }()
			c := account(t, s, numbers[n], telegram.UpdateHandlerFunc(func(context.Context, tg.UpdatesClass) error {
				heard.Done()
				return nil
			}))
			if _, err := c.Self(c.ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d accounts in %v; %d KiB and %d goroutines an account, both sides", accounts, took,
		int64(after.HeapAlloc-before.HeapAlloc)/1024/accounts, (runtime.NumGoroutine()-goroutines)/accounts)
	for _, number := range numbers {
		_, err := s.World().Say("@vali", number, "hello")
		ok(t, err)
	}
	all := make(chan struct{})
	go func() { heard.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(patience):
		t.Fatal("not every account heard its message")
	}
}

// BenchmarkSend sends from 20 accounts over the library's client to a world on disk.
func BenchmarkSend(b *testing.B) {
	const accounts = 20
	s := start(b, Options{Dir: b.TempDir()})
	s.World().AddPeople(record.Range{Prefix: "u", From: 1, To: 1000, FirstID: 5000})
	clients := make([]*client, accounts)
	for n := range clients {
		clients[n] = account(b, s, fmt.Sprintf("+9989000000%02d", n), nil)
	}
	to := make([]*tg.InputPeerUser, accounts)
	for n, c := range clients {
		to[n] = c.peer(b, fmt.Sprintf("u%d", n+1))
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	var wg sync.WaitGroup
	b.ResetTimer()
	for n, c := range clients {
		wg.Go(func() {
			for {
				i := left.Add(-1)
				if i < 0 {
					return
				}
				if _, err := c.send(to[n], i+1, "Assalomu alaykum! Bugun sizga maxsus chegirma bor, batafsil ma'lumot uchun yozing."); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sends/s")
}
