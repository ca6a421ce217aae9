package simulator

import (
	"errors"
	"testing"
	"time"

	"github.com/gotd/td/telegram/auth"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
)

// A client without a session agrees on a key, enters a wrong and a right code and a wrong
// and a right password, and is somebody.
func TestSignIn(t *testing.T) {
	s := start(t, Options{})
	ok(t, s.World().AddPhone(record.Phone{Number: "+998901112233", Code: "777", Password: "secret", Hint: "pet",
		Person: record.Person{First: "Ali", Username: "ali_uz"}}))
	c := connect(t, s, clientOptions{})
	sent, err := c.Auth().SendCode(c.ctx, "+998901112233", auth.SendCodeOptions{})
	ok(t, err)
	hash := sent.(*tg.AuthSentCode).PhoneCodeHash
	if _, err := c.Auth().SignIn(c.ctx, "+998901112233", "111", hash); !tgerr.Is(err, "PHONE_CODE_INVALID") {
		t.Errorf("a wrong code: %v", err)
	}
	if _, err := c.Auth().SignIn(c.ctx, "+998901112233", "777", hash); !errors.Is(err, auth.ErrPasswordAuthNeeded) {
		t.Fatalf("a right code: %v", err)
	}
	p, err := c.API().AccountGetPassword(c.ctx)
	ok(t, err)
	if hint, _ := p.GetHint(); hint != "pet" {
		t.Errorf("the hint is %q", hint)
	}
	if _, err := c.Auth().Password(c.ctx, "guess"); !errors.Is(err, auth.ErrPasswordInvalid) {
		t.Errorf("a wrong password: %v", err)
	}
	a, err := c.Auth().Password(c.ctx, "secret")
	ok(t, err)
	if u := a.User.(*tg.User); u.Username != "ali_uz" || !u.Self {
		t.Errorf("signed in as %+v", u)
	}
	st, err := c.Auth().Status(c.ctx)
	ok(t, err)
	if !st.Authorized {
		t.Error("the client is not signed in")
	}
}

// Numbers differ in what the platform says to who asks for a code, and how it is sent.
func TestSendCode(t *testing.T) {
	s := start(t, Options{Script: `
phone +998902220001 refuses PHONE_NUMBER_BANNED
phone +998902220002 refuses PHONE_NUMBER_FLOOD
phone +998902220003 refuses FLOOD_WAIT_77
phone +998902220010 type sms
phone +998902220011 type sms_word
phone +998902220012 type fragment_sms
phone +998902220013 type call
phone +998902220014 type flash_call
phone +998902220015 type missed_call
phone +998902220016 type email
phone +998902220017 type email_setup
phone +998902220018`})
	c := connect(t, s, clientOptions{session: keyOnly(t, s)})
	send := func(number string) (tg.AuthSentCodeClass, error) {
		return c.Auth().SendCode(c.ctx, number, auth.SendCodeOptions{})
	}
	for number, want := range map[string]struct {
		code int
		name string
	}{
		"+998902220001": {400, "PHONE_NUMBER_BANNED"}, "+998902220002": {400, "PHONE_NUMBER_FLOOD"},
		"+998902220003": {420, "FLOOD_WAIT_77"}, "12": {400, "PHONE_NUMBER_INVALID"}, "+99890x": {400, "PHONE_NUMBER_INVALID"},
	} {
		_, err := send(number)
		refused(t, err, want.code, want.name)
	}
	for number, want := range map[string]tg.AuthSentCodeTypeClass{
		"+998902220010": &tg.AuthSentCodeTypeSMS{}, "+998902220011": &tg.AuthSentCodeTypeSMSWord{},
		"+998902220012": &tg.AuthSentCodeTypeFragmentSMS{}, "+998902220013": &tg.AuthSentCodeTypeCall{},
		"+998902220014": &tg.AuthSentCodeTypeFlashCall{}, "+998902220015": &tg.AuthSentCodeTypeMissedCall{},
		"+998902220016": &tg.AuthSentCodeTypeEmailCode{}, "+998902220017": &tg.AuthSentCodeTypeSetUpEmailRequired{},
		"998902220018": &tg.AuthSentCodeTypeApp{}, // without its plus
	} {
		sent, err := send(number)
		ok(t, err)
		if got := sent.(*tg.AuthSentCode).Type; got.TypeID() != want.TypeID() {
			t.Errorf("%s got its code as %T", number, got)
		}
	}
}

// keyOnly is a client that has a key and has not signed in.
func keyOnly(t *testing.T, s *Simulator) []byte {
	t.Helper()
	ses, err := s.Session(bob)
	ok(t, err)
	c := connect(t, s, clientOptions{session: ses})
	_, err = c.API().AuthLogOut(c.ctx)
	ok(t, err)
	c.stop()
	return ses
}

// Codes end, also by being asked for again, and by too many guesses.
func TestCodesEnd(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{Script: "phone " + alice + "\nphone +998902220020 code-life 1s", Clock: func() time.Time { return now }})
	c := connect(t, s, clientOptions{session: keyOnly(t, s)})
	send := func(number string) string {
		t.Helper()
		sent, err := c.Auth().SendCode(c.ctx, number, auth.SendCodeOptions{})
		ok(t, err)
		return sent.(*tg.AuthSentCode).PhoneCodeHash
	}
	enter := func(number, hash, code string) error {
		_, err := c.API().AuthSignIn(c.ctx, &tg.AuthSignInRequest{PhoneNumber: number, PhoneCodeHash: hash, PhoneCode: code})
		return err
	}
	first, second := send(alice), send(alice)
	refused(t, enter(alice, first, record.DefaultCode), 400, "PHONE_CODE_EXPIRED")
	refused(t, enter(alice, second, ""), 400, "PHONE_CODE_EMPTY")
	short := send("+998902220020")
	now = now.Add(time.Second)
	refused(t, enter("+998902220020", short, record.DefaultCode), 400, "PHONE_CODE_EXPIRED")
	for range 10 {
		refused(t, enter(alice, second, "00000"), 400, "PHONE_CODE_INVALID")
	}
	refused(t, enter(alice, second, record.DefaultCode), 400, "PHONE_CODE_EXPIRED")
	third := send(alice)
	now = now.Add(5 * time.Minute)
	refused(t, enter(alice, third, record.DefaultCode), 400, "PHONE_CODE_EXPIRED")
	stranger := send("+998905550000")
	r, err := c.API().AuthSignIn(c.ctx, &tg.AuthSignInRequest{PhoneNumber: "+998905550000", PhoneCodeHash: stranger, PhoneCode: record.DefaultCode})
	ok(t, err)
	if _, signUp := r.(*tg.AuthAuthorizationSignUpRequired); !signUp {
		t.Errorf("a number without an account: %T", r)
	}
	ok(t, enter(alice, send(alice), record.DefaultCode))
}

// A sign-in between code and password goes on after a restart.
func TestSignInOverRestart(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(Options{Dir: dir, Script: "phone " + alice + " password secret"})
	ok(t, err)
	stop := run(t, s)
	ses := keyOnly(t, s)
	c := connect(t, s, clientOptions{session: ses})
	sent, err := c.Auth().SendCode(c.ctx, alice, auth.SendCodeOptions{})
	ok(t, err)
	c.stop()
	stop()
	s, err = Open(Options{Dir: dir})
	ok(t, err)
	stop = run(t, s)
	c = connect(t, s, clientOptions{session: ses})
	if _, err := c.Auth().SignIn(c.ctx, alice, record.DefaultCode, sent.(*tg.AuthSentCode).PhoneCodeHash); !errors.Is(err, auth.ErrPasswordAuthNeeded) {
		t.Fatalf("a right code: %v", err)
	}
	c.stop()
	stop()
	s, err = Open(Options{Dir: dir})
	ok(t, err)
	run(t, s)
	c = connect(t, s, clientOptions{session: ses})
	if _, err := c.Auth().Password(c.ctx, "secret"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Self(c.ctx); err != nil {
		t.Error(err)
	}
}

// The numbers and people of the demonstration behave as its rules say.
func TestDemo(t *testing.T) {
	s := start(t, Options{Demo: true})
	c := connect(t, s, clientOptions{session: keyOnly(t, s)})
	sent := func(number string) (tg.AuthSentCodeClass, error) {
		return c.Auth().SendCode(c.ctx, number, auth.SendCodeOptions{})
	}
	_, err := sent("+998900009101")
	refused(t, err, 400, "PHONE_NUMBER_BANNED")
	_, err = sent("+998900009301")
	refused(t, err, 400, "PHONE_NUMBER_FLOOD")
	pay, err := sent("+998900009601")
	ok(t, err)
	if _, must := pay.(*tg.AuthSentCodePaymentRequired); !must {
		t.Errorf("96: %T", pay)
	}
	code, err := sent("+998900009001")
	ok(t, err)
	_, err = c.Auth().SignIn(c.ctx, "+998900009001", record.DefaultCode, code.(*tg.AuthSentCode).PhoneCodeHash)
	if !errors.Is(err, auth.ErrPasswordAuthNeeded) {
		t.Fatalf("90: %v", err)
	}
	_, err = c.Auth().Password(c.ctx, world.DemoPassword)
	ok(t, err)
	if p := c.peer(t, "demo_user_1000000"); p.UserID != 1_001_000_000 {
		t.Errorf("the last person is %d", p.UserID)
	}
	_, err = c.send(c.peer(t, "demo_user_103"), 1, "x")
	refused(t, err, 403, "USER_IS_BLOCKED")
	for _, name := range []string{"demo_user_0", "demo_user_01", "demo_user_1000001", "demo_user_x"} {
		_, err := c.API().ContactsResolveUsername(c.ctx, &tg.ContactsResolveUsernameRequest{Username: name})
		refused(t, err, 400, "USERNAME_NOT_OCCUPIED")
	}
	_, err = c.send(c.peer(t, "demo_user_23"), 2, "x") // deleted the account
	refused(t, err, 400, "INPUT_USER_DEACTIVATED")
	restricted := account(t, s, "+998900009801", nil)
	flooded := account(t, s, "+998900009701", nil)
	for n := range int64(50) {
		if _, err := restricted.send(restricted.peer(t, "demo_user_7"), n+1, "x"); err != nil {
			t.Fatal(err)
		}
		_, err := flooded.send(flooded.peer(t, "demo_user_7"), n+1, "x")
		if n < 24 {
			ok(t, err)
		} else {
			refused(t, err, 420, "FLOOD_WAIT_20")
			break
		}
	}
	for n := range int64(26) {
		if _, err := restricted.send(restricted.peer(t, "demo_user_7"), n+100, "x"); err != nil {
			refused(t, err, 400, "PEER_FLOOD")
		}
	}
	_, err = restricted.send(restricted.peer(t, "demo_user_7"), 999, "x")
	refused(t, err, 400, "PEER_FLOOD")
}
