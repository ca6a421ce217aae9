package dispatch_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// TestOnce: what the handler keeps with Entry.Once is one for all records of a transaction,
// and another in the next transaction.
func TestOnce(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		type shared struct{ n int }
		var mu sync.Mutex
		var all []*shared
		h.entry = func(_ *node, e *dispatch.Entry[box]) bool {
			mu.Lock()
			defer mu.Unlock()
			s := e.Once(func() any {
				all = append(all, &shared{})
				return all[len(all)-1]
			}).(*shared)
			s.n++
			return false
		}
		for i := range 10 {
			h.fill(fmt.Sprint("x", i), 1, 0)
		}
		h.nodes[0].run(dispatch.Options{Concurrency: 20})
		after(time.Second)
		if len(all) != 1 || all[0].n != 10 {
			t.Errorf("10 records of one transaction had %d values between them", len(all))
		}
		h.fill("y", 1, 0)
		after(time.Second)
		if len(all) != 2 || all[1].n != 1 {
			t.Errorf("the next transaction had a value of the one before: %d in all", len(all))
		}
	})
}

// TestLater: what waits for a time to come, of every priority, and nothing else.
func TestLater(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		prio := func(n int) func(*box) { return func(b *box) { b.Slot.Priority = n } }
		h.fill("due", 1, 0)
		h.fill("past", 1, -time.Hour, prio(1))
		h.fill("nothing", 0, 0, func(b *box) { b.Queue = "none" })
		h.fill("other", 1, time.Hour, func(b *box) { b.Queue = "other" })
		h.fill("full", 2, time.Hour, func(b *box) {
			b.Slot.Claims = []dispatch.Claim{{Node: "nod_gone", Token: 1, Ref: "full0"}}
			b.Doing = []string{"full0"}
		})
		h.fill("c", 1, time.Minute, prio(2))
		h.fill("b", 1, 2*time.Hour)
		h.fill("a", 1, time.Hour)
		h.fill("urgent", 1, 3*time.Hour, prio(-4))
		later := func(limit int) (ids []string) {
			err := h.nodes[0].db.View(context.Background(), func(tx *store.Tx) error {
				refs, err := work.Later(tx, "q", tx.DB().Now(), limit)
				ids = nil
				for _, ref := range refs {
					ids = append(ids, ref.ID)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
			return ids
		}
		want := []string{"urgent", "a", "b", "c"}
		for n := range 5 {
			if got := later(max(n, 1)); !slices.Equal(got, want[:max(n, 1)]) {
				t.Errorf("up to %d: %v, want %v", max(n, 1), got, want[:max(n, 1)])
			}
		}
		after(90 * time.Minute)
		if got := later(10); !slices.Equal(got, []string{"urgent", "b"}) {
			t.Errorf("after 90 minutes: %v", got)
		}
	})
}

// TestElsewhere: a node that may not do something leaves it as it is, and due, for the node
// that may, and does not ask again and again.
func TestElsewhere(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.entry = func(n *node, _ *dispatch.Entry[box]) bool { return n.name == "A" }
		h.fill("x", 2, 0)
		h.nodes[1].shift.Store(0)
		before := h.box("x")
		h.nodes[0].run(dispatch.Options{})
		after(time.Minute)
		from := h.count.Updates()
		after(10 * time.Minute)
		if x := h.box("x"); len(x.Slot.Claims) != 0 || !x.Slot.Due.Equal(before.Slot.Due) || x.Slot.Token != before.Slot.Token || len(h.did()) != 0 {
			t.Errorf("what is another node's to do became %+v", x)
		}
		if n := h.count.Updates() - from; n > 1000 {
			t.Errorf("%d transactions in 10 minutes for one thing that is another node's to do", n)
		}
		h.nodes[1].run(dispatch.Options{})
		after(time.Minute)
		if x := h.box("x"); !slices.Equal(x.Done, []string{"x0", "x1"}) || h.did()[0][:4] != "x0 B" || h.did()[1][:4] != "x1 B" {
			t.Errorf("%v: %+v", h.did(), x)
		}
	})
}
