package account

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/store"
)

// add adds a proxy as a person does.
func (h *house) add(p *messengertest.Proxy, change func(map[string]any)) (id, status, body string) {
	h.t.Helper()
	via := p.Route()
	in := map[string]any{"type": via.Kind, "host": via.Host, "port": via.Port, "username": via.Username, "password": via.Password, "secret": via.Secret}
	if change != nil {
		change(in)
	}
	a := h.Do("POST /proxies", in).Want(201)
	return a.String("id"), a.String("status"), a.Body
}

// TestProxiesOfThreeTypes: real proxies, with right and wrong credentials, dead and
// odd ones; each is saved and says at which stage it failed.
func TestProxiesOfThreeTypes(t *testing.T) {
	h := newHouse(t)
	dc := h.sim.Addr().String()
	login := messengertest.ProxyOptions{Username: "ali", Password: "secret words"}
	wrong := func(in map[string]any) { in["password"] = "other words" }
	for _, tt := range []struct {
		name   string
		kind   messenger.RouteKind
		o      messengertest.ProxyOptions
		change func(map[string]any)
		status string
		stage  string
	}{
		{"socks", messenger.SOCKS5, messengertest.ProxyOptions{}, nil, "ACTIVE", "DATA_CENTRE"},
		{"socks with a password", messenger.SOCKS5, login, nil, "ACTIVE", "DATA_CENTRE"},
		{"socks with a wrong one", messenger.SOCKS5, login, wrong, "AUTH_FAILED", "AUTH"},
		{"http", messenger.HTTPConnect, messengertest.ProxyOptions{}, nil, "ACTIVE", "DATA_CENTRE"},
		{"http with a password", messenger.HTTPConnect, login, nil, "ACTIVE", "DATA_CENTRE"},
		{"http with a wrong one", messenger.HTTPConnect, login, wrong, "AUTH_FAILED", "AUTH"},
		{"mtproto", messenger.MTProtoProxy, messengertest.ProxyOptions{DC: dc}, nil, "ACTIVE", "DATA_CENTRE"},
		{"mtproto dd", messenger.MTProtoProxy, messengertest.ProxyOptions{DC: dc, Secret: append([]byte{0xdd}, "0123456789abcdef"...)}, nil, "ACTIVE", "DATA_CENTRE"},
		{"dead", messenger.SOCKS5, messengertest.ProxyOptions{Manner: messengertest.Dead}, nil, "UNREACHABLE", "DIAL"},
		{"cut off", messenger.HTTPConnect, messengertest.ProxyOptions{Manner: messengertest.CutOff}, nil, "UNREACHABLE", "DATA_CENTRE"},
	} {
		id, status, body := h.add(messengertest.StartProxy(t, tt.kind, tt.o), tt.change)
		checks := h.Do("GET /proxies/"+id+"/checks", nil).Want(200)
		if status != tt.status || checks.Int("total") != 1 || checks.String("data.0.stage") != tt.stage {
			t.Errorf("%s: %s\n%s", tt.name, body, checks.Body)
		}
		if (checks.At("data.0.error") == nil) != (status == "ACTIVE") || (checks.At("data.0.latency_ms") == nil) != (status != "ACTIVE") {
			t.Errorf("%s: %s", tt.name, checks.Body)
		}
		for _, secret := range []string{"secret words", "other words", hex.EncodeToString([]byte("0123456789abcdef"))} {
			if strings.Contains(body+checks.Body, secret) {
				t.Errorf("%s: a secret is shown: %s", tt.name, body)
			}
		}
	}
	if got := h.notices(); !slices.Contains(got, "PROXY_UNREACHABLE") {
		t.Errorf("notifications %v", got)
	}
	if a := h.Do("GET /proxies?status=AUTH_FAILED", nil).Want(200); a.Int("total") != 2 || a.At("data.0.has_password") != true || a.At("data.0.has_secret") != false {
		t.Errorf("%s", a.Body)
	}
	if a := h.Do("GET /proxies", nil).Want(200); a.Int("total") != 10 {
		t.Errorf("%s", a.Body)
	}
}

// TestProxyLife: one account each, disabled ones are left alone, an unreachable one
// stops its account.
func TestProxyLife(t *testing.T) {
	h := newHouse(t)
	server := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{})
	id, _, _ := h.add(server, nil)
	first, second := h.account(number, false), h.account("+998900000001", false)
	h.Do("PATCH /accounts/"+first, map[string]any{"proxy_id": id}).Want(200)
	h.Do("PATCH /accounts/"+first, map[string]any{"proxy_id": id}).Want(200)
	h.Do("PATCH /accounts/"+second, map[string]any{"proxy_id": id}).Refused(ErrProxyInUse)
	h.Do("POST /accounts", map[string]any{"phone": "+998900000002", "proxy_id": id}).Refused(ErrProxyInUse)
	h.Do("DELETE /proxies/"+id, nil).Refused(ErrProxyInUse)
	if a := h.Do("GET /accounts/"+first+"/activity?limit=1", nil); a.String("data.0.kind") != "PROXY_CHANGED" {
		t.Errorf("%s", a.Body)
	}
	via := server.Route()
	h.Do("POST /proxies", map[string]any{"type": "SOCKS5", "host": via.Host, "port": via.Port}).Refused(api.ErrConflict)
	// Its checks go on every 15 minutes, and a dead one stops the account.
	h.clock.Add(proxyEvery)
	if err := h.s.CheckAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := h.Do("GET /proxies/"+id+"/checks", nil).Int("total"); n != 2 {
		t.Errorf("%d checks", n)
	}
	server.Close()
	h.clock.Add(proxyEvery)
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
		_, err := h.s.DisableProxy(tx, h.sc(), h.Org, id, "abuse")
		return err
	})
	if a := h.Do("GET /proxies/"+id, nil).Want(200); a.String("status") != "DISABLED" || a.String("disabled_reason") != "abuse" {
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /proxies/"+id+"/check", nil).Refused(ErrProxyDisabled)
	h.Do("PATCH /proxies/"+id, `{"name":"x"}`).Refused(ErrProxyDisabled)
	h.Do("DELETE /proxies/"+id, nil).Refused(ErrProxyDisabled)
	h.Do("POST /proxies", map[string]any{"type": "SOCKS5", "host": via.Host, "port": via.Port}).Refused(ErrProxyDisabled)
	h.Do("PATCH /accounts/"+second, map[string]any{"proxy_id": id}).Refused(ErrProxyDisabled)
	h.Do("PATCH /accounts/"+first, `{"proxy_id":null}`).Want(200)
	stop := h.run()
	h.eventually("it connects directly, so it is back at once", func() bool { return h.get(first).Status == Active })
	stop()
	err := h.db.Update(t.Context(), func(tx *store.Tx) error {
		if _, err := h.s.DisableProxy(tx, h.sc(), h.Org, id, "abuse"); err != api.ErrState {
			t.Errorf("disabled twice: %v", err)
		}
		if _, err := h.s.EnableProxy(tx, h.sc(), h.Org, id, "over"); err != nil {
			return err
		}
		_, err := h.s.EnableProxy(tx, h.sc(), h.Org, id, "over")
		return err
	})
	if err != ErrNotDisabled {
		t.Errorf("enabled twice: %v", err)
	}
	h.view(func(tx *store.Tx) error {
		page, err := ProxiesAcross(tx, "", "", api.PageIn{Limit: 5})
		if page.Total != 1 || page.Data[0].Org != h.Org {
			t.Errorf("across %+v", page)
		}
		ownerOrgID, ferr := FindProxy(tx, id)
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
	stopped := func(t *testing.T) (h *house, proxy, account string, server *messengertest.Proxy) {
		h = newHouse(t)
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
	again := func(h *house, gone *messengertest.Proxy) {
		messengertest.StartProxy(h.t, messenger.SOCKS5, messengertest.ProxyOptions{Addr: gone.Addr()})
	}
	for name, mend := range map[string]func(h *house, proxy, account string, gone *messengertest.Proxy){
		"checked by hand": func(h *house, proxy, _ string, gone *messengertest.Proxy) {
			again(h, gone)
			h.Do("POST /proxies/"+proxy+"/check", nil).Want(200)
		},
		"checked by an administrator": func(h *house, proxy, _ string, gone *messengertest.Proxy) {
			h.update(func(tx *store.Tx) error {
				_, err := h.s.DisableProxy(tx, h.sc(), h.Org, proxy, "abuse")
				return err
			})
			again(h, gone)
			h.update(func(tx *store.Tx) error {
				_, err := h.s.EnableProxy(tx, h.sc(), h.Org, proxy, "over")
				return err
			})
		},
		"checked when its time came": func(h *house, _, account string, gone *messengertest.Proxy) {
			again(h, gone)
			h.update(func(tx *store.Tx) error { // its account is not due by itself
				p, err := paces.Get(tx, h.Org, account)
				p.CheckedAt = h.db.Now().Add(proxyEvery)
				if err == nil {
					err = paces.Put(tx, h.Org, &p)
				}
				return err
			})
			h.clock.Add(proxyEvery)
			if err := h.s.CheckAll(h.t.Context()); err != nil {
				h.t.Fatal(err)
			}
		},
		"edited": func(h *house, proxy, _ string, _ *messengertest.Proxy) {
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

func TestProxyUpdate(t *testing.T) {
	h := newHouse(t)
	server := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Username: "ali", Password: "right"})
	id, status, _ := h.add(server, func(in map[string]any) { in["password"] = "wrong"; in["name"] = "First" })
	if status != "AUTH_FAILED" {
		t.Fatal(status)
	}
	a := h.Do("PATCH /proxies/"+id, `{"password":"right"}`).Want(200)
	if a.String("status") != "ACTIVE" || a.String("name") != "First" || a.At("last_error") != nil || a.String("username") != "ali" {
		t.Errorf("%s", a.Body)
	}
	if n := h.Do("GET /proxies/"+id+"/checks", nil).Int("total"); n != 2 {
		t.Errorf("%d checks", n)
	}
	if a := h.Do("PATCH /proxies/"+id, `{"name":null}`).Want(200); a.At("name") != nil || a.String("status") != "ACTIVE" {
		t.Errorf("%s", a.Body)
	}
	if n := h.Do("GET /proxies/"+id+"/checks", nil).Int("total"); n != 2 {
		t.Errorf("a new name is no reason to check: %d", n)
	}
	if a := h.Do("PATCH /proxies/"+id, `{"username":null,"password":null}`).Want(200); a.String("status") != "AUTH_FAILED" || a.At("username") != nil || a.At("has_password") != false {
		t.Errorf("%s", a.Body)
	}
	twin, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{}), nil)
	h.Do("PATCH /proxies/"+twin, map[string]any{"port": server.Route().Port}).Refused(api.ErrConflict)
	for body, field := range map[string]string{
		`{"username":null,"password":"x"}`: "username", `{"secret":"00112233445566778899aabbccddeeff"}`: "secret", `{"host":"a b"}`: "host",
		`{"port":0}`: "port", `{"host":null}`: "host",
	} {
		if a := h.Do("PATCH /proxies/"+twin, body).Refused(api.ErrInvalid); a.At("error.details."+field) == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	h.Do("DELETE /proxies/"+twin, nil).Want(204)
	mine := h.Org
	h.Org = h.db.NewID("org")
	for _, route := range []string{"GET /proxies/" + id, "DELETE /proxies/" + id, "POST /proxies/" + id + "/check", "GET /proxies/" + id + "/checks"} {
		h.Do(route, nil).Refused(api.ErrNotFound)
	}
	h.Do("PATCH /proxies/"+id, `{}`).Refused(api.ErrNotFound)
	h.Org = mine
}

// TestPrivateProxies: addresses of the service's own network are refused unless the
// deployment allows them (contract 7.3).
func TestPrivateProxies(t *testing.T) {
	h := newHouse(t)
	h.s.o.AllowPrivateProxies = false
	for _, host := range []string{"127.0.0.1", "10.0.0.1", "::1", "localhost", "proxy.internal", "169.254.169.254"} {
		a := h.Do("POST /proxies", map[string]any{"type": "SOCKS5", "host": host, "port": 1080}).Refused(api.ErrInvalid)
		if a.At("error.details.host") == nil {
			t.Errorf("%s: %s", host, a.Body)
		}
	}
	a := h.Do("POST /proxies/import", `{"text":"127.0.0.1:1080\nproxy.example.uz:1080"}`).Want(200)
	if a.Int("created") != 1 || a.Int("invalid") != 1 || !strings.Contains(a.String("issues.0.message"), "public") {
		t.Errorf("%s", a.Body)
	}
	for body, field := range map[string]string{
		`{"type":"FTP","host":"h.uz","port":1}`: "type", `{"type":"MTPROTO","host":"h.uz","port":1}`: "secret",
		`{"type":"SOCKS5","host":"h.uz","port":70000}`: "port", `{"type":"SOCKS5","host":"h.uz","port":1,"password":"x"}`: "username",
		`{"type":"SOCKS5","port":1}`: "host", `{"type":"HTTP","host":"h_h..uz","port":1}`: "host",
	} {
		if a := h.Do("POST /proxies", body).Refused(api.ErrInvalid); a.At("error.details."+field) == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
}

// TestImport reads the usual formats, counts what is there twice, names the lines that
// are wrong, and has what is new checked.
func TestImport(t *testing.T) {
	h := newHouse(t)
	via := messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{}).Route()
	text := strings.Join([]string{
		fmt.Sprintf("%s:%d", via.Host, via.Port), "# a comment", "", "127.0.0.1:1:u:p", "http://u:p@127.0.0.1:2", "no proxy at all",
		"tg://proxy?server=127.0.0.1&port=3&secret=00112233445566778899aabbccddeeff", "https://t.me/socks?server=127.0.0.1&port=4",
		fmt.Sprintf("socks5://%s:%d", via.Host, via.Port), "127.0.0.1:99999",
	}, "\r\n")
	a := h.Do("POST /proxies/import", map[string]any{"text": text}).Want(200)
	if a.Int("created") != 5 || a.Int("duplicates") != 1 || a.Int("invalid") != 2 || a.Int("issues.0.row") != 6 || a.Int("issues.1.row") != 10 {
		t.Errorf("%s", a.Body)
	}
	h.run()
	h.eventually("all are checked", func() bool { return h.Do("GET /proxies?status=UNCHECKED", nil).Int("total") == 0 })
	if n := h.Do("GET /proxies?status=ACTIVE", nil).Int("total"); n != 1 {
		t.Errorf("%d work", n)
	}
	a = h.Do("POST /proxies/import", map[string]any{"text": text, "type_default": "HTTP"}).Want(200)
	if a.Int("created") != 2 || a.Int("duplicates") != 4 { // those that name no type are others
		t.Errorf("%s", a.Body)
	}
	h.Do("POST /proxies/import", map[string]any{"text": strings.Repeat("h.uz:1\n", 1001)}).Refused(api.ErrInvalid)
	h.Do("POST /proxies/import", `{"text":""}`).Refused(api.ErrInvalid)
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("127.0.0.2:%d", i+1))
	}
	if a := h.Do("POST /proxies/import", map[string]any{"text": strings.Join(lines, "\n")}).Want(200); a.Int("created") != 1000 {
		t.Errorf("%s", a.Body)
	}
}

func TestBulk(t *testing.T) {
	h := newHouse(t)
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

// TestChecksKept: the last 100.
func TestChecksKept(t *testing.T) {
	h := newHouse(t)
	id, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Manner: messengertest.Dead}), nil)
	var last time.Time
	h.update(func(tx *store.Tx) error {
		for i := range 120 {
			last = h.db.Now().Add(time.Duration(i) * time.Minute)
			if err := keepCheck(tx, h.Org, proxyCheck{ID: h.db.NewID("pck"), Proxy: id, At: last, OK: true}); err != nil {
				return err
			}
		}
		return nil
	})
	a := h.Do("GET /proxies/"+id+"/checks?limit=500", nil).Want(200)
	if a.Int("total") != 100 || a.String("data.0.at") != last.Format(time.RFC3339) {
		t.Errorf("%d checks, the newest from %s", a.Int("total"), a.String("data.0.at"))
	}
}

// TestSignInThroughAProxy: the proxy of a sign-in becomes the account's; one that does
// not work is proxy_unavailable.
func TestSignInThroughAProxy(t *testing.T) {
	h := newHouse(t)
	dead, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Manner: messengertest.Dead}), nil)
	h.Do("POST /accounts", map[string]any{"phone": number, "proxy_id": dead}).Refused(ErrProxy)
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
	h.Do("POST /accounts/login/"+flowID+"/code", `{"code":"12345"}`).Refused(ErrProxy)
}

// another is a new proxy that works.
func (h *house) another() string {
	id, _, _ := h.add(messengertest.StartProxy(h.t, messenger.SOCKS5, messengertest.ProxyOptions{}), nil)
	return id
}
