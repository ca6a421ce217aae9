package proxy

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

// TestThreeTypes: real proxies, with right and wrong credentials, dead and
// odd ones; each is saved and says at which stage it failed.
func TestThreeTypes(t *testing.T) {
	h := newEnv(t)
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

func TestUpdate(t *testing.T) {
	h := newEnv(t)
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
	duplicate, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{}), nil)
	h.Do("PATCH /proxies/"+duplicate, map[string]any{"port": server.Route().Port}).Refused(api.ErrConflict)
	for body, field := range map[string]string{
		`{"username":null,"password":"x"}`: "username", `{"secret":"00112233445566778899aabbccddeeff"}`: "secret", `{"host":"a b"}`: "host",
		`{"port":0}`: "port", `{"host":null}`: "host",
	} {
		if a := h.Do("PATCH /proxies/"+duplicate, body).Refused(api.ErrInvalid); a.At("error.details."+field) == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	h.Do("DELETE /proxies/"+duplicate, nil).Want(204)
	mine := h.Org
	h.Org = h.db.NewID("org")
	for _, route := range []string{"GET /proxies/" + id, "DELETE /proxies/" + id, "POST /proxies/" + id + "/check", "GET /proxies/" + id + "/checks"} {
		h.Do(route, nil).Refused(api.ErrNotFound)
	}
	h.Do("PATCH /proxies/"+id, `{}`).Refused(api.ErrNotFound)
	h.Org = mine
}

// TestPrivate: addresses of the service's own network are refused unless the
// deployment allows them (contract 7.3).
func TestPrivate(t *testing.T) {
	h := newEnv(t)
	h.s.o.AllowPrivate = false
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
	h := newEnv(t)
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

// TestChecksKept: the last 100.
func TestChecksKept(t *testing.T) {
	h := newEnv(t)
	id, _, _ := h.add(messengertest.StartProxy(t, messenger.SOCKS5, messengertest.ProxyOptions{Manner: messengertest.Dead}), nil)
	var last time.Time
	h.update(func(tx *store.Tx) error {
		for i := range 120 {
			last = h.db.Now().Add(time.Duration(i) * time.Minute)
			if err := keepCheck(tx, h.Org, check{ID: h.db.NewID("pck"), Proxy: id, At: last, OK: true}); err != nil {
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
