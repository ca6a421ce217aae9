package connection

import (
	"slices"
	"strings"
	"testing"

	"svc/messenger"
	"svc/messenger/simulator/world/record"
	"svc/store"
)

func (h *env) recipient(body string) string {
	h.t.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// TestInbound: what people write is stored once, sealed, recognised and told of, also
// after a restart in whose time it was written.
func TestInbound(t *testing.T) {
	h := newEnv(t)
	h.person(record.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	h.person(record.Person{ID: 1002, Username: "vali_karim", First: "Vali"})
	byID := h.recipient(`{"messenger_id":1001,"consent_status":"OPTED_IN"}`)
	id := h.account(number, true)
	stop := h.run()
	h.eventually("the account is online", func() bool { return h.p.OnlineCount() == 1 })
	if got := h.state(id); got != Online {
		t.Errorf("the connection is %s", got)
	}
	first, err := h.w.Say("@ali_karim", number, "salom, qancha turadi?")
	if err != nil {
		t.Fatal(err)
	}
	h.eventually("the first message", func() bool { return len(signals[Received](h)) == 1 })
	if got := signals[Received](h)[0]; got.Org != h.Org || got.Account != id || got.PeerID != 1001 || got.MessageID != first.ID || got.Out {
		t.Errorf("signal %+v", got)
	}
	stop()
	h.restart()
	second, err := h.w.Say("@vali_karim", number, "while nobody listened")
	if err != nil {
		t.Fatal(err)
	}
	h.run()
	h.eventually("the second message", func() bool { return len(signals[Received](h)) == 2 })
	if got := signals[Received](h)[1]; got.PeerID != 1002 || got.MessageID != second.ID {
		t.Errorf("signal %+v", got)
	}
	if _, err := h.w.Type(number, "@ali_karim", "typed on the phone: stop"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the owner's message", func() bool { return len(signals[Received](h)) == 3 })
	if got := signals[Received](h)[2]; !got.Out {
		t.Errorf("signal %+v", got)
	}
	for _, r := range []string{byID} {
		a := h.Do("GET /recipients/"+r, nil).Want(200)
		if a.String("known_to_accounts.0") != id || a.String("consent_status") != "OPTED_IN" {
			t.Errorf("%s", a.Body)
		}
	}
	h.view(func(tx *store.Tx) error {
		for person, want := range map[int64][]string{1001: {id}, 1002: {id}, 1003: nil, 0: nil} {
			if known, err := KnownTo(tx, h.Org, person, func(*store.Tx, string, string) (bool, error) { return true, nil }); err != nil || !slices.Equal(known, want) {
				t.Errorf("%d is known to %v, %v", person, known, err)
			}
		}
		return nil
	})
}

// TestStateStore: what a driver keeps is found again, for one account only.
func TestStateStore(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, false)
	ctx := t.Context()
	m, another := stateStore{h.p, h.Org, id}, stateStore{h.p, h.Org, h.db.NewID("acc")}
	many := make([]messenger.Peer, 450)
	for i := range many {
		many[i] = messenger.Peer{ID: int64(i + 1), AccessHash: int64(i + 100)}
	}
	for _, x := range []stateStore{m, another} {
		for _, err := range []error{
			x.SavePeers(ctx, many), x.SaveFile(ctx, strings.Repeat("k", 300), []byte("ref")), x.SaveUpdateState(ctx, []byte("early")),
			x.SaveContacts(ctx, []byte("book")), x.SaveUpdateState(ctx, []byte("state")), x.SaveSession(ctx, []byte("moved")),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := m.SavePeers(ctx, []messenger.Peer{{ID: 450, FirstName: "No hash"}}); err != nil {
		t.Fatal(err)
	}
	if p, ok, err := m.Peer(ctx, 450); err != nil || !ok || p.AccessHash != 549 || p.FirstName != "No hash" {
		t.Errorf("peer %+v %v %v", p, ok, err)
	}
	if _, ok, err := another.Peer(ctx, 450); err != nil || ok {
		t.Errorf("an account that is not there knows somebody: %v", err)
	}
	ref, err := m.File(ctx, strings.Repeat("k", 300))
	if err != nil || string(ref) != "ref" {
		t.Errorf("file %q %v", ref, err)
	}
	if err := m.SaveFile(ctx, strings.Repeat("k", 300), nil); err != nil {
		t.Fatal(err)
	}
	if ref, _ := m.File(ctx, strings.Repeat("k", 300)); ref != nil {
		t.Errorf("file %q", ref)
	}
	if state, err := m.UpdateState(ctx); err != nil || string(state) != "state" {
		t.Errorf("state %q %v", state, err)
	}
	if book, err := m.Contacts(ctx); err != nil || string(book) != "book" {
		t.Errorf("book %q %v", book, err)
	}
	if book, err := another.Contacts(ctx); err != nil || book != nil {
		t.Errorf("an account that is not there has the book %q %v", book, err)
	}
	if a, _ := h.accounts.of(id); string(a.wanted.Session) != "moved" {
		t.Errorf("session %q", a.wanted.Session)
	}
}
