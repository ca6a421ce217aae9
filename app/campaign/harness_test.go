package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/content"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/audience"
	"svc/app/recipient/imports"
	"svc/app/send"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/app/vault"
	"svc/messenger"
	"svc/store"
	"svc/store/kv"
	"svc/store/queue"
	"svc/store/storetest"
)

func allTables() []store.AnyTable {
	return slices.Concat(Tables(), send.Tables(), account.Tables(), recipient.Tables(), imports.Tables(), content.Tables(), event.Tables(), audit.Tables(),
		notify.Tables(), setting.Tables(), org.Tables(), user.Tables(), queue.Tables())
}

// outside stands in for the platform: it takes every message, unless answer says
// otherwise.
type outside struct {
	mu     sync.Mutex
	taken  []messenger.Message
	memory messenger.StateStore // of the account that connected last
	answer func(session string, m messenger.Message) error
}

func (o *outside) Kind() messenger.Kind { return messenger.Simulator }

func (o *outside) SendCode(_ context.Context, _ messenger.Route, phone string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.CodeSent, CodeType: "app", State: []byte(phone)}, nil
}

func (o *outside) EnterCode(_ context.Context, _ messenger.Route, state []byte, _ string) (messenger.Step, error) {
	var id int64
	if _, err := fmt.Sscanf(string(state), "+%d", &id); err != nil {
		return messenger.Step{}, err
	}
	return messenger.Step{Kind: messenger.Completed, Session: state, Self: messenger.Profile{ID: id, FirstName: "Account"}}, nil
}

func (o *outside) EnterPassword(context.Context, messenger.Route, []byte, string) (messenger.Step, error) {
	return messenger.Step{}, errors.New("nobody asks for a password")
}

func (o *outside) CheckRoute(context.Context, messenger.Route) (time.Duration, error) { return 0, nil }

func (o *outside) Connect(_ context.Context, a messenger.Account) (messenger.Conn, error) {
	o.mu.Lock()
	o.memory = a.State
	o.mu.Unlock()
	return &wire{o: o, session: string(a.Session), done: make(chan struct{})}, nil
}

// says sets what the platform answers; nil takes everything.
func (o *outside) says(f func(session string, m messenger.Message) error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answer = f
}

func (o *outside) count() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.taken)
}

type wire struct {
	messenger.Conn // what campaigns never ask
	o              *outside
	session        string
	once           sync.Once
	done           chan struct{}
}

func (w *wire) Send(_ context.Context, m messenger.Message) (messenger.Sent, error) {
	w.o.mu.Lock()
	defer w.o.mu.Unlock()
	if w.o.answer != nil {
		if err := w.o.answer(w.session, m); err != nil {
			return messenger.Sent{}, err
		}
	}
	w.o.taken = append(w.o.taken, m)
	return messenger.Sent{MessageID: len(w.o.taken), At: time.Now(), Peer: messenger.Peer{ID: m.To.ID, Username: m.To.Username}}, nil
}

func (w *wire) Check(context.Context) (messenger.Profile, error) {
	var id int64
	_, err := fmt.Sscanf(w.session, "+%d", &id)
	return messenger.Profile{ID: id, FirstName: "Account"}, err
}
func (w *wire) LogOut(context.Context) error { return nil }
func (w *wire) Done() <-chan struct{}        { return w.done }
func (w *wire) Err() error                   { return nil }
func (w *wire) Online() bool                 { return true }
func (w *wire) Close() error {
	w.once.Do(func() { close(w.done) })
	return nil
}

// refuses is an answer of the platform.
func refuses(f messenger.Fault, code string, wait time.Duration) error {
	return &messenger.Error{Fault: f, Code: code, Wait: wait}
}

// harness is the slice over everything below it.
type harness struct {
	*apitest.Server
	t        testing.TB
	db       *store.DB
	out      *outside
	bus      *signal.Bus
	orgs     *org.Service
	accounts *account.Service
	people   *recipient.Service
	imports  *imports.Service
	sends    *send.Service
	s        *Service
	opts     send.Options
	phones   int
	stop     func()
}

// bubble runs a test in a bubble of virtual time, on a store in memory.
func bubble(t *testing.T, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, storetest.OpenWith(t, "", store.Options{Tables: allTables(), Engine: kv.NewMemory()}), send.Options{})
		defer h.end()
		test(h)
	})
}

func newHarness(t testing.TB, db *store.DB, o send.Options) *harness {
	h := &harness{t: t, db: db, out: &outside{}, opts: o}
	h.build()
	h.Org = h.newOrg(org.Enterprise)
	return h
}

// build makes the services, as another process on the same store would.
func (h *harness) build() {
	h.bus = &signal.Bus{}
	h.accounts = account.New(h.db, account.Options{Driver: h.out, Bus: h.bus, InUse: InUse})
	h.orgs = org.New(h.db, h.bus, org.Options{})
	files := content.New(h.db, content.Options{Vault: vault.InFolder(h.t.TempDir(), h.db), PublicURL: "https://svc.example", HasAttribute: recipient.HasAttribute})
	o := h.opts
	o.Accounts, o.Bus, o.Content, o.Worker = h.accounts, h.bus, files, "wrk_test"
	h.sends = send.New(h.db, o)
	h.s = New(h.db, Options{Bus: h.bus, Content: files, Org: h.orgs, NoPacing: o.NoPacing, NoUsualHours: true})
	h.sends.Register(send.Campaign, h.s)
	h.people = recipient.New(h.db, h.bus, recipient.Options{KnownTo: account.KnownTo, Used: imports.Usage()})
	h.imports = imports.New(h.db, h.people)
	was := h.Server
	h.Server = apitest.New(h.t, h.db, h.s, notify.New(h.db), h.sends, h.accounts, h.people, h.imports, audience.New(h.db, h.s.Reach), h.orgs, files, setting.New(h.db, "v", "https://svc.example", setting.Channels{}, user.HasAdministrator))
	if was != nil {
		h.Org, h.As = was.Org, was.As
	}
}

// run starts the services and the workers of their jobs.
func (h *harness) run() {
	h.t.Helper()
	h.update(Schedule)
	inner, cancel := context.WithCancel(context.Background())
	outer, done := context.WithCancel(context.Background())
	workers := queue.New(h.db, queue.Options{})
	h.sends.Work(workers)
	h.s.Work(workers)
	h.people.Work(workers)
	h.imports.Work(workers)
	h.accounts.Work(workers)
	sent, below := make(chan error, 1), make(chan error, 2)
	go func() { sent <- h.sends.Run(inner) }()
	go func() { below <- h.accounts.Run(outer) }()
	go func() { below <- workers.Run(outer) }()
	h.stop = func() {
		h.stop = nil
		cancel()
		err := <-sent // messages under way need their connections
		done()
		if err := errors.Join(err, <-below, <-below); err != nil {
			h.t.Error(err)
		}
	}
}

func (h *harness) end() {
	if h.stop != nil {
		h.stop()
	}
}

// after lets virtual time pass.
func (h *harness) after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func (h *harness) update(f func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.db.Update(context.Background(), f); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) view(f func(tx *store.Tx) error) {
	h.t.Helper()
	if err := h.db.View(context.Background(), f); err != nil {
		h.t.Fatal(err)
	}
}

func (h *harness) system() *api.Call { return api.System(context.Background(), h.Org, h.db.Now()) }

func (h *harness) newOrg(plan org.Plan) (id string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(context.Background(), "", h.db.Now()), org.Fields{Name: "Test", Plan: plan})
		id = o.ID
		return err
	})
	was := h.Org
	h.Org = id
	h.Do("POST /organization/accept-policy", map[string]any{"policy_version": setting.Default().AUPVersion}).Want(200)
	h.Org = was
	return id
}

// account signs one in and answers its id.
func (h *harness) account(edit string) string {
	h.t.Helper()
	h.phones++
	flow := h.Do("POST /accounts", map[string]any{"phone": fmt.Sprintf("+9989012%05d", h.phones)}).Want(201).String("state.flow_id")
	id := h.Do("POST /accounts/login/"+flow+"/code", `{"code":"12345"}`).Want(200).String("account.id")
	if edit != "" {
		h.Do("PATCH /accounts/"+id, edit).Want(200)
	}
	return id
}

// person makes a recipient with a basis for contact, edited.
func (h *harness) person(name string, edit map[string]any) string {
	h.t.Helper()
	body := map[string]any{"username": name, "first_name": "F_" + name, "consent_status": "OPTED_IN", "tags": []string{"all"}}
	for k, v := range edit {
		if v == nil {
			delete(body, k)
		} else {
			body[k] = v
		}
	}
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// crowd makes n people with the tag all.
func (h *harness) crowd(n int) (ids []string) {
	h.t.Helper()
	for i := range n {
		ids = append(ids, h.person(fmt.Sprintf("person_%04d", i), nil))
	}
	return ids
}

const hello = "Hello {{first_name}}! Stop: {{opt_out_url}}"

// draft makes a campaign for everybody with the tag all, edited.
func (h *harness) draft(accounts []string, edit map[string]any) string {
	h.t.Helper()
	body := map[string]any{
		"name": "Spring", "account_ids": accounts, "audience": map[string]any{"tags": []string{"all"}}, "message": map[string]any{"text": hello}, "timezone": "UTC",
	}
	for k, v := range edit {
		body[k] = v
	}
	return h.Do("POST /campaigns", body).Want(201).String("id")
}

// started launches a draft.
func (h *harness) started(accounts []string, edit map[string]any) string {
	h.t.Helper()
	id := h.draft(accounts, edit)
	h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
	return id
}

func (h *harness) campaign(id string) apitest.Answer {
	h.t.Helper()
	return h.Do("GET /campaigns/"+id, nil).Want(200)
}

// is fails the test unless a campaign has that status and reason.
func (h *harness) is(id string, status Status, reason PauseReason) {
	h.t.Helper()
	a := h.campaign(id)
	if got := a.String("status"); got != string(status) || a.String("pause_reason") != string(reason) {
		h.t.Errorf("the campaign is %s (%s), want %s (%s)", got, a.String("pause_reason"), status, reason)
	}
}

// totals fails the test unless a campaign counts so.
func (h *harness) totals(id string, want Totals) {
	h.t.Helper()
	var got struct{ Totals Totals }
	h.campaign(id).Into(&got)
	if got.Totals != want {
		h.t.Errorf("totals %+v, want %+v", got.Totals, want)
	}
}

// events counts the events of a type.
func (h *harness) events(kind event.Type) (n int) {
	h.t.Helper()
	h.view(func(tx *store.Tx) error {
		n = 0
		list, err := event.After(tx, h.Org, "", 5000)
		for _, e := range list {
			if e.Type == kind {
				n++
			}
		}
		return err
	})
	return n
}

// status sets the status of an account as the platform would.
func (h *harness) trouble(accountID string, f messenger.Fault, code string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		return h.accounts.Trouble(tx, h.system(), h.Org, accountID, &messenger.Error{Fault: f, Code: code})
	})
}
