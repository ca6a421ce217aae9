package messengertest

import (
	"context"
	"errors"
	"reflect"
	"time"

	"svc/messenger"
)

var sendCases = []testCase{
	{"by username, then by id", func(s *stage) {
		c, m := s.account(nil)
		sent, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		if err != nil || sent.MessageID == 0 || sent.Duplicate || sent.Peer.ID != ali || sent.Peer.FirstName != "Ali" || sent.At.IsZero() {
			s.Fatalf("sent %+v, %s", sent, describe(err))
		}
		if p, ok, _ := m.Peer(s.ctx, ali); !ok || p.AccessHash == 0 || p.Username != "ali_karim" {
			s.Errorf("remembered %+v: want how to address Ali", p)
		}
		if _, err := c.Send(s.ctx, text(messenger.Target{ID: ali}, "yana", 2)); err != nil {
			s.Fatal(describe(err))
		}
		got := s.Taken(s.T)
		if len(got) != 2 || got[0].Peer != ali || got[0].Text != "salom" || got[0].RandomID != 1 ||
			got[0].MessageID != sent.MessageID || got[1].Text != "yana" {
			s.Errorf("the platform took %+v", got)
		}
	}},
	{"an id that the account does not know", func(s *stage) {
		c, _ := s.account(nil)
		_, err := c.Send(s.ctx, text(messenger.Target{ID: ali}, "salom", 1))
		s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		_, err = c.Send(s.ctx, text(messenger.Target{Username: "nobody_here"}, "salom", 2))
		s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		_, err = c.Send(s.ctx, text(messenger.Target{}, "salom", 3))
		s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		s.nothingTaken()
	}},
	{"somebody objects once it is known who it is", func(s *stage) {
		c, _ := s.account(nil)
		m := text(messenger.Target{Username: "ali_karim"}, "salom", 1)
		refusal := &messenger.Error{Fault: messenger.PeerUnreachable, Code: "OBJECTED"}
		m.Object = func(_ context.Context, p messenger.Peer) error {
			if p.ID == ali {
				return refusal
			}
			return nil
		}
		_, err := c.Send(s.ctx, m)
		s.fault(err, messenger.PeerUnreachable, "OBJECTED")
		s.nothingTaken()
		m.To.Username = "vali_karim"
		if _, err := c.Send(s.ctx, m); err != nil {
			s.Fatal(describe(err))
		}
	}},
	{"a username that belongs to another person now", func(s *stage) {
		c, _ := s.account(nil)
		if err := s.Reassign("ali_karim", vali); err != nil {
			s.Fatal(err)
		}
		_, err := c.Send(s.ctx, text(messenger.Target{ID: ali, Username: "ali_karim"}, "salom", 1))
		s.fault(err, messenger.PeerUnreachable, "USERNAME_REASSIGNED")
		s.nothingTaken()
	}},
	{"a stale hash is looked up again, once", func(s *stage) {
		c, m := s.account(nil)
		stale := messenger.Peer{ID: ali, AccessHash: 12345, Username: "ali_karim"}
		_ = m.SavePeers(s.ctx, []messenger.Peer{stale})
		if _, err := c.Send(s.ctx, text(messenger.Target{ID: ali, Username: "ali_karim"}, "salom", 1)); err != nil {
			s.Fatal(describe(err))
		}
		if p, _, _ := m.Peer(s.ctx, ali); p.AccessHash == stale.AccessHash {
			s.Error("the stale hash is still remembered")
		}
		_ = m.SavePeers(s.ctx, []messenger.Peer{stale})
		_, err := c.Send(s.ctx, text(messenger.Target{ID: ali}, "salom", 2))
		s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		if got := s.texts(); len(got) != 1 {
			s.Errorf("the platform took %q", got)
		}
	}},
	{"a stale hash and a reassigned username", func(s *stage) {
		c, m := s.account(nil)
		_ = m.SavePeers(s.ctx, []messenger.Peer{{ID: ali, AccessHash: 12345, Username: "ali_karim"}})
		if err := s.Reassign("ali_karim", vali); err != nil {
			s.Fatal(err)
		}
		_, err := c.Send(s.ctx, text(messenger.Target{ID: ali, Username: "ali_karim"}, "salom", 1))
		s.fault(err, messenger.PeerUnreachable, "USERNAME_REASSIGNED")
		s.nothingTaken()
	}},
	{"the same random id twice is one message", func(s *stage) {
		c, _ := s.account(nil)
		m := text(messenger.Target{Username: "ali_karim"}, "salom", 77)
		if _, err := c.Send(s.ctx, m); err != nil {
			s.Fatal(describe(err))
		}
		sent, err := c.Send(s.ctx, m)
		if err != nil || !sent.Duplicate || sent.Peer.ID != ali {
			s.Fatalf("sent %+v, %s: want a duplicate", sent, describe(err))
		}
		s.oneMessage("salom")
	}},
	{"floods say how long", func(s *stage) {
		c, _ := s.account(nil)
		if err := s.Flood(number, 37*time.Second, 1); err != nil {
			s.Fatal(err)
		}
		begin := time.Now()
		_, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		if e := s.refused(err, messenger.Flood, "FLOOD_WAIT"); e.Wait != 37*time.Second {
			s.Errorf("wait %s, want 37s", e.Wait)
		}
		if took := time.Since(begin); took > 10*time.Second {
			s.Errorf("the driver slept %s", took)
		}
		s.Fail(1, "FLOOD_PREMIUM_WAIT_7")
		_, err = c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		if e := s.refused(err, messenger.Flood, ""); e.Wait < 7*time.Second {
			s.Errorf("wait %s, want 7s or more", e.Wait)
		}
		s.nothingTaken()
	}},
	{"what a restricted account hears", func(s *stage) {
		c, _ := s.account(nil)
		for _, name := range []string{"PEER_FLOOD", "USER_RESTRICTED", "FROZEN_METHOD_INVALID"} {
			if err := s.Restrict(number, name); err != nil {
				s.Fatal(err)
			}
			_, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
			s.fault(err, messenger.Restricted, name)
		}
		select {
		case <-c.Done():
			s.Errorf("the connection of a restricted account ended: %v", c.Err())
		default:
		}
		s.nothingTaken()
	}},
	{"people who cannot be written to", func(s *stage) {
		c, _ := s.account(nil)
		for i, x := range []struct{ refuses, want string }{
			{"USER_IS_BLOCKED", "PEER_BLOCKED"}, {"YOU_BLOCKED_USER", "PEER_BLOCKED"},
			{"USER_PRIVACY_RESTRICTED", "PRIVACY_RESTRICTED"}, {"PRIVACY_PREMIUM_REQUIRED", "PRIVACY_RESTRICTED"},
			{"ALLOW_PAYMENT_REQUIRED_30", "PRIVACY_RESTRICTED"}, {"CHAT_WRITE_FORBIDDEN", "PRIVACY_RESTRICTED"},
			{"INPUT_USER_DEACTIVATED", "PEER_DEACTIVATED"},
		} {
			s.AddPerson(s.T, Person{ID: 2000 + int64(i), Username: "refuser_" + string(rune('a'+i)), Refuses: x.refuses})
			_, err := c.Send(s.ctx, text(messenger.Target{Username: "refuser_" + string(rune('a'+i))}, "salom", int64(i+1)))
			s.fault(err, messenger.PeerUnreachable, x.want)
		}
		s.AddPerson(s.T, Person{ID: 3001, Username: "robot_helper", Bot: true})
		_, err := c.Send(s.ctx, text(messenger.Target{Username: "robot_helper"}, "salom", 90))
		s.fault(err, messenger.PeerUnreachable, "PEER_IS_BOT")
		s.AddPerson(s.T, Person{ID: 3002, Username: "gone_person", Deleted: true})
		_, err = c.Send(s.ctx, text(messenger.Target{Username: "gone_person"}, "salom", 91))
		s.fault(err, messenger.PeerUnreachable, "PEER_DEACTIVATED")
		s.nothingTaken()
	}},
	{"texts that nobody takes", func(s *stage) {
		c, _ := s.account(nil)
		to := messenger.Target{Username: "ali_karim"}
		_, err := c.Send(s.ctx, text(to, "", 1))
		s.fault(err, messenger.ContentRefused, "MESSAGE_EMPTY")
		s.Fail(1, "MESSAGE_TOO_LONG")
		_, err = c.Send(s.ctx, text(to, "salom", 2))
		s.fault(err, messenger.ContentRefused, "MESSAGE_TOO_LONG")
		_, err = c.Send(s.ctx, text(to, "salom"))
		s.fault(err, messenger.Refused, "RANDOM_ID_INVALID")
		s.nothingTaken()
	}},
	{"the platform's own failures", func(s *stage) {
		c, _ := s.account(nil)
		s.Fail(1, "INTERNAL")
		m := text(messenger.Target{Username: "ali_karim"}, "salom", 1)
		_, err := c.Send(s.ctx, m)
		s.fault(err, messenger.Busy, "INTERNAL")
		if sent, err := c.Send(s.ctx, m); err != nil || sent.Duplicate {
			s.Fatalf("sent %+v, %s", sent, describe(err))
		}
		s.oneMessage("salom")
	}},
	{"acknowledged and never answered, then sent again", func(s *stage) {
		c, _ := s.account(nil)
		s.lostAnswer(c, s.AckButDoNotAnswer, func() { _ = s.Kick(number) })
	}},
	{"taken, and the connection dropped before the answer", func(s *stage) {
		c, _ := s.account(nil)
		s.lostAnswer(c, s.Drop, func() {})
	}},
	{"dropped before it was taken", func(s *stage) {
		c, _ := s.account(nil)
		s.DropBefore(1)
		m := text(messenger.Target{Username: "ali_karim"}, "salom", 5)
		sent, err := c.Send(s.ctx, m)
		if err != nil {
			// The driver may also say that nobody answered; then it is sent again.
			s.fault(err, messenger.Unreachable, "")
			s.eventually("it is online again", c.Online)
			sent, err = c.Send(s.ctx, m)
		}
		if err != nil || sent.Duplicate {
			s.Fatalf("sent %+v, %s", sent, describe(err))
		}
		s.oneMessage("salom")
	}},
	{"memory that fails", func(s *stage) {
		c, m := s.account(nil)
		m.Fail(errors.New("disk full"))
		_, err := c.Send(s.ctx, text(messenger.Target{ID: ali, Username: "ali_karim"}, "salom", 1))
		s.fault(err, messenger.Busy, "")
		s.nothingTaken()
	}},
	{"a reply, without a link preview, in bold", func(s *stage) {
		c, _ := s.account(nil)
		first, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		if err != nil {
			s.Fatal(describe(err))
		}
		m := text(messenger.Target{ID: ali}, "qalin matn", 2)
		m.ReplyTo = first.MessageID
		m.Entities = []messenger.Entity{{Type: "bold", Length: 5}, {Type: "unheard of", Length: 5}}
		if _, err := c.Send(s.ctx, m); err != nil {
			s.Fatal(describe(err))
		}
		if got := s.Taken(s.T); len(got) != 2 || got[1].ReplyTo != first.MessageID {
			s.Errorf("the platform took %+v", got)
		}
	}},
}

// lostAnswer sends a message whose answer is lost, and sends it again.
func (s *stage) lostAnswer(c messenger.Conn, scene func(int), then func()) {
	s.Helper()
	if _, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "birinchi", 1)); err != nil {
		s.Fatal(describe(err))
	}
	scene(1)
	m := text(messenger.Target{ID: ali}, "salom", 99)
	type result struct {
		sent messenger.Sent
		err  error
	}
	done := make(chan result, 1)
	go func() {
		sent, err := c.Send(s.ctx, m)
		done <- result{sent, err}
	}()
	s.eventually("the platform took it", func() bool { return len(s.Taken(s.T)) == 2 })
	then()
	r := <-done
	if r.err != nil {
		s.fault(r.err, messenger.Unreachable, "")
		s.eventually("it is online again", c.Online)
		r.sent, r.err = c.Send(s.ctx, m)
	}
	if r.err != nil || !r.sent.Duplicate {
		s.Fatalf("sent %+v, %s: want a duplicate", r.sent, describe(r.err))
	}
	if got := s.texts(); !reflect.DeepEqual(got, []string{"birinchi", "salom"}) {
		s.Errorf("the platform took %q", got)
	}
}

func (s *stage) oneMessage(want string) {
	s.Helper()
	if got := s.texts(); len(got) != 1 || got[0] != want {
		s.Errorf("the platform took %q, want %q once", got, want)
	}
}

func (s *stage) nothingTaken() {
	s.Helper()
	if got := s.texts(); len(got) != 0 {
		s.Errorf("the platform took %q, want nothing", got)
	}
}
