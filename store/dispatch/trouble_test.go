package dispatch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/coord"
	"svc/store/dispatch"
)

// TestPoison: what cannot be claimed three times is put away, and what comes behind it is
// done; other boxes wait for none of it.
func TestPoison(t *testing.T) {
	for _, panics := range []bool{false, true} {
		onEngines(t, 1, func(h *harness) {
			h.claim = func(_ *box, name string) error {
				if name == "bad1" {
					if panics {
						panic("oh")
					}
					return errors.New("no")
				}
				return nil
			}
			h.fill("bad", 3, 0)
			h.fill("good", 2, 0)
			h.nodes[0].run(dispatch.Options{})
			after(500 * time.Millisecond)
			if good := h.box("good"); len(good.Done) != 2 {
				t.Errorf("%+v", good)
			}
			after(10 * time.Second)
			bad := h.box("bad")
			if !slices.Equal(bad.Done, []string{"bad0", "bad2"}) || len(bad.Poisoned) != 1 || !strings.HasPrefix(bad.Poisoned[0], "bad1: ") {
				t.Errorf("%+v", bad)
			}
		})
	}
}

// TestPanics: a panic of any function is the trouble of its box alone, and passes.
func TestPanics(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		times := map[string]int{}
		oh := func(what string) func(*box, string) error {
			return func(b *box, ref string) error {
				if b.ID == "bad" && ref == "bad0" {
					if times[what]++; times[what] <= 2 {
						panic(what)
					}
				}
				return nil
			}
		}
		h.settle, h.release, h.poison = oh("settle"), oh("release"), oh("poison")
		h.work = func(_ context.Context, _ *node, w thing) bool {
			if w.name == "bad1" {
				panic("work")
			}
			return true
		}
		h.fill("bad", 2, 0)
		h.fill("good", 2, 0)
		h.nodes[0].run(dispatch.Options{})
		after(500 * time.Millisecond)
		if good := h.box("good"); len(good.Done) != 2 {
			t.Errorf("%+v", good)
		}
		after(time.Minute)
		if bad := h.box("bad"); !slices.Equal(bad.Done, []string{"bad0", "bad1crashed: panic: work"}) || len(h.did()) != 4 {
			t.Errorf("%+v, %v", bad, h.did())
		}

		// Release and Poison.
		h.nodes[0].end()
		h.update(0, func(tx *store.Tx) error {
			b := box{ID: "bad", Queue: "q", PerKey: 2, Doing: []string{"bad0"}, Slot: dispatch.Slot{Token: 9, Claims: []dispatch.Claim{{Node: "nod_gone", Token: 9, Ref: "bad0"}}}}
			return boxes.Put(tx, store.Platform, &b)
		})
		h.claim = func(_ *box, name string) error {
			if name == "bad0" {
				return errors.New("no")
			}
			return nil
		}
		h.nodes[0].run(dispatch.Options{})
		after(time.Second)
		if b := h.box("bad"); len(b.Slot.Claims) != 1 {
			t.Errorf("released although that panicked: %+v", b)
		}
		h.fill("more", 2, 0)
		after(10 * time.Minute)
		if b, m := h.box("bad"), h.box("more"); len(b.Poisoned) != 1 || len(b.Slot.Claims) != 0 || len(m.Done) != 2 {
			t.Errorf("%+v\n%+v", b, m)
		}
		if times["settle"] < 3 || times["release"] < 3 || times["poison"] < 3 {
			t.Errorf("panicked %v", times)
		}
	})
}

// TestSettledWithoutClaim: what came of work is stored although the next claim fails.
func TestSettledWithoutClaim(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		h.claim = func(_ *box, name string) error {
			if name == "x1" {
				return errors.New("no")
			}
			return nil
		}
		h.fill("x", 2, 0)
		h.nodes[0].run(dispatch.Options{})
		after(time.Millisecond)
		if x := h.box("x"); !slices.Equal(x.Done, []string{"x0"}) || len(x.Doing) != 0 {
			t.Errorf("%+v", x)
		}
		after(time.Minute)
	})
}

// TestStop: a stop waits for work as long as its grace, then cuts it off; what is cut off
// is released, with nobody waiting for another node to notice.
func TestStop(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		h.work = func(ctx context.Context, n *node, w thing) bool {
			d := 2 * time.Second
			if w.box == "long" {
				d = time.Hour
			}
			return takes(d)(ctx, n, w)
		}
		h.fill("short", 3, 0)
		h.fill("long", 1, 0)
		n := h.nodes[0]
		n.run(dispatch.Options{Grace: 5 * time.Second})
		after(time.Second)
		if busy, capacity := n.d.Load("q"); busy != 2 || capacity != 8 {
			t.Errorf("%d of %d are busy", busy, capacity)
		}
		begin := time.Now()
		n.end()
		if took := time.Since(begin); took != 5*time.Second {
			t.Errorf("the stop took %s", took)
		}
		if s, l := h.box("short"), h.box("long"); !slices.Equal(s.Done, []string{"short0"}) || len(s.Doing) != 0 || !slices.Equal(l.Released, []string{"long0 1"}) {
			t.Errorf("%+v\n%+v", s, l)
		}
		h.work = nil
		n.run(dispatch.Options{})
		after(time.Second)
		if s, l := h.box("short"), h.box("long"); len(s.Done) != 3 || len(l.Done) != 1 {
			t.Errorf("after the next start: %+v\n%+v", s, l)
		}
	})
}

// TestClockSetBack: what was noted before the clock was set back is due: because it lies
// further ahead than anything waits, or because it was decided in the future. A time that
// somebody chose stays.
func TestClockSetBack(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		n := h.nodes[0]
		h.fill("waits", 1, 10*time.Minute, func(b *box) { b.Noted = n.db.Now() })
		h.fill("chosen", 1, 20*time.Minute)
		n.run(dispatch.Options{Farthest: 90 * time.Minute})
		after(time.Minute)
		h.expect()
		n.shift.Store(-int64(time.Hour))
		after(2 * time.Minute)
		if did := h.did(); len(did) != 1 || !strings.HasPrefix(did[0], "waits0") {
			t.Errorf("an hour back: %v", did)
		}
		n.shift.Store(-int64(24 * time.Hour))
		after(2 * time.Minute)
		if did := h.did(); len(did) != 2 || !strings.HasPrefix(did[1], "chosen0") {
			t.Errorf("a day back: %v", did)
		}
	})
}

// TestStoreFails: nothing is lost while the store refuses everything for a while.
func TestStoreFails(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		h.work = takes(time.Second)
		h.fill("x", 5, 0)
		h.nodes[0].run(dispatch.Options{})
		after(1500 * time.Millisecond)
		h.nodes[0].gate.Fail(errors.New("the disk is full"))
		after(4 * time.Second) // less than after what a node ends
		h.nodes[0].gate.Open()
		after(time.Minute)
		if x := h.box("x"); len(x.Done) != 5 || len(h.did()) != 5 {
			t.Errorf("%+v, %v", x, h.did())
		}
	})
}

// TestGone: a record that is deleted while its work is under way is no trouble.
func TestGone(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		h.work = takes(time.Second)
		h.fill("x", 5, 0)
		h.fill("y", 2, 0)
		h.nodes[0].run(dispatch.Options{})
		after(500 * time.Millisecond)
		h.update(0, func(tx *store.Tx) error { return boxes.Delete(tx, store.Platform, "x") })
		after(time.Minute)
		if len(h.did()) != 3 || len(h.box("y").Done) != 2 {
			t.Errorf("%v", h.did())
		}
		if busy, _ := h.nodes[0].d.Load("q"); busy != 0 {
			t.Errorf("%d are busy", busy)
		}
	})
}

// TestIdle: what failed and is gone, and what waits for long, cost next to nothing.
func TestIdle(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		var well atomic.Bool
		h.claim = func(*box, string) error {
			if well.Load() {
				return nil
			}
			return errors.New("no")
		}
		h.fill("x", 1, 0)
		h.fill("later", 1, 2*time.Hour)
		h.nodes[0].run(dispatch.Options{})
		after(500 * time.Millisecond)
		h.update(0, func(tx *store.Tx) error { return boxes.Delete(tx, store.Platform, "x") })
		after(time.Minute)
		before := h.count.Views()
		after(time.Hour)
		if n := h.count.Views() - before; n > 70 {
			t.Errorf("%d looks in an hour in which nothing is due", n)
		}
		well.Store(true)
		after(time.Hour)
		if b := h.box("later"); len(b.Done) != 1 {
			t.Errorf("%+v", b)
		}
	})
}

// TestEndedWhileDue: a node that ends while something is due leaves it, begins anew under
// another name, and does it then.
func TestEndedWhileDue(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		ends := 0
		h.entry = func(n *node, e *dispatch.Entry[box]) bool {
			if e.Record.ID != "one" || len(e.Record.Slot.Claims) > 0 || ends == 10 {
				return false
			}
			ends++
			s, err := coord.Of(n.db).Enter(h.t.Context())
			if err != nil {
				t.Error(err)
				return false
			}
			s.End()
			s.Leave()
			return false
		}
		h.fill("one", 25, 0, func(b *box) { b.PerKey = 3 }) // of which two are begun, so it stays due
		h.fill("other", 25, 0)
		h.nodes[0].run(dispatch.Options{Concurrency: 4})
		after(time.Minute)
		for _, id := range []string{"one", "other"} {
			if b := h.box(id); len(b.Done) != 25 || len(b.Poisoned) > 0 {
				t.Errorf("%+v", b)
			}
		}
		if ends != 10 {
			t.Errorf("it ended %d times", ends)
		}
	})
}
