package simulator

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world"
)

const alice, bob = "+998901000001", "+998901000002"

// refused checks that an error is what the platform says.
func refused(t *testing.T, err error, code int, name string) {
	t.Helper()
	e, isRPC := tgerr.As(err)
	if !isRPC || e.Message != name || e.Code != code {
		t.Errorf("answered with %v, want %d %s", err, code, name)
	}
}

// A message is accepted once, whatever its id meets afterwards, and stands in the log.
func TestSend(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500 takes"})
	c := account(t, s, alice, nil)
	vali := c.peer(t, "Vali")
	first, err := c.send(vali, 11, "salom")
	ok(t, err)
	second, err := c.send(vali, 12, "yana salom")
	ok(t, err)
	if first != 1 || second != 2 {
		t.Errorf("the ids are %d and %d, want 1 and 2", first, second)
	}
	_, err = c.send(vali, 11, "salom")
	refused(t, err, 500, "RANDOM_ID_DUPLICATE")
	log := logOf(t, s)
	if len(log) != 2 || log[0].Text != "salom" || log[0].Account != alice || log[0].Peer != 500 || log[0].RandomID != 11 || log[1].N != 2 {
		t.Errorf("the log is %+v", log)
	}
	if to, err := s.World().SentTo(500); err != nil || len(to) != 2 {
		t.Errorf("500 got %v, %v", to, err)
	}
}

// Who cannot be written to, and what cannot be written, is refused as the platform does.
func TestRefusals(t *testing.T) {
	s := start(t, Options{Script: `
person @blocks blocks
person @private private
person @paid paid
person @premium premium-only
person @nowrite no-writing
person @blocked blocked
person @bot_bot bot
person @gone id 900 takes
person @other refuses PEER_ID_INVALID
person @ok takes`})
	c := account(t, s, alice, nil)
	random := int64(0)
	try := func(to tg.InputPeerClass, text string, code int, name string) {
		t.Helper()
		random++
		_, err := c.send(to, random, text)
		refused(t, err, code, name)
	}
	gone := c.peer(t, "gone")
	ok(t, s.World().Script("person @gone deleted"))
	try(gone, "x", 400, "INPUT_USER_DEACTIVATED")
	try(c.peer(t, "blocks"), "x", 403, "USER_IS_BLOCKED")
	try(c.peer(t, "private"), "x", 403, "USER_PRIVACY_RESTRICTED")
	try(c.peer(t, "paid"), "x", 403, "ALLOW_PAYMENT_REQUIRED_30")
	try(c.peer(t, "premium"), "x", 403, "PRIVACY_PREMIUM_REQUIRED")
	try(c.peer(t, "nowrite"), "x", 403, "CHAT_WRITE_FORBIDDEN")
	try(c.peer(t, "blocked"), "x", 400, "YOU_BLOCKED_USER")
	try(c.peer(t, "bot_bot"), "x", 400, "USER_IS_BOT")
	try(c.peer(t, "other"), "x", 400, "PEER_ID_INVALID")
	fine := c.peer(t, "ok")
	try(fine, "", 400, "MESSAGE_EMPTY")
	try(fine, strings.Repeat("a", 4097), 400, "MESSAGE_TOO_LONG")
	try(&tg.InputPeerUser{UserID: fine.UserID, AccessHash: fine.AccessHash + 1}, "x", 400, "PEER_ID_INVALID")
	try(&tg.InputPeerUser{UserID: 123456, AccessHash: 1}, "x", 400, "PEER_ID_INVALID")
	try(&tg.InputPeerChat{ChatID: 1}, "x", 400, "PEER_ID_INVALID")
	if n := len(logOf(t, s)); n != 0 {
		t.Errorf("%d messages were accepted", n)
	}
}

// A username can be free, wrong, or somebody else's by now; a hash is one account's own.
func TestUsernames(t *testing.T) {
	s := start(t, Options{Script: "person @vali id 500 takes"})
	c, other := account(t, s, alice, nil), account(t, s, bob, nil)
	resolve := func(name string) (*tg.ContactsResolvedPeer, error) {
		return c.API().ContactsResolveUsername(c.ctx, &tg.ContactsResolveUsernameRequest{Username: name})
	}
	_, err := resolve("nobody_here")
	refused(t, err, 400, "USERNAME_NOT_OCCUPIED")
	_, err = resolve("9vali")
	refused(t, err, 400, "USERNAME_INVALID")
	old := c.peer(t, "vali")
	ok(t, s.World().Script("person @vali reassigned to 777"))
	if now := c.peer(t, "vali"); now.UserID != 777 {
		t.Errorf("@vali is %d", now.UserID)
	}
	if _, err := c.send(old, 1, "to the id"); err != nil {
		t.Errorf("the id does not work any more: %v", err)
	}
	_, err = other.send(old, 1, "with the hash of another account")
	refused(t, err, 400, "PEER_ID_INVALID")
}

// An address book is told once: who has it is told that it did not change.
func TestAddressBook(t *testing.T) {
	s := start(t, Options{Script: "phone " + alice + "\nperson @vali id 4242"})
	c := account(t, s, alice, nil)
	ok(t, s.World().Script("person @vali contact-of "+alice+"\nat 4 books fail FLOOD_WAIT_60"))
	for _, x := range []struct {
		hash int64
		same bool
	}{{0, false}, {36507226259, true}, {36507226258, false}} {
		got, err := c.API().ContactsGetContacts(c.ctx, x.hash)
		ok(t, err)
		all, told := got.(*tg.ContactsContacts)
		if told == x.same || told && (len(all.Users) != 1 || all.Contacts[0].UserID != 4242 || all.SavedCount != 1) {
			t.Errorf("with %d: %v", x.hash, got)
		}
	}
	_, err := c.API().ContactsGetContacts(c.ctx, 0)
	refused(t, err, 420, "FLOOD_WAIT_60")
}

// Limits of an account come and go, and are told with the platform's words.
func TestLimits(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{Script: "person @vali takes", Clock: func() time.Time { return now }})
	c, w := account(t, s, alice, nil), s.World()
	vali := c.peer(t, "vali")
	random := int64(0)
	try := func(code int, name string) {
		t.Helper()
		random++
		_, err := c.send(vali, random, "x")
		if name == "" {
			ok(t, err)
			return
		}
		refused(t, err, code, name)
	}
	ok(t, w.Flood(alice, 30*time.Second, 0))
	try(420, "FLOOD_WAIT_30")
	now = now.Add(29500 * time.Millisecond)
	try(420, "FLOOD_WAIT_1")
	now = now.Add(500 * time.Millisecond)
	try(0, "")
	ok(t, w.Flood(alice, 7*time.Second, 2))
	now = now.Add(time.Hour)
	try(420, "FLOOD_WAIT_7")
	try(420, "FLOOD_WAIT_7")
	try(0, "")
	ok(t, w.Script("now "+alice+" flood 9 premium"))
	try(420, "FLOOD_PREMIUM_WAIT_9")
	for _, l := range []struct {
		code int
		name string
	}{{400, "PEER_FLOOD"}, {403, "USER_RESTRICTED"}} {
		ok(t, w.Lift(alice))
		ok(t, w.Restrict(alice, l.name))
		try(l.code, l.name)
	}
	ok(t, w.Freeze(alice))
	try(420, "FROZEN_METHOD_INVALID")
	if _, err := c.Self(c.ctx); err != nil {
		t.Errorf("a restricted account cannot ask who it is: %v", err)
	}
	ok(t, w.Ban(alice, "USER_DEACTIVATED_BAN"))
	_, err := c.Self(c.ctx)
	refused(t, err, 401, "USER_DEACTIVATED_BAN")
}

// Rules of a script count what each account tries.
func TestRules(t *testing.T) {
	s := start(t, Options{Script: `
person @vali takes
at 2 sends of ` + alice + ` flood 5 for 1 send
every 3 sends fail INTERNAL
after 6 sends restrict PEER_FLOOD
at 2 resolves fail USERNAME_NOT_OCCUPIED`})
	for _, number := range []string{alice, bob} {
		c := account(t, s, number, nil)
		vali := c.peer(t, "vali")
		var got []string
		for n := range int64(8) {
			_, err := c.send(vali, n+1, "x")
			if e, isRPC := tgerr.As(err); isRPC {
				got = append(got, e.Message)
			} else {
				got = append(got, fmt.Sprint(err))
			}
		}
		want := "<nil>, <nil>, INTERNAL, <nil>, <nil>, INTERNAL, PEER_FLOOD, PEER_FLOOD"
		if number == alice {
			want = "<nil>, FLOOD_WAIT_5, INTERNAL, <nil>, <nil>, INTERNAL, PEER_FLOOD, PEER_FLOOD"
		}
		if g := strings.Join(got, ", "); g != want {
			t.Errorf("%s got\n%s\nwant\n%s", number, g, want)
		}
		_, err := c.API().ContactsResolveUsername(c.ctx, &tg.ContactsResolveUsernameRequest{Username: "vali"})
		refused(t, err, 400, "USERNAME_NOT_OCCUPIED")
	}
}

// An answer can get lost on the way although the message was taken; the same id then
// finds out.
func TestLostAnswers(t *testing.T) {
	s := start(t, Options{Script: "person @vali takes"})
	c, w := account(t, s, alice, nil), s.World()
	vali := c.peer(t, "vali")
	w.Drop(1)
	_, err := c.send(vali, 1, "dropped") // the client asks again by itself
	refused(t, err, 500, "RANDOM_ID_DUPLICATE")
	w.DropBefore(1)
	if _, err := c.send(vali, 2, "dropped before"); err != nil {
		t.Errorf("a message that had not been taken: %v", err)
	}
	w.AckButDoNotAnswer(1)
	answered := make(chan error, 1)
	go func() {
		_, err := c.send(vali, 3, "acknowledged")
		answered <- err
	}()
	for w.Accepted() < 3 {
		select {
		case err := <-answered:
			t.Fatalf("answered with %v", err)
		case <-time.After(5 * time.Millisecond):
		}
	}
	ok(t, w.Kick(alice))
	select {
	case err := <-answered:
		if err == nil {
			t.Error("answered without an error")
		}
	case <-time.After(patience):
		t.Fatal("the send never ended")
	}
	_, err = c.send(vali, 3, "acknowledged")
	refused(t, err, 500, "RANDOM_ID_DUPLICATE")
	w.Fail(1, "INTERNAL")
	_, err = c.API().MessagesSendMessage(c.ctx, &tg.MessagesSendMessageRequest{Peer: vali, Message: "fails", RandomID: 4})
	refused(t, err, 500, "INTERNAL")
	w.Delay(50 * time.Millisecond)
	began := time.Now()
	if _, err := c.send(vali, 5, "late"); err != nil || time.Since(began) < 50*time.Millisecond {
		t.Errorf("%v after %v", err, time.Since(began))
	}
	var texts []string
	for _, m := range logOf(t, s) {
		texts = append(texts, m.Text)
	}
	if got := strings.Join(texts, ","); got != "dropped,dropped before,acknowledged,late" {
		t.Errorf("accepted were %s", got)
	}
}

// A session ends when its owner revokes it, and when the platform forgets its key.
func TestEndedSessions(t *testing.T) {
	s := start(t, Options{})
	c := account(t, s, alice, nil)
	ok(t, s.World().Revoke(alice))
	_, err := c.Self(c.ctx)
	refused(t, err, 401, "AUTH_KEY_UNREGISTERED")
	d := account(t, s, bob, nil)
	before, err := d.store.Bytes(nil)
	ok(t, err)
	ok(t, s.World().Forget(bob))
	// The client agrees on a new key and is nobody.
	for {
		after, err := d.store.Bytes(nil)
		ok(t, err)
		if st, err := d.Auth().Status(d.ctx); err == nil && !st.Authorized && !bytes.Equal(before, after) {
			break
		}
		if d.ctx.Err() != nil {
			t.Fatal("the client kept its key")
		}
	}
	e := account(t, s, bob, nil)
	_, err = e.API().AuthLogOut(e.ctx)
	ok(t, err)
	_, err = e.Self(e.ctx)
	refused(t, err, 401, "AUTH_KEY_UNREGISTERED")
}

// Devices are what clients said about themselves.
func TestDevices(t *testing.T) {
	s := start(t, Options{})
	account(t, s, alice, nil)
	d := s.World().Devices(alice)
	if len(d) != 1 || d[0] != (world.Device{AppID: 1, Model: "model", System: "1", App: "2", Lang: "en", SystemLang: "en"}) {
		t.Errorf("%+v", d)
	}
}
