package testmessage

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
	"svc/app/recipient"
	"svc/app/recipient/optout"
	"svc/app/send"
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

// harness is the slice over package send at work.
type harness struct {
	t        testing.TB
	db       *store.DB
	p        *sendtest.Platform
	accounts *account.Service
	sends    *send.Service
	srv      *apitest.Server
	phones   int
	stop     func()
}

func allTables() []store.AnyTable {
	return slices.Concat(Tables(), send.Tables(), account.Tables(), recipient.Tables(), content.Tables(), event.Tables(), audit.Tables(),
		notify.Tables(), setting.Tables(), org.Tables(), user.Tables(), queue.Tables())
}

// bubble runs a test in a bubble, on a store in memory.
func bubble(t *testing.T, o send.Options, test func(*harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: allTables(), Engine: kv.NewMemory()})
		w := &harness{t: t, db: db, p: sendtest.New(), stop: func() {}}
		bus := &signal.Bus{}
		w.accounts = account.New(db, account.Options{Driver: w.p, Bus: bus})
		o.Accounts, o.Bus, o.Content = w.accounts, bus, content.New(db, content.Options{Vault: vault.InFolder(t.TempDir(), db)})
		w.sends = send.New(db, o)
		orgs, people := org.New(db, bus, org.Options{}), recipient.New(db, bus, recipient.Options{})
		w.srv = apitest.New(t, db, w.sends, New(db, w.sends), w.accounts, people, optout.New(db, bus), orgs)
		w.update(func(tx *store.Tx) error {
			o, err := org.Create(tx, api.System(context.Background(), "", db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
			w.srv.Org = o.ID
			return err
		})
		w.srv.Do("POST /organization/accept-policy", map[string]any{"policy_version": setting.Default().AUPVersion}).Want(200)
		defer func() { w.stop() }()
		test(w)
	})
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

// account signs one in and answers its id.
func (w *harness) account() string {
	w.t.Helper()
	w.phones++
	flow := w.srv.Do("POST /accounts", map[string]any{"phone": fmt.Sprintf("+9989012%05d", w.phones)}).Want(201).String("state.flow_id")
	return w.srv.Do("POST /accounts/login/"+flow+"/code", `{"code":"12345"}`).Want(200).String("account.id")
}

// people makes recipients with a basis for contact and a username, and answers their ids.
func (w *harness) people(n int) (ids []string) {
	w.t.Helper()
	for i := 1; i <= n; i++ {
		body := map[string]any{
			"messenger_id": 1000 + i, "username": fmt.Sprintf("person_%d", i), "first_name": fmt.Sprint("P", i), "consent_status": "OPTED_IN",
		}
		ids = append(ids, w.srv.Do("POST /recipients", body).Want(201).String("id"))
	}
	return ids
}

// run starts sending.
func (w *harness) run() {
	ctx, cancel := context.WithCancel(context.Background())
	around, done := context.WithCancel(context.Background())
	ended, below := make(chan error, 1), make(chan error, 1)
	go func() { ended <- w.sends.Run(ctx) }()
	go func() { below <- w.accounts.Run(around) }()
	w.stop = func() {
		cancel()
		err := <-ended // messages under way need their connections
		done()
		if err := errors.Join(err, <-below); err != nil {
			w.t.Error(err)
		}
	}
}

func (w *harness) after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestTestMessages(t *testing.T) {
	bubble(t, send.Options{NoPacing: true}, func(w *harness) {
		a, b, c := w.account(), w.account(), w.account()
		people := w.people(3)
		w.run()
		route := func(account string) string { return "POST /accounts/" + account + "/test-message" }
		answer := w.srv.Do(route(a), `{"recipient_id":"`+people[0]+`","text":"Is it you?"}`).Want(202)
		if answer.String("status") != "QUEUED" {
			t.Errorf("answered %s", answer.Body)
		}
		w.srv.Do(route(a), `{"username":"@Stranger"}`).Want(202)
		w.after(time.Second)
		log := w.p.Took()
		if len(log) != 2 || log[0].Text != "Is it you?" || log[0].To.ID != 1001 || log[1].Text != usualTest || log[1].To != (messenger.Target{Username: "Stranger"}) {
			t.Errorf("sent %+v", log)
		}
		if got := w.srv.Do("GET /jobs?kind=TEST&status=DONE", nil).At("total"); got != 2.0 {
			t.Errorf("%v test messages are done", got)
		}
		if got := w.srv.Do("GET /accounts/"+a+"/activity", nil); got.String("data.0.kind") != "TEST_MESSAGE" {
			t.Errorf("activity %s", got.Body)
		}
		w.view(func(tx *store.Tx) error {
			m, err := tests.Get(tx, w.srv.Org, answer.String("job_id"))
			if err != nil || !m.Text.IsZero() {
				t.Errorf("the text of a message that was sent is kept: %v", err)
			}
			r, err := recipient.Get(tx, w.srv.Org, people[0])
			if err != nil || r.LastMessagedAt == nil {
				t.Errorf("the recipient does not show the message: %v", err)
			}
			return nil
		})
		for body, field := range map[string]string{
			`{}`: "recipient_id", `{"recipient_id":"` + people[0] + `","username":"somebody"}`: "recipient_id",
			`{"username":"!"}`: "username", `{"recipient_id":"rcp_00000000000000000000000000"}`: "recipient_id",
		} {
			if got := w.srv.Do(route(a), body).Want(422); got.String("error.details."+field) == "" {
				t.Errorf("%s: %s", body, got.Body)
			}
		}
		w.srv.Do("POST /recipients/"+people[1]+"/opt-out", nil).Want(200)
		w.srv.Do(route(a), `{"recipient_id":"`+people[1]+`"}`).Refused(ErrRecipientSuppressed)
		w.srv.Do(route(a), `{"username":"Person_2"}`).Refused(ErrRecipientSuppressed)
		w.srv.Do("POST /suppressions", `{"username":"never_me","reason":"asked"}`).Want(201)
		w.srv.Do(route(a), `{"username":"Never_Me"}`).Refused(ErrRecipientSuppressed)
		w.srv.Do(route("acc_00000000000000000000000000"), `{"username":"somebody"}`).Want(404)

		// 2 were sent by a: 8 are left, and 10 for b; then the organization has 20.
		for range 8 {
			w.srv.Do(route(a), `{"username":"somebody"}`).Want(202)
		}
		w.srv.Do(route(a), `{"username":"somebody"}`).Refused(ErrTestLimit)
		for range 10 {
			w.srv.Do(route(b), `{"username":"somebody"}`).Want(202)
		}
		limited := w.srv.Do(route(c), `{"username":"somebody"}`).Refused(ErrTestLimit)
		if limited.Header.Get("Retry-After") == "" {
			t.Error("a refusal without Retry-After")
		}
		w.after(time.Hour - 2*time.Second)
		w.srv.Do(route(c), `{"username":"somebody"}`).Refused(ErrTestLimit)
		w.after(2 * time.Second)
		w.srv.Do(route(c), `{"username":"somebody"}`).Want(202)
		w.after(keepTests - 30*time.Minute)
		w.update(func(tx *store.Tx) error {
			if n, err := Purge(tx, w.srv.Org, 100); err != nil || n != 20 {
				t.Errorf("%d records of test messages removed, %v", n, err)
			}
			return nil
		})
		w.srv.Do("POST /accounts/"+c+"/pause", nil).Want(200)
		w.srv.Do(route(c), `{"username":"somebody"}`).Refused(ErrAccountUnavailable)
	})
}

// TestSuppressedMeanwhile: a test message to a stranger who is suppressed before its
// dispatchTx is not sent.
func TestSuppressedMeanwhile(t *testing.T) {
	bubble(t, send.Options{}, func(w *harness) {
		a := w.account()
		id := w.srv.Do("POST /accounts/"+a+"/test-message", `{"username":"never_me"}`).Want(202).String("job_id")
		w.srv.Do("POST /suppressions", `{"username":"never_me","reason":"asked"}`).Want(201)
		w.run()
		w.after(time.Second)
		w.view(func(tx *store.Tx) error {
			j, err := send.Get(tx, w.srv.Org, id)
			if err != nil || j.Status != send.Skipped || j.SkipReason != send.Suppressed {
				t.Errorf("the job is %+v, %v", j, err)
			}
			return nil
		})
		if got := w.p.Took(); len(got) != 0 {
			t.Errorf("sent %+v", got)
		}
	})
}
