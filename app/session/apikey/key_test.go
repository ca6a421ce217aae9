package apikey_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/apikey"
	"svc/app/session/sessiontest"
	"svc/store"
)

func TestKey(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	a := b.Do("POST /api-keys", `{"name":" CRM "}`).Want(201)
	if a.String("name") != "CRM" || a.String("status") != "ACTIVE" || a.At("scopes") != nil || a.At("expires_at") != nil || !strings.HasPrefix(a.String("created_by"), "usr_") {
		t.Error(a.Body)
	}
	if key := a.String("key"); !regexp.MustCompile(`^svck_[a-z2-7]{12}_[a-z2-7]{52}$`).MatchString(key) || key[5:17] != a.String("prefix") {
		t.Errorf("the key is %s", key)
	}
	k := h.Browser()
	k.Cred.Bearer = a.String("key")
	who, err := k.Caller()
	if err != nil || who.Kind != api.Key || who.ID != a.String("id") || who.Role != perm.APIClient || who.Perms != perm.APIClient.Permissions() || !who.APIAccess {
		t.Errorf("%+v, %v", who, err)
	}
	me := k.Do("GET /me", nil).Want(200)
	if me.String("kind") != "api_key" || me.At("user") != nil || me.String("role") != "API_CLIENT" || me.String("organization.name") != "A" ||
		me.String("organizations.0.role") != "API_CLIENT" || me.String("api_key.name") != "CRM" {
		t.Error(me.Body)
	}
	list := b.Do("GET /api-keys", nil).Want(200)
	if list.Int("total") != 1 || strings.Contains(list.Body, `"key":`) || strings.Contains(list.Body, "hash") {
		t.Error(list.Body)
	}
	// A bearer is what counts when there is a cookie too.
	k.Cred.Cookie = b.Cred.Cookie
	if who, _ := k.Caller(); who.Kind != api.Key {
		t.Errorf("with a cookie it is %+v", who)
	}
	for _, bad := range []string{"?", "x", k.Cred.Bearer + "x", k.Cred.Bearer[:len(k.Cred.Bearer)-1] + "0", strings.ToUpper(k.Cred.Bearer), strings.Repeat("a", 10_000)} {
		k.Cred.Bearer = bad
		k.Works(false)
	}
}

func TestKeyBody(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	for body, field := range map[string]string{
		`{}`:                                  "name",
		`{"name":""}`:                         "name",
		`{"name":"  "}`:                       "name",
		`{"name":"x","expires_in_days":0}`:    "expires_in_days",
		`{"name":"x","expires_in_days":3651}`: "expires_in_days",
		`{"name":"x","scopes":[]}`:            "scopes",
		`{"name":"x","scopes":["recipients:read","members:manage"]}`: "scopes[1]",
		`{"name":"x","scopes":["developers:manage"]}`:                "scopes[0]",
		`{"name":"x","scopes":["everything"]}`:                       "scopes[0]",
	} {
		a := b.Do("POST /api-keys", body).Refused(api.ErrInvalid)
		if details, _ := a.At("error.details").(map[string]any); details[field] == nil && details["body"] == nil {
			t.Errorf("%s: %s", body, a.Body)
		}
	}
	_, k := b.Key(map[string]any{"name": "x", "scopes": []string{"recipients:read", "ai:read", "ai:manage", "recipients:read"}})
	if who, _ := k.Caller(); who.Perms != perm.Of(perm.RecipientsRead, perm.AIRead, perm.AIManage) {
		t.Errorf("the scoped key may %v", who.Perms.Names())
	}
	k.Do("GET /organization", nil).Refused(api.ErrForbidden)
	h.Set(map[string]any{"ai_enabled": false})
	if who, _ := k.Caller(); who.Perms != perm.Of(perm.RecipientsRead, perm.AIRead) || !who.AIOff {
		t.Errorf("with AI off it may %v", who.Perms.Names())
	}
}

func TestKeyExpires(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	id, k := b.Key(map[string]any{"name": "x", "expires_in_days": 1})
	h.Clock.Add(24*time.Hour - time.Second)
	k.Works(true)
	h.Clock.Add(time.Second)
	k.Works(false)
	if a := b.Do("GET /api-keys", nil); a.String("data.0.status") != "EXPIRED" {
		t.Error(a.Body)
	}
	b.Do("POST /api-keys/"+id+"/rotate", nil).Refused(apikey.ErrInactive)
}

func TestRotation(t *testing.T) {
	h := sessiontest.New(t)
	b, stranger := h.Signup("a@example.com", "A"), h.Signup("s@example.com", "S")
	id, old := b.Key(map[string]any{"name": "x", "expires_in_days": 10, "scopes": []string{"recipients:read"}})
	h.Clock.Add(time.Hour)
	stranger.Do("POST /api-keys/"+id+"/rotate", nil).Refused(api.ErrNotFound)
	a := b.Do("POST /api-keys/"+id+"/rotate", nil).Want(201)
	fresh := h.Browser()
	fresh.Cred.Bearer = a.String("key")
	if a.String("name") != "x" || a.String("rotated_from") != id || a.String("status") != "ACTIVE" || a.String("scopes.0") != "recipients:read" ||
		a.String("expires_at") != h.DB.Now().Add(240*time.Hour).Format(time.RFC3339) {
		t.Error(a.Body)
	}
	list := b.Do("GET /api-keys?sort=created_at", nil)
	if list.String("data.0.status") != "ROTATING" || list.String("data.0.valid_until") != h.DB.Now().Add(24*time.Hour).Format(time.RFC3339) {
		t.Error(list.Body)
	}
	b.Do("POST /api-keys/"+id+"/rotate", nil).Refused(api.ErrState)
	old.Works(true)
	fresh.Works(true)
	h.Clock.Add(24*time.Hour - time.Second)
	old.Works(true)
	h.Clock.Add(time.Second)
	old.Works(false)
	fresh.Works(true)
	b.Do("POST /api-keys/"+id+"/rotate", nil).Refused(apikey.ErrInactive)
	// The overlap does not make a key live longer than it would have.
	short, soon := b.Key(map[string]any{"name": "y", "expires_in_days": 1})
	h.Clock.Add(20 * time.Hour)
	b.Do("POST /api-keys/"+short+"/rotate", nil).Want(201)
	h.Clock.Add(4 * time.Hour)
	soon.Works(false)
}

func TestRevocation(t *testing.T) {
	h := sessiontest.New(t)
	b, stranger := h.Signup("a@example.com", "A"), h.Signup("s@example.com", "S")
	id, k := b.Key(map[string]any{"name": "x"})
	token := k.Exchange()
	c := h.Srv.Call()
	if err := h.S.Identify(c, token.Cred); err != nil || c.Revoked() {
		t.Fatal(err)
	}
	stranger.Do("DELETE /api-keys/"+id, nil).Refused(api.ErrNotFound)
	b.Do("DELETE /api-keys/"+id, nil).Want(204)
	b.Do("DELETE /api-keys/"+id, nil).Want(204)
	k.Works(false)
	token.Works(false)
	if !c.Revoked() {
		t.Error("a stream of the token goes on")
	}
	b.Do("POST /api-keys/"+id+"/rotate", nil).Refused(apikey.ErrInactive)
	h.Browser().Do("POST /auth/token", map[string]any{"grant_type": "api_key", "api_key": k.Cred.Bearer}).Refused(session.ErrCredentials)
	if a := b.Do("GET /api-keys", nil); a.String("data.0.status") != "REVOKED" {
		t.Error(a.Body)
	}
}

func TestToken(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "x"})
	token := k.Exchange()
	of, _ := k.Caller()
	if who, err := token.Caller(); err != nil || who != of {
		t.Errorf("the token is %+v, its key %+v, %v", who, of, err)
	}
	do := func(body string) *api.Error {
		a := h.Browser().Do("POST /auth/token", body)
		return &api.Error{Kind: api.Kind(a.Status), Code: a.String("error.code")}
	}
	for body, want := range map[string]*api.Error{
		`{"grant_type":"password","api_key":"x"}`:                        session.ErrGrantType,
		`{"grant_type":"api_key","api_key":"x"}`:                         session.ErrCredentials,
		`{"grant_type":"api_key","api_key":"` + token.Cred.Bearer + `"}`: session.ErrCredentials, // not refreshable
		`{"grant_type":"api_key"}`:                                       api.ErrInvalid,
		``:                                                               api.ErrInvalidJSON,
	} {
		if got := do(body); got.Code != want.Code || got.Kind != want.Kind {
			t.Errorf("%s: %v, want %v", body, got, want)
		}
	}
	// Another key's token, another end: the MAC covers both.
	_, other := b.Key(map[string]any{"name": "y"})
	parts := strings.Split(token.Cred.Bearer, "_")
	for _, forged := range []string{
		"svcat_" + strings.Split(other.Cred.Bearer, "_")[1] + "_" + parts[2] + "_" + parts[3],
		"svcat_" + parts[1] + "_7fffffff_" + parts[3],
		"svcat_" + parts[1] + "_" + parts[2] + "_" + strings.Repeat("0", 64),
		"svcat_" + parts[1] + "_0" + parts[2] + "_" + parts[3],
	} {
		if err := h.S.Identify(h.Srv.Call(), session.Credential{Bearer: forged}); err != error(session.ErrCredentials) {
			t.Errorf("%s: %v", forged, err)
		}
	}
	h.Clock.Add(time.Hour - time.Second)
	token.Works(true)
	h.Clock.Add(time.Second)
	token.Works(false)
	k.Works(true)
}

// TestPlanWithoutAPI: a plan that does not include the API makes no key, and keys
// from before hear why they stopped.
func TestPlanWithoutAPI(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	id, k := b.Key(map[string]any{"name": "x"})
	in := b.Do("GET /me", nil).String("organization.id")
	h.Update(func(tx *store.Tx) error {
		_, err := org.SetOverrides(tx, api.System(t.Context(), "", h.DB.Now()), in, map[string]any{"api_access": false})
		return err
	})
	for _, a := range []string{
		b.Do("POST /api-keys", `{"name":"y"}`).Refused(api.ErrPlanLimit).Body,
		b.Do("POST /api-keys/"+id+"/rotate", nil).Refused(api.ErrPlanLimit).Body,
		k.Do("GET /me", nil).Refused(api.ErrPlanLimit).Body,
		h.Browser().Do("POST /auth/token", map[string]any{"grant_type": "api_key", "api_key": k.Cred.Bearer}).Refused(api.ErrPlanLimit).Body,
	} {
		if !strings.Contains(a, "api_access") {
			t.Errorf("the refusal does not name the limit: %s", a)
		}
	}
}

// TestRefusalsOfKeys is the second table of contract 2.
func TestRefusalsOfKeys(t *testing.T) {
	h := sessiontest.New(t)
	b := h.Signup("a@example.com", "A")
	_, k := b.Key(map[string]any{"name": "x"})
	wants := map[*api.Error][]string{
		api.ErrNotApplicable: {
			"POST /me/switch-organization", "POST /me/organizations", "POST /me/mfa/setup", "POST /me/mfa/enable", "POST /me/mfa/disable", "POST /me/support/end",
			"POST /auth/mfa/verify", "POST /auth/logout", "POST /me/email", "POST /me/mfa/recovery-codes", "PATCH /me", "GET /me/sessions", "DELETE /me/sessions/ses_1",
			"POST /auth/passkey/mfa/begin", "POST /auth/passkey/mfa/finish", "POST /me/passkeys/begin", "POST /me/passkeys",
			"PATCH /me/passkeys/pky_1", "POST /me/passkeys/pky_1/delete",
		},
		api.ErrForbidden: {
			"PATCH /members/mem_1", "POST /members/mem_1/password-reset", "DELETE /members/mem_1", "POST /invitations", "DELETE /invitations/inv_1",
			"GET /api-keys", "POST /api-keys", "GET /api-keys/key_1", "PATCH /api-keys/key_1", "POST /api-keys/key_1/rotate", "DELETE /api-keys/key_1",
		},
	}
	seen := []string{"POST /auth/signup", "POST /auth/login", "POST /auth/token", "POST /invitations/accept", "GET /invitations/lookup",
		"POST /auth/password-reset", "GET /auth/password-reset/lookup", "POST /auth/password-reset/confirm", "POST /auth/email/confirm", "POST /auth/passkey/begin", "POST /auth/passkey/finish"} // public
	for want, routes := range wants {
		for _, route := range routes {
			k.Do(route, `{}`).Refused(want)
		}
		seen = append(seen, routes...)
	}
	for _, route := range []string{"GET /me", "GET /organization", "PATCH /organization", "GET /organization/usage", "GET /members", "GET /invitations", "GET /organization/support-sessions"} {
		body := any(`{}`)
		if strings.HasPrefix(route, "GET") {
			body = nil
		}
		k.Do(route, body).Want(200)
		seen = append(seen, route)
	}
	k.Do("GET /me/passkeys", nil).Refused(api.ErrNotApplicable)
	seen = append(seen, "GET /me/passkeys")
	k.Do("POST /organization/accept-policy", `{"policy_version":"1"}`).Want(200)
	k.Do("GET /organization/support-sessions/ssn_1/accesses", nil).Refused(api.ErrNotFound)
	seen = append(seen, "POST /organization/accept-policy", "GET /organization/support-sessions/ssn_1/accesses")
	for _, e := range h.Endpoints() {
		pattern := regexp.MustCompile("^" + e.Method + " " + regexp.MustCompile(`\{\w+\}`).ReplaceAllString(e.Path, `[^/]+`) + "$")
		if !slices.ContainsFunc(seen, pattern.MatchString) {
			t.Errorf("nothing says what a key hears at %s %s", e.Method, e.Path)
		}
	}
}
