package simulator

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/telegram"
	"github.com/gotd/td/telegram/updates"
	"github.com/gotd/td/telegram/updates/hook"
	"github.com/gotd/td/tg"
)

// listener is an account whose updates are put in order by the library's manager.
type listener struct {
	*client
	heard chan string
}

func listen(t *testing.T, s *Simulator, number string) *listener {
	t.Helper()
	ses, err := s.Session(number)
	ok(t, err)
	l := &listener{heard: make(chan string, 1000)}
	d := tg.NewUpdateDispatcher()
	say := func(format string, args ...any) error {
		l.heard <- fmt.Sprintf(format, args...)
		return nil
	}
	d.OnNewMessage(func(_ context.Context, e tg.Entities, u *tg.UpdateNewMessage) error {
		m, full := u.Message.(*tg.Message)
		if !full {
			return nil // the library's mark of a message of our own
		}
		peer := m.PeerID.(*tg.PeerUser).UserID
		if m.Out {
			return say("to %d: %s", peer, m.Message)
		}
		if e.Users[peer] == nil {
			return say("from unknown %d: %s", peer, m.Message)
		}
		return say("from %s: %s", e.Users[peer].FirstName, m.Message)
	})
	d.OnReadHistoryOutbox(func(_ context.Context, _ tg.Entities, u *tg.UpdateReadHistoryOutbox) error {
		return say("read by %d up to %d", u.Peer.(*tg.PeerUser).UserID, u.MaxID)
	})
	d.OnEditMessage(func(_ context.Context, _ tg.Entities, u *tg.UpdateEditMessage) error {
		return say("edited: %s", u.Message.(*tg.Message).Message)
	})
	d.OnDeleteMessages(func(_ context.Context, _ tg.Entities, u *tg.UpdateDeleteMessages) error {
		return say("deleted: %v", u.Messages)
	})
	m := updates.New(updates.Config{Handler: d})
	upToDate, asked := startup()
	l.client = connect(t, s, clientOptions{session: ses, updates: m, middleware: []telegram.Middleware{
		hook.UpdateHook(m.Handle), hook.AffectedHook(m), asked,
	}})
	go func() { _ = m.Run(l.ctx, l.API(), 1, updates.AuthOptions{}) }()
	<-upToDate
	return l
}

// startup tells when the manager has its first answer about what happened before: until then
// it would hear of the client's own messages too.
func startup() (upToDate <-chan struct{}, asked telegram.Middleware) {
	done := make(chan struct{})
	once := sync.OnceFunc(func() { close(done) })
	return done, telegram.MiddlewareFunc(func(next tg.Invoker) telegram.InvokeFunc {
		return func(ctx context.Context, in bin.Encoder, out bin.Decoder) error {
			err := next.Invoke(ctx, in, out)
			if _, is := in.(*tg.UpdatesGetDifferenceRequest); is {
				once()
			}
			return err
		}
	})
}

func (l *listener) hears(t *testing.T, want string) {
	t.Helper()
	select {
	case got := <-l.heard:
		if got != want {
			t.Errorf("heard %q, want %q", got, want)
		}
	case <-time.After(patience):
		t.Fatalf("did not hear %q", want)
	}
}

// Clients hear what people write and read, what the owner writes elsewhere, and what was
// edited and deleted.
func TestUpdates(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500 name \"Vali Aliyev\""})
	w, l := s.World(), listen(t, s, alice)
	m, err := w.Say("@vali", alice, "salom")
	ok(t, err)
	l.hears(t, "from Vali: salom")
	_, err = w.Type(alice, "500", "o'zim yozdim")
	ok(t, err)
	l.hears(t, "to 500: o'zim yozdim")
	ok(t, w.Read(alice, "@vali", 0))
	l.hears(t, "read by 500 up to 2")
	ok(t, w.Edit(alice, m.ID, "assalom"))
	l.hears(t, "edited: assalom")
	ok(t, w.Unsend(alice, m.ID))
	l.hears(t, "deleted: [1]")
	if _, err := w.SayShort("@vali", alice, "short"); err != nil {
		t.Fatal(err)
	}
	l.hears(t, "from unknown 500: short") // this form describes nobody
}

// A lost update is found by asking, in its place.
func TestGap(t *testing.T) {
	s := start(t, Options{Script: "person @vali name Vali"})
	w, l := s.World(), listen(t, s, alice)
	ok(t, w.Lose(alice, 2))
	for _, text := range []string{"one", "two", "three"} {
		_, err := w.Say("@vali", alice, text)
		ok(t, err)
	}
	for _, text := range []string{"one", "two", "three"} {
		l.hears(t, "from Vali: "+text)
	}
}

// What happens while nobody is connected is found afterwards.
func TestReconnect(t *testing.T) {
	s := start(t, Options{Script: "person @vali name Vali"})
	w, l := s.World(), listen(t, s, alice)
	_, err := w.Say("@vali", alice, "before")
	ok(t, err)
	l.hears(t, "from Vali: before")
	ok(t, w.Kick(alice))
	if _, err = w.Say("@vali", alice, "meanwhile"); err != nil {
		t.Fatal(err)
	}
	// The library asks for the difference when it is back and the next push shows a gap.
	for s.Online(alice) == 0 {
		<-time.After(time.Millisecond)
	}
	if _, err = w.Say("@vali", alice, "after"); err != nil {
		t.Fatal(err)
	}
	l.hears(t, "from Vali: meanwhile")
	l.hears(t, "from Vali: after")
}

// A client's own message is an update for the account's other clients only, and no gap
// for its own.
func TestTwoClients(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500 name Vali"})
	l, other := listen(t, s, alice), listen(t, s, alice)
	if _, err := l.send(l.peer(t, "vali"), 1, "hello"); err != nil {
		t.Fatal(err)
	}
	other.hears(t, "to 500: hello")
	_, err := s.World().Say("500", alice, "answer")
	ok(t, err)
	other.hears(t, "from Vali: answer")
	l.hears(t, "from Vali: answer")
}

// Two accounts write to each other; reading is told to the other side's client.
func TestAccountsTalk(t *testing.T) {
	s := start(t, Options{})
	ok(t, s.World().Script("phone "+alice+" username alice_a name Alice\nphone "+bob+" username bob_b name Bob"))
	a, b := listen(t, s, alice), listen(t, s, bob)
	if _, err := a.send(a.peer(t, "bob_b"), 1, "hi Bob"); err != nil {
		t.Fatal(err)
	}
	b.hears(t, "from Alice: hi Bob")
	if _, err := b.send(b.peer(t, "alice_a"), 1, "hi Alice"); err != nil {
		t.Fatal(err)
	}
	for got := range a.heard {
		if got == "from Bob: hi Alice" {
			break
		}
	}
}

// People do what such people do, some time after a message.
func TestReactions(t *testing.T) {
	s := start(t, Options{Script: `person @vali id 500 name Vali reads after 1ms says "stop" after 20ms`})
	c := account(t, s, alice, nil)
	if _, err := c.send(c.peer(t, "vali"), 1, "hello"); err != nil {
		t.Fatal(err)
	}
	for begin := time.Now(); ; <-time.After(5 * time.Millisecond) {
		answer, err := c.API().UpdatesGetDifference(c.ctx, &tg.UpdatesGetDifferenceRequest{Pts: 1})
		ok(t, err)
		d, some := answer.(*tg.UpdatesDifference)
		if some && len(d.NewMessages) == 2 && len(d.OtherUpdates) == 1 {
			said, read := d.NewMessages[1].(*tg.Message), d.OtherUpdates[0].(*tg.UpdateReadHistoryOutbox)
			if said.Message != "stop" || said.Out || read.MaxID != 1 || read.Pts != 3 {
				t.Errorf("%+v, %+v", said, read)
			}
			return
		}
		if time.Since(begin) > patience {
			t.Fatalf("only %+v", answer)
		}
	}
}

// The difference comes in pieces, and too much of it is told to be too long.
func TestDifference(t *testing.T) {
	s := start(t, Options{Script: "person @vali", Keep: 200})
	c, w := account(t, s, alice, nil), s.World()
	for n := range 150 {
		_, err := w.Say("@vali", alice, fmt.Sprint(n))
		ok(t, err)
	}
	pts, total := 1, 0
	for more := true; more; {
		d, err := c.API().UpdatesGetDifference(c.ctx, &tg.UpdatesGetDifferenceRequest{Pts: pts})
		ok(t, err)
		switch d := d.(type) {
		case *tg.UpdatesDifferenceSlice:
			total += len(d.NewMessages)
			if d.IntermediateState.Pts != pts+len(d.NewMessages) {
				t.Fatalf("a slice of %d leads from %d to %d", len(d.NewMessages), pts, d.IntermediateState.Pts)
			}
			pts = d.IntermediateState.Pts
		case *tg.UpdatesDifference:
			total, pts, more = total+len(d.NewMessages), d.State.Pts, false
		default:
			t.Fatalf("answered with %T", d)
		}
	}
	if total != 150 || pts != 151 {
		t.Errorf("%d messages up to pts %d", total, pts)
	}
	for n := range 400 {
		_, err := w.Say("@vali", alice, fmt.Sprint(n))
		ok(t, err)
	}
	d, err := c.API().UpdatesGetDifference(c.ctx, &tg.UpdatesGetDifferenceRequest{Pts: 1})
	ok(t, err)
	if long, isLong := d.(*tg.UpdatesDifferenceTooLong); !isLong || long.Pts != 551 {
		t.Errorf("answered with %T %+v", d, d)
	}
}

// The owner's clients see the sign-in code from the platform's service user.
func TestServiceMessage(t *testing.T) {
	s := start(t, Options{})
	l := listen(t, s, alice)
	_, err := s.World().SendCode(alice)
	ok(t, err)
	l2 := account(t, s, bob, nil)
	_, err = l2.Self(l2.ctx) // any request has events told
	ok(t, err)
	l.hears(t, "from Messenger: Login code: 12345. Do not give this code to anyone.")
}

// Dialogs and histories are read in pages.
func TestHistory(t *testing.T) {
	s := start(t, Options{Script: "people u 1..30 id 6000"})
	c, w := account(t, s, alice, nil), s.World()
	for n := range 120 {
		_, err := w.Say(fmt.Sprintf("@u%d", 1+n%3), alice, fmt.Sprint(n))
		ok(t, err)
	}
	d, err := c.API().MessagesGetDialogs(c.ctx, &tg.MessagesGetDialogsRequest{OffsetPeer: &tg.InputPeerEmpty{}, Limit: 2})
	ok(t, err)
	first := d.(*tg.MessagesDialogsSlice)
	if first.Count != 3 || len(first.Dialogs) != 2 || first.Dialogs[0].(*tg.Dialog).UnreadCount != 40 {
		t.Errorf("dialogs: %d of %d, %+v", len(first.Dialogs), first.Count, first.Dialogs)
	}
	peer := c.peer(t, "u1")
	h, err := c.API().MessagesGetHistory(c.ctx, &tg.MessagesGetHistoryRequest{Peer: peer, Limit: 30})
	ok(t, err)
	page := h.(*tg.MessagesMessagesSlice)
	if page.Count != 40 || len(page.Messages) != 30 || page.Messages[0].(*tg.Message).Message != "117" {
		t.Errorf("history: %d of %d", len(page.Messages), page.Count)
	}
	rest, err := c.API().MessagesGetHistory(c.ctx, &tg.MessagesGetHistoryRequest{Peer: peer, Limit: 30, OffsetID: page.Messages[29].GetID()})
	ok(t, err)
	if n := len(rest.(*tg.MessagesMessagesSlice).Messages); n != 10 {
		t.Errorf("%d messages on the second page", n)
	}
	read, err := c.API().MessagesReadHistory(c.ctx, &tg.MessagesReadHistoryRequest{Peer: peer})
	ok(t, err)
	if read.PtsCount != 1 || read.Pts != 122 {
		t.Errorf("reading is %+v", read)
	}
	got, err := c.API().MessagesGetMessages(c.ctx, []tg.InputMessageClass{&tg.InputMessageID{ID: 1}, &tg.InputMessageID{ID: 999}})
	ok(t, err)
	if m := got.(*tg.MessagesMessages).Messages; len(m) != 2 || m[0].(*tg.Message).Message != "0" || m[1].TypeID() != tg.MessageEmptyTypeID {
		t.Errorf("messages by id: %+v", m)
	}
}
