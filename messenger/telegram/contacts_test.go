package telegram_test

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"svc/messenger"
	"svc/messenger/messengertest"
	"svc/messenger/simulator"
)

// counter is a memory that says how much it was used.
type counter struct {
	*messengertest.StateStore
	mu                    sync.Mutex
	read, saved, together int
}

func (c *counter) Peer(ctx context.Context, id int64) (messenger.Peer, bool, error) {
	c.mu.Lock()
	c.read++
	c.mu.Unlock()
	return c.StateStore.Peer(ctx, id)
}

func (c *counter) SavePeers(ctx context.Context, list []messenger.Peer) error {
	c.mu.Lock()
	c.saved, c.together = c.saved+len(list), max(c.together, len(list))
	c.mu.Unlock()
	return c.StateStore.SavePeers(ctx, list)
}

func (c *counter) counts() (read, saved, together int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	read, saved, together = c.read, c.saved, c.together
	c.read, c.saved, c.together = 0, 0, 0
	return read, saved, together
}

// reader is a platform with an account that has n people in its address book.
func reader(t *testing.T, n int, script string) (p *platform, a messenger.Account, kept *counter) {
	t.Helper()
	p = start(t, simulator.Options{Script: script})
	p.AddPhone(t, messengertest.Phone{Number: number, ID: 700})
	kept = &counter{StateStore: messengertest.NewStateStore()}
	a = messenger.Account{Session: p.Session(t, number), State: kept}
	must(t, p.World.Script("people user_ 1.."+strconv.Itoa(n)+" id 5000"))
	for i := range n {
		must(t, p.AddContact(number, strconv.Itoa(5000+i)))
	}
	return p, a, kept
}

// by sends to an id alone.
func by(t *testing.T, c messenger.Conn, id int64, random int64) error {
	t.Helper()
	_, err := c.Send(t.Context(), messenger.Message{To: messenger.Target{ID: id}, Text: "salom", RandomIDs: []int64{random}})
	return err
}

// TestBookThatDidNotChange: the platform says so, and nobody in it is looked at; of one
// that did, only who is new is saved.
func TestBookThatDidNotChange(t *testing.T) {
	p, a, kept := reader(t, 450, "")
	again := func() {
		t.Helper()
		c, err := p.Driver().Connect(t.Context(), a)
		must(t, err)
		// Who is in no book is answered once it was read.
		if e := messenger.As(by(t, c, 1, 1)); e == nil || e.Code != "PEER_UNRESOLVABLE" {
			t.Errorf("a stranger: %v", e)
		}
		must(t, c.Close())
	}
	again()
	if read, saved, together := kept.counts(); read != 452 || saved != 450 || together > 200 {
		t.Errorf("at first: %d read, %d saved, %d together", read, saved, together)
	}
	again()
	if read, saved, _ := kept.counts(); read != 2 || saved != 0 {
		t.Errorf("unchanged: %d read, %d saved", read, saved)
	}
	must(t, p.World.Script("person @late id 9000 contact-of "+number))
	again()
	if read, saved, _ := kept.counts(); read != 453 || saved != 1 {
		t.Errorf("with one more: %d read, %d saved", read, saved)
	}
}

// TestBookLater: a flood on the address book holds up nobody else, and makes who may be in
// it wait, not fail.
func TestBookLater(t *testing.T) {
	p, a, _ := reader(t, 3, "person @ali_karim id 1001\nat 1 books fail FLOOD_WAIT_2")
	c, err := p.Driver().Connect(t.Context(), a)
	must(t, err)
	defer func() { _ = c.Close() }()
	if e := messenger.As(by(t, c, 5001, 1)); e == nil || e.Fault != messenger.Wait || e.Wait < time.Second || e.Wait > 2*time.Second {
		t.Fatalf("during the flood: %v", e)
	}
	if _, err := c.Send(t.Context(), messenger.Message{To: messenger.Target{ID: 1001, Username: "ali_karim"}, Text: "salom", RandomIDs: []int64{2}}); err != nil {
		t.Errorf("by username: %v", err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for n := int64(3); ; n++ {
		if err = by(t, c, 5001, n); err == nil {
			break
		}
		if e := messenger.As(err); e == nil || e.Fault != messenger.Wait {
			t.Fatal(err)
		}
		<-tick.C
	}
}

// TestBookRefused: a platform that never tells makes nobody wait; one that fails is
// counted by who sends.
func TestBookRefused(t *testing.T) {
	for code, want := range map[string]messenger.Fault{
		"INPUT_METHOD_INVALID": messenger.PeerUnreachable, "INTERNAL": messenger.Busy,
	} {
		p, a, _ := reader(t, 1, "every 1 books fail "+code)
		c, err := p.Driver().Connect(t.Context(), a)
		must(t, err)
		if e := messenger.As(by(t, c, 5000, 1)); e == nil || e.Fault != want {
			t.Errorf("%s: %v", code, e)
		}
		must(t, c.Close())
	}
}
