package account

import (
	"testing"

	"svc/app/account/connection"
	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/store"
)

// TestThroughTheProxy: an account connects through its proxy and no other way.
func TestThroughTheProxy(t *testing.T) {
	h := newHarness(t)
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
	h.eventually("nothing is open", func() bool { return h.connection(id) == connection.Offline })
	if _, _, err := h.s.Conn(t.Context(), h.Org, id); messenger.As(err) == nil || messenger.As(err).Fault != messenger.RouteFailed {
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
