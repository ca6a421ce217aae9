package account

import (
	"testing"
	"time"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator/world/record"
	"svc/store"
)

// TestDisabledIsKept: an account that an administrator disabled cannot be deleted, or
// a new sign-in with its number would undo that.
func TestDisabledIsKept(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Disable(tx, h.sc(), h.Org, id, "abuse")
		return err
	})
	h.Do("DELETE /accounts/"+id, nil).Refused(ErrDisabled)
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Enable(tx, h.sc(), h.Org, id, "over")
		return err
	})
	h.Do("DELETE /accounts/"+id, nil).Want(204)
}

// TestFailingProxyShowsAtOnce: an account that would be ACTIVE behind a proxy of which
// is known that nothing gets through is ERROR instead (contract 20.6).
func TestFailingProxyShowsAtOnce(t *testing.T) {
	h := newHarness(t)
	login := messengertest.ProxyOptions{Username: "ali", Password: "secret words"}
	proxy, status, body := h.add(messengertest.StartProxy(t, messenger.SOCKS5, login), nil)
	if status != "ACTIVE" {
		t.Fatal(body)
	}
	const second = "+998901234599"
	h.phone(record.Phone{Number: second, Code: "12345"})
	id, other := h.account(number, false), h.account(second, false)
	h.Do("PATCH /accounts/"+id, map[string]any{"proxy_id": proxy}).Want(200)
	h.Do("POST /accounts/"+id+"/pause", nil).Want(200)
	h.update(func(tx *store.Tx) error {
		_, err := h.s.Proxies().Disable(tx, h.sc(), h.Org, proxy, "abuse")
		return err
	})
	if got := h.get(id).Status; got != Paused {
		t.Errorf("a paused account whose proxy is disabled is %s", got)
	}
	if a := h.Do("POST /accounts/"+id+"/resume", nil).Want(200); a.String("status") != "ERROR" || a.String("last_error") != "PROXY_DISABLED" {
		t.Errorf("resumed: %s", a.Body)
	}
	if got := h.get(other).Status; got != Active {
		t.Fatalf("the other account is %s", got)
	}
	bad, status, body := h.add(messengertest.StartProxy(t, messenger.SOCKS5, login), func(m map[string]any) { m["username"], m["password"] = "ali", "other words" })
	if status != "AUTH_FAILED" {
		t.Fatal(body)
	}
	if a := h.Do("PATCH /accounts/"+other, map[string]any{"proxy_id": bad}).Want(200); a.String("status") != "ERROR" || a.String("last_error") != "PROXY_AUTH_FAILED" {
		t.Errorf("moved behind a proxy that fails: %s", a.Body)
	}
}

// TestFloodOnCheck: a wait that the platform asks for on a health check holds for
// messages too.
func TestFloodOnCheck(t *testing.T) {
	h := newHarness(t)
	id := h.account(number, false)
	h.update(func(tx *store.Tx) error {
		return h.s.found(tx, h.sc(), key{h.Org, id}, messenger.Profile{}, &messenger.Error{Fault: messenger.Flood, Code: "FLOOD_WAIT", Wait: time.Minute})
	})
	if p := h.pace(id); p.CooldownUntil.Sub(h.db.Now()) < 50*time.Second {
		t.Errorf("cooldown until %s", p.CooldownUntil)
	}
}
