package session_test

import (
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
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// harness is the service as one process runs it.
type harness struct {
	t     testing.TB
	db    *store.DB
	clock *storetest.Clock
	bus   *signal.Bus
	users *user.Service
	orgs  *org.Service
	s     *session.Service
	srv   *apitest.Server
}

func tables() []store.AnyTable {
	return slices.Concat(audit.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), session.Tables(), queue.Tables())
}

func newHarness(t testing.TB) *harness {
	clock := storetest.NewClock()
	return newHarnessOn(t, storetest.OpenWith(t, "", store.Options{Tables: tables(), Now: clock.Now}), clock)
}

func newHarnessOn(t testing.TB, db *store.DB, clock *storetest.Clock) *harness {
	h := &harness{t: t, db: db, clock: clock, bus: &signal.Bus{}}
	h.users = user.New(h.bus, "svc")
	h.orgs = org.New(db, h.bus, org.Options{})
	h.s = session.New(db, h.bus, h.users, session.Options{Secure: true, PublicURL: "https://svc.example"})
	h.srv = apitest.New(t, db, h.orgs, h.s, audit.New(db), notify.New(db))
	return h
}

// update changes the store.
func (h *harness) update(f func(*store.Tx) error) {
	h.t.Helper()
	if err := h.db.Update(h.t.Context(), f); err != nil {
		h.t.Fatal(err)
	}
}

// set changes settings of the platform.
func (h *harness) set(change map[string]any) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		_, err := setting.Put(tx, api.System(h.t.Context(), store.Platform, h.db.Now()), change)
		return err
	})
}

// browser is one client with its cookie or its bearer.
type browser struct {
	h    *harness
	cred session.Credential
	ip   string
	// refused is what Identify said last.
	refused error
}

func (h *harness) browser() *browser { return &browser{h: h} }

func (b *browser) do(route string, body any) apitest.Answer {
	b.h.t.Helper()
	b.h.srv.As = func(c *api.Call) {
		c.Caller, c.Org, c.UserAgent = api.Caller{}, "", "test"
		if b.ip != "" {
			c.IP = b.ip
		}
		b.refused = b.h.s.Identify(c, b.cred)
	}
	a := b.h.srv.Do(route, body)
	if set := a.Header.Get("Set-Cookie"); set != "" {
		value, _, _ := strings.Cut(set, ";")
		_, b.cred.Cookie, _ = strings.Cut(value, "=")
	}
	return a
}

const password = "correct horse battery"

// signup makes a person with an organization, signed in.
func (h *harness) signup(email, organization string) *browser {
	h.t.Helper()
	b := h.browser()
	b.do("POST /auth/signup", map[string]any{"name": "Olga", "email": email, "password": password, "organization_name": organization, "timezone": "Asia/Tashkent"}).Want(201)
	return b
}

func (b *browser) login(email string) apitest.Answer {
	b.h.t.Helper()
	return b.do("POST /auth/login", map[string]any{"email": email, "password": password})
}

// join invites somebody to the organization of b and accepts as a new person.
func (b *browser) join(email, role string) *browser {
	b.h.t.Helper()
	n := b.h.browser()
	n.do("POST /invitations/accept", map[string]any{"token": b.invite(email, role), "name": "Joined", "password": password}).Want(200)
	return n
}

// invite makes an invitation and gives its token.
func (b *browser) invite(email, role string) string {
	b.h.t.Helper()
	a := b.do("POST /invitations", map[string]any{"email": email, "role": role}).Want(201)
	_, token, _ := strings.Cut(a.String("url"), "token=")
	return token
}

func (b *browser) code(secret string) string {
	b.h.t.Helper()
	code, err := totp.GenerateCode(secret, b.h.clock.Now())
	if err != nil {
		b.h.t.Fatal(err)
	}
	return code
}

// enrol turns two-factor on and gives the secret; the code is used up.
func (b *browser) enrol() string {
	b.h.t.Helper()
	secret := b.do("POST /me/mfa/setup", nil).Want(200).String("secret")
	b.do("POST /me/mfa/enable", map[string]any{"code": b.code(secret)}).Want(200)
	b.h.clock.Add(30 * time.Second)
	return secret
}

// key makes an API key and gives its id and a client that holds it.
func (b *browser) key(body map[string]any) (id string, holder *browser) {
	b.h.t.Helper()
	a := b.do("POST /api-keys", body).Want(201)
	holder = b.h.browser()
	holder.cred.Bearer = a.String("key")
	return a.String("id"), holder
}

func readFile(t testing.TB, path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
