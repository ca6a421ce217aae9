package admin_test

import (
	"errors"
	"testing"

	"svc/app/account"
	"svc/app/account/proxy"
	"svc/app/api"
	"svc/messenger"
)

func TestAccounts(t *testing.T) {
	h := newHarness(t)
	first := h.olga.account("+998901234567", "")
	second := h.boss.account("+998901234568", "")
	list := h.boss.do("GET /admin/accounts", nil).Want(200)
	if list.Int("total") != 2 || list.String("data.0.id") != second || list.String("data.1.id") != first || list.String("data.1.organization.name") != "Acme" ||
		list.String("data.1.organization.id") != h.acme || list.String("data.1.status") != "ACTIVE" || list.String("data.1.phone_masked") == "" {
		t.Error(list.Body)
	}
	for query, want := range map[string]int{"?status=ACTIVE": 2, "?status=PAUSED": 0, "?limit=1&offset=1": 2} {
		if n := h.boss.do("GET /admin/accounts"+query, nil).Want(200).Int("total"); n != want {
			t.Errorf("%q: %d, want %d", query, n, want)
		}
	}
	h.boss.do("GET /admin/accounts?status=HAPPY", nil).Refused(api.ErrInvalid)

	path := "POST /admin/accounts/" + first
	h.boss.do(path+"/enable", nil).Refused(account.ErrNotDisabled)
	h.boss.do(path+"/disable", map[string]any{}).Refused(api.ErrInvalid)
	a := h.boss.do(path+"/disable", map[string]any{"reason": "Complaints"}).Want(200)
	if a.At("disabled_by_admin") != true || a.String("status") != "PAUSED" || a.String("organization.name") != "Acme" {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN account.disabled: Complaints")
	if a := h.olga.do("GET /accounts/"+first, nil).Want(200); a.String("disabled_reason") != "Complaints" {
		t.Error(a.Body)
	}
	h.olga.do("POST /accounts/"+first+"/resume", map[string]any{}).Refused(account.ErrDisabled)
	h.boss.do(path+"/disable", map[string]any{"reason": "Again"}).Refused(api.ErrState)
	a = h.boss.do(path+"/enable", map[string]any{"reason": "Settled"}).Want(200)
	if a.At("disabled_by_admin") != false || a.String("status") != "PAUSED" {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN account.enabled: Settled")
	for _, id := range []string{"acc_01arz3ndektsv4rrffq69g5fav", "nonsense"} {
		h.boss.do("POST /admin/accounts/"+id+"/disable", map[string]any{"reason": "x"}).Refused(api.ErrNotFound)
		h.boss.do("POST /admin/accounts/"+id+"/enable", nil).Refused(api.ErrNotFound)
	}

	// A report may name the account, with its own organization only.
	report := map[string]any{"category": "SPAM", "description": "x", "account_id": first, "organization_id": h.acme}
	h.boss.do("POST /admin/abuse-reports", report).Want(201)
	report["account_id"] = second
	if a := h.boss.do("POST /admin/abuse-reports", report).Refused(api.ErrInvalid); a.At("error.details.account_id") == nil {
		t.Error(a.Body)
	}
}

func TestProxies(t *testing.T) {
	h := newHarness(t)
	add := func(b *browser, host string) string {
		t.Helper()
		return b.do("POST /proxies", map[string]any{"type": "SOCKS5", "host": host, "port": 1080, "username": "u", "password": "very secret"}).Want(201).String("id")
	}
	first, second := add(h.olga, "93.184.216.34"), add(h.boss, "93.184.216.35")
	acc := h.olga.account("+998901234567", first)
	list := h.boss.do("GET /admin/proxies", nil).Want(200)
	if list.Int("total") != 2 || list.String("data.0.id") != second || list.String("data.1.organization.name") != "Acme" || list.String("data.1.status") != "ACTIVE" {
		t.Error(list.Body)
	}
	one := h.boss.do("GET /admin/proxies/"+first, nil).Want(200)
	if one.String("host") != "93.184.216.34" || one.String("organization.id") != h.acme || one.String("account_id") != acc || one.At("has_password") != true || one.At("password") != nil {
		t.Error(one.Body)
	}
	path := "POST /admin/proxies/" + first
	h.driver.route = &messenger.RouteError{Stage: messenger.StageDial, Err: errors.New("no answer")}
	if a := h.boss.do(path+"/check", nil).Want(200); a.String("status") != "UNREACHABLE" || a.String("organization.name") != "Acme" {
		t.Error(a.Body)
	}
	h.driver.route = nil
	if a := h.boss.do(path+"/check", nil).Want(200); a.String("status") != "ACTIVE" {
		t.Error(a.Body)
	}
	h.boss.do(path+"/enable", nil).Refused(account.ErrNotDisabled)
	h.boss.do(path+"/disable", nil).Want(400)
	h.boss.do(path+"/disable", map[string]any{"reason": " "}).Refused(api.ErrInvalid)
	a := h.boss.do(path+"/disable", map[string]any{"reason": "It is not theirs"}).Want(200)
	if a.String("status") != "DISABLED" || a.String("disabled_reason") != "It is not theirs" {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN proxy.disabled: It is not theirs")
	if a := h.olga.do("GET /proxies/"+first, nil).Want(200); a.String("disabled_reason") != "It is not theirs" {
		t.Error(a.Body)
	}
	h.boss.do(path+"/check", nil).Refused(proxy.ErrDisabled)
	h.boss.do(path+"/disable", map[string]any{"reason": "Again"}).Refused(api.ErrState)
	if n := h.boss.do("GET /admin/proxies?status=DISABLED", nil).Want(200).Int("total"); n != 1 {
		t.Errorf("%d are disabled", n)
	}
	if a := h.boss.do(path+"/enable", map[string]any{}).Want(200); a.String("status") != "UNCHECKED" {
		t.Error(a.Body)
	}
	h.wantLogged(h.acme, "PLATFORM_ADMIN proxy.enabled")
	for _, id := range []string{"prx_01arz3ndektsv4rrffq69g5fav", "nonsense"} {
		h.boss.do("GET /admin/proxies/"+id, nil).Refused(api.ErrNotFound)
		h.boss.do("POST /admin/proxies/"+id+"/check", nil).Refused(api.ErrNotFound)
		h.boss.do("POST /admin/proxies/"+id+"/disable", map[string]any{"reason": "x"}).Refused(api.ErrNotFound)
		h.boss.do("POST /admin/proxies/"+id+"/enable", nil).Refused(api.ErrNotFound)
	}
}
