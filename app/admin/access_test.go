package admin_test

import (
	"regexp"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/api/perm"
)

// TestWhoMayAdminister: every operation answers a platform administrator whose session
// gave its code, and nobody else (contract 44.6 and 44.7).
func TestWhoMayAdminister(t *testing.T) {
	h := newHarness(t)
	key := &browser{h: h}
	key.cred.Bearer = h.olga.do("POST /api-keys", map[string]any{"name": "CRM"}).Want(201).String("key")

	unverified := h.signup("second@example.com", "Second")
	if _, err := h.sessions.CreateAdministrator(t.Context(), "second@example.com"); err != nil {
		t.Fatal(err)
	}
	helper := h.administrator("third@example.com")
	link := helper.do("POST /admin/organizations/"+h.acme+"/support-sessions", map[string]any{"reason": "They asked"}).Want(201).String("enter_url")
	helper.do("GET "+strings.TrimPrefix(link, "https://svc.example/api/v1"), nil).Want(302)

	list := h.s.Endpoints()
	if len(list) < 30 {
		t.Fatalf("%d operations", len(list))
	}
	for i := range list {
		e := &list[i]
		if e.Perm != perm.Administrator {
			t.Errorf("%s asks for %s", e.ID, e.Perm)
		}
		path := regexp.MustCompile(`\{[a-z]+\}`).ReplaceAllString(e.Path, "xyz_01arz3ndektsv4rrffq69g5fav")
		for _, c := range []struct {
			who  *browser
			want *api.Error
		}{
			{&browser{h: h}, api.ErrUnauthenticated}, {h.olga, api.ErrForbidden}, {key, api.ErrForbidden},
			{unverified, api.ErrMFAEnrollment}, {helper, api.ErrSupportSession},
		} {
			c.who.do(e.Method+" "+path, nil).Refused(c.want)
		}
	}
}

// TestSpecified: the operations of contract 17 that are not AI's are
// here (accounts, proxies and campaigns too).
func TestSpecified(t *testing.T) {
	h := newHarness(t)
	have := map[string]bool{}
	for _, e := range h.s.Endpoints() {
		have[e.Method+" "+e.Path] = true
	}
	for _, want := range strings.Fields(`
		GET:/admin/overview GET:/admin/organizations POST:/admin/organizations GET:/admin/organizations/{id} PATCH:/admin/organizations/{id}
		POST:/admin/organizations/{id}/suspend POST:/admin/organizations/{id}/reactivate GET:/admin/users POST:/admin/users/{id}/disable
		POST:/admin/users/{id}/enable GET:/admin/accounts POST:/admin/accounts/{id}/disable POST:/admin/accounts/{id}/enable GET:/admin/proxies
		GET:/admin/proxies/{id} POST:/admin/proxies/{id}/check POST:/admin/proxies/{id}/disable POST:/admin/proxies/{id}/enable
		GET:/admin/campaigns GET:/admin/campaigns/{id} POST:/admin/campaigns/{id}/pause POST:/admin/campaigns/{id}/resume
		POST:/admin/campaigns/{id}/cancel GET:/admin/workers GET:/admin/queues POST:/admin/queues/{name}/pause POST:/admin/queues/{name}/resume
		GET:/admin/queues/{name}/tasks POST:/admin/queues/{name}/tasks/{task}/retry POST:/admin/queues/{name}/tasks/{task}/drop
		POST:/admin/queues/{name}/retry-archived POST:/admin/queues/{name}/drop-archived GET:/admin/system
		POST:/admin/organizations/{id}/support-sessions GET:/admin/support-sessions POST:/admin/support-sessions/{id}/end
		GET:/admin/support-sessions/{id}/accesses GET:/admin/organizations/{id}/limits PUT:/admin/organizations/{id}/limits
		GET:/admin/abuse-reports POST:/admin/abuse-reports PATCH:/admin/abuse-reports/{id} GET:/admin/audit-logs GET:/admin/settings
		PUT:/admin/settings GET:/admin/billing GET:/support/enter`) {
		if route := strings.Replace(want, ":", " ", 1); !have[route] {
			t.Errorf("%s is missing", route)
		}
	}
}
