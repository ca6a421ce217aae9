package messengertest

import (
	"fmt"
	"reflect"
	"slices"

	"svc/messenger"
)

// chats are all that the account has, and what was left out.
func (s *stage) chats(c messenger.Conn, limit int) (all []messenger.Dialog, bots, service int) {
	s.Helper()
	next := ""
	for range 100 {
		page, err := c.Dialogs(s.ctx, next, limit)
		if err != nil {
			s.Fatal(describe(err))
		}
		all = append(all, page.Dialogs...)
		bots, service = bots+page.Bots, service+page.Service
		if next = page.Next; next == "" {
			return all, bots, service
		}
	}
	s.Fatal("the pages do not end")
	return nil, 0, 0
}

var historyCases = []testCase{
	{"private chats with people, the newest first", func(s *stage) {
		c, _ := s.account(nil)
		if _, err := s.driver.SendCode(s.ctx, messenger.Route{}, number); err != nil { // which it tells the owner
			s.Fatal(describe(err))
		}
		s.AddPerson(s.T, Person{ID: 3001, Username: "robot_helper", Bot: true})
		s.Say(s.T, "@robot_helper", number, "reklama", false)
		var want []int64
		for i := range int64(25) {
			s.AddPerson(s.T, Person{ID: 4000 + i, Username: fmt.Sprint("person_", i), First: "Odam"})
			s.Say(s.T, fmt.Sprint("@person_", i), number, "salom", false)
			want = append(want, 4000+i)
		}
		slices.Reverse(want)
		for _, limit := range []int{7, 100} {
			all, bots, service := s.chats(c, limit)
			var got []int64
			for _, d := range all {
				got = append(got, d.Peer.ID)
				if d.Peer.AccessHash == 0 || d.Peer.FirstName != "Odam" || d.Top == 0 || d.At.IsZero() {
					s.Errorf("a chat is %+v", d)
				}
			}
			if !reflect.DeepEqual(got, want) || bots != 1 || service != 1 {
				s.Errorf("pages of %d: %v, %d bots, %d of the service; want %v", limit, got, bots, service, want)
			}
		}
		_, err := c.Dialogs(s.ctx, "nonsense", 10)
		s.fault(err, messenger.Refused, "")
	}},
	{"the messages of a chat, and the person can be answered", func(s *stage) {
		c, m := s.account(nil)
		var want []string
		for i := range 120 {
			words := fmt.Sprint("m", i)
			if i%10 == 3 {
				s.Type(s.T, number, "@ali_karim", words)
			} else {
				s.Say(s.T, "@ali_karim", number, words, false)
			}
			s.Say(s.T, "@vali_karim", number, "boshqa chat", false)
			want = append(want, words)
		}
		slices.Reverse(want)
		all, _, _ := s.chats(c, 100)
		i := slices.IndexFunc(all, func(d messenger.Dialog) bool { return d.Peer.ID == ali })
		if i < 0 {
			s.Fatalf("the chats are %+v", all)
		}
		for _, limit := range []int{50, 100} {
			var got []string
			for before := 0; ; {
				page, err := c.History(s.ctx, all[i].Peer, before, limit)
				if err != nil {
					s.Fatal(describe(err))
				}
				for _, x := range page.Messages {
					got = append(got, x.Text)
					if x.Peer.ID != ali || x.At.IsZero() || x.Out != (len(x.Text) > 1 && x.Text[len(x.Text)-1] == '3') {
						s.Errorf("a message is %+v", x)
					}
				}
				if before = page.Next; before == 0 {
					break
				}
			}
			if !reflect.DeepEqual(got, want) {
				s.Errorf("pages of %d: %q", limit, got)
			}
		}
		if p, ok, _ := m.Peer(s.ctx, ali); !ok || p.AccessHash == 0 {
			s.Errorf("remembered %+v", p)
		}
		if page, err := c.History(s.ctx, messenger.Peer{ID: ali}, 0, 5); err != nil || len(page.Messages) != 5 {
			s.Errorf("by id alone: %d messages, %s", len(page.Messages), describe(err))
		}
	}},
	{"waits are an answer", func(s *stage) {
		c, _ := s.account(nil)
		s.Say(s.T, "@ali_karim", number, "salom", false)
		all, _, _ := s.chats(c, 100)
		for _, kind := range []string{"dialogs", "histories"} {
			if err := s.FailQuestion(kind, "FLOOD_WAIT_44"); err != nil {
				s.Fatal(err)
			}
		}
		_, err := c.Dialogs(s.ctx, "", 10)
		s.fault(err, messenger.Flood, "FLOOD_WAIT")
		_, err = c.History(s.ctx, all[0].Peer, 0, 10)
		s.fault(err, messenger.Flood, "FLOOD_WAIT")
	}},
	{"nobody reads what is no chat with a person", func(s *stage) {
		c, _ := s.account(nil)
		for _, p := range []messenger.Peer{{ID: owner, AccessHash: 1}, {ID: 3001, AccessHash: 1, Bot: true}, {ID: 999_999}} {
			_, err := c.History(s.ctx, p, 0, 10)
			s.fault(err, messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		}
	}},
}
