package send

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/recipient/imports"
	"svc/app/send/sendtest"
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

// recordOutcome are the outcomes that the source of a test heard of, counted in the
// transactions that told it.
type toldOf struct {
	ID    string   `json:"id"` // of the job
	Ended []Status `json:"ended"`
}

var told = store.NewTable("told", "job", func(x *toldOf) string { return x.ID })

func allTables() []store.AnyTable {
	return slices.Concat(Tables(), account.Tables(), recipient.Tables(), imports.Tables(), content.Tables(), event.Tables(), audit.Tables(), notify.Tables(),
		setting.Tables(), org.Tables(), user.Tables(), queue.Tables(), []store.AnyTable{told})
}

func fails(f messenger.Fault, code string, wait time.Duration) error {
	return &messenger.Error{Fault: f, Code: code, Wait: wait}
}

// harness is the slice at work, with a platform of the test's own.
type harness struct {
	t          testing.TB
	db         *store.DB
	bus        *signal.Bus
	p          *sendtest.Platform
	accounts   *account.Service
	orgs       *org.Service
	recipients *recipient.Service
	imports    *imports.Service
	s          *Service
	o          Options
	driver     messenger.Driver // nil: p
	source     Source           // of campaigns
	srv        *apitest.Server
	words      func(j *Job) (Draft, error) // of campaigns
	phones     int
	stop       func()
	dead       bool // it was killed: its store answers nothing
}

// Compose is what the campaigns of a test say.
func (w *harness) Compose(_ *store.Tx, _ *api.Call, j *Job, r *recipient.Recipient) (Draft, error) {
	if w.words != nil {
		return w.words(j)
	}
	return Draft{Text: "Hello " + r.FirstName}, nil
}

// Settled writes down what a test is told.
func (w *harness) Settled(tx *store.Tx, c *api.Call, j *Job) error {
	x, err := told.Get(tx, c.Org, j.ID)
	if store.IsNotFound(err) {
		x, err = toldOf{ID: j.ID}, nil
	}
	if err != nil {
		return err
	}
	x.Ended = append(x.Ended, j.Status)
	if err := told.Put(tx, c.Org, &x); err != nil {
		return err
	}
	if j.Status != Delivered {
		return nil
	}
	return recipient.RecordContact(tx, c.Org, j.RecipientID, recipient.Contact{At: j.SentAt, Sent: true, Account: j.AccountID, MessageID: j.ID, Status: "DELIVERED"})
}

// bubble runs a test in a bubble, on a store in memory.
func bubble(t *testing.T, o Options, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: allTables(), Engine: kv.NewMemory()})
		w := newWorld(t, db, o)
		w.srv.Org = w.newOrg()
		defer w.end()
		test(w)
	})
}

func newWorld(t testing.TB, db *store.DB, o Options) *harness {
	w := &harness{t: t, db: db, o: o, p: sendtest.New()}
	w.driver, w.source = w.p, w
	w.build()
	return w
}

// build makes the services, as another process on the same store would.
func (w *harness) build() {
	w.bus = &signal.Bus{}
	w.accounts = account.New(w.db, account.Options{Driver: w.driver, Bus: w.bus})
	w.orgs = org.New(w.db, w.bus, org.Options{})
	o := w.o
	o.Accounts, o.Bus, o.Worker = w.accounts, w.bus, "wrk_test"
	o.Content = content.New(w.db, content.Options{Vault: vault.InFolder(w.t.TempDir(), w.db)})
	o.Sources = map[Kind]Source{Campaign: w.source, Reply: w.source, Test: w.source}
	w.s = New(w.db, o)
	w.recipients = recipient.New(w.db, w.bus, recipient.Options{Used: imports.Usage()})
	w.imports = imports.New(w.db, w.recipients)
	was := w.srv
	w.srv = apitest.New(w.t, w.db, w.s, w.accounts, w.recipients, w.imports, w.orgs)
	if was != nil {
		w.srv.Org = was.Org
	}
}

func (w *harness) end() {
	if w.stop != nil {
		w.stop()
	}
}

func (w *harness) update(f func(tx *store.Tx) error) {
	w.t.Helper()
	if err := w.db.Update(context.Background(), f); err != nil {
		w.t.Fatal(err)
	}
}

func (w *harness) view(f func(tx *store.Tx) error) {
	w.t.Helper()
	if err := w.db.View(context.Background(), f); err != nil {
		w.t.Fatal(err)
	}
}

func (w *harness) newOrg() (id string) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(context.Background(), "", w.db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		id = o.ID
		return err
	})
	was := w.srv.Org
	w.srv.Org = id
	version := setting.Default().AUPVersion
	w.srv.Do("POST /organization/accept-policy", map[string]any{"policy_version": version}).Want(200)
	w.srv.Org = was
	return id
}

// account signs one in and answers its id. Its session is named after its number.
func (w *harness) account(edit string) string {
	w.t.Helper()
	w.phones++
	phone := fmt.Sprintf("+9989012%05d", w.phones)
	flow := w.srv.Do("POST /accounts", map[string]any{"phone": phone}).Want(201).String("state.flow_id")
	id := w.srv.Do("POST /accounts/login/"+flow+"/code", `{"code":"12345"}`).Want(200).String("account.id")
	if edit != "" {
		w.srv.Do("PATCH /accounts/"+id, edit).Want(200)
	}
	return id
}

// people makes recipients with a basis for contact and a username, and answers their
// ids.
func (w *harness) people(from, n int) (ids []string) {
	w.t.Helper()
	for i := from; i < from+n; i++ {
		body := map[string]any{
			"messenger_id": 1000 + i, "username": fmt.Sprintf("person_%d", i), "first_name": fmt.Sprint("P", i), "consent_status": "OPTED_IN",
		}
		ids = append(ids, w.srv.Do("POST /recipients", body).Want(201).String("id"))
	}
	return ids
}

// campaign queues a running campaign: each of the people to the next of the accounts.
func (w *harness) campaign(accounts, people []string, edit func(*CampaignPolicy)) string {
	w.t.Helper()
	b := CampaignPolicy{ID: w.db.NewID("cmp"), Running: true, Accounts: accounts}
	if edit != nil {
		edit(&b)
	}
	w.put(b)
	w.queue(b.ID, accounts, people)
	return b.ID
}

func (w *harness) put(b CampaignPolicy) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error { return PutPolicy(tx, w.srv.Org, b) })
}

func (w *harness) queue(batch string, accounts, people []string) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		var list []*Job
		for i, id := range people {
			r, err := recipient.Get(tx, w.srv.Org, id)
			if err != nil {
				return err
			}
			list = append(list, &Job{
				Kind: Campaign, Batch: batch, AccountID: accounts[i%len(accounts)], RecipientID: id, Username: r.Username, MessengerID: r.MessengerID,
			})
		}
		return Queue(tx, w.srv.Org, list)
	})
}

// run starts the services and the workers of their jobs.
func (w *harness) run() {
	ctx, cancel := context.WithCancel(context.Background())
	around, done := context.WithCancel(context.Background())
	workers := queue.New(w.db, queue.Options{})
	w.s.Work(workers)
	ended, below := make(chan error, 1), make(chan error, 2)
	go func() { ended <- w.s.Run(ctx) }()
	go func() { below <- w.accounts.Run(around) }()
	go func() { below <- workers.Run(around) }()
	w.stop = func() {
		w.stop = nil
		cancel()
		err := <-ended // messages under way need their connections
		done()
		if err := errors.Join(w.closed(err), w.closed(<-below), w.closed(<-below)); err != nil {
			w.t.Error(err)
		}
	}
}

// restart is another process on the same store.
func (w *harness) restart() {
	w.end()
	w.dead = false
	w.build()
	w.run()
}

func (w *harness) after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// job reads the job of somebody in a campaign.
func (w *harness) job(batch, person string) (j Job) {
	w.t.Helper()
	w.view(func(tx *store.Tx) (err error) {
		j, err = Of(tx, w.srv.Org, batch, person)
		return err
	})
	return j
}

func (w *harness) totals(batch string) (out Totals) {
	w.t.Helper()
	w.view(func(tx *store.Tx) (err error) {
		out, err = Counts(tx, w.srv.Org, batch)
		return err
	})
	return out
}

func (w *harness) waits(batch string) (out policy.Wait) {
	w.t.Helper()
	w.view(func(tx *store.Tx) (err error) {
		out, err = WaitingOf(tx, w.srv.Org, batch, w.db.Now())
		return err
	})
	return out
}

// outcomes are what the source was told of a job.
func (w *harness) outcomes(id string) (out []Status) {
	w.t.Helper()
	w.view(func(tx *store.Tx) error {
		x, err := told.Get(tx, w.srv.Org, id)
		out = x.Ended
		return store.IgnoreNotFound(err)
	})
	return out
}

// times are when messages were taken.
func times(list []sendtest.Accepted) (out []time.Duration) {
	for _, a := range list {
		out = append(out, a.At.Round(time.Second))
	}
	return out
}

// importing lets imports run, until stop.
func (w *harness) importing() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	workers := queue.New(w.db, queue.Options{})
	w.recipients.Work(workers)
	w.imports.Work(workers)
	ended := make(chan error, 1)
	go func() { ended <- workers.Run(ctx) }()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			w.t.Error(err)
		}
	}
}
