package queue_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"svc/store"
	"svc/store/kv"
	"svc/store/queue"
	"svc/store/storetest"
)

// mail is a kind of job for tests; call is another.
type mail struct {
	To   string `json:"to"`
	Step int    `json:"step,omitempty"`
}

func (mail) Kind() string      { return "test.mail" }
func (mail) Queue() queue.Name { return queue.Send }

type call struct{}

func (call) Kind() string      { return "test.call" }
func (call) Queue() queue.Name { return queue.Webhooks }

// harness runs workers in a bubble with a clock of its own.
type harness struct {
	t    *testing.T
	db   *store.DB
	w    *queue.Workers
	stop func()

	mu  sync.Mutex
	log []string // what ran, and when, in seconds since the start
	now time.Time

	shift atomic.Int64 // how far the clock was set, in nanoseconds
}

// bubble runs a test in a bubble, on a store in memory.
func bubble(t *testing.T, o queue.Options, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &harness{t: t, now: time.Now()}
		h.db = storetest.OpenWith(t, "", store.Options{Tables: queue.Tables(), Engine: kv.NewMemory(), Now: func() time.Time {
			return time.Now().Add(time.Duration(h.shift.Load()))
		}})
		h.w = queue.New(h.db, o)
		test(h)
		if h.stop != nil {
			h.stop()
		}
	})
}

func (h *harness) run() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.w.Run(ctx) }()
	h.stop = func() {
		cancel()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
	}
}

func (h *harness) note(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.log = append(h.log, fmt.Sprintf("%s@%d", what, int(time.Since(h.now).Seconds())))
}

// ran is what ran, sorted.
func (h *harness) ran() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(slices.Values(h.log))
}

func (h *harness) expect(want ...string) {
	h.t.Helper()
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Equal(h.log, want) {
		h.t.Errorf("ran %v, want %v", h.log, want)
	}
}

// after lets time pass and everything settle.
func (h *harness) after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func (h *harness) update(fn func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.db.Update(context.Background(), fn); err != nil {
		h.t.Error(err)
	}
}

func (h *harness) add(args queue.Args, in time.Duration, o ...queue.Option) (id string) {
	h.t.Helper()
	at := time.Now().Add(in)
	h.update(func(tx *store.Tx) (err error) {
		id, err = queue.Add(tx, args, at, o...)
		return err
	})
	return id
}

func (h *harness) job(id string) (j queue.Job) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		j, err = queue.Get(tx, id)
		return err
	})
	return j
}

func (h *harness) stats(q queue.Name) (s queue.Stats) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		s, err = queue.StatsOf(tx, q)
		return err
	})
	return s
}

func noWait(int) time.Duration { return 10 * time.Second }
