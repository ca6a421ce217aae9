package telegram_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
)

const number = "+998901234567"

// Updates that the platform no longer has are replaced by what the chats hold.
func TestCatchUp(t *testing.T) {
	p := start(t, simulator.Options{Keep: 20})
	p.AddPhone(t, messengertest.Phone{Number: number, ID: 700})
	p.AddPerson(t, messengertest.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	p.AddPerson(t, messengertest.Person{ID: 1002, Username: "vali_karim", First: "Vali"})
	p.AddPerson(t, messengertest.Person{ID: 3001, Username: "robot_helper", Bot: true})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	memory, in := messengertest.NewStateStore(), messengertest.NewInbox()
	a := messenger.Account{Session: p.Session(t, number), State: memory, Inbound: in}
	connect := func() messenger.Conn {
		c, err := p.Driver().Connect(ctx, a)
		must(t, err)
		return c
	}
	c := connect()
	p.Say(t, "@ali_karim", number, "oldingi", false)
	waitFor(t, "it arrives", func() bool { return in.Len() == 1 })
	must(t, c.Close())

	want := []string{"oldingi"}
	var last int
	for i := range 6 {
		text := fmt.Sprint("m", i)
		last = p.Say(t, "@ali_karim", number, text, false)
		p.Say(t, "@vali_karim", number, "v"+text, false)
		p.Say(t, "@robot_helper", number, "reklama", false)
		want = append(want, text)
	}
	for i := range 60 { // updates that push the messages out of the platform's memory
		must(t, p.Edit(number, last, fmt.Sprint("m5 edit ", i)))
	}
	want[len(want)-1] = "m5 edit 59"
	c = connect()
	defer func() { _ = c.Close() }()
	waitFor(t, "they arrive", func() bool { return in.Len() == 13 })
	var ali []string
	for _, m := range in.All() {
		if m.Peer.ID == 1001 {
			ali = append(ali, m.Text)
		}
	}
	if !reflect.DeepEqual(ali, want) {
		t.Errorf("of Ali %q, want %q", ali, want)
	}
	p.Say(t, "@ali_karim", number, "keyin", false)
	waitFor(t, "the stream goes on", func() bool { return in.Len() == 14 })
}

// Reads, edits and deletions of a time without connection come with the messages of that
// time, whatever their order.
func TestMissedTogether(t *testing.T) {
	p := start(t, simulator.Options{})
	p.AddPhone(t, messengertest.Phone{Number: number, ID: 700})
	p.AddPerson(t, messengertest.Person{ID: 1001, Username: "ali_karim", First: "Ali"})
	in := messengertest.NewInbox()
	a := messenger.Account{Session: p.Session(t, number), State: messengertest.NewStateStore(), Inbound: in}
	c, err := p.Driver().Connect(t.Context(), a)
	must(t, err)
	kept := p.Say(t, "@ali_karim", number, "salom", false)
	waitFor(t, "it arrives", func() bool { return in.Len() == 1 })
	must(t, c.Close())

	own := p.Type(t, number, "1001", "o'zim yozdim")
	must(t, p.Read(number, "@ali_karim", 0))
	must(t, p.Edit(number, kept, "assalom"))
	gone := p.Say(t, "@ali_karim", number, "xato", false)
	must(t, p.Unsend(number, gone))
	p.Say(t, "@ali_karim", number, "keyin", false)

	c, err = p.Driver().Connect(t.Context(), a)
	must(t, err)
	defer func() { _ = c.Close() }()
	waitFor(t, "the last message arrives", func() bool { all := in.All(); return all[len(all)-1].Text == "keyin" })
	waitFor(t, "what was done to others arrives", func() bool {
		return in.ReadUpTo(1001) == own && in.Edits()[kept] == "assalom" && slices.Contains(in.Gone(), gone)
	})
}

// What people write, and what opens accounts, is in no log at any level.
func TestNothingPrivateIsLogged(t *testing.T) {
	var mu sync.Mutex
	var out bytes.Buffer
	p := start(t, simulator.Options{})
	p.log = slog.New(slog.NewTextHandler(locked{&mu, &out}, &slog.HandlerOptions{Level: slog.Level(-100)}))
	p.AddPhone(t, messengertest.Phone{Number: number, Code: "7351902846", Password: "parolim-uzun", Hint: "hint", ID: 700, Username: "owner_name"})
	p.AddPerson(t, messengertest.Person{ID: 1001, Username: "ali_karim", First: "Alisherbek"})
	d := p.Driver()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	step, err := d.SendCode(ctx, messenger.Route{}, number)
	must(t, err)
	state := string(step.State)
	_, wrong := d.EnterCode(ctx, messenger.Route{}, step.State, "8462017395")
	step, err = d.EnterCode(ctx, messenger.Route{}, step.State, "7351902846")
	must(t, err)
	_, wrong2 := d.EnterPassword(ctx, messenger.Route{}, step.State, "parol-boshqa")
	step, err = d.EnterPassword(ctx, messenger.Route{}, step.State, "parolim-uzun")
	must(t, err)
	in := messengertest.NewInbox()
	c, err := d.Connect(ctx, messenger.Account{Session: step.Session, State: messengertest.NewStateStore(), Inbound: in})
	must(t, err)
	p.Say(t, "@ali_karim", number, "kelgan-matn", false)
	waitFor(t, "it arrives", func() bool { return in.Len() == 1 })
	_, err = c.Send(ctx, messenger.Message{To: messenger.Target{ID: 1001}, Text: "ketgan-matn", RandomIDs: []int64{1}})
	must(t, err)
	must(t, c.Close())
	mu.Lock()
	defer mu.Unlock()
	said := out.String() + fmt.Sprint(wrong, wrong2)
	if len(out.String()) < 1000 || wrong == nil || wrong2 == nil {
		t.Fatalf("the log is not what this test reads: %d bytes, %v, %v", out.Len(), wrong, wrong2)
	}
	// The codes are longer than real ones: five digits stand in some number of any log.
	for _, private := range []string{
		"7351902846", "8462017395", "parolim-uzun", "parol-boshqa", "kelgan-matn", "ketgan-matn", "Alisherbek", "ali_karim", "owner_name",
		strings.TrimPrefix(number, "+"), state[20:60],
	} {
		if strings.Contains(said, private) {
			t.Errorf("the log says %q", private)
		}
	}
}

type locked struct {
	mu *sync.Mutex
	w  *bytes.Buffer
}

func (l locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

func waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("never happened: %s", what)
		}
	}
}
