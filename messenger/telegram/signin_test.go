package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/gotd/td/crypto"
	"github.com/gotd/td/session"
	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/dial"
)

// The words are those of contract 37 and 7.2.
func TestHowACodeTravels(t *testing.T) {
	for want, types := range map[string][]tg.AuthSentCodeTypeClass{
		"app": {&tg.AuthSentCodeTypeApp{}},
		"sms": {&tg.AuthSentCodeTypeSMS{}, &tg.AuthSentCodeTypeSMSWord{}, &tg.AuthSentCodeTypeSMSPhrase{},
			&tg.AuthSentCodeTypeFragmentSMS{}, &tg.AuthSentCodeTypeFirebaseSMS{}},
		"call":       {&tg.AuthSentCodeTypeCall{}},
		"flash_call": {&tg.AuthSentCodeTypeFlashCall{}, &tg.AuthSentCodeTypeMissedCall{}},
		"email":      {&tg.AuthSentCodeTypeEmailCode{}},
	} {
		for _, kind := range types {
			if got, err := codeType(kind); got != want || err != nil {
				t.Errorf("%T: %q, %v", kind, got, err)
			}
		}
	}
	_, err := codeType(&tg.AuthSentCodeTypeSetUpEmailRequired{})
	if e := messenger.As(err); e == nil || e.Fault != messenger.SignInRefused || e.Code != "email_setup_required" {
		t.Errorf("%v", err)
	}
	_, err = codeType(nil)
	if e := messenger.As(err); e == nil || e.Code != "flow_failed" {
		t.Errorf("%v", err)
	}
}

// storedSession is a session of one key, as the library writes it.
func storedSession(t *testing.T, fill byte, dc int) []byte {
	t.Helper()
	var k crypto.Key
	for i := range k {
		k[i] = fill
	}
	a := k.WithID()
	out := &memorySession{}
	err := (&session.Loader{Storage: out}).Save(t.Context(), &session.Data{DC: dc, AuthKey: a.Value[:], AuthKeyID: a.ID[:]})
	if err != nil {
		t.Fatal(err)
	}
	return out.data
}

func TestFlowsThatAreNone(t *testing.T) {
	good, err := json.Marshal(flow{Session: storedSession(t, 1, 2), Phone: "+998901234567", Hash: "h"})
	if err != nil {
		t.Fatal(err)
	}
	if f, err := readFlow(good); err != nil || f.Phone != "+998901234567" || f.Hash != "h" {
		t.Errorf("%+v, %v", f, err)
	}
	for _, state := range []string{"", "null", "{}", `{"session":""}`, `{"session":"AAAA"}`, `{"session":"e30="}`, string(good[:len(good)/2]), strings.Repeat("[", 1000)} {
		_, err := readFlow([]byte(state))
		if e := messenger.As(err); e == nil || e.Fault != messenger.SignInRefused || e.Code != "flow_failed" {
			t.Errorf("%.20q: %v", state, err)
		}
	}
}

func TestWhoCompletedASignIn(t *testing.T) {
	u := &tg.User{ID: 7, FirstName: "Ali", LastName: "Karim", Premium: true, Usernames: []tg.Username{{Username: "a_b_c", Active: true}}}
	step, err := completed(&tg.AuthAuthorization{User: u})
	want := messenger.Profile{ID: 7, Username: "a_b_c", FirstName: "Ali", LastName: "Karim", Premium: true}
	if err != nil || step.Kind != messenger.Completed || step.Self != want {
		t.Errorf("%+v, %v", step, err)
	}
	for _, a := range []tg.AuthAuthorizationClass{&tg.AuthAuthorizationSignUpRequired{}, &tg.AuthAuthorization{User: &tg.UserEmpty{}}, nil} {
		if _, err := completed(a); messenger.As(err) == nil {
			t.Errorf("%T: %v", a, err)
		}
	}
}

// safe is a memory that counts what it is told about the session.
type safe struct {
	messenger.StateStore
	saved [][]byte
	fail  error
}

func (s *safe) SaveSession(_ context.Context, b []byte) error {
	s.saved = append(s.saved, b)
	return s.fail
}

func TestSessionOfAnAccountKeepsItsKey(t *testing.T) {
	memory, foreign := &safe{}, 0
	s, ok := bind(storedSession(t, 1, 2), memory, func() { foreign++ })
	if !ok {
		t.Fatal("a good session was refused")
	}
	// The library stores it at every connect; only a move is news.
	if err := s.StoreSession(t.Context(), storedSession(t, 1, 2)); err != nil || len(memory.saved) != 0 {
		t.Errorf("%v, saved %d times", err, len(memory.saved))
	}
	moved := storedSession(t, 1, 4)
	for range 2 {
		if err := s.StoreSession(t.Context(), moved); err != nil || len(memory.saved) != 1 || string(memory.saved[0]) != string(moved) {
			t.Errorf("%v, saved %d times, want once", err, len(memory.saved))
		}
	}
	for _, other := range [][]byte{storedSession(t, 2, 4), []byte("{}")} {
		if err := s.StoreSession(t.Context(), other); !errors.Is(err, dial.ErrUnknownKey) {
			t.Errorf("another key: %v", err)
		}
	}
	if foreign != 2 || len(memory.saved) != 1 {
		t.Errorf("told %d times, saved %d times", foreign, len(memory.saved))
	}
	if got, err := s.LoadSession(t.Context()); err != nil || string(got) != string(moved) {
		t.Errorf("the session was written over: %v", err)
	}
	for _, none := range []string{"", "{}", "\x00"} {
		if _, ok := bind([]byte(none), memory, nil); ok {
			t.Errorf("%q is a session", none)
		}
	}
}
