// Package sessiontest is the slices of signing in at work for tests, with people, their
// browsers and their programs.
package sessiontest

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/apikey"
	"svc/app/session/passkey"
	"svc/app/session/support"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// Harness is the service as one process runs it.
type Harness struct {
	T     testing.TB
	DB    *store.DB
	Clock *storetest.Clock
	Bus   *signal.Bus
	Users *user.Service
	Orgs  *org.Service
	S     *session.Service
	Keys  *apikey.Service
	Srv   *apitest.Server

	slices []apitest.Slice
}

// Tables are everything that signing in touches.
func Tables() []store.AnyTable {
	return slices.Concat(audit.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), session.Tables(), passkey.Tables(), queue.Tables())
}

// New starts one over a store of its own.
func New(t testing.TB) *Harness {
	clock := storetest.NewClock()
	return On(t, storetest.OpenWith(t, "", store.Options{Tables: Tables(), Now: clock.Now}), clock)
}

// On starts one over a store.
func On(t testing.TB, db *store.DB, clock *storetest.Clock) *Harness {
	h := &Harness{T: t, DB: db, Clock: clock, Bus: &signal.Bus{}}
	h.Users = user.New(h.Bus, "svc")
	h.Orgs = org.New(db, h.Bus, org.Options{})
	h.S = session.New(db, h.Bus, h.Users, session.Options{Secure: true, PublicURL: "https://svc.example", HasPasskey: passkey.Has})
	h.Keys = apikey.New(db, h.S.LastUse)
	h.slices = []apitest.Slice{h.Orgs, h.S, h.Keys, passkey.New(db, h.S, "https://svc.example"), support.New(db)}
	h.Srv = apitest.New(t, db, append(h.slices, audit.New(db), notify.New(db))...)
	return h
}

// Endpoints are the operations of organizations and of signing in.
func (h *Harness) Endpoints() (out []api.Endpoint) {
	for _, s := range h.slices {
		out = append(out, s.Endpoints()...)
	}
	return out
}

// Update changes the store.
func (h *Harness) Update(f func(*store.Tx) error) {
	h.T.Helper()
	if err := h.DB.Update(h.T.Context(), f); err != nil {
		h.T.Fatal(err)
	}
}

// Set changes settings of the platform.
func (h *Harness) Set(change map[string]any) {
	h.T.Helper()
	h.Update(func(tx *store.Tx) error {
		_, err := setting.Put(tx, api.System(h.T.Context(), store.Platform, h.DB.Now()), change)
		return err
	})
}

// Browser is one client with its cookie or its bearer.
type Browser struct {
	H    *Harness
	Cred session.Credential
	IP   string
	// Refused is what Identify said last.
	Refused error
}

// Browser is a client that nobody signed in with.
func (h *Harness) Browser() *Browser { return &Browser{H: h} }

// Do sends a request and keeps the cookie of the answer.
func (b *Browser) Do(route string, body any) apitest.Answer {
	b.H.T.Helper()
	b.H.Srv.As = func(c *api.Call) {
		c.Caller, c.Org, c.UserAgent = api.Caller{}, "", "test"
		if b.IP != "" {
			c.IP = b.IP
		}
		b.Refused = b.H.S.Identify(c, b.Cred)
	}
	a := b.H.Srv.Do(route, body)
	if set := a.Header.Get("Set-Cookie"); set != "" {
		value, _, _ := strings.Cut(set, ";")
		_, b.Cred.Cookie, _ = strings.Cut(value, "=")
	}
	return a
}

// Password is that of everybody.
const Password = "correct horse battery"

// Signup makes a person with an organization, signed in.
func (h *Harness) Signup(email, organization string) *Browser {
	h.T.Helper()
	b := h.Browser()
	b.Do("POST /auth/signup", map[string]any{"name": "Olga", "email": email, "password": Password, "organization_name": organization, "timezone": "Asia/Tashkent"}).Want(201)
	return b
}

// Login signs somebody in with Password.
func (b *Browser) Login(email string) apitest.Answer {
	b.H.T.Helper()
	return b.Do("POST /auth/login", map[string]any{"email": email, "password": Password})
}

// Join invites somebody to the organization of b and accepts as a new person.
func (b *Browser) Join(email, role string) *Browser {
	b.H.T.Helper()
	n := b.H.Browser()
	n.Do("POST /invitations/accept", map[string]any{"token": b.Invite(email, role), "name": "Joined", "password": Password}).Want(200)
	return n
}

// Invite makes an invitation and gives its token.
func (b *Browser) Invite(email, role string) string {
	b.H.T.Helper()
	a := b.Do("POST /invitations", map[string]any{"email": email, "role": role}).Want(201)
	_, token, _ := strings.Cut(a.String("url"), "token=")
	return token
}

// Code is what an authenticator with that secret shows now.
func (b *Browser) Code(secret string) string {
	b.H.T.Helper()
	code, err := totp.GenerateCode(secret, b.H.Clock.Now())
	if err != nil {
		b.H.T.Fatal(err)
	}
	return code
}

// Enrol turns two-factor on and gives the secret; the code is used up.
func (b *Browser) Enrol() string {
	b.H.T.Helper()
	secret := b.Do("POST /me/mfa/setup", nil).Want(200).String("secret")
	b.Do("POST /me/mfa/enable", map[string]any{"code": b.Code(secret)}).Want(200)
	b.H.Clock.Add(30 * time.Second)
	return secret
}

// Key makes an API key and gives its id and a client that holds it.
func (b *Browser) Key(body map[string]any) (id string, holder *Browser) {
	b.H.T.Helper()
	a := b.Do("POST /api-keys", body).Want(201)
	holder = b.H.Browser()
	holder.Cred.Bearer = a.String("key")
	return a.String("id"), holder
}

// ReadFile reads a file.
func ReadFile(t testing.TB, path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Caller is who the credential is.
func (b *Browser) Caller() (api.Caller, error) {
	c := b.H.Srv.Call()
	c.Caller, c.Org = api.Caller{}, ""
	err := b.H.S.Identify(c, b.Cred)
	return c.Caller, err
}

// Works fails the test unless the credential does, or does not, let anybody in.
func (b *Browser) Works(want bool) {
	b.H.T.Helper()
	_, err := b.Caller()
	if want && err != nil || !want && !errors.Is(err, session.ErrCredentials) {
		b.H.T.Errorf("the credential works: %v, want %v", err, want)
	}
}

// Exchange gets an access token for a key.
func (b *Browser) Exchange() *Browser {
	b.H.T.Helper()
	a := b.H.Browser().Do("POST /auth/token", map[string]any{"grant_type": "api_key", "api_key": b.Cred.Bearer}).Want(200)
	token := b.H.Browser()
	token.Cred.Bearer = a.String("access_token")
	if a.String("token_type") != "Bearer" || a.Int("expires_in") != 3600 || a.String("expires_at") != b.H.DB.Now().Add(time.Hour).Format(time.RFC3339) || !strings.HasPrefix(token.Cred.Bearer, "svcat_") {
		b.H.T.Error(a.Body)
	}
	return token
}
