package connection

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/app/event"
	"svc/app/org"
	"svc/app/recipient"
	"svc/messenger"
	"svc/messenger/simulator/world"
	"svc/store"
)

func (h *env) recipient(body string) string {
	h.t.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// stored reads what is kept of a message.
func (h *env) stored(account string, id int) (m inbound, text string) {
	h.t.Helper()
	h.view(func(tx *store.Tx) error {
		var err error
		if m, err = inboundMessages.Get(tx, h.Org, inboundID(account, id)); err != nil {
			return err
		}
		data, err := inboundContent.Open(h.db, h.Org, &m)
		if err != nil || data == nil {
			return err
		}
		var s messageContent
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		text = s.Text
		return nil
	})
	return m, text
}

// TestInbound: what people write is stored once, sealed, recognised and told of, also
// after a restart in whose time it was written.
func TestInbound(t *testing.T) {
	h := newEnv(t)
	h.person(world.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	h.person(world.Person{ID: 1002, Username: "vali_karim", First: "Vali"})
	byID := h.recipient(`{"messenger_id":1001,"consent_status":"OPTED_IN"}`)
	byName := h.recipient(`{"username":"Vali_Karim","consent_status":"OPTED_IN"}`)
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
	m, text := h.stored(id, first.ID)
	if text != "salom, qancha turadi?" || m.RecipientID != byID || m.PeerID != 1001 || m.Out {
		t.Errorf("stored %+v %q", m, text)
	}
	if got := signals[Received](h)[0]; got.Org != h.Org || got.Account != id || got.RecipientID != byID || got.PeerID != 1001 || got.MessageID != first.ID || got.Out {
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
	if m, text := h.stored(id, second.ID); text != "while nobody listened" || m.RecipientID != byName {
		t.Errorf("stored %+v %q", m, text)
	}
	if _, err := h.w.Type(number, "@ali_karim", "typed on the phone: stop"); err != nil {
		t.Fatal(err)
	}
	h.eventually("the owner's message", func() bool { return len(signals[Received](h)) == 3 })
	if got := signals[Received](h)[2]; !got.Out {
		t.Errorf("signal %+v", got)
	}
	for _, r := range []string{byID, byName} {
		a := h.Do("GET /recipients/"+r, nil).Want(200)
		if a.String("known_to_accounts.0") != id || a.At("last_replied_at") == nil || a.String("consent_status") != "OPTED_IN" {
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

// incoming hands a message over, as a driver does.
func (h *env) incoming(account string, m messenger.Incoming) {
	h.t.Helper()
	m.At = h.db.Now()
	if err := (listener{stateStore{h.p, h.Org, account}}).Received(context.Background(), m); err != nil {
		h.t.Fatal(err)
	}
}

// TestStopWords opt people out in three languages, in the transaction that stores the
// message; texts that hold more than the word do not.
func TestStopWords(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, false)
	said := 0
	for text, want := range map[string]bool{
		"stop": true, " STOP! ": true, "To‘xta": true, "to'xta": true, "toʻxtating.": true, "тўхта": true, "Bekor  qil": true,
		"Стоп": true, "ОТПИСАТЬСЯ": true, "хватит!!!": true, "unsubscribe": true, "Opt out": true,
		"don't stop": false, "stop it please": false, "": false, "🙂": false, "salom": false, "stopp": false,
	} {
		said++
		person := int64(5000 + said)
		r := h.recipient(`{"messenger_id":` + strconv.Itoa(int(person)) + `,"consent_status":"OPTED_IN"}`)
		h.incoming(id, messenger.Incoming{ID: said, Peer: messenger.Peer{ID: person, AccessHash: 1}, Text: text})
		a := h.Do("GET /recipients/"+r, nil).Want(200)
		if got := a.String("consent_status") == "OPTED_OUT"; got != want || a.At("suppressed") != want {
			t.Errorf("%q: %s", text, a.Body)
		}
	}
	if got := len(signals[recipient.OptedOut](h)); got != 12 {
		t.Errorf("%d opt-outs were told of", got)
	}
	// Words of the organization's own take the place of the usual ones.
	h.Do("PATCH /organization", `{"stop_keywords":{"uz":[],"ru":["прекратить"],"en":[]}}`).Want(200)
	r := h.recipient(`{"username":"by_name","consent_status":"OPTED_IN"}`)
	peer := messenger.Peer{ID: 6001, Username: "By_Name", AccessHash: 1}
	h.incoming(id, messenger.Incoming{ID: 101, Peer: peer, Text: "stop"})
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_IN" {
		t.Errorf("%s", a.Body)
	}
	h.incoming(id, messenger.Incoming{ID: 102, Peer: peer, Text: "Прекратить", Out: true}) // the owner's own word
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_IN" {
		t.Errorf("%s", a.Body)
	}
	edited := messenger.Incoming{ID: 101, Peer: peer, Text: "Прекратить", EditedAt: h.db.Now()}
	if err := (listener{stateStore{h.p, h.Org, id}}).Edited(t.Context(), edited); err != nil {
		t.Fatal(err)
	}
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_OUT" {
		t.Errorf("a stop word of an edit: %s", a.Body)
	}
	// Somebody who is no recipient is suppressed all the same.
	h.incoming(id, messenger.Incoming{ID: 103, Peer: messenger.Peer{ID: 6002, AccessHash: 1}, Text: "прекратить"})
	h.view(func(tx *store.Tx) error {
		ok, err := recipient.IsSuppressed(tx, h.Org, recipient.Who{MessengerID: 6002})
		if !ok {
			t.Error("a stranger's stop word was not heard")
		}
		return err
	})
}

// TestReassignedName: whoever has a name now is not the recipient who had it.
func TestReassignedName(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, false)
	r := h.recipient(`{"messenger_id":1,"username":"ali_karim","consent_status":"OPTED_IN"}`)
	h.incoming(id, messenger.Incoming{ID: 1, Peer: messenger.Peer{ID: 2, Username: "ali_karim", AccessHash: 1}, Text: "stop"})
	if a := h.Do("GET /recipients/"+r, nil); a.String("consent_status") != "OPTED_IN" || a.At("suppressed") != false || a.At("last_replied_at") != nil {
		t.Errorf("%s", a.Body)
	}
	if m, _ := h.stored(id, 1); m.RecipientID != "" {
		t.Errorf("recognised as %s", m.RecipientID)
	}
}

// TestInboundOnce: what is handed over again changes nothing; edits and deletions
// find their message; bots and accounts that are gone leave no trace.
func TestInboundOnce(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, false)
	l := listener{stateStore{h.p, h.Org, id}}
	peer := messenger.Peer{ID: 9, AccessHash: 5, Username: "nine", FirstName: "Nine"}
	first := messenger.Incoming{ID: 7, Peer: peer, Text: "one", Raw: []byte("raw")}
	h.incoming(id, first)
	h.incoming(id, first)
	if got := len(signals[Received](h)); got != 1 {
		t.Errorf("told %d times", got)
	}
	first.Text, first.EditedAt = "two", h.db.Now().Add(time.Second)
	if err := l.Edited(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if m, text := h.stored(id, 7); text != "two" || m.EditedAt.IsZero() {
		t.Errorf("edited: %+v %q", m, text)
	}
	if err := l.Deleted(t.Context(), []int{7, 8}); err != nil {
		t.Fatal(err)
	}
	if m, text := h.stored(id, 7); text != "" || m.DeletedAt.IsZero() || !m.Content.IsZero() {
		t.Errorf("deleted: %+v %q", m, text)
	}
	if err := l.Edited(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	if _, text := h.stored(id, 7); text != "" {
		t.Error("an edit brings a deleted message back")
	}
	h.incoming(id, messenger.Incoming{ID: 8, Peer: messenger.Peer{ID: 10, Bot: true}, Text: "I am a bot"})
	if err := l.ReadByPeer(t.Context(), 9, 3); err != nil {
		t.Fatal(err)
	}
	if got := signals[ReadByPeer](h); len(got) != 1 || got[0] != (ReadByPeer{h.Org, id, 9, 3}) {
		t.Errorf("read %+v", got)
	}
	gone := listener{stateStore{h.p, h.Org, h.db.NewID("acc")}}
	if err := gone.Received(t.Context(), messenger.Incoming{ID: 1, Peer: peer, Text: "stop"}); err != nil {
		t.Fatal(err)
	}
	h.view(func(tx *store.Tx) error {
		n, err := inboundMessages.Count(tx, h.Org)
		if n != 1 {
			t.Errorf("%d messages", n)
		}
		return err
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

// TestOptOutByReply: the event and the audit entry of an opt-out say who did it.
func TestOptOutByReply(t *testing.T) {
	h := newEnv(t)
	id := h.account(number, false)
	h.recipient(`{"messenger_id":77,"consent_status":"OPTED_IN"}`)
	h.incoming(id, messenger.Incoming{ID: 1, Peer: messenger.Peer{ID: 77, AccessHash: 1}, Text: "stop"})
	h.view(func(tx *store.Tx) error {
		list, err := event.After(tx, h.Org, "", 100)
		n := 0
		for _, e := range list {
			if e.Type == event.RecipientOptedOut {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d events", n)
		}
		return err
	})
	if o := (org.Organization{}); !isStopWord("stop", o.Keywords()) {
		t.Error("the usual words")
	}
}
