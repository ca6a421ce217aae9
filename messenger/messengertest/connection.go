package messengertest

import (
	"context"
	"time"

	"svc/messenger"
)

var connectionCases = []testCase{
	{"a session that was revoked before", func(s *stage) {
		s.people()
		m := NewStateStore()
		_ = m.SaveSession(s.ctx, s.Session(s.T, number))
		if err := s.Revoke(number); err != nil {
			s.Fatal(err)
		}
		for _, in := range []messenger.Inbound{nil, NewInbox()} {
			_, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Inbound: in})
			s.fault(err, messenger.SessionEnded, "AUTH_KEY_UNREGISTERED")
		}
	}},
	{"a session that is revoked while it sends", func(s *stage) {
		c, _ := s.account(nil)
		if err := s.Revoke(number); err != nil {
			s.Fatal(err)
		}
		_, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		s.fault(err, messenger.SessionEnded, "")
		s.ends(c, messenger.SessionEnded)
		_, err = c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		s.fault(err, messenger.SessionEnded, "")
		s.nothingTaken()
	}},
	{"a session that is revoked while it waits for messages", func(s *stage) {
		c, _ := s.account(NewInbox())
		if err := s.Revoke(number); err != nil {
			s.Fatal(err)
		}
		if err := s.Kick(number); err != nil {
			s.Fatal(err)
		}
		s.ends(c, messenger.SessionEnded)
	}},
	{"an account that the platform banned", func(s *stage) {
		c, m := s.account(nil)
		if err := s.Ban(number, "USER_DEACTIVATED_BAN"); err != nil {
			s.Fatal(err)
		}
		_, err := c.Check(s.ctx)
		s.fault(err, messenger.Restricted, "USER_DEACTIVATED_BAN")
		s.ends(c, messenger.Restricted)
		for _, in := range []messenger.Inbound{nil, NewInbox()} {
			_, err = s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Inbound: in})
			s.fault(err, messenger.Restricted, "USER_DEACTIVATED_BAN")
		}
	}},
	{"a key that the platform forgot is not replaced", func(s *stage) {
		for _, in := range []messenger.Inbound{nil, NewInbox()} {
			c, m := s.account(in)
			before := string(m.Session())
			if err := s.Forget(number); err != nil {
				s.Fatal(err)
			}
			s.ends(c, messenger.SessionEnded)
			if string(m.Session()) != before {
				s.Error("the session was written over")
			}
			_, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m, Inbound: in})
			s.fault(err, messenger.SessionEnded, "")
		}
	}},
	{"a session that is no session", func(s *stage) {
		for _, session := range []string{"", "{}", "\x00\x01", `{"Version":1,"Data":{"AuthKey":"AAAA"}}`} {
			_, err := s.driver.Connect(s.ctx, messenger.Account{Session: []byte(session), State: NewStateStore()})
			s.fault(err, messenger.SessionEnded, "")
		}
	}},
	{"a lost connection comes back by itself", func(s *stage) {
		c, _ := s.account(nil)
		if !c.Online() {
			s.Error("not online after Connect")
		}
		for i := range 3 {
			if err := s.Kick(number); err != nil {
				s.Fatal(err)
			}
			m := text(messenger.Target{Username: "ali_karim"}, "salom", int64(i+1))
			s.eventually("a message goes through", func() bool {
				_, err := c.Send(s.ctx, m)
				return err == nil
			})
		}
		if got := s.texts(); len(got) != 3 {
			s.Errorf("the platform took %q, want three messages", got)
		}
	}},
	{"who it belongs to", func(s *stage) {
		c, _ := s.account(nil)
		p, err := c.Check(s.ctx)
		if err != nil || p.ID != owner || p.Username != "owner_name" {
			s.Errorf("%+v, %s", p, describe(err))
		}
	}},
	{"logging out ends the session at the platform", func(s *stage) {
		c, m := s.account(nil)
		if err := c.LogOut(s.ctx); err != nil {
			s.Fatal(describe(err))
		}
		select {
		case <-c.Done():
		default:
			s.Error("not done after LogOut")
		}
		if err := c.Err(); err != nil {
			s.Errorf("ended with %v, want nothing", err)
		}
		_, err := s.driver.Connect(s.ctx, messenger.Account{Session: m.Session(), State: m})
		s.fault(err, messenger.SessionEnded, "")
	}},
	{"closing is quiet and can be done twice", func(s *stage) {
		for _, in := range []messenger.Inbound{nil, NewInbox()} {
			c, _ := s.account(in)
			for range 2 {
				if err := c.Close(); err != nil {
					s.Error(err)
				}
			}
			if c.Err() != nil || c.Online() {
				s.Errorf("after Close: error %v, online %v", c.Err(), c.Online())
			}
			_, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
			s.fault(err, messenger.Unreachable, "")
		}
		s.nothingTaken()
	}},
	{"a request ends with its context", func(s *stage) {
		c, _ := s.account(nil)
		if _, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "birinchi", 1)); err != nil {
			s.Fatal(describe(err))
		}
		s.AckButDoNotAnswer(1)
		ctx, cancel := context.WithTimeout(s.ctx, 300*time.Millisecond)
		defer cancel()
		begin := time.Now()
		_, err := c.Send(ctx, text(messenger.Target{ID: ali}, "salom", 2))
		s.fault(err, messenger.Unreachable, "")
		if took := time.Since(begin); took > 10*time.Second {
			s.Errorf("it took %s", took)
		}
		if sent, err := c.Send(s.ctx, text(messenger.Target{ID: ali}, "salom", 2)); err != nil || !sent.Duplicate {
			s.Errorf("%+v, %s: want a duplicate", sent, describe(err))
		}
	}},
	{"a connection outlives the context that opened it", func(s *stage) {
		s.people()
		m := NewStateStore()
		_ = m.SaveSession(s.ctx, s.Session(s.T, number))
		ctx, cancel := context.WithCancel(s.ctx)
		c, err := s.driver.Connect(ctx, messenger.Account{Session: m.Session(), State: m})
		if err != nil {
			s.Fatal(describe(err))
		}
		defer func() { _ = c.Close() }()
		cancel()
		if _, err := c.Check(s.ctx); err != nil {
			s.Error(describe(err))
		}
		_, err = s.driver.Connect(ctx, messenger.Account{Session: m.Session(), State: m})
		s.fault(err, messenger.Unreachable, "")
	}},
}

// ends asserts that a connection ends by itself, and why.
func (s *stage) ends(c messenger.Conn, want messenger.Fault) {
	s.Helper()
	select {
	case <-c.Done():
	case <-s.ctx.Done():
		s.Fatal("the connection does not end")
	}
	s.fault(c.Err(), want, "")
	if c.Online() {
		s.Error("online after its end")
	}
}
