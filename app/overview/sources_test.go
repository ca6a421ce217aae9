package overview_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/api/perm"
	"svc/app/campaign"
	"svc/app/channel"
	"svc/app/content"
	"svc/app/engine"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/app/overview"
	"svc/app/recipient"
	"svc/app/seller/draft"
	"svc/app/send"
	"svc/app/signal"
	"svc/app/vault"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// platform is a messenger that lets one person in and takes every message.
type platform struct{ messenger.Driver }

func (platform) SendCode(context.Context, messenger.Route, string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.CodeSent, CodeType: "sms", State: []byte("state")}, nil
}

func (platform) EnterCode(context.Context, messenger.Route, []byte, string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.Completed, Session: []byte("session"), Self: messenger.Profile{ID: 7, Username: "sales", FirstName: "Sales", LastName: "Team"}}, nil
}

func (platform) Connect(context.Context, messenger.Account) (messenger.Conn, error) {
	done := make(chan struct{})
	return conn{done: done, end: sync.OnceFunc(func() { close(done) })}, nil
}

// conn takes every message but those to somebody who blocks.
type conn struct {
	messenger.Conn
	done chan struct{}
	end  func()
}

func (conn) Send(_ context.Context, m messenger.Message) (messenger.Sent, error) {
	if m.To.Username == "blocks" {
		return messenger.Sent{}, &messenger.Error{Fault: messenger.PeerUnreachable, Code: "PEER_BLOCKED"}
	}
	return messenger.Sent{MessageID: 1, At: time.Now(), Peer: messenger.Peer{ID: 9, Username: m.To.Username}}, nil
}

func (c conn) Done() <-chan struct{} { return c.done }
func (conn) Err() error              { return nil }
func (conn) Online() bool            { return true }

func (c conn) Close() error {
	c.end()
	return nil
}

// TestKnown: what accounts, campaigns and sends keep is what dashboard and analytics
// show, with the names that people gave them.
func TestKnown(t *testing.T) {
	tables := slices.Concat(lowTables(), account.Tables(), content.Tables(), send.Tables(), campaign.Tables(), conversation.Tables(), draft.Tables(), engine.Tables(), channel.Tables())
	db, bus := storetest.OpenWith(t, "", store.Options{Tables: tables}), &signal.Bus{}
	orgs := org.New(db, bus, org.Options{})
	texts := content.New(db, content.Options{Vault: vault.InFolder(t.TempDir(), db), PublicURL: "https://svc.example"})
	accounts := account.New(db, account.Options{Driver: platform{}, Bus: bus})
	campaigns := campaign.New(db, campaign.Options{Bus: bus, Content: texts, Org: orgs, NoPacing: true, NoUsualHours: true})
	sends := send.New(db, send.Options{Accounts: accounts, Content: texts, Bus: bus, Sources: map[send.Kind]send.Source{send.Campaign: campaigns}, NoPacing: true})
	s := apitest.New(t, db, orgs, accounts, recipient.New(db, bus, recipient.Options{}), campaigns, overview.New(db, overview.Known()))
	makeOrg(t, db, s)
	empty := s.Do("GET /dashboard", nil).Want(200)
	for _, field := range []string{"accounts.total", "accounts.cooling_down", "campaigns.running", "campaigns.completed_30d", "messages.today.delivered"} {
		if v, ok := empty.At(field).(float64); !ok || v != 0 {
			t.Errorf("%s: %v", field, empty.At(field))
		}
	}

	acc, id := launch(t, s)
	run(t, db, accounts, campaigns, sends, func() bool { return s.Do("GET /campaigns/"+id, nil).Want(200).String("status") == "COMPLETED" })

	a := s.Do("GET /dashboard", nil).Want(200)
	if a.Int("accounts.total") != 1 || a.Int("accounts.active") != 1 || a.Int("campaigns.completed_30d") != 1 || a.Int("campaigns.running") != 0 ||
		a.Int("messages.today.delivered") != 2 || a.Int("messages.today.failed") != 1 || a.Int("messages.days.13.delivered") != 2 {
		t.Error(a.Body)
	}
	now := time.Now().UTC()
	today, tomorrow := now.Format(time.DateOnly), now.AddDate(0, 0, 1).Format(time.DateOnly)
	for by, want := range map[overview.GroupBy][3]any{
		overview.ByDay: {today, nil, 2}, overview.ByAccount: {acc, "Sales Team", 2}, overview.ByCampaign: {id, "Spring", 2}, overview.ByError: {"PEER_BLOCKED", nil, 0},
	} {
		// To the end of the day, so that the hour under way counts whenever this runs.
		a := s.Do("GET /analytics/messages?from="+today+"&to="+tomorrow+"&group_by="+string(by), nil).Want(200)
		if a.At("series.0.key") != want[0] || a.At("series.0.label") != want[1] || a.Int("series.0.delivered") != want[2] || a.Int("series.0.unreachable") != 1 ||
			a.Int("totals.delivered") != 2 || a.Int("totals.unreachable") != 1 || a.At("series.1") != nil {
			t.Errorf("%s: %s", by, a.Body)
		}
	}
	s.Do("PATCH /accounts/"+acc, map[string]any{"label": "Sales, second line"}).Want(200)
	if a := s.Do("GET /analytics/messages?group_by=account&from="+today+"&to="+tomorrow, nil); a.String("series.0.label") != "Sales, second line" {
		t.Error(a.Body)
	}
}

// makeOrg makes the organization in which the requests of s act.
func makeOrg(t *testing.T, db *store.DB, s *apitest.Server) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), store.Platform, db.Now()), org.Fields{Name: "Acme"})
		s.Org = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.As = func(c *api.Call) { c.Org, c.Caller.Role, c.Caller.Perms = s.Org, perm.Owner, perm.Owner.Permissions() }
}

// launch signs in to an account and starts a campaign to three people.
func launch(t *testing.T, s *apitest.Server) (acc, id string) {
	t.Helper()
	s.Do("POST /organization/accept-policy", map[string]any{"policy_version": s.Do("GET /organization", nil).String("policy_version")}).Want(200)
	flow := s.Do("POST /accounts", map[string]any{"phone": "+998901234567"}).Want(201).String("state.flow_id")
	acc = s.Do("POST /accounts/login/"+flow+"/code", map[string]any{"code": "12345"}).Want(200).String("account.id")
	var people []string
	for _, name := range []string{"gulnora", "aziz", "blocks"} {
		people = append(people, s.Do("POST /recipients", map[string]any{"username": name, "consent_status": "OPTED_IN"}).Want(201).String("id"))
	}
	id = s.Do("POST /campaigns", map[string]any{
		"name": "Spring", "message": map[string]any{"text": "Hello. {{opt_out_url}}", "format": "PLAIN"}, "account_ids": []string{acc},
		"audience": map[string]any{"recipient_ids": people},
	}).Want(201).String("id")
	s.Do("POST /campaigns/"+id+"/start", map[string]any{}).Want(200)
	return acc, id
}

// run lets the service work until something is so.
func run(t *testing.T, db *store.DB, accounts *account.Service, campaigns *campaign.Service, sends *send.Service, until func() bool) {
	t.Helper()
	w := queue.New(db, queue.Options{})
	accounts.Work(w)
	campaigns.Work(w)
	sends.Work(w)
	stop := storetest.Run(t, w.Run, accounts.Run, sends.Run)
	storetest.Eventually(t, "what the test waits for", until)
	stop()
}
