package dispatch_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/dispatch"
)

// farthest is longer than anything waits here and shorter than the clocks are apart.
const farthest = 50 * time.Minute

// TestEverythingOnce: two nodes do all there is to do, each thing once, each box's one
// after the other and in their order.
func TestEverythingOnce(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.work = func(ctx context.Context, n *node, w thing) bool {
			return takes(time.Duration(rand.IntN(1000))*time.Millisecond)(ctx, n, w)
		}
		for i := range 30 {
			// To the clock of A none is due in the next minute. It has its part all the same:
			// B, whose clock is ahead, says when more is due than it has room for.
			h.fill(fmt.Sprintf("b%02d.", i), 20, time.Minute)
		}
		for _, n := range h.nodes {
			n.run(dispatch.Options{Concurrency: 10, Farthest: farthest})
		}
		after(10 * time.Minute)
		by := map[string]int{}
		for _, x := range h.did() {
			by[strings.Fields(x)[1][:1]]++
		}
		if by["A"]+by["B"] != 600 || by["A"] == 0 || by["B"] == 0 {
			t.Errorf("done by node: %v, want 600 in all", by)
		}
		for _, b := range h.boxes() {
			var want []string
			for i := range 20 {
				want = append(want, fmt.Sprint(b.ID, i))
			}
			if !slices.Equal(b.Done, want) || h.max[b.ID] != 1 || b.Released != nil || !b.Slot.Due.IsZero() {
				t.Errorf("box %+v, %d at a time", b, h.max[b.ID])
			}
		}
		h.update(1, func(tx *store.Tx) error {
			f, err := dispatch.FiguresOf(tx, "q")
			if f.Processed != 600 || f.Failed != 0 || f.LatencyP95 < time.Second || f.LatencyP95 > 1500*time.Millisecond {
				t.Errorf("%+v", f)
			}
			started, _ := dispatch.Started(tx, "q")
			if other, _ := dispatch.Started(tx, "other"); !started || other {
				t.Error("what has started is wrong")
			}
			return err
		})
	})
}

// TestOrder: by priority, then what is due longest; who was served goes behind the
// others that wait. The place that it leaves is given in the same transaction, to one of
// those that waited before.
func TestOrder(t *testing.T) {
	onEngines(t, 1, func(h *harness) {
		h.work = takes(time.Second)
		prio := func(n int) func(*box) { return func(b *box) { b.Slot.Priority = n } }
		h.fill("late", 1, -time.Second, prio(2))
		h.fill("first", 2, 0, prio(-1))
		h.fill("c", 2, -1*time.Second, prio(1))
		h.fill("a", 2, -3*time.Second, prio(1))
		h.fill("b", 2, -2*time.Second, prio(1))
		h.fill("soon", 1, 4500*time.Millisecond)
		h.nodes[0].run(dispatch.Options{Concurrency: 1})
		after(time.Minute)
		h.expect("first0 A@0", "a0 A@1", "first1 A@2", "b0 A@3", "c0 A@4", "soon0 A@5", "a1 A@6", "b1 A@7", "c1 A@8", "late0 A@9")
	})
}

// TestPerKey: a box that allows three has three at a time, on all nodes together; with a
// share it has fewer on each.
func TestPerKey(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.work = takes(time.Second)
		three := func(b *box) { b.PerKey = 3 }
		h.fill("x", 12, 0, three)
		for _, n := range h.nodes {
			n.run(dispatch.Options{Farthest: farthest})
		}
		after(4500 * time.Millisecond)
		if b := h.box("x"); len(b.Done) != 12 || h.max["x"] != 3 {
			t.Errorf("%d done, %d at a time", len(b.Done), h.max["x"])
		}
		for _, n := range h.nodes {
			n.end()
		}
		h.fill("y", 12, 0, three)
		h.fill("z", 4, 0, three)
		h.nodes[0].run(dispatch.Options{Concurrency: 4, Share: func(free int) int { return max(1, free/2) }})
		after(30 * time.Second)
		if y, z := h.box("y"), h.box("z"); len(y.Done) != 12 || len(z.Done) != 4 || h.max["y"] != 2 {
			t.Errorf("%d and %d done, %d at a time", len(y.Done), len(z.Done), h.max["y"])
		}
	})
}

// TestWokenByAnother: what one node saves another begins at once, and what is due later
// when it is; nothing is written while nothing is due.
func TestWokenByAnother(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.nodes[1].shift.Store(0)
		h.nodes[1].run(dispatch.Options{})
		after(time.Minute)
		h.fill("now", 1, 0)
		after(time.Second)
		h.fill("then", 2, 100*time.Second, func(b *box) { b.Wait = 10 * time.Second })
		after(10 * time.Minute)
		h.expect("now0 B@60", "then0 B@161", "then1 B@171")
	})
}

// TestDeadOwner: a node dies while it works, without a word. After its time another does
// it again; nothing is lost.
func TestDeadOwner(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.work = func(ctx context.Context, n *node, w thing) bool {
			if n.name == "A" {
				<-ctx.Done()
				return true // it says so to nobody
			}
			return true
		}
		h.fill("x", 2, 0)
		h.fill("y", 1, 0)
		h.nodes[0].run(dispatch.Options{Farthest: farthest})
		after(time.Second)
		h.nodes[1].run(dispatch.Options{Farthest: farthest})
		after(5 * time.Minute)
		if len(h.did()) != 2 {
			t.Errorf("somebody took what a living node does: %v", h.did())
		}
		h.nodes[0].gate.Kill()
		after(time.Minute)
		x, y := h.boxOf(1, "x"), h.boxOf(1, "y")
		if !slices.Equal(x.Done, []string{"x0", "x1"}) || !slices.Equal(x.Released, []string{"x0 0"}) || !slices.Equal(y.Done, []string{"y0"}) {
			t.Errorf("%+v\n%+v", x, y)
		}
		if n := len(h.did()); n != 5 {
			t.Errorf("%d things begun: %v", n, h.did())
		}
	})
}

// TestLateOwner: a node is stopped for a while and comes back. What it did meanwhile is
// another's: its outcome is refused. Then it works on, as another node.
func TestLateOwner(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.work = func(ctx context.Context, n *node, w thing) bool {
			if n.name == "A" && w.name == "x0" {
				<-ctx.Done() // it ends by itself when it cannot beat
			}
			return true
		}
		h.fill("x", 1, 0)
		h.nodes[0].run(dispatch.Options{Farthest: farthest})
		after(time.Second)
		h.nodes[1].run(dispatch.Options{Farthest: farthest})
		h.nodes[0].gate.Pause()
		after(time.Minute)
		if x := h.boxOf(1, "x"); !slices.Equal(x.Done, []string{"x0"}) {
			t.Errorf("not taken over: %+v", x)
		}
		h.nodes[0].gate.Open()
		after(time.Minute)
		if x := h.box("x"); !slices.Equal(x.Done, []string{"x0"}) || len(x.Released) != 1 || len(x.Slot.Claims) != 0 {
			t.Errorf("the late one stored something: %+v", x)
		}
		h.nodes[1].end()
		h.fill("y", 1, 0)
		after(time.Second)
		if y := h.box("y"); !slices.Equal(y.Done, []string{"y0"}) {
			t.Errorf("it does not work on: %+v", y)
		}
	})
}

// TestPausedQueue: nothing is claimed, what is under way ends; then it goes on.
func TestPausedQueue(t *testing.T) {
	onEngines(t, 2, func(h *harness) {
		h.nodes[1].shift.Store(0)
		h.work = takes(10 * time.Second)
		h.fill("x", 3, 0)
		h.fill("y", 1, time.Minute)
		for _, n := range h.nodes {
			n.run(dispatch.Options{})
		}
		pause := func(on bool) { h.update(1, func(tx *store.Tx) error { return dispatch.Pause(tx, "q", on) }) }
		after(time.Second)
		pause(true)
		after(2 * time.Minute)
		if x := h.box("x"); !slices.Equal(x.Done, []string{"x0"}) || len(h.did()) != 1 {
			t.Errorf("%+v, %v", x, h.did())
		}
		pause(false)
		after(time.Minute)
		if x, y := h.box("x"), h.box("y"); len(x.Done) != 3 || len(y.Done) != 1 {
			t.Errorf("%+v %+v", x, y)
		}
	})
}
