package messengertest

import (
	"strconv"

	"svc/messenger"
)

// listed adds Ali to the address book of the usual account, and a program.
func (s *stage) listed() {
	s.Helper()
	s.people()
	_ = s.Session(s.T, number) // the account begins with it
	s.AddPerson(s.T, Person{ID: 1003, Username: "ali_bot", Bot: true})
	for _, id := range []int{ali, 1003} {
		if err := s.AddContact(number, strconv.Itoa(id)); err != nil {
			s.Fatal(err)
		}
	}
}

var bookCases = []testCase{
	{"who is in it can be written to by id", func(s *stage) {
		s.listed()
		for n, in := range []messenger.Inbound{nil, NewInbox()} {
			m := NewStateStore()
			c := s.connect(m, in)
			if _, err := c.Send(s.ctx, text(messenger.Target{ID: ali}, "salom", int64(n+1))); err != nil {
				s.Fatal(describe(err))
			}
			want := messenger.Peer{ID: ali, Username: "ali_karim", Contact: true}
			p, ok, _ := m.Peer(s.ctx, ali)
			if want.AccessHash = p.AccessHash; !ok || p != want || p.AccessHash == 0 {
				s.Errorf("remembered %+v: want how to address Ali, and no more", p)
			}
			for _, id := range []int64{vali, 1003} {
				_, err := c.Send(s.ctx, text(messenger.Target{ID: id}, "salom", 9))
				s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
			}
			_ = c.Close()
		}
	}},
	{"it is another account's", func(s *stage) {
		s.listed()
		const other = "+998901234568"
		s.AddPhone(s.T, Phone{Number: other, ID: owner + 1})
		m := NewStateStore()
		_ = m.SaveSession(s.ctx, s.Session(s.T, other))
		_, err := s.connect(m, nil).Send(s.ctx, text(messenger.Target{ID: ali}, "salom", 1))
		s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		s.nothingTaken()
	}},
	{"who came into it while the connection was lost", func(s *stage) {
		s.listed()
		m := NewStateStore()
		c := s.connect(m, nil)
		_, err := c.Send(s.ctx, text(messenger.Target{ID: vali}, "salom", 1))
		s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		if err := s.AddContact(number, "@vali_karim"); err != nil {
			s.Fatal(err)
		}
		if err := s.Kick(number); err != nil {
			s.Fatal(err)
		}
		s.eventually("Vali is known", func() bool {
			_, known, _ := m.Peer(s.ctx, vali)
			return known
		})
		if _, err := c.Send(s.ctx, text(messenger.Target{ID: vali}, "salom", 2)); err != nil {
			s.Fatal(describe(err))
		}
	}},
	{"a new sign-in asks for all of it", func(s *stage) {
		s.listed()
		m := NewStateStore()
		c := s.connect(m, nil)
		if _, err := c.Send(s.ctx, text(messenger.Target{ID: ali}, "salom", 1)); err != nil {
			s.Fatal(describe(err))
		}
		_ = c.Close()
		_ = m.SavePeers(s.ctx, []messenger.Peer{{ID: ali, AccessHash: 12345, Username: "ali_karim"}})
		_ = m.SaveSession(s.ctx, s.Session(s.T, number))
		s.connect(m, nil)
		s.eventually("the stale hash is replaced", func() bool {
			p, _, _ := m.Peer(s.ctx, ali)
			return p.AccessHash != 12345
		})
	}},
}
