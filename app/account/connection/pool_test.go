package connection

import (
	"errors"
	"sync"
	"testing"
	"time"

	"svc/messenger"
	"svc/store"
)

// TestLease: however many want it at the same time, an account has one connection.
func TestLease(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, false)
	var wg sync.WaitGroup
	conns := make([]messenger.Conn, 30)
	for i := range conns {
		wg.Go(func() {
			c, _, err := h.p.Conn(t.Context(), h.Org, id)
			if err != nil {
				t.Error(err)
			}
			conns[i] = c
		})
	}
	wg.Wait()
	for _, c := range conns {
		if c != conns[0] {
			t.Fatal("two connections")
		}
	}
	if h.d.connects != 1 {
		t.Errorf("%d connects", h.d.connects)
	}
	if _, err := conns[0].Check(t.Context()); err != nil {
		t.Error(err)
	}
	// Nobody uses it for five minutes.
	h.clock.Add(idleFor - time.Second)
	h.p.sweep()
	if h.p.OnlineCount() != 1 {
		t.Error("closed too early")
	}
	h.clock.Add(time.Second)
	h.p.sweep()
	if h.p.OnlineCount() != 0 || h.state(id) != Offline || !ended(conns[0]) {
		t.Error("an idle connection is kept")
	}
	c, _, err := h.p.Conn(t.Context(), h.Org, id)
	if err != nil || c == conns[0] {
		t.Fatalf("opened again: %v", err)
	}
	if _, _, err := h.p.Conn(t.Context(), h.Org, h.db.NewID("acc")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an account that is not there: %v", err)
	}
	h.p.end()
	if !ended(c) {
		t.Error("the end of the service leaves a connection open")
	}
	if _, _, err := h.p.Conn(t.Context(), h.Org, id); messenger.As(err) == nil {
		t.Errorf("a connection after the end: %v", err)
	}
}

// TestNeverTwo: while everything that concerns the connection of an account changes,
// there are never two.
func TestNeverTwo(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, true)
	h.run()
	connects := func() int {
		h.d.mu.Lock()
		defer h.d.mu.Unlock()
		return h.d.connects
	}
	// A connection that was kicked may still be the one that is asked for next.
	const rounds, enough = 6, 1000
	for i := 0; i < rounds || connects() < 2 && i < enough; i++ {
		h.change(id, func(a *account) { a.wanted.Inbound = i%2 == 0 })
		if _, _, err := h.p.Conn(t.Context(), h.Org, id); err != nil {
			t.Error(err)
		}
		if err := h.w.Kick(number); err != nil {
			t.Error(err)
		}
		h.clock.Add(idleFor)
		h.p.sweep()
	}
	h.change(id, func(a *account) { a.wanted.Inbound = true })
	h.eventually("it listens", func() bool { return h.p.OnlineCount() == 1 })
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if h.d.most != 1 || h.d.connects < 2 {
		t.Errorf("at most %d connections at a time, %d in all", h.d.most, h.d.connects)
	}
}

// TestInboundComesBack: the connection of an account that receives is opened again,
// and what the platform says meanwhile counts.
func TestInboundComesBack(t *testing.T) {
	h := newEnv(t)
	h.d.refuse(&messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"})
	id := h.account(number, true)
	h.run()
	h.eventually("it was tried", func() bool {
		h.p.mu.Lock()
		defer h.p.mu.Unlock()
		sl := h.p.slots[key{h.Org, id}]
		return sl != nil && sl.fails == 1
	})
	if a, _ := h.accounts.of(id); a.refused != nil {
		t.Errorf("told of %v", a.refused)
	}
	h.d.refuse(nil)
	h.clock.Add(reopenAfter[0])
	h.p.wakeUp()
	h.eventually("it listens", func() bool { return h.p.OnlineCount() == 1 })
	if err := errors.Join(h.w.Revoke(number), h.w.Kick(number)); err != nil {
		t.Fatal(err)
	}
	h.eventually("the session ended", func() bool {
		a, _ := h.accounts.of(id)
		return a.refused != nil && a.refused.Fault == messenger.SessionEnded
	})
	h.eventually("nothing is open", func() bool { return h.state(id) == Offline })
	if _, _, err := h.p.Conn(t.Context(), h.Org, id); messenger.As(err) == nil || messenger.As(err).Fault != messenger.SessionEnded {
		t.Errorf("a connection without a session: %v", err)
	}
}
