package messengertest

import (
	"reflect"
	"time"

	"svc/messenger"
)

// received waits until n messages came and gives the last.
func (s *stage) received(in *Inbox, n int) messenger.Incoming {
	s.Helper()
	s.eventually("it arrives", func() bool { return in.Len() == n })
	return in.All()[n-1]
}

// attachments are one file of each kind, small ones.
func attachments() []Attachment {
	content := func(kind string) []byte { return []byte("the content of a file of the kind " + kind) }
	all := []Attachment{
		{Media: messenger.Media{Kind: "PHOTO", MimeType: "image/jpeg", Width: 640, Height: 480}},
		{Media: messenger.Media{Kind: "VIDEO", MimeType: "video/mp4", Name: "uy.mp4", Width: 320, Height: 240, Seconds: 7}},
		{Media: messenger.Media{Kind: "VOICE", MimeType: "audio/ogg", Seconds: 4, Waveform: []byte{1, 2, 3, 4, 5}}},
		{Media: messenger.Media{Kind: "AUDIO", MimeType: "audio/mpeg", Name: "qo'shiq.mp3", Seconds: 180}},
		{Media: messenger.Media{Kind: "DOCUMENT", MimeType: "application/pdf", Name: "shartnoma.pdf"}},
		{Media: messenger.Media{Kind: "STICKER", MimeType: "image/webp", Name: "sticker.webp", Width: 512, Height: 512}},
		{Media: messenger.Media{Kind: "ANIMATION", MimeType: "video/mp4", Name: "gif.mp4", Width: 100, Height: 80, Seconds: 2}},
		{Media: messenger.Media{Kind: "VIDEO_NOTE", MimeType: "video/mp4", Width: 384, Height: 384, Seconds: 9}},
	}
	for i := range all {
		all[i].Content = content(all[i].Kind)
		all[i].Size = int64(len(all[i].Content))
	}
	return all
}

var contentCases = []testCase{
	{"a file of each kind", func(s *stage) {
		in := NewInbox()
		c, _ := s.account(in)
		for i, f := range attachments() {
			s.Tell(s.T, "@ali_karim", number, Content{Text: "mana", Files: []Attachment{f}, Out: i%2 == 1})
			got := s.received(in, i+1)
			if got.Text != "mana" || got.Out != (i%2 == 1) || got.Media == nil || len(got.Media.Ref) == 0 || got.Album != 0 {
				s.Fatalf("%s: received %+v", f.Kind, got)
			}
			said := *got.Media
			said.Ref = nil
			if !reflect.DeepEqual(said, f.Media) {
				s.Errorf("described as %+v, want %+v", said, f.Media)
			}
			if content := s.download(c, got, 1<<20); content != string(f.Content) {
				s.Errorf("%s: the content is %q", f.Kind, content)
			}
		}
	}},
	{"an album is messages of one group", func(s *stage) {
		in := NewInbox()
		s.account(in)
		files := attachments()
		ids := s.Tell(s.T, "@ali_karim", number, Content{Text: "albom", Files: []Attachment{files[0], files[1], files[0]}})
		s.received(in, 3)
		for i, m := range in.All() {
			if m.ID != ids[i] || m.Media == nil || m.Album == 0 || m.Album != in.All()[0].Album || (m.Text == "albom") != (i == 0) {
				s.Errorf("message %d of the album is %+v", i, m)
			}
		}
	}},
	{"formatted text, a reply, and who wrote it first", func(s *stage) {
		in := NewInbox()
		s.account(in)
		first := s.Say(s.T, "@ali_karim", number, "salom", false)
		want := []messenger.Entity{{Type: "bold", Offset: 2, Length: 5}, {Type: "text_url", Offset: 8, Length: 4, URL: "https://example.uz/"}}
		s.Tell(s.T, "@ali_karim", number, Content{
			Text: "👍 qalin link", ReplyTo: first,
			Entities: append(want, messenger.Entity{Type: "mention", Length: 1}), // anybody finds it in the text
		})
		if got := s.received(in, 2); got.ReplyTo != first || !reflect.DeepEqual(got.Entities, want) || got.Forward != nil {
			s.Errorf("received %+v", got)
		}
		for n, x := range []struct {
			from       int64
			name, want string
		}{{vali, "", "Vali"}, {0, "Yashirin", "Yashirin"}, {0, "", ""}} {
			s.Tell(s.T, "@ali_karim", number, Content{Text: "boshqaning gapi", Forwarded: true, ForwardedFrom: x.from, ForwardedName: x.name})
			if got := s.received(in, n+3); got.Forward == nil || got.Forward.Name != x.want || got.Forward.At.Unix() != 1_700_000_000 {
				s.Errorf("forwarded %+v, want %q", got.Forward, x.want)
			}
		}
	}},
	{"places and contact cards", func(s *stage) {
		in := NewInbox()
		s.account(in)
		near := func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 }
		for i, want := range []messenger.Location{{Lat: 41.311081, Lon: 69.240562}, {Lat: 41.3, Lon: 69.2, Title: "Chorsu", Address: "Toshkent"}} {
			s.Tell(s.T, "@ali_karim", number, Content{Location: &want})
			got := s.received(in, i+1).Location
			if got == nil || !near(got.Lat, want.Lat) || !near(got.Lon, want.Lon) || got.Title != want.Title || got.Address != want.Address {
				s.Errorf("received %+v, want %+v", got, want)
			}
		}
		card := messenger.ContactCard{Phone: "998901112233", FirstName: "Vali", LastName: "Karimov", UserID: vali}
		s.Tell(s.T, "@ali_karim", number, Content{Contact: &card})
		if got := s.received(in, 3).Contact; got == nil || *got != card {
			s.Errorf("received %+v", got)
		}
	}},
	{"reactions of both sides", func(s *stage) {
		in := NewInbox()
		s.account(in)
		id := s.Say(s.T, "@ali_karim", number, "salom", false)
		for _, x := range []struct {
			person, emoji string
			want          []messenger.Reaction
		}{
			{"@ali_karim", "👍", []messenger.Reaction{{Emoji: "👍"}}},
			{"", "🔥", []messenger.Reaction{{Emoji: "👍"}, {Emoji: "🔥", Out: true}}},
			{"", "👍", []messenger.Reaction{{Emoji: "👍"}, {Emoji: "👍", Out: true}}},
			{"@ali_karim", "", []messenger.Reaction{{Emoji: "👍", Out: true}}},
			{"", "", nil},
		} {
			if err := s.React(number, id, x.person, x.emoji); err != nil {
				s.Fatal(err)
			}
			s.eventually("the reactions are known", func() bool {
				got := in.Reactions(id)
				for i := range got {
					got[i].At = time.Time{}
				}
				return len(got) == len(x.want) && (len(got) == 0 || reflect.DeepEqual(got, x.want))
			})
		}
		if len(in.Edits()) != 0 {
			s.Errorf("a reaction arrived as an edit: %v", in.Edits())
		}
	}},
	{"what the owner reads in the own app, and what is read from here", func(s *stage) {
		in := NewInbox()
		c, _ := s.account(in)
		first := s.Say(s.T, "@ali_karim", number, "bir", false)
		last := s.Say(s.T, "@ali_karim", number, "ikki", false)
		s.received(in, 2)
		if err := s.ReadOwn(number, "@ali_karim", first); err != nil {
			s.Fatal(err)
		}
		s.eventually("the owner has read it", func() bool { return in.HereUpTo(ali) == first })
		if err := c.MarkRead(s.ctx, messenger.Target{ID: ali}, last); err != nil {
			s.Fatal(describe(err))
		}
		if n := s.Unread(s.T, number, "@ali_karim"); n != 0 {
			s.Errorf("%d messages are not read", n)
		}
		if err := c.MarkRead(s.ctx, messenger.Target{ID: ali}, last); err != nil {
			s.Errorf("reading again: %s", describe(err))
		}
		s.fault(c.MarkRead(s.ctx, messenger.Target{ID: 999_999}, last), messenger.PeerUnreachable, "PEER_UNRESOLVABLE")
		s.Say(s.T, "@ali_karim", number, "uch", false)
		s.received(in, 3) // the stream goes on without a gap
	}},
	{"login codes and programs stay outside", func(s *stage) {
		in := NewInbox()
		s.account(in)
		if _, err := s.driver.SendCode(s.ctx, messenger.Route{}, number); err != nil {
			s.Fatal(describe(err))
		}
		s.AddPerson(s.T, Person{ID: 3001, Username: "robot_helper", Bot: true})
		ids := s.Tell(s.T, "@robot_helper", number, Content{Files: attachments()[:1]})
		if err := s.React(number, ids[0], "@robot_helper", "👍"); err != nil {
			s.Fatal(err)
		}
		s.Say(s.T, "@ali_karim", number, "salom", false)
		if got := s.received(in, 1); got.Text != "salom" {
			s.Errorf("received %+v", got)
		}
	}},
	{"what happened without a connection, of every kind", func(s *stage) {
		in := NewInbox()
		c, m := s.account(in)
		id := s.Say(s.T, "@ali_karim", number, "salom", false)
		s.received(in, 1)
		_ = c.Close()
		f := attachments()[4]
		s.Tell(s.T, "@ali_karim", number, Content{Files: []Attachment{f}})
		if err := s.React(number, id, "@ali_karim", "👍"); err != nil {
			s.Fatal(err)
		}
		if err := s.ReadOwn(number, "@ali_karim", 0); err != nil {
			s.Fatal(err)
		}
		c = s.connect(m, in)
		got := s.received(in, 2)
		s.eventually("all of it is known", func() bool { return len(in.Reactions(id)) == 1 && in.HereUpTo(ali) == got.ID })
		if content := s.download(c, got, 1<<20); content != string(f.Content) {
			s.Errorf("the content is %q", content)
		}
	}},
}
