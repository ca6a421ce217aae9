package queue_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
)

// TestCoalesced: what is asked for while such a job runs is done after it, once, at the time
// that was asked for; before it runs, and when it waits to run again, nothing is added.
func TestCoalesced(t *testing.T) {
	bubble(t, queue.Options{}, func(h *harness) {
		finishes := false
		queue.Register(h.w, func(ctx context.Context, j queue.Job, m mail) error {
			h.note(m.To)
			select {
			case <-time.After(30 * time.Second):
			case <-ctx.Done():
			}
			switch {
			case m.To == "fails":
				return errors.New("busy")
			case m.To == "waits" && j.Since.IsZero() && time.Since(j.CreatedAt) < time.Minute:
				return queue.Snooze(time.Hour)
			case finishes:
				h.update(func(tx *store.Tx) error { return queue.Finish(tx, j) })
			}
			return nil
		}, queue.WithBackoff(noWait))
		h.run()
		ask := func(to string, in time.Duration, o ...queue.Option) string {
			return h.add(mail{To: to}, in, append(o, queue.Coalesced("k"))...)
		}
		first := ask("one", 0)
		h.after(10 * time.Second) // it runs
		for _, in := range []time.Duration{5 * time.Minute, 4 * time.Minute, 6 * time.Minute} {
			if id := ask(fmt.Sprint("in ", in), in); id != first {
				t.Errorf("asked for while it runs: %s, want %s", id, first)
			}
		}
		h.after(time.Hour)
		h.expect("one@0", "in 4m0s@250")
		if j := h.job(first); j.State != queue.Done || j.Next != nil {
			t.Errorf("the first: %+v", j)
		}

		h.log, h.now, finishes = nil, time.Now(), true // the worker ends the job itself
		ask("two", 0)
		h.after(10 * time.Second)
		second := ask("three", 0)
		h.after(time.Hour)
		h.expect("two@0", "three@30")
		if h.job(second).State != queue.Done {
			t.Errorf("%+v", h.job(second))
		}

		h.log, h.now = nil, time.Now() // given up: what was asked for meanwhile has its own tries
		ask("fails", 0, queue.Attempts(1))
		h.after(10 * time.Second)
		ask("four", 0)
		h.after(time.Hour)
		h.expect("fails@0", "four@30")

		h.log, h.now = nil, time.Now() // it waits by itself, but not beyond what was asked for
		ask("waits", 0)
		h.after(10 * time.Second)
		ask("never", time.Minute)
		h.after(2 * time.Hour)
		h.expect("waits@0", "waits@70")

		h.log, h.now = nil, time.Now() // another try sees what changed during the first
		ask("fails", 0, queue.Attempts(2))
		h.after(10 * time.Second)
		ask("five", 0)
		h.after(40 * time.Second) // the second try runs
		ask("six", time.Minute)
		h.after(time.Hour)
		h.expect("fails@0", "fails@40", "six@110")
		if s := h.stats(queue.Send); s.Counts[queue.Pending]+s.Counts[queue.Scheduled]+s.Counts[queue.Retry]+s.Counts[queue.Active] != 0 {
			t.Errorf("left: %+v", s.Counts)
		}
	})
}
