package messengertest

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"

	"svc/messenger"
)

var inboundCases = []testCase{
	{"a message of a person, who can then be answered", func(s *stage) {
		in := NewInbox()
		c, m := s.account(in)
		id := s.Say(s.T, "@ali_karim", number, "assalomu alaykum", false)
		s.eventually("it arrives", func() bool { return in.Len() == 1 })
		got := in.All()[0]
		if got.ID != id || got.Peer.ID != ali || got.Peer.FirstName != "Ali" || got.Out || got.Text != "assalomu alaykum" ||
			got.At.IsZero() || len(got.Raw) == 0 {
			s.Errorf("received %+v", got)
		}
		if p, ok, _ := m.Peer(s.ctx, ali); !ok || p.AccessHash == 0 {
			s.Errorf("remembered %+v", p)
		}
		answer := text(messenger.Target{ID: ali}, "vaalaykum", 1)
		answer.ReplyTo = id
		if _, err := c.Send(s.ctx, answer); err != nil {
			s.Fatal(describe(err))
		}
		if got := s.Taken(s.T); len(got) != 1 || got[0].ReplyTo != id {
			s.Errorf("the platform took %+v", got)
		}
	}},
	{"a short update, which does not say who wrote", func(s *stage) {
		in := NewInbox()
		_, m := s.account(in)
		s.Say(s.T, "@ali_karim", number, "bir", true) // nobody the account knows
		s.eventually("it arrives", func() bool { return in.Len() == 1 })
		s.Say(s.T, "@ali_karim", number, "ikki", true)
		s.eventually("it arrives", func() bool { return in.Len() == 2 })
		for _, got := range in.All() {
			if got.Peer.ID != ali || got.Peer.AccessHash == 0 {
				s.Errorf("received %+v", got)
			}
		}
		if p, ok, _ := m.Peer(s.ctx, ali); !ok || p.AccessHash == 0 || p.FirstName != "Ali" {
			s.Errorf("remembered %+v", p)
		}
	}},
	{"many messages keep their order", func(s *stage) {
		in := NewInbox()
		s.account(in)
		const n = 300 // more than a queue holds
		var want []string
		for i := range n {
			want = append(want, fmt.Sprint("m", i))
			s.Say(s.T, "@ali_karim", number, want[i], false)
		}
		s.eventually("they arrive", func() bool { return in.Len() == n })
		if !reflect.DeepEqual(in.Texts(), want) {
			s.Errorf("order %q", in.Texts())
		}
	}},
	{"lost updates are asked for again", func(s *stage) {
		in := NewInbox()
		s.account(in)
		if err := s.Lose(number, 2); err != nil {
			s.Fatal(err)
		}
		for _, words := range []string{"bir", "ikki", "uch"} {
			s.Say(s.T, "@ali_karim", number, words, false)
		}
		s.eventually("they arrive", func() bool { return in.Len() == 3 })
		if got := in.Texts(); !reflect.DeepEqual(got, []string{"bir", "ikki", "uch"}) {
			s.Errorf("received %q", got)
		}
	}},
	{"messages of the time without a connection", func(s *stage) {
		in := NewInbox()
		c, m := s.account(in)
		s.Say(s.T, "@ali_karim", number, "bir", false)
		s.eventually("it arrives", func() bool { return in.Len() == 1 })
		_ = c.Close()
		s.Say(s.T, "@ali_karim", number, "ikki", false)
		s.Say(s.T, "@vali_karim", number, "uch", false)
		s.connect(m, in)
		s.eventually("they arrive", func() bool { return in.Len() == 3 })
		if got := in.Texts(); !reflect.DeepEqual(got, []string{"bir", "ikki", "uch"}) {
			s.Errorf("received %q", got)
		}
	}},
	{"a killed process finds everything again", func(s *stage) {
		in := NewInbox()
		c, m := s.account(in)
		killed := m.Copy() // before the place in the stream was saved, or after: both must do
		for i := range 20 {
			s.Say(s.T, "@ali_karim", number, fmt.Sprint("m", i), false)
		}
		s.eventually("they arrive", func() bool { return in.Len() >= 10 })
		_ = c.Close()
		s.Say(s.T, "@ali_karim", number, "oxirgi", false)
		if len(killed.state) == 0 {
			killed.state = m.Copy().state
		}
		s.connect(killed, in)
		s.eventually("they arrive", func() bool { return in.Len() == 21 })
	}},
	{"dropped connections lose nothing", func(s *stage) {
		in := NewInbox()
		s.account(in)
		for i := range 5 {
			s.Say(s.T, "@ali_karim", number, fmt.Sprint("a", i), false)
			if err := s.Kick(number); err != nil {
				s.Fatal(err)
			}
			s.Say(s.T, "@vali_karim", number, fmt.Sprint("b", i), false)
		}
		s.eventually("they arrive", func() bool { return in.Len() == 10 })
	}},
	{"an inbox that refuses gets the same again", func(s *stage) {
		in := NewInbox()
		var refused atomic.Int32
		in.Refuse(func(m messenger.Incoming) error {
			if m.Text == "ikki" && refused.Add(1) == 1 {
				return errors.New("the disk is full")
			}
			return nil
		})
		s.account(in)
		for _, words := range []string{"bir", "ikki", "uch"} {
			s.Say(s.T, "@ali_karim", number, words, false)
		}
		s.eventually("they arrive", func() bool { return in.Len() == 3 })
		if got := in.Texts(); !reflect.DeepEqual(got, []string{"bir", "ikki", "uch"}) {
			s.Errorf("received %q", got)
		}
	}},
	{"an inbox that is slow holds up no send", func(s *stage) {
		in := NewInbox()
		release := make(chan struct{})
		in.Refuse(func(messenger.Incoming) error {
			<-release
			return nil
		})
		c, _ := s.account(in)
		const n = 400 // more than every queue on the way
		var want []string
		for i := range n {
			want = append(want, fmt.Sprint("m", i))
			s.Say(s.T, "@vali_karim", number, want[i], false)
		}
		for i := range 20 {
			if _, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", int64(i+1))); err != nil {
				s.Fatal(describe(err))
			}
		}
		close(release)
		s.eventually("they arrive", func() bool { return in.Len() == n })
		if !reflect.DeepEqual(in.Texts(), want) {
			s.Errorf("order %q", in.Texts())
		}
	}},
	{"what the owner writes on the phone, and what was sent from here", func(s *stage) {
		in := NewInbox()
		c, _ := s.account(in)
		sent, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "bu yerdan", 1))
		if err != nil {
			s.Fatal(describe(err))
		}
		id := s.Type(s.T, number, "@ali_karim", "telefondan")
		s.Say(s.T, "@ali_karim", number, "javob", false)
		s.eventually("they arrive", func() bool { return in.Len() == 2 })
		got := in.All()
		if got[0].ID != id || !got[0].Out || got[0].Peer.ID != ali || got[0].Text != "telefondan" || got[1].Out {
			s.Errorf("received %+v", got)
		}
		// Not even when the stream is read again from an earlier place.
		if err := s.Kick(number); err != nil {
			s.Fatal(err)
		}
		s.Say(s.T, "@ali_karim", number, "yana", false)
		s.eventually("it arrives", func() bool { return in.Len() == 3 })
		for _, m := range in.All() {
			if m.ID == sent.MessageID {
				s.Error("a message that was sent from here came back")
			}
		}
	}},
	{"a send with a lost answer does not come back as the owner's", func(s *stage) {
		in := NewInbox()
		c, _ := s.account(in)
		s.lostAnswer(c, s.Drop, func() {})
		s.Say(s.T, "@ali_karim", number, "javob", false)
		s.eventually("it arrives", func() bool { return in.Len() > 0 && in.Texts()[in.Len()-1] == "javob" })
		if got := in.Texts(); !reflect.DeepEqual(got, []string{"javob"}) {
			s.Errorf("received %q", got)
		}
	}},
	{"read, edited, deleted", func(s *stage) {
		in := NewInbox()
		c, _ := s.account(in)
		sent, err := c.Send(s.ctx, text(messenger.Target{Username: "ali_karim"}, "salom", 1))
		if err != nil {
			s.Fatal(describe(err))
		}
		if err := s.Read(number, "@ali_karim", sent.MessageID); err != nil {
			s.Fatal(err)
		}
		s.eventually("it is read", func() bool { return in.ReadUpTo(ali) == sent.MessageID })
		id := s.Say(s.T, "@ali_karim", number, "bir", false)
		if err := s.Edit(number, id, "ikki"); err != nil {
			s.Fatal(err)
		}
		s.eventually("it is edited", func() bool { return in.Edits()[id] == "ikki" })
		if err := s.Unsend(number, id); err != nil {
			s.Fatal(err)
		}
		s.eventually("it is deleted", func() bool { return reflect.DeepEqual(in.Gone(), []int{id}) })
	}},
	{"robots stay outside", func(s *stage) {
		in := NewInbox()
		s.account(in)
		s.AddPerson(s.T, Person{ID: 3001, Username: "robot_helper", Bot: true})
		s.Say(s.T, "@robot_helper", number, "reklama", false)
		s.Say(s.T, "@ali_karim", number, "salom", false)
		s.eventually("it arrives", func() bool { return in.Len() > 0 })
		if got := in.Texts(); !reflect.DeepEqual(got, []string{"salom"}) {
			s.Errorf("received %q", got)
		}
	}},
}
