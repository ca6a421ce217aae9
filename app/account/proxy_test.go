package account

import (
	"slices"
	"testing"
	"time"

	"svc/app/account/login"
	"svc/app/account/proxy"
	"svc/app/api"
	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/store"
)

// add adds a proxy as a person does.
func (h *harness) add(p *messengertest.Proxy, change func(map[string]any)) (id, status, body string) {
	h.t.Helper()
	via := p.Route()
	in := map[string]any{"type": via.Kind, "host": via.Host, "port": via.Port, "username": via.Username, "password": via.Password, "secret": via.Secret}
	if change != nil {
		change(in)
	}
	a := h.Do("POST /proxies", in).Want(201)
	return a.String("id"), a.String("status"), a.Body
}

// TestProxyLife: one account each, disabled ones are left alone, an unreachable one
// stops its account.
func TestProxyLife(t *testing.T) {
	h := newHarness(t)
	server := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{})
	id, _, _ := h.add(server, nil)
	first, second := h.account(number, false), h.account("+998900000001", false)
	h.Do("PATCH /accounts/"+first, map[string]any{"proxy_id": id}).Want(200)
	h.Do("PATCH /accounts/"+first, map[string]any{"proxy_id": id}).Want(200)
	h.Do("PATCH /accounts/"+second, map[string]any{"proxy_id": id}).Refused(proxy.ErrInUse)
	h.Do("POST /accounts", map[string]any{"phone": "+998900000002", "proxy_id": id}).Refused(proxy.ErrInUse)
	h.Do("DELETE /proxies/"+id, nil).Refused(proxy.ErrInUse)
	if a := h.Do("GET /accounts/"+first+"/activity?limit=1", nil); a.String("data.0.kind") != "PROXY_CHANGED" {
		t.Errorf("%s", a.Body)
	}
	via := server.Route()
	h.Do("POST /proxies", map[string]any{"type": "SOCKS5", "host": via.Host, "port": via.Port}).Refused(api.ErrConflict)
	// Its checks go on every 15 minutes, and a dead one stops the account.
	h.clock.Add(15 * time.Minute)
	if err := h.s.CheckAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := h.Do("GET /proxies/"+id+"/checks", nil).Int("total"); n != 2 {
		t.Errorf("%d checks", n)
	}
	server.Close()
	h.clock.Add(15 * time.Minute)
	if err := h.s.CheckAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := h.get(first); a.Status != Failed || *a.LastError != "PROXY_UNREACHABLE" {
		t.Errorf("%s %v", a.Status, a.LastError)
	}
	if a := h.get(second); a.Status != Active {
		t.Errorf("the account without it is %s", a.Status)
	}
	// A disabled one cannot be touched, not even added again.
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Proxies().Disable(tx, h.sc(), h.Org, id, "abuse")
		return err
	})
	if a := h.Do("GET /proxies/"+id, nil).Want(200); a.String("status") != "DISABLED" || a.String("disabled_reason") != "abuse" {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /proxies/"+id+"/check", nil).Refused(proxy.ErrDisabled)
	h.Do("PATCH /proxies/"+id, `{"name":"x"}`).Refused(proxy.ErrDisabled)
	h.Do("DELETE /proxies/"+id, nil).Refused(proxy.ErrDisabled)
	h.Do("POST /proxies", map[string]any{"type": "SOCKS5", "host": via.Host, "port": via.Port}).Refused(proxy.ErrDisabled)
	h.Do("PATCH /accounts/"+second, map[string]any{"proxy_id": id}).Refused(proxy.ErrDisabled)
	h.Do("PATCH /accounts/"+first, `{"proxy_id":null}`).Want(200)
	stop := h.run()
	h.eventually("it connects directly, so it is back at once", func() bool { return h.get(first).Status == Active })
	stop()
	err := h.db.Update(t.Context(), func(tx *store.Tx) error {
		if _, err := h.s.Proxies().Disable(tx, h.sc(), h.Org, id, "abuse"); err != api.ErrState {
			t.Errorf("disabled twice: %v", err)
		}
		if _, err := h.s.Proxies().Enable(tx, h.sc(), h.Org, id, "over"); err != nil {
			return err
		}
		_, err := h.s.Proxies().Enable(tx, h.sc(), h.Org, id, "over")
		return err
	})
	if err != ErrNotDisabled {
		t.Errorf("enabled twice: %v", err)
	}
	h.view(func(tx *store.Tx) error {
		page, err := h.s.Proxies().PageAcross(tx, "", "", api.PageIn{Limit: 5})
		if page.Total != 1 || page.Data[0].Org != h.Org {
			t.Errorf("across %+v", page)
		}
		ownerOrgID, ferr := proxy.Find(tx, id)
		if ferr != nil || ownerOrgID != h.Org {
			t.Errorf("found %s %v", ownerOrgID, ferr)
		}
		return err
	})
}

// TestBackWithItsProxy: an account that stopped with its proxy is checked as soon as
// the proxy works again, whoever found that out; nobody waits for the next round of
// checks.
func TestBackWithItsProxy(t *testing.T) {
	stopped := func(t *testing.T) (h *harness, proxy, account string, server *messengertest.Proxy) {
		h = newHarness(t)
		server = messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{})
		proxy, _, _ = h.add(server, nil)
		account = h.account(number, false)
		h.Do("PATCH /accounts/"+account, map[string]any{"proxy_id": proxy}).Want(200)
		// Nobody listens there, and a check finds it: the account is ERROR, and was
		// checked just now.
		server.Close()
		h.Do("POST /proxies/"+proxy+"/check", nil).Want(200)
		h.Do("POST /accounts/"+account+"/check", nil).Want(200)
		if a, p := h.get(account), h.pace(account); a.Status != Failed || !p.CheckedAt.Equal(h.db.Now()) {
			t.Fatalf("%s, checked at %s", a.Status, p.CheckedAt)
		}
		h.run()
		return h, proxy, account, server
	}
	again := func(h *harness, gone *messengertest.Proxy) {
		messengertest.StartProxy(h.t, messenger.SOCKS5, messengertest.ProxyOptions{Addr: gone.Addr()})
	}
	for name, mend := range map[string]func(h *harness, proxy, account string, gone *messengertest.Proxy){
		"checked by hand": func(h *harness, proxy, _ string, gone *messengertest.Proxy) {
			again(h, gone)
			h.Do("POST /proxies/"+proxy+"/check", nil).Want(200)
		},
		"checked by an administrator": func(h *harness, proxy, _ string, gone *messengertest.Proxy) {
			h.update(func(tx *store.Tx) error {
				_, err := h.s.Proxies().Disable(tx, h.sc(), h.Org, proxy, "abuse")
				return err
			})
			again(h, gone)
			h.update(func(tx *store.Tx) error {
				_, err := h.s.Proxies().Enable(tx, h.sc(), h.Org, proxy, "over")
				return err
			})
		},
		"checked when its time came": func(h *harness, _, account string, gone *messengertest.Proxy) {
			again(h, gone)
			h.update(func(tx *store.Tx) error { // its account is not due by itself
				p, err := paces.Get(tx, h.Org, account)
				p.CheckedAt = h.db.Now().Add(15 * time.Minute)
				if err == nil {
					err = paces.Put(tx, h.Org, &p)
				}
				return err
			})
			h.clock.Add(15 * time.Minute)
			if err := h.s.CheckAll(h.t.Context()); err != nil {
				h.t.Fatal(err)
			}
		},
		"edited": func(h *harness, proxy, _ string, _ *messengertest.Proxy) {
			next := messengertest.StartProxy(h.t, messenger.SOCKS5, messengertest.ProxyOptions{})
			h.Do("PATCH /proxies/"+proxy, map[string]any{"port": next.Route().Port}).Want(200)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, proxy, account, gone := stopped(t)
			mend(h, proxy, account, gone)
			h.eventually("the account is back", func() bool { return h.get(account).Status == Active })
		})
	}
}

func TestBulk(t *testing.T) {
	h := newHarness(t)
	var ids []string
	for range 3 {
		id, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Manner: messengertest.Dead}), nil)
		ids = append(ids, id)
	}
	account := h.account(number, false)
	h.Do("PATCH /accounts/"+account, map[string]any{"proxy_id": ids[0]}).Want(200)
	h.run()
	a := h.Do("POST /proxies/bulk", map[string]any{"action": "check", "proxy_ids": append(ids, "prx_none")}).Want(200)
	if a.Int("requested") != 4 || a.Int("changed") != 3 || a.String("skipped.0.reason") != "not_found" {
		t.Errorf("%s", a.Body)
	}
	h.eventually("all are checked", func() bool {
		return !slices.ContainsFunc(ids, func(id string) bool { return h.Do("GET /proxies/"+id+"/checks", nil).Int("total") < 2 })
	})
	a = h.Do("POST /proxies/bulk", map[string]any{"action": "delete", "proxy_ids": ids}).Want(200)
	if a.Int("changed") != 2 || a.String("skipped.0.proxy_id") != ids[0] || a.String("skipped.0.reason") != "proxy_in_use" {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /proxies/bulk", `{"action":"polish","proxy_ids":["x"]}`).Refused(api.ErrInvalid)
	h.Do("POST /proxies/bulk", `{"action":"check","proxy_ids":[]}`).Refused(api.ErrInvalid)
}

// TestSignInThroughAProxy: the proxy of a sign-in becomes the account's; one that does
// not work is proxy_unavailable.
func TestSignInThroughAProxy(t *testing.T) {
	h := newHarness(t)
	dead, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Manner: messengertest.Dead}), nil)
	h.Do("POST /accounts", map[string]any{"phone": number, "proxy_id": dead}).Refused(login.ErrProxy)
	p := messengertest.StartProxy(t, messenger.HTTPConnect, messengertest.ProxyOptions{Username: "u", Password: "p"})
	good, _, _ := h.add(p, nil)
	before := p.Tunnels()
	flowID := h.Do("POST /accounts", map[string]any{"phone": number, "proxy_id": good}).Want(201).String("state.flow_id")
	a := h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Want(200)
	if a.String("account.proxy_id") != good || p.Tunnels() < before+2 {
		t.Errorf("%s, %d tunnels", a.Body, p.Tunnels()-before)
	}
	// A sign-in again may take another one.
	next, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{}), nil)
	id := a.String("account.id")
	h.trouble(id, &messenger.Error{Fault: messenger.SessionEnded, Code: "SESSION_REVOKED"})
	flowID = h.Do("POST /accounts/"+id+"/reauth", map[string]any{"phone": number, "proxy_id": next}).Want(201).String("state.flow_id")
	if a := h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Want(200); a.String("account.proxy_id") != next || a.String("account.status") != "ACTIVE" {
		t.Errorf("%s", a.Body)
	}
	h.Do("DELETE /proxies/"+good, nil).Want(204)
	// One that goes away in the middle of a sign-in is not replaced by a direct way.
	flowID = h.Do("POST /accounts", map[string]any{"phone": "+998900000003", "proxy_id": h.another()}).Want(201).String("state.flow_id")
	for _, p := range h.Do("GET /proxies", nil).At("data").([]any) {
		if p := p.(map[string]any); p["account_id"] == nil {
			h.Do("DELETE /proxies/"+p["id"].(string), nil).Want(204)
		}
	}
	h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Refused(login.ErrProxy)
}

// another is a new proxy that works.
func (h *harness) another() string {
	id, _, _ := h.add(messengertest.StartProxy(h.t, messenger.SOCKS5, messengertest.ProxyOptions{}), nil)
	return id
}
