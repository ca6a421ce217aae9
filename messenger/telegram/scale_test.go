package telegram_test

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
)

// crowd connects n accounts, each with its own inbox or with none.
func crowd(t testing.TB, p *platform, n int, inbound bool) (conns []messenger.Conn, inboxes []*messengertest.Inbox) {
	t.Helper()
	p.AddPerson(t, messengertest.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	driver := p.Driver()
	conns, inboxes = make([]messenger.Conn, n), make([]*messengertest.Inbox, n)
	var wg sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for i := range n {
		number := numberOf(i)
		p.AddPhone(t, messengertest.Phone{Number: number, ID: int64(5000 + i)})
		a := messenger.Account{Session: p.Session(t, number), State: messengertest.NewStateStore()}
		if inbound {
			inboxes[i] = messengertest.NewInbox()
			a.Inbound = inboxes[i]
		}
		wg.Go(func() {
			c, err := driver.Connect(ctx, a)
			if err != nil {
				t.Error(err)
				return
			}
			conns[i] = c
		})
	}
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
	t.Cleanup(func() {
		for _, c := range conns {
			wg.Go(func() { _ = c.Close() })
		}
		wg.Wait()
	})
	return conns, inboxes
}

func numberOf(i int) string { return fmt.Sprintf("+99891%07d", i) }

// A thousand accounts that wait for messages fit into 250 MB, with the simulator in the
// same process, and get them.
func TestThousandInbound(t *testing.T) {
	n, each := 1000, 10
	if raceDetector {
		n = 100
	}
	p := start(t, simulator.Options{})
	before, begin := messengertest.Resident(), time.Now()
	_, inboxes := crowd(t, p, n, true)
	connected := time.Since(begin)
	idle := messengertest.Resident()
	t.Logf("%d inbound accounts in %s; %d MB, %d MB before, %d goroutines", n, connected, idle, before, runtime.NumGoroutine())
	if idle > 250 && !raceDetector {
		t.Errorf("%d MB idle, want at most 250", idle)
	}
	begin = time.Now()
	for k := range each {
		for i := range n {
			p.Say(t, "@ali_karim", numberOf(i), strconv.Itoa(k), false)
		}
	}
	deadline := time.After(time.Minute)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for _, in := range inboxes {
		for in.Len() < each {
			select {
			case <-tick.C:
			case <-deadline:
				t.Fatalf("%d of %d arrived at one", in.Len(), each)
			}
		}
	}
	t.Logf("%d messages in %s; %d MB", n*each, time.Since(begin), messengertest.Resident())
}

// What one send costs, client and simulator together: the target is 5,000 a second for
// these two and the service on two cores.
func BenchmarkSend(b *testing.B) {
	for _, accounts := range []int{1, 20, 100} {
		b.Run(strconv.Itoa(accounts), func(b *testing.B) {
			p := start(b, simulator.Options{})
			conns, _ := crowd(b, p, accounts, false)
			var next atomic.Int64
			b.ReportAllocs()
			b.ResetTimer()
			var wg sync.WaitGroup
			for _, c := range conns {
				wg.Go(func() {
					for {
						n := next.Add(1)
						if n > int64(b.N) {
							return
						}
						m := messenger.Message{To: messenger.Target{ID: 1001, Username: "ali_karim"}, Text: "salom", RandomIDs: []int64{n}}
						if _, err := c.Send(b.Context(), m); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sends/s")
		})
	}
}
