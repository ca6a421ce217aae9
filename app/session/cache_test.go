package session_test

import (
	"sync"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
)

// TestChangesShowAtOnce: whatever changes what a credential is good for shows in
// the very next check, although checks are remembered.
func TestChangesShowAtOnce(t *testing.T) {
	h := newHarness(t)
	owner := h.signup("a@example.com", "A")
	b := owner.join("b@example.com", "ANALYST")
	_, key := owner.key(map[string]any{"name": "k"})
	in := owner.do("GET /me", nil).String("organization.id")
	member := owner.do("GET /members?role=ANALYST", nil).String("data.0.id")
	person := owner.do("GET /members?role=ANALYST", nil).String("data.0.user.id")
	sys := func() *api.Call { return api.System(t.Context(), "", h.db.Now()) }
	call := func(w *browser) *api.Call {
		c := api.NewCall(t.Context(), nil)
		if err := h.s.Identify(c, w.cred); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, tt := range []struct {
		name   string
		change func()
		shows  func() bool
	}{
		{"role", func() { owner.do("PATCH /members/"+member, `{"role":"MANAGER"}`).Want(200) },
			func() bool { return call(b).Caller.Role == perm.Manager && call(b).Can(perm.CampaignsManage) }},
		{"name", func() { b.do("PATCH /me", `{"name":"Renamed"}`).Want(200) }, func() bool { return call(b).Caller.Name == "Renamed" }},
		{"administrator", func() { h.update(func(tx *store.Tx) error { return user.Promote(tx, sys(), person) }) },
			func() bool { return call(b).Caller.Administrator }},
		{"AI off", func() { h.set(map[string]any{"ai_enabled": false}) },
			func() bool { return !call(b).Can(perm.AIRead) && !call(key).Can(perm.AIRead) }},
		{"plan", func() {
			h.update(func(tx *store.Tx) error {
				_, err := org.SetOverrides(tx, sys(), in, map[string]any{"api_access": false})
				return err
			})
		}, func() bool { return !call(key).Caller.APIAccess }},
		{"suspension", func() {
			h.update(func(tx *store.Tx) error { _, err := h.orgs.Suspend(tx, sys(), in, "x"); return err })
		},
			func() bool { return call(b).Suspended && call(key).Suspended }},
		{"and its end", func() { h.update(func(tx *store.Tx) error { _, err := h.orgs.Reactivate(tx, sys(), in); return err }) },
			func() bool { return !call(b).Suspended }},
		{"a support session", func() {
			h.update(func(tx *store.Tx) error {
				return session.EnterSupport(tx, call(b).Caller.Session, session.Support{ID: "ssn_1", Org: in, ExpiresAt: h.db.Now().Add(time.Minute)})
			})
		}, func() bool { return call(b).Caller.Support == "ssn_1" }},
		{"its end by time", func() { h.clock.Add(time.Minute) }, func() bool { return call(b).Caller.Support == "" }},
		{"leaving", func() { owner.do("DELETE /members/"+member, nil).Want(204) }, func() bool { return call(b).Org == "" }},
		{"a new organization", func() { b.do("POST /me/organizations", `{"name":"B"}`).Want(201) },
			func() bool { return call(b).Org != "" && call(b).Caller.Role == perm.Owner }},
		{"two-factor", func() { b.enrol() }, func() bool { return call(b).Caller.Verified }},
		{"without", func() { b.do("POST /me/mfa/disable", map[string]any{"password": password}).Want(200) }, func() bool { return !call(b).Caller.Verified }},
	} {
		call(b)
		call(key)
		tt.change()
		if !tt.shows() {
			t.Errorf("%s: the next check does not show it", tt.name)
		}
	}
}

// TestRevokedUnderLoad: checks that run while a key is revoked leave nothing behind
// that lets it in afterwards.
func TestRevokedUnderLoad(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	for range 20 {
		id, k := b.key(map[string]any{"name": "k"})
		stop := make(chan struct{})
		var hammer sync.WaitGroup
		for range 4 {
			hammer.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						_ = h.s.Identify(api.NewCall(t.Context(), nil), k.cred)
					}
				}
			})
		}
		b.do("DELETE /api-keys/"+id, nil).Want(204)
		for range 200 {
			if err := h.s.Identify(api.NewCall(t.Context(), nil), k.cred); err != error(session.ErrCredentials) {
				t.Fatalf("after the revocation: %v", err)
			}
		}
		close(stop)
		hammer.Wait()
	}
}

// TestRevokedBetween: an identity that was read before a change and remembered after
// it is not used.
func TestRevokedBetween(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	id, k := b.key(map[string]any{"name": "k"})
	for name, look := range map[string]func(){"nobody asks meanwhile": func() {}, "somebody does": func() { _ = h.s.Identify(h.srv.Call(), b.cred) }} {
		t.Run(name, func(t *testing.T) {
			h.s.IdentifyAround(t, k.cred, func() {
				b.do("DELETE /api-keys/"+id, nil).Want(204)
				look()
			})
			k.works(false)
		})
		id, k = b.key(map[string]any{"name": "k"})
	}
}

// TestCacheIsBounded: many credentials do not fill the memory.
func TestCacheIsBounded(t *testing.T) {
	h := newHarness(t)
	b := h.signup("a@example.com", "A")
	_, k := b.key(map[string]any{"name": "k"})
	for i := range 12_000 {
		// The expiry is what makes tokens differ.
		token := h.s.TokenOf(t, h.db, k.cred.Bearer, h.db.Now().Add(time.Duration(i+1)*time.Second))
		if err := h.s.Identify(api.NewCall(t.Context(), nil), session.Credential{Bearer: token}); err != nil {
			t.Fatal(err)
		}
	}
	if n := h.s.Known(); n == 0 || n > 10_000 {
		t.Errorf("%d identities are kept", n)
	}
}
