package session_test

import (
	"sync"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/sessiontest"
	"svc/app/user"
	"svc/store"
)

// TestChangesShowAtOnce: whatever changes what a credential is good for shows in
// the very next check, although checks are remembered.
func TestChangesShowAtOnce(t *testing.T) {
	h := sessiontest.New(t)
	owner := h.Signup("a@example.com", "A")
	b := owner.Join("b@example.com", "ANALYST")
	_, key := owner.Key(map[string]any{"name": "k"})
	in := owner.Do("GET /me", nil).String("organization.id")
	member := owner.Do("GET /members?role=ANALYST", nil).String("data.0.id")
	person := owner.Do("GET /members?role=ANALYST", nil).String("data.0.user.id")
	sys := func() *api.Call { return api.System(t.Context(), "", h.DB.Now()) }
	call := func(w *sessiontest.Browser) *api.Call {
		c := api.NewCall(t.Context(), nil)
		if err := h.S.Identify(c, w.Cred); err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, tt := range []struct {
		name   string
		change func()
		shows  func() bool
	}{
		{"role", func() { owner.Do("PATCH /members/"+member, `{"role":"MANAGER"}`).Want(200) },
			func() bool { return call(b).Caller.Role == perm.Manager && call(b).Can(perm.CampaignsManage) }},
		{"name", func() { b.Do("PATCH /me", `{"name":"Renamed"}`).Want(200) }, func() bool { return call(b).Caller.Name == "Renamed" }},
		{"administrator", func() { h.Update(func(tx *store.Tx) error { return user.Promote(tx, sys(), person) }) },
			func() bool { return call(b).Caller.Administrator }},
		{"AI off", func() { h.Set(map[string]any{"ai_enabled": false}) },
			func() bool { return !call(b).Can(perm.AIRead) && !call(key).Can(perm.AIRead) }},
		{"plan", func() {
			h.Update(func(tx *store.Tx) error {
				_, err := org.SetOverrides(tx, sys(), in, map[string]any{"api_access": false})
				return err
			})
		}, func() bool { return !call(key).Caller.APIAccess }},
		{"suspension", func() {
			h.Update(func(tx *store.Tx) error { _, err := h.Orgs.Suspend(tx, sys(), in, "x"); return err })
		},
			func() bool { return call(b).Suspended && call(key).Suspended }},
		{"and its end", func() { h.Update(func(tx *store.Tx) error { _, err := h.Orgs.Reactivate(tx, sys(), in); return err }) },
			func() bool { return !call(b).Suspended }},
		{"a support session", func() {
			h.Update(func(tx *store.Tx) error {
				return session.EnterSupport(tx, call(b).Caller.Session, session.Support{ID: "ssn_1", Org: in, ExpiresAt: h.DB.Now().Add(time.Minute)})
			})
		}, func() bool { return call(b).Caller.Support == "ssn_1" }},
		{"its end by time", func() { h.Clock.Add(time.Minute) }, func() bool { return call(b).Caller.Support == "" }},
		{"leaving", func() { owner.Do("DELETE /members/"+member, nil).Want(204) }, func() bool { return call(b).Org == "" }},
		{"a new organization", func() { b.Do("POST /me/organizations", `{"name":"B"}`).Want(201) },
			func() bool { return call(b).Org != "" && call(b).Caller.Role == perm.Owner }},
		{"two-factor", func() { b.Enrol() }, func() bool { return call(b).Caller.Verified }},
		{"without", func() { b.Do("POST /me/mfa/disable", map[string]any{"password": sessiontest.Password}).Want(200) }, func() bool { return !call(b).Caller.Verified }},
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
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	for range 20 {
		id, k := b.Key(map[string]any{"name": "k"})
		stop := make(chan struct{})
		var hammer sync.WaitGroup
		for range 4 {
			hammer.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						_ = h.S.Identify(api.NewCall(t.Context(), nil), k.Cred)
					}
				}
			})
		}
		b.Do("DELETE /api-keys/"+id, nil).Want(204)
		for range 200 {
			if err := h.S.Identify(api.NewCall(t.Context(), nil), k.Cred); err != error(session.ErrCredentials) {
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
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	id, k := b.Key(map[string]any{"name": "k"})
	for name, look := range map[string]func(){"nobody asks meanwhile": func() {}, "somebody does": func() { _ = h.S.Identify(h.Srv.Call(), b.Cred) }} {
		t.Run(name, func(t *testing.T) {
			h.S.IdentifyAround(t, k.Cred, func() {
				b.Do("DELETE /api-keys/"+id, nil).Want(204)
				look()
			})
			k.Works(false)
		})
		id, k = b.Key(map[string]any{"name": "k"})
	}
}

// TestCacheIsBounded: many credentials do not fill the memory.
func TestCacheIsBounded(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "k"})
	for i := range 12_000 {
		// The expiry is what makes tokens differ.
		token := h.S.TokenOf(t, h.DB, k.Cred.Bearer, h.DB.Now().Add(time.Duration(i+1)*time.Second))
		if err := h.S.Identify(api.NewCall(t.Context(), nil), session.Credential{Bearer: token}); err != nil {
			t.Fatal(err)
		}
	}
	if n := h.S.Known(); n == 0 || n > 10_000 {
		t.Errorf("%d identities are kept", n)
	}
}
