package telegram_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
	"svc/messenger/simulator/simtest"
	"svc/messenger/simulator/world"
	"svc/messenger/simulator/world/record"
	"svc/messenger/telegram"
)

// platform is the simulator as package messengertest wants it.
type platform struct {
	*world.World
	sim *simulator.Simulator
	log *slog.Logger
}

func start(t testing.TB, o simulator.Options) *platform {
	t.Helper()
	sim := simtest.Start(t, o)
	return &platform{World: sim.World(), sim: sim, log: slog.New(slog.DiscardHandler)}
}

func (p *platform) options() telegram.Options {
	o := simtest.Options(p.sim)
	o.Log, o.SaveDelay, o.Pause = p.log, 20*time.Millisecond, time.Millisecond
	// A key exchange takes its time on a busy machine with the race detector.
	o.ConnectTimeout, o.CallTimeout = time.Minute, time.Minute
	return o
}

func (p *platform) Driver() messenger.Driver { return telegram.New(p.options()) }
func (p *platform) Address() string          { return p.sim.Addr().String() }

func (p *platform) AddPhone(t testing.TB, x messengertest.Phone) {
	t.Helper()
	phone := record.Phone{
		Number: x.Number, Code: x.Code, CodeType: x.CodeType, Password: x.Password, Hint: x.Hint,
		Refuse: x.Refuse, Unregistered: x.Unregistered,
		Person: record.Person{ID: x.ID, Username: x.Username, First: "Egasi"},
	}
	if x.Elsewhere {
		phone.DC = simulator.SecondDataCentre
	}
	if x.Expired {
		phone.CodeLife = time.Nanosecond
	}
	must(t, p.World.AddPhone(phone))
}

func (p *platform) AddPerson(t testing.TB, x messengertest.Person) {
	t.Helper()
	_, err := p.World.AddPerson(record.Person{
		ID: x.ID, Username: x.Username, First: x.First, Bot: x.Bot, Deleted: x.Deleted, Refuses: x.Refuses,
	})
	must(t, err)
}

func (p *platform) Session(t testing.TB, number string) []byte {
	t.Helper()
	session, err := p.sim.Session(number)
	must(t, err)
	return session
}

func (p *platform) Taken(t testing.TB) []messengertest.Taken {
	t.Helper()
	log, err := p.Log()
	must(t, err)
	var out []messengertest.Taken
	for _, m := range log {
		out = append(out, messengertest.Taken{
			Account: m.Account, Peer: m.Peer, RandomID: m.RandomID, MessageID: m.MessageID,
			Text: m.Text, File: m.File, Group: m.Group, ReplyTo: m.ReplyTo,
		})
	}
	return out
}

func (p *platform) Say(t testing.TB, from, number, text string, short bool) int {
	t.Helper()
	say := p.World.Say
	if short {
		say = p.SayShort
	}
	m, err := say(from, number, text)
	must(t, err)
	return m.ID
}

func (p *platform) Type(t testing.TB, number, to, text string) int {
	t.Helper()
	m, err := p.World.Type(number, to, text)
	must(t, err)
	return m.ID
}

func (p *platform) Tell(t testing.TB, person, number string, c messengertest.Content) []int {
	t.Helper()
	sent := record.Content{Text: c.Text, ReplyTo: c.ReplyTo}
	for _, e := range c.Entities {
		sent.Entities = append(sent.Entities, map[string]tg.MessageEntityClass{
			"bold":     &tg.MessageEntityBold{Offset: e.Offset, Length: e.Length},
			"text_url": &tg.MessageEntityTextURL{Offset: e.Offset, Length: e.Length, URL: e.URL},
			"mention":  &tg.MessageEntityMention{Offset: e.Offset, Length: e.Length},
		}[e.Type])
	}
	for _, f := range c.Files {
		sent.Files = append(sent.Files, record.Attachment{
			Kind: f.Kind, Name: f.Name, Mime: f.MimeType, Content: f.Content, Width: f.Width, Height: f.Height, Seconds: f.Seconds, Waveform: f.Waveform,
		})
	}
	if l := c.Location; l != nil {
		sent.Place = &record.Place{Lat: l.Lat, Lon: l.Lon, Title: l.Title, Address: l.Address}
	}
	if x := c.Contact; x != nil {
		sent.Card = &record.Card{Phone: x.Phone, First: x.FirstName, Last: x.LastName, ID: x.UserID}
	}
	if c.Forwarded {
		sent.Forward = &record.Forward{Name: c.ForwardedName, From: c.ForwardedFrom, At: 1_700_000_000}
	}
	say := p.World.SendContent
	if c.Out {
		say = func(person, number string, c record.Content) ([]*record.Message, error) {
			return p.TypeContent(number, person, c)
		}
	}
	all, err := say(person, number, sent)
	must(t, err)
	var ids []int
	for _, m := range all {
		ids = append(ids, m.ID)
	}
	return ids
}

func (p *platform) Unread(t testing.TB, number, person string) int {
	t.Helper()
	n, err := p.World.Unread(number, person)
	must(t, err)
	return n
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestConformance(t *testing.T) {
	messengertest.Run(t, func(t *testing.T) messengertest.Platform { return start(t, simulator.Options{Second: true}) })
}
