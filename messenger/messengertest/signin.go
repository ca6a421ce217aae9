package messengertest

import (
	"bytes"
	"reflect"
	"time"

	"svc/messenger"
)

// Each case costs the exchanges of its keys, half a second of a processor: what every
// answer means belongs into a table of the driver's own tests.
var signInCases = []testCase{
	{"a code is enough", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", CodeType: "sms", ID: owner, Username: "owner_name"})
		step := s.sendCode()
		if step.CodeType != "sms" || len(step.Session) != 0 {
			s.Errorf("step %+v: want a code by sms and no session yet", step)
		}
		step, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		if err != nil || step.Kind != messenger.Completed || step.Self.ID != owner || step.Self.Username != "owner_name" {
			s.Fatalf("step %+v, %v", step, err)
		}
		s.works(step.Session)
	}},
	{"a wrong code can be corrected", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", ID: owner})
		step := s.sendCode()
		_, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "11111")
		s.fault(err, messenger.SignInRefused, "phone_code_invalid")
		step, err = s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		if err != nil || step.Kind != messenger.Completed {
			s.Fatalf("step %+v, %v", step, err)
		}
	}},
	{"a two-step password, wrong and right", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", Password: "secret words", Hint: "the usual", ID: owner})
		step := s.sendCode()
		step, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		if err != nil || step.Kind != messenger.PasswordRequired || step.Hint != "the usual" {
			s.Fatalf("step %+v, %v", step, err)
		}
		_, err = s.driver.EnterPassword(s.ctx, messenger.Route{}, step.State, "other words")
		s.fault(err, messenger.SignInRefused, "password_hash_invalid")
		step, err = s.driver.EnterPassword(s.ctx, messenger.Route{}, step.State, "secret words")
		if err != nil || step.Kind != messenger.Completed || step.Self.ID != owner {
			s.Fatalf("step %+v, %v", step, err)
		}
		s.works(step.Session)
	}},
	{"what arrives before the first connection is heard", func(s *stage) {
		s.people()
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", ID: owner})
		s.Say(s.T, "@ali_karim", number, "before the sign-in", false)
		step := s.sendCode()
		step, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		if err != nil || step.Kind != messenger.Completed {
			s.Fatalf("step %+v, %s", step, describe(err))
		}
		s.Say(s.T, "@ali_karim", number, "bir", false)
		s.Say(s.T, "@vali_karim", number, "ikki", false)
		m, in := NewStateStore(), NewInbox()
		_ = m.SaveSession(s.ctx, step.Session)
		_ = m.SaveUpdateState(s.ctx, step.UpdateState)
		s.connect(m, in)
		s.Say(s.T, "@ali_karim", number, "uch", false)
		s.eventually("they arrive", func() bool { return in.Len() == 3 })
		if got := in.Texts(); !reflect.DeepEqual(got, []string{"bir", "ikki", "uch"}) {
			s.Errorf("received %q", got)
		}
	}},
	{"another driver goes on with the state", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", ID: owner})
		step := s.sendCode()
		step, err := s.Driver().EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		if err != nil || step.Kind != messenger.Completed {
			s.Fatalf("step %+v, %v", step, err)
		}
	}},
	{"a number of another data centre", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", Password: "secret words", ID: owner, Elsewhere: true})
		step := s.sendCode()
		step, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		if err != nil || step.Kind != messenger.PasswordRequired {
			s.Fatalf("step %+v, %s", step, describe(err))
		}
		if step, err = s.driver.EnterPassword(s.ctx, messenger.Route{}, step.State, "secret words"); err != nil || step.Kind != messenger.Completed {
			s.Fatalf("step %+v, %s", step, describe(err))
		}
		s.works(step.Session)
	}},
	{"an account that moves to another data centre", func(s *stage) {
		s.people()
		m := NewStateStore()
		before := s.Session(s.T, number)
		_ = m.SaveSession(s.ctx, before)
		c, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m})
		if err != nil {
			s.Fatal(describe(err))
		}
		defer func() { _ = c.Close() }()
		// The key is good for the old one only: its owner has to sign in again, and
		// nothing is sent from a new key that nobody signed in.
		s.AddPhone(s.T, Phone{Number: number, ID: owner, Elsewhere: true})
		_, err = c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		s.fault(err, messenger.SessionEnded, "")
		if got := s.Taken(s.T); len(got) != 0 {
			s.Errorf("the platform took %+v", got)
		}
		if !bytes.Equal(m.Session(), before) {
			s.Error("another session took the place of the one that the owner signed in")
		}
	}},
	{"a code that is too old", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", ID: owner, Expired: true})
		step := s.sendCode()
		_, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		s.fault(err, messenger.SignInRefused, "phone_code_expired")
	}},
	{"a number without an account", func(s *stage) {
		s.AddPhone(s.T, Phone{Number: number, Code: "54321", Unregistered: true})
		step := s.sendCode()
		_, err := s.driver.EnterCode(s.ctx, messenger.Route{}, step.State, "54321")
		s.fault(err, messenger.SignInRefused, "phone_number_unoccupied")
	}},
	{"a state that is no state", func(s *stage) {
		for _, state := range []string{"", "{}", `{"session":"AAAA"}`, "\x00"} {
			_, err := s.driver.EnterCode(s.ctx, messenger.Route{}, []byte(state), "54321")
			s.fault(err, messenger.SignInRefused, "flow_failed")
			_, err = s.driver.EnterPassword(s.ctx, messenger.Route{}, []byte(state), "54321")
			s.fault(err, messenger.SignInRefused, "flow_failed")
		}
	}},
	{"what the platform refuses", func(s *stage) {
		for refuse, want := range map[string]string{
			"PHONE_NUMBER_BANNED": "phone_number_banned",
			"API_ID_INVALID":      "messenger_app_invalid",
		} {
			s.AddPhone(s.T, Phone{Number: number, ID: owner, Refuse: refuse})
			_, err := s.driver.SendCode(s.ctx, messenger.Route{}, number)
			s.fault(err, messenger.SignInRefused, want)
		}
		s.AddPhone(s.T, Phone{Number: number, ID: owner, Refuse: "FLOOD_WAIT_90"})
		_, err := s.driver.SendCode(s.ctx, messenger.Route{}, number)
		if e := s.refused(err, messenger.SignInRefused, "phone_number_flood"); e.Wait != 90*time.Second {
			s.Errorf("wait %s, want 90s", e.Wait)
		}
	}},
	{"how the code travels", func(s *stage) {
		for _, kind := range []string{"app", "flash_call"} {
			s.AddPhone(s.T, Phone{Number: number, ID: owner, CodeType: kind})
			if step := s.sendCode(); step.CodeType != kind {
				s.Errorf("code by %q, want %q", step.CodeType, kind)
			}
		}
		for kind, want := range map[string]string{"email_setup": "email_setup_required", "payment": "code_payment_required"} {
			s.AddPhone(s.T, Phone{Number: number, ID: owner, CodeType: kind})
			_, err := s.driver.SendCode(s.ctx, messenger.Route{}, number)
			s.fault(err, messenger.SignInRefused, want)
		}
	}},
}

func (s *stage) sendCode() messenger.Step {
	s.Helper()
	step, err := s.driver.SendCode(s.ctx, messenger.Route{}, number)
	if err != nil || step.Kind != messenger.CodeSent || len(step.State) == 0 {
		s.Fatalf("send code: %+v, %s", step, describe(err))
	}
	return step
}

// works asserts that a session opens a connection of the owner.
func (s *stage) works(session []byte) {
	s.Helper()
	m := NewStateStore()
	_ = m.SaveSession(s.ctx, session)
	c := s.connect(m, nil)
	if p, err := c.Check(s.ctx); err != nil || p.ID != owner {
		s.Errorf("check: %+v, %v", p, err)
	}
}
