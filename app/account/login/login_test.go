package login

import (
	"context"
	"flag"
	"slices"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/setting"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
	"svc/store/recordid"
	"svc/store/storetest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/login.golden", *update, flowTransitions,
		[]Step{CodeSent, PasswordRequired, Completed, FlowFailed, FlowExhausted, FlowExpired},
		[]flowEvent{passwordAsked, signedIn, failed, replaced, usedUp, ranOut})
}

// platform sends codes, of which 12345 is right.
type platform struct{ messenger.Driver }

func (platform) SendCode(context.Context, messenger.Route, string) (messenger.Step, error) {
	return messenger.Step{Kind: messenger.CodeSent, CodeType: "app", State: []byte("state")}, nil
}

func (platform) EnterCode(_ context.Context, _ messenger.Route, state []byte, code string) (messenger.Step, error) {
	if string(state) != "state" || code != "12345" {
		return messenger.Step{}, &messenger.Error{Fault: messenger.SignInRefused, Code: "phone_code_invalid"}
	}
	return messenger.Step{Kind: messenger.Completed, Session: []byte("session"), Self: messenger.Profile{ID: 7}}, nil
}

// accounts is package account of the tests: an account is shown as its id.
type accounts struct {
	refusal   error // of Connect
	loggedOut [][]byte
}

func (*accounts) MayConnect(*store.Tx, string, *Flow) error { return nil }

func (*accounts) MayReauth(*store.Tx, string, *Flow) error { return nil }

func (a *accounts) Connect(_ *store.Tx, _ *api.Call, f *Flow, _ messenger.Step) (string, error) {
	return f.AccountID, a.refusal
}

func (*accounts) SignInAgain(_ *store.Tx, _ *api.Call, f *Flow, _ messenger.Step) (string, error) {
	return f.AccountID, nil
}

func (*accounts) Route(*store.Tx, string, string) (via messenger.Route, err error) { return via, nil }

func (a *accounts) LogOut(tx *store.Tx, _, _ string, session []byte, _ messenger.Route) error {
	tx.AfterCommit(func() { a.loggedOut = append(a.loggedOut, session) })
	return nil
}

// TestSecretsGo: what a sign-in keeps of the number and the platform is sealed while it is
// open, and gone when it is over: completed, refused by package account, or run out. One
// that is over is forgotten after a day.
func TestSecretsGo(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.OpenWith(t, t.TempDir()+"/test.db", store.Options{
		Tables: slices.Concat(queue.Tables(), audit.Tables(), setting.Tables(), Tables()), Now: clock.Now,
	})
	fake := &accounts{}
	s := New(db, Options[string]{Driver: platform{}, Accounts: fake})
	server := apitest.New(t, db)
	begin := func(phone string) string {
		t.Helper()
		in := StartIn{}
		in.Body.Phone = phone
		a, err := s.Start(server.Call(), in)
		if err != nil {
			t.Fatal(err)
		}
		return a.State.ID
	}
	enter := func(id, code string) (Answer[string], error) {
		in := CodeIn{FlowID: id}
		in.Body.Code = code
		return s.Code(server.Call(), in)
	}
	read := func(id string) (f Flow, err error) {
		err = db.View(t.Context(), func(tx *store.Tx) (err error) {
			f, err = flows.Get(tx, server.Org, id)
			return err
		})
		return f, err
	}
	cleanup := func() {
		t.Helper()
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			_, err := Cleanup(tx, 10)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	over := func(id string, step Step) {
		t.Helper()
		if f, err := read(id); err != nil || f.Step != step || !f.Secret.IsZero() {
			t.Errorf("a sign-in that is over is %s, its secrets are kept: %v; %v", f.Step, !f.Secret.IsZero(), err)
		}
	}

	done := begin("+998901234567")
	if f, err := read(done); err != nil || f.Secret.IsZero() {
		t.Errorf("an open sign-in keeps nothing for its next step: %v", err)
	}
	a, err := enter(done, "12345")
	if err != nil || a.Account == nil || !recordid.Valid("acc", *a.Account) {
		t.Fatalf("%+v, %v", a, err)
	}
	over(done, Completed)

	fake.refusal = api.ErrConflict
	refused := begin("+998901234568")
	if _, err := enter(refused, "12345"); err != api.ErrConflict {
		t.Errorf("refused with %v", err)
	}
	over(refused, FlowFailed)
	if len(fake.loggedOut) != 1 || string(fake.loggedOut[0]) != "session" {
		t.Errorf("ended at the platform: %q", fake.loggedOut)
	}

	late := begin("+998901234569")
	clock.Add(flowFor)
	cleanup()
	over(late, FlowExpired)
	clock.Add(flowKept + time.Second)
	cleanup()
	for _, id := range []string{done, refused, late} {
		if _, err := read(id); !store.IsNotFound(err) {
			t.Errorf("remembered after a day: %v", err)
		}
	}
}
