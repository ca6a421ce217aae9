package account

import (
	"errors"
	"sync"
	"testing"
	"time"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/store"
)

// TestLease: however many want it at the same time, an account has one connection.
func TestLease(t *testing.T) {
	h := newHouse(t)
	id := h.account(number, false)
	var wg sync.WaitGroup
	conns := make([]messenger.Conn, 30)
	for i := range conns {
		wg.Go(func() {
			c, err := h.s.Conn(t.Context(), h.Org, id)
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
	h.s.pool.sweep()
	if h.s.OnlineCount() != 1 {
		t.Error("closed too early")
	}
	h.clock.Add(time.Second)
	h.s.pool.sweep()
	if h.s.OnlineCount() != 0 || h.s.pool.connection(key{h.Org, id}) != Offline || !ended(conns[0]) {
		t.Error("an idle connection is kept")
	}
	c, err := h.s.Conn(t.Context(), h.Org, id)
	if err != nil || c == conns[0] {
		t.Fatalf("opened again: %v", err)
	}
	if _, err := h.s.Conn(t.Context(), h.Org, h.db.NewID("acc")); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("an account that is not there: %v", err)
	}
	h.s.pool.end()
	if !ended(c) {
		t.Error("the end of the service leaves a connection open")
	}
	if _, err := h.s.Conn(t.Context(), h.Org, id); messenger.As(err) == nil {
		t.Errorf("a connection after the end: %v", err)
	}
}

// TestNeverTwo: while everything that concerns the connection of an account changes,
// there are never two.
func TestNeverTwo(t *testing.T) {
	h := newHouse(t)
	id := h.account(number, true)
	h.run()
	for i := range 6 {
		h.Do("PATCH /accounts/"+id, map[string]any{"inbound_enabled": i%2 == 0}).Want(200)
		if _, err := h.s.Conn(t.Context(), h.Org, id); err != nil {
			t.Error(err)
		}
		if err := h.w.Kick(number); err != nil {
			t.Error(err)
		}
		h.clock.Add(idleFor)
		h.s.pool.sweep()
	}
	h.Do("PATCH /accounts/"+id, `{"inbound_enabled":true}`).Want(200)
	h.eventually("it listens", func() bool { return h.s.OnlineCount() == 1 })
	h.d.mu.Lock()
	defer h.d.mu.Unlock()
	if h.d.most != 1 || h.d.connects < 2 {
		t.Errorf("at most %d connections at a time, %d in all", h.d.most, h.d.connects)
	}
}

// TestInboundComesBack: the connection of an account that receives is opened again,
// and what the platform says meanwhile counts.
func TestInboundComesBack(t *testing.T) {
	h := newHouse(t)
	h.d.refuse(&messenger.Error{Fault: messenger.Unreachable, Code: "TRANSPORT"})
	id := h.account(number, true)
	h.run()
	h.eventually("it was tried", func() bool {
		h.s.pool.mu.Lock()
		defer h.s.pool.mu.Unlock()
		sl := h.s.pool.slots[key{h.Org, id}]
		return sl != nil && sl.fails == 1
	})
	if a := h.get(id); a.Status != Active {
		t.Errorf("status %s", a.Status)
	}
	h.d.refuse(nil)
	h.clock.Add(reopenAfter[0])
	h.s.pool.rouse()
	h.eventually("it listens", func() bool { return h.s.OnlineCount() == 1 })
	if err := errors.Join(h.w.Revoke(number), h.w.Kick(number)); err != nil {
		t.Fatal(err)
	}
	h.eventually("the session ended", func() bool { return h.get(id).Status == AuthRequired })
	h.eventually("nothing is open", func() bool { return h.s.pool.connection(key{h.Org, id}) == Offline })
	if _, err := h.s.Conn(t.Context(), h.Org, id); messenger.As(err) == nil || messenger.As(err).Fault != messenger.SessionEnded {
		t.Errorf("a connection without a session: %v", err)
	}
}

// TestThroughTheProxy: an account connects through its proxy and no other way.
func TestThroughTheProxy(t *testing.T) {
	h := newHouse(t)
	p := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Username: "u", Password: "p"})
	via := p.Route()
	proxy := h.Do("POST /proxies", map[string]any{"type": "SOCKS5", "host": via.Host, "port": via.Port, "username": "u", "password": "p"}).Want(201)
	if proxy.String("status") != "ACTIVE" {
		t.Fatalf("%s", proxy.Body)
	}
	id := h.account(number, true)
	h.Do("PATCH /accounts/"+id, map[string]any{"proxy_id": proxy.String("id")}).Want(200)
	before := p.Tunnels()
	h.run()
	h.eventually("it listens", func() bool { return h.s.OnlineCount() == 1 })
	if p.Tunnels() <= before {
		t.Error("the connection does not use the proxy")
	}
	if a := h.Do("GET /proxies/"+proxy.String("id"), nil); a.String("account_id") != id {
		t.Errorf("%s", a.Body)
	}
	// Without the proxy there is no way: ERROR, until it is back.
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Proxies().Disable(tx, h.sc(), h.Org, proxy.String("id"), "abuse")
		return err
	})
	if a := h.get(id); a.Status != Failed || *a.LastError != "PROXY_DISABLED" {
		t.Errorf("%+v", a)
	}
	h.eventually("nothing is open", func() bool { return h.s.pool.connection(key{h.Org, id}) == Offline })
	if _, err := h.s.Conn(t.Context(), h.Org, id); messenger.As(err) == nil || messenger.As(err).Fault != messenger.RouteFailed {
		t.Errorf("a connection without the proxy: %v", err)
	}
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Proxies().Enable(tx, h.sc(), h.Org, proxy.String("id"), "over")
		return err
	})
	h.eventually("the proxy is checked", func() bool {
		return h.Do("GET /proxies/"+proxy.String("id"), nil).String("status") == "ACTIVE"
	})
	if err := h.s.CheckAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.eventually("it is back", func() bool { return h.get(id).Status == Active && h.s.OnlineCount() == 1 })
}
