package coord_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"svc/store"
	"svc/store/coord"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// harness is one database with several nodes, each behind a switch of its own and with a
// clock of its own.
type harness struct {
	t     *testing.T
	dbs   []*store.DB
	gates []*kvtest.Gate
}

// bubble runs a test of n nodes in a bubble. Their clocks are an hour apart.
func bubble(t *testing.T, n int, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &harness{t: t}
		engine := kv.NewMemory()
		var options []store.Options
		for i := range n {
			g := kvtest.NewGate(engine)
			h.gates = append(h.gates, g)
			apart := time.Duration(i) * time.Hour
			options = append(options, store.Options{Tables: coord.Tables(), Engine: g, Now: func() time.Time { return time.Now().Add(apart) }})
		}
		h.dbs = storetest.Nodes(t, engine, options...)
		test(h)
		for _, g := range h.gates {
			g.Open()
		}
	})
}

func (h *harness) enter(i int) *coord.Session {
	h.t.Helper()
	s, err := coord.Of(h.dbs[i]).Enter(h.t.Context())
	if err != nil {
		h.t.Fatal(err)
	}
	return s
}

func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// nodes are the names of those that are alive.
func (h *harness) nodes() (ids []string) {
	h.t.Helper()
	err := h.dbs[0].View(h.t.Context(), func(tx *store.Tx) error {
		list, err := coord.Nodes(tx)
		ids = nil
		for _, n := range list {
			ids = append(ids, n.ID)
		}
		return err
	})
	if err != nil {
		h.t.Error(err)
	}
	return ids
}

func TestNodesComeAndGo(t *testing.T) {
	bubble(t, 2, func(h *harness) {
		a, b := h.enter(0), h.enter(1)
		if again := h.enter(0); again != a {
			t.Error("a second user has another session")
		}
		after(time.Hour)
		if ids := h.nodes(); len(ids) != 2 || a.Over() || b.Over() {
			t.Errorf("after an hour: %v", ids)
		}
		a.Leave()
		if ids := h.nodes(); len(ids) != 2 {
			t.Errorf("the first of two users left: %v", ids)
		}
		a.Leave()
		if ids := h.nodes(); !slices.Equal(ids, []string{b.ID()}) || !a.Over() {
			t.Errorf("the last user left: %v", ids)
		}
		b.Leave()
		if ids := h.nodes(); len(ids) != 0 {
			t.Errorf("all left: %v", ids)
		}
	})
}

// TestSilentNodeEnds: a node whose process is stopped is ended by another after the TTL,
// and not before; when it wakes up it finds that out and begins another life.
func TestSilentNodeEnds(t *testing.T) {
	bubble(t, 2, func(h *harness) {
		a, b := h.enter(0), h.enter(1)
		ended, stop := h.dbs[0].Listen(coord.NodesTopic)
		defer stop()
		after(time.Minute)
		h.gates[1].Pause()
		after(9 * time.Second)
		if len(h.nodes()) != 2 {
			t.Error("it was ended too early")
		}
		after(10 * time.Second)
		if ids := h.nodes(); !slices.Equal(ids, []string{a.ID()}) || a.Over() {
			t.Errorf("it was not ended: %v", ids)
		}
		select {
		case <-ended:
		default:
			t.Error("nobody was told")
		}
		if !b.Over() {
			t.Error("a node that could not beat goes on while others have its work")
		}
		h.gates[1].Open()
		after(10 * time.Second)
		again := h.enter(1)
		if again.ID() == b.ID() || len(h.nodes()) != 2 {
			t.Errorf("its second life: %v", h.nodes())
		}
		b.Leave() // its first life has users until then
		if len(h.nodes()) != 2 {
			t.Error("the end of the first life ended the second")
		}
		again.Leave()
		a.Leave()
	})
}

// TestSleepingNode: a node that did not notice that time passed, because its machine
// slept, ends with its first beat.
func TestSleepingNode(t *testing.T) {
	bubble(t, 1, func(h *harness) {
		s := h.enter(0)
		ctx, cancel := s.Within(h.t.Context())
		defer cancel()
		after(time.Second)
		err := h.dbs[0].Update(h.t.Context(), func(tx *store.Tx) error { return coord.End(tx, s.ID()) })
		if err != nil {
			t.Fatal(err)
		}
		after(5 * time.Second)
		if !s.Over() || ctx.Err() == nil {
			t.Error("it goes on")
		}
		s.Leave()
	})
}

// TestDeadOwner: a node that never says anything again, not even that it ends.
func TestDeadOwner(t *testing.T) {
	bubble(t, 3, func(h *harness) {
		a, b, c := h.enter(0), h.enter(1), h.enter(2)
		h.gates[1].Kill()
		after(30 * time.Second)
		if ids := h.nodes(); !slices.Equal(ids, []string{a.ID(), c.ID()}) || !b.Over() {
			t.Errorf("%v", ids)
		}
		b.Leave()
		c.Leave()
		a.Leave()
	})
}

// TestAlone: in a store that nobody else can have open nothing is written while nothing
// happens, and who opens it ends all that were there.
func TestAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := kv.NewMemory()
		counted := &kvtest.Counted{Engine: engine}
		key := filepath.Join(t.TempDir(), "master.key")
		open := func() *store.DB {
			return storetest.OpenWith(t, "", store.Options{Tables: coord.Tables(), Engine: kvtest.Kept{Engine: counted}, KeyFile: key})
		}
		old := open()
		dead, err := coord.Of(old).Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		lost, err := dead.TryAcquire(t.Context(), "account/1")
		if err != nil {
			t.Fatal(err)
		}
		before := counted.Updates()
		after(time.Hour)
		if n := counted.Updates() - before; n != 0 {
			t.Errorf("%d writes in an hour without work", n)
		}
		now := open() // the first process was killed
		s, err := coord.Of(now).Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.TryAcquire(t.Context(), "account/1"); err != nil {
			t.Errorf("what a dead process had: %v", err)
		}
		if err := now.View(t.Context(), lost.Check); !errors.Is(err, coord.ErrLost) {
			t.Errorf("the dead process: %v", err)
		}
		s.Leave()
		dead.Leave()
	})
}

func TestLeases(t *testing.T) {
	bubble(t, 2, func(h *harness) {
		a, b := h.enter(0), h.enter(1)
		ctx := h.t.Context()
		l, err := a.TryAcquire(ctx, "k")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*coord.Session{a, b} {
			if _, err := s.TryAcquire(ctx, "k"); !errors.Is(err, coord.ErrHeld) {
				t.Errorf("while it is held: %v", err)
			}
		}
		got := make(chan coord.Lease, 1)
		go func() {
			l, err := b.Acquire(ctx, "k")
			if err != nil {
				t.Error(err)
			}
			got <- l
		}()
		after(time.Hour)
		if err := h.dbs[0].Update(ctx, l.Check); err != nil {
			t.Errorf("an hour later: %v", err)
		}
		if err := errors.Join(l.Release(ctx), l.Release(ctx)); err != nil {
			t.Error(err)
		}
		second := <-got
		if second.Token() <= l.Token() {
			t.Errorf("token %d after %d", second.Token(), l.Token())
		}
		if err := h.dbs[0].Update(ctx, l.Check); !errors.Is(err, coord.ErrLost) {
			t.Errorf("after its release: %v", err)
		}
		if err := l.Release(ctx); err != nil { // a second time, when another has it
			t.Error(err)
		}
		if err := h.dbs[1].Update(ctx, second.Check); err != nil {
			t.Errorf("the second holder: %v", err)
		}

		// The holder sleeps; another waits for the lease.
		h.gates[1].Pause()
		third, err := a.Acquire(ctx, "k")
		if err != nil || third.Token() <= second.Token() {
			t.Errorf("token %d after %d: %v", third.Token(), second.Token(), err)
		}
		h.gates[1].Open()
		if err := h.dbs[1].Update(ctx, second.Check); !errors.Is(err, coord.ErrLost) {
			t.Errorf("the holder that slept: %v", err)
		}
		if _, err := b.Acquire(ctx, "k"); !errors.Is(err, coord.ErrOver) {
			t.Errorf("a session that ended acquires: %v", err)
		}
		if err := h.dbs[0].Update(ctx, func(tx *store.Tx) error { return coord.Forget(tx, "k") }); err != nil {
			t.Error(err)
		}
		if err := h.dbs[0].Update(ctx, third.Check); !errors.Is(err, coord.ErrLost) {
			t.Errorf("a lease that was forgotten: %v", err)
		}
		b.Leave()
		a.Leave()
	})
}

// TestSlowSubscriber: it holds up nobody, and learns that it missed something.
func TestSlowSubscriber(t *testing.T) {
	bubble(t, 2, func(h *harness) {
		heard, stop := coord.Subscribe(h.dbs[1], "keys")
		defer stop()
		publish := func(from, to int) {
			for i := from; i < to; i++ {
				err := h.dbs[0].Update(h.t.Context(), func(tx *store.Tx) error { coord.Publish(tx, "keys", fmt.Sprint(i)); return nil })
				if err != nil {
					t.Error(err)
				}
			}
		}
		publish(1, 4)
		for i := uint64(1); i < 4; i++ {
			if m := <-heard; m != (coord.Message{Payload: fmt.Sprint(i), Seq: i}) {
				t.Errorf("message %d: %+v", i, m)
			}
		}
		publish(4, 1000)
		lost, last := 0, coord.Message{}
		for len(heard) > 0 {
			if last = <-heard; last.Lost {
				lost++
			}
		}
		if lost != 1 || !last.Lost {
			t.Errorf("%d messages say that some were lost, the last is %+v", lost, last)
		}
		publish(1000, 1001)
		if m := <-heard; m != (coord.Message{Payload: "1000", Seq: 1000}) {
			t.Errorf("afterwards: %+v", m)
		}
	})
}
