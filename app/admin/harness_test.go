package admin_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"svc/app/account"
	"svc/app/admin"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/campaign"
	"svc/app/content"
	"svc/app/event"
	"svc/app/hook"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/imports"
	"svc/app/send"
	"svc/app/session"
	"svc/app/session/apikey"
	"svc/app/session/support"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/app/vault"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// harness is a platform with its administrator, and an organization with its owner.
type harness struct {
	t         testing.TB
	db        *store.DB
	clock     *storetest.Clock
	bus       *signal.Bus
	users     *user.Service
	orgs      *org.Service
	sessions  *session.Service
	accounts  *account.Service
	driver    *driver
	campaigns *campaign.Service
	s         *admin.Service
	srv       *apitest.Server

	boss  *browser // the administrator
	olga  *browser // the owner of acme
	acme  string
	bossN string // the administrator's id
}

func tables() []store.AnyTable {
	return slices.Concat(audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(), session.Tables(),
		queue.Tables(), recipient.Tables(), imports.Tables(), account.Tables(), content.Tables(), hook.Tables(), send.Tables(), campaign.Tables(), admin.Tables())
}

// newHarness makes one; change edits what the slice is made with.
func newHarness(t testing.TB, change ...func(*harness, *admin.Options)) *harness {
	t.Helper()
	h := &harness{t: t, clock: storetest.NewClock(), bus: &signal.Bus{}}
	h.db = storetest.OpenWith(t, "", store.Options{Tables: tables(), Now: h.clock.Now})
	h.users = user.New(h.bus, "svc")
	h.orgs = org.New(h.db, h.bus, org.Options{Meter: meter})
	h.sessions = session.New(h.db, h.bus, h.users, session.Options{Secure: true, PublicURL: "https://svc.example"})
	h.driver = &driver{}
	h.accounts = account.New(h.db, account.Options{Driver: h.driver, Bus: h.bus})
	texts := content.New(h.db, content.Options{Vault: vault.InFolder(t.TempDir(), h.db), PublicURL: "https://svc.example", HasAttribute: recipient.HasAttribute})
	h.campaigns = campaign.New(h.db, campaign.Options{Bus: h.bus, Content: texts, Org: h.orgs, NoUsualHours: true})
	o := admin.Options{
		Campaigns: h.campaigns,
		Orgs:      h.orgs, Users: h.users, Audit: audit.New(h.db), Accounts: h.accounts, Build: admin.Build{Version: "1.4.0"}, Data: t.TempDir(),
	}
	for _, f := range change {
		f(h, &o)
	}
	h.s = admin.New(h.db, o)
	h.srv = apitest.New(t, h.db, h.orgs, h.sessions, apikey.New(h.db, h.sessions.LastUse), support.New(h.db), h.accounts, recipient.New(h.db, h.bus, recipient.Options{}), h.campaigns, h.s, o.Audit, notify.New(h.db))
	h.olga = h.signup("olga@example.com", "Acme")
	h.acme = h.olga.do("GET /me", nil).String("organization.id")
	h.boss = h.administrator("boss@example.com")
	h.bossN = h.boss.do("GET /me", nil).String("user.id")
	return h
}

// meter is what organizations sent and spent: one message an hour,
// and one a day that failed.
var meter = org.Meter{
	Messages: func(_ *store.Tx, _ string, from, to time.Time) (org.UsedMessages, error) {
		return org.UsedMessages{Sent: int(to.Sub(from).Hours()), Failed: int(to.Sub(from).Hours()) / 24}, nil
	},
	AI: func(*store.Tx, string, time.Time, time.Time) (org.UsedAI, error) {
		return org.UsedAI{CostUSD: 0.25}, nil
	},
}

func (h *harness) update(f func(*store.Tx) error) {
	h.t.Helper()
	if err := h.db.Update(h.t.Context(), f); err != nil {
		h.t.Fatal(err)
	}
}

// browser is one client with its cookie or its key.
type browser struct {
	h    *harness
	cred session.Credential
}

const password = "correct horse battery"

func (b *browser) do(route string, body any) apitest.Answer {
	b.h.t.Helper()
	b.h.srv.As = func(c *api.Call) {
		c.Caller, c.Org, c.UserAgent, c.IP = api.Caller{}, "", "test", "192.0.2.9"
		if err := b.h.sessions.Identify(c, b.cred); err != nil {
			b.h.t.Logf("%s: %v", route, err)
		}
	}
	a := b.h.srv.Do(route, body)
	if set := a.Header.Get("Set-Cookie"); set != "" {
		value, _, _ := strings.Cut(set, ";")
		_, b.cred.Cookie, _ = strings.Cut(value, "=")
	}
	return a
}

func (h *harness) signup(email, organization string) *browser {
	h.t.Helper()
	b := &browser{h: h}
	b.do("POST /auth/signup", map[string]any{"name": "Olga Ivanova", "email": email, "password": password, "organization_name": organization, "timezone": "UTC"}).Want(201)
	return b
}

// administrator makes a platform administrator who gave his code.
func (h *harness) administrator(email string) *browser {
	h.t.Helper()
	b := h.signup(email, "Platform")
	if _, err := h.sessions.CreateAdministrator(h.t.Context(), email); err != nil {
		h.t.Fatal(err)
	}
	b.enrol()
	return b
}

// enrol turns two-factor on in the session of b.
func (b *browser) enrol() {
	b.h.t.Helper()
	secret := b.do("POST /me/mfa/setup", nil).Want(200).String("secret")
	b.do("POST /me/mfa/enable", map[string]any{"code": b.h.code(secret)}).Want(200)
	b.h.clock.Add(30 * time.Second)
}

func (h *harness) code(secret string) string {
	code, err := totp.GenerateCode(secret, h.clock.Now())
	if err != nil {
		h.t.Fatal(err)
	}
	return code
}

// logged are the actions of a log, newest first, with who did them and why.
func (h *harness) logged(orgID string) (out []string) {
	h.t.Helper()
	path := "GET /admin/audit-logs?limit=500"
	if orgID != "" {
		path += "&organization_id=" + orgID
	}
	var page api.Page[audit.Entry]
	h.boss.do(path, nil).Want(200).Into(&page)
	for _, e := range page.Data {
		line := string(e.Actor.Type) + " " + e.Action
		if e.Reason != nil {
			line += ": " + *e.Reason
		}
		out = append(out, line)
	}
	return out
}

// wantLogged fails unless both logs hold the line.
func (h *harness) wantLogged(orgID, line string) {
	h.t.Helper()
	for _, log := range []string{"", orgID} {
		if got := h.logged(log); !slices.Contains(got, line) {
			h.t.Errorf("the log of %q lacks %q: %q", log, line, got)
		}
	}
}

// driver is a platform that lets everybody in and reaches nobody.
type driver struct {
	people int64
	route  error // what a check of a proxy finds
}

func (*driver) Kind() messenger.Kind { return messenger.Simulator }

func (*driver) SendCode(context.Context, messenger.Route, string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.CodeSent, CodeType: "sms", State: []byte("state")}, nil
}

func (d *driver) EnterCode(context.Context, messenger.Route, []byte, string) (messenger.Step, error) {
	d.people++
	return messenger.Step{Kind: messenger.Completed, Session: []byte("session"), Self: messenger.Profile{ID: d.people, FirstName: "Sales"}}, nil
}

func (d *driver) EnterPassword(ctx context.Context, via messenger.Route, state []byte, _ string) (messenger.Step, error) {
	return d.EnterCode(ctx, via, state, "")
}

func (*driver) Connect(context.Context, messenger.Account) (messenger.Conn, error) {
	return nil, &messenger.Error{Fault: messenger.Unreachable, Code: "NO_ANSWER"}
}

func (d *driver) CheckRoute(context.Context, messenger.Route) (time.Duration, error) {
	return 20 * time.Millisecond, d.route
}

// account signs in to a messenger account in the organization of b.
func (b *browser) account(phone, proxy string) (id string) {
	b.h.t.Helper()
	version := b.do("GET /organization", nil).String("policy_version")
	b.do("POST /organization/accept-policy", map[string]any{"policy_version": version}).Want(200)
	body := map[string]any{"phone": phone}
	if proxy != "" {
		body["proxy_id"] = proxy
	}
	flow := b.do("POST /accounts", body).Want(201).String("state.flow_id")
	return b.do("POST /accounts/login/"+flow+"/code", map[string]any{"code": "12345"}).Want(200).String("account.id")
}
