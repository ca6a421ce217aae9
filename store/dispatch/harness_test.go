package dispatch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"svc/store"
	"svc/store/coord"
	"svc/store/dispatch"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// box is a key: a list of things to do, in their order.
type box struct {
	ID       string        `json:"id"`
	Queue    string        `json:"queue"`
	Todo     []string      `json:"todo,omitempty"`
	Doing    []string      `json:"doing,omitempty"`
	Done     []string      `json:"done,omitempty"`
	Poisoned []string      `json:"poisoned,omitempty"`
	Released []string      `json:"released,omitempty"`
	PerKey   int           `json:"per_key"`
	Wait     time.Duration `json:"wait,omitempty"` // between two things
	Noted    time.Time     `json:"noted,omitzero"`
	Slot     dispatch.Slot `json:"slot"`
}

var (
	boxes = store.NewTable("box", "", func(b *box) string { return b.ID }).Shared()
	work  = dispatch.NewIndex(boxes, dispatch.Of[box]{
		Slot: func(b *box) *dispatch.Slot { return &b.Slot }, Queue: func(b *box) string { return b.Queue },
		PerKey: func(b *box) int { return b.PerKey }, Noted: func(b *box) time.Time { return b.Noted },
	})
)

func tables() []store.AnyTable {
	return slices.Concat([]store.AnyTable{boxes}, dispatch.Tables(), coord.Tables())
}

// thing is work that was claimed.
type thing struct{ box, name string }

// harness is one database with several nodes, whose clocks are an hour apart.
type harness struct {
	t     *testing.T
	count *kvtest.Counted // of all nodes
	nodes []*node
	begin time.Time

	mu  sync.Mutex
	ran []string // what was done in the world outside: thing, node and second
	now map[string]int
	max map[string]int // at a time, by box
	// The test's own, each nil for none: what work does and what fails.
	work    func(ctx context.Context, n *node, w thing) (done bool)
	claim   func(b *box, name string) error
	entry   func(n *node, e *dispatch.Entry[box]) (elsewhere bool) // of each claim
	settle  func(b *box, name string) error
	release func(b *box, ref string) error
	poison  func(b *box, ref string) error
}

// node is one process.
type node struct {
	h     *harness
	name  string
	db    *store.DB
	gate  *kvtest.Gate
	shift atomic.Int64 // of its clock, in nanoseconds
	stop  func()
	err   error
	d     *dispatch.Dispatcher
}

// onEngines runs a test of n nodes in a bubble on every engine.
func onEngines(t *testing.T, n int, test func(*harness)) {
	t.Helper()
	engines := map[string]func(*testing.T) kv.Engine{
		"memory": func(*testing.T) kv.Engine { return kv.NewMemory() },
		"bbolt": func(t *testing.T) kv.Engine {
			b, err := kv.OpenBolt(filepath.Join(t.TempDir(), "test.db"))
			if err != nil {
				t.Fatal(err)
			}
			return b
		},
	}
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := &harness{t: t, begin: time.Now(), now: map[string]int{}, max: map[string]int{}}
				h.count = &kvtest.Counted{Engine: open(t)}
				h.open(h.count, n)
				test(h)
				for _, n := range h.nodes {
					n.gate.Open()
					n.end()
				}
				h.left()
			})
		})
	}
}

func (h *harness) open(e kv.Engine, n int) {
	var options []store.Options
	for i := range n {
		x := &node{h: h, name: string(rune('A' + i)), gate: kvtest.NewGate(e)}
		x.shift.Store(int64(time.Duration(i) * time.Hour))
		h.nodes = append(h.nodes, x)
		options = append(options, store.Options{Tables: tables(), Engine: x.gate, Now: func() time.Time { return time.Now().Add(time.Duration(x.shift.Load())) }})
	}
	for i, db := range storetest.Nodes(h.t, e, options...) {
		h.nodes[i].db = db
	}
}

// left checks that no node that ended has anything.
func (h *harness) left() {
	h.t.Helper()
	list := h.boxes()
	for i := range list {
		if len(list[i].Doing) != len(list[i].Slot.Claims) {
			h.t.Errorf("box %s is doing %v and has %v", list[i].ID, list[i].Doing, list[i].Slot.Claims)
		}
	}
}

func (h *harness) boxes() []box {
	h.t.Helper()
	return h.boxesOf(0)
}

// boxesOf are the boxes as a node sees them.
func (h *harness) boxesOf(node int) (list []box) {
	h.t.Helper()
	err := h.nodes[node].db.View(context.Background(), func(tx *store.Tx) (err error) {
		list, _, err = boxes.Walk(tx, store.Platform, nil, 10_000)
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
	return list
}

func (h *harness) box(id string) box {
	h.t.Helper()
	return h.boxOf(0, id)
}

// boxOf is a box as a node sees it.
func (h *harness) boxOf(node int, id string) box {
	h.t.Helper()
	for _, b := range h.boxesOf(node) {
		if b.ID == id {
			return b
		}
	}
	h.t.Fatalf("no box %s", id)
	return box{}
}

// run starts a node.
func (n *node) run(o dispatch.Options) {
	log := slog.New(slog.NewTextHandler(n.h.t.Output(), nil)).With("on", n.name)
	coord.Of(n.db).Configure(coord.Options{Log: log})
	n.d = dispatch.New(n.db, log)
	dispatch.Register(n.d, "q", work, n.handler(), o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- n.d.Run(ctx) }()
	n.stop = func() {
		cancel()
		n.err = <-ended
		n.stop = nil
	}
}

func (n *node) end() {
	if n.stop == nil {
		return
	}
	if n.stop(); n.err != nil && !errors.Is(n.err, store.ErrClosed) {
		n.h.t.Errorf("node %s: %v", n.name, n.err)
	}
}

func (n *node) handler() dispatch.Handler[box, thing, string] {
	h := n.h
	return dispatch.Handler[box, thing, string]{
		Claim: func(tx *store.Tx, e *dispatch.Entry[box]) (o dispatch.Offer[thing], err error) {
			b := e.Record
			if len(b.Todo) == 0 {
				return o, nil
			}
			if h.entry != nil && h.entry(n, e) {
				return dispatch.Offer[thing]{Elsewhere: true}, nil
			}
			name := b.Todo[0]
			e.About(name)
			if h.claim != nil {
				if err := h.claim(b, name); err != nil {
					return o, err
				}
			}
			b.Todo, b.Doing = b.Todo[1:], append(slices.Clone(b.Doing), name)
			o = dispatch.Offer[thing]{OK: true, Work: thing{b.ID, name}, Ref: name}
			if len(b.Todo) > 0 {
				o.Next = e.Now.Add(b.Wait)
			}
			return o, nil
		},
		Work:    n.work,
		Crashed: func(_ thing, err error) string { return "crashed: " + err.Error() },
		Settle: func(tx *store.Tx, e *dispatch.Entry[box], w thing, out string) error {
			b := e.Record
			if h.settle != nil {
				if err := h.settle(b, w.name); err != nil {
					return err
				}
			}
			b.Doing = without(b.Doing, w.name)
			b.Done = append(slices.Clone(b.Done), w.name+out)
			e.Took(time.Second)
			b.Slot.Due = e.Now.Add(b.Wait)
			return nil
		},
		Release: func(tx *store.Tx, e *dispatch.Entry[box], c dispatch.Claim, why dispatch.Why) error {
			b := e.Record
			if h.release != nil {
				if err := h.release(b, c.Ref); err != nil {
					return err
				}
			}
			b.Doing = without(b.Doing, c.Ref)
			b.Todo = append([]string{c.Ref}, b.Todo...)
			b.Released = append(slices.Clone(b.Released), fmt.Sprint(c.Ref, " ", why))
			return nil
		},
		Poison: func(tx *store.Tx, e *dispatch.Entry[box], ref string, err error) error {
			b := e.Record
			if h.poison != nil {
				if err := h.poison(b, ref); err != nil {
					return err
				}
			}
			b.Todo = without(b.Todo, ref)
			b.Poisoned = append(b.Poisoned, ref+": "+strings.SplitN(err.Error(), "\n", 2)[0])
			return nil
		},
	}
}

func without(list []string, name string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == name })
}

// work does a thing in the world outside.
func (n *node) work(ctx context.Context, w thing) (out string, done bool) {
	h := n.h
	h.mu.Lock()
	h.ran = append(h.ran, fmt.Sprintf("%s %s@%d", w.name, n.name, int(time.Since(h.begin).Seconds())))
	h.now[w.box]++
	h.max[w.box] = max(h.max[w.box], h.now[w.box])
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.now[w.box]--
		h.mu.Unlock()
	}()
	if h.work != nil {
		return "", h.work(ctx, n, w)
	}
	return "", true
}

// fill saves a box with n things, due after a while.
func (h *harness) fill(id string, n int, in time.Duration, change ...func(*box)) {
	h.t.Helper()
	b := box{ID: id, Queue: "q", PerKey: 1}
	for i := range n {
		b.Todo = append(b.Todo, fmt.Sprint(id, i))
	}
	h.update(0, func(tx *store.Tx) error {
		now := tx.DB().Now()
		b := b
		for _, f := range change {
			f(&b)
		}
		work.Wake(tx, &b, now.Add(in))
		return boxes.Put(tx, store.Platform, &b)
	})
}

func (h *harness) update(i int, f func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.nodes[i].db.Update(context.Background(), f); err != nil {
		h.t.Error(err)
	}
}

func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// did is what was done outside so far.
func (h *harness) did() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.ran)
}

func (h *harness) expect(want ...string) {
	h.t.Helper()
	if did := h.did(); !slices.Equal(did, want) {
		h.t.Errorf("done %v, want %v", did, want)
	}
}

// takes makes work last.
func takes(d time.Duration) func(context.Context, *node, thing) bool {
	return func(ctx context.Context, _ *node, _ thing) bool {
		select {
		case <-time.After(d):
			return true
		case <-ctx.Done():
			return false
		}
	}
}
