package telegram

import (
	"context"
	"errors"
	"testing"

	"github.com/gotd/td/tg"

	"svc/messenger"
	"svc/messenger/telegram/cursor"
)

// ledger is a memory of people.
type ledger struct {
	messenger.StateStore
	people map[int64]messenger.Peer
	saves  int
	fail   error
}

func (b *ledger) Peer(_ context.Context, id int64) (messenger.Peer, bool, error) {
	p, ok := b.people[id]
	return p, ok, b.fail
}

func (b *ledger) SavePeers(_ context.Context, peers []messenger.Peer) error {
	b.saves++
	for _, p := range peers {
		b.people[p.ID] = p
	}
	return b.fail
}

// letters is an inbox.
type letters struct {
	got  []messenger.Incoming
	read int
	fail error

	reacted map[int][]messenger.Reaction
}

func (l *letters) Received(_ context.Context, m messenger.Incoming) error {
	if l.fail == nil {
		l.got = append(l.got, m)
	}
	return l.fail
}
func (l *letters) Edited(ctx context.Context, m messenger.Incoming) error { return l.Received(ctx, m) }
func (l *letters) ReadByPeer(context.Context, int64, int) error           { l.read++; return l.fail }
func (l *letters) Deleted(context.Context, []int) error                   { return l.fail }
func reader(b *ledger, in messenger.Inbound) (f *updateStream, halted *bool) {
	halted = new(bool)
	f = newUpdateStream(&conn{d: New(Options{}), memory: b, self: 700}, in)
	f.halt = func() { *halted = true }
	return f, halted
}

func TestMinUsersReplaceNobody(t *testing.T) {
	known := messenger.Peer{ID: 1, AccessHash: 11, Username: "ali_karim", FirstName: "Ali"}
	b := &ledger{people: map[int64]messenger.Peer{1: known}}
	f, _ := reader(b, &letters{})
	min := &tg.User{ID: 1, Min: true, AccessHash: 99, FirstName: "Alisher"}
	if p, err := f.c.person(t.Context(), 1, people{1: min}); err != nil || p != known || b.saves != 0 {
		t.Errorf("%+v, %v, %d saves", p, err, b.saves)
	}
	stranger := &tg.User{ID: 2, Min: true, AccessHash: 99, FirstName: "Vali"}
	if p, err := f.c.person(t.Context(), 2, people{2: stranger}); err != nil || p != (messenger.Peer{ID: 2, FirstName: "Vali"}) || b.saves != 0 {
		t.Errorf("%+v, %v, %d saves: a hash that is good for nothing was kept", p, err, b.saves)
	}
	if p, err := f.c.person(t.Context(), 3, nil); err != nil || p != (messenger.Peer{ID: 3}) {
		t.Errorf("%+v, %v", p, err)
	}
	fresh := &tg.User{ID: 1, AccessHash: 12, FirstName: "Alisher", Usernames: []tg.Username{{Username: "old_name"}, {Username: "new_name", Active: true}}}
	want := messenger.Peer{ID: 1, AccessHash: 12, Username: "new_name", FirstName: "Alisher"}
	for range 3 {
		if p, err := f.c.person(t.Context(), 1, people{1: fresh}); err != nil || p != want || b.saves != 1 {
			t.Errorf("%+v, %v, %d saves, want one", p, err, b.saves)
		}
	}
}

func TestWhoIsHandedOn(t *testing.T) {
	b := &ledger{people: map[int64]messenger.Peer{}}
	in := &letters{}
	f, _ := reader(b, in)
	users := []tg.UserClass{
		&tg.User{ID: 1, AccessHash: 11}, &tg.User{ID: 2, AccessHash: 22, Bot: true},
		&tg.User{ID: 700, AccessHash: 7, Self: true}, &tg.User{ID: cursor.ServiceChat, AccessHash: 5},
	}
	from := func(id int64) tg.UpdateClass { return note(int(id), &tg.PeerUser{UserID: id}, 1) }
	out := &tg.Message{ID: 50, PeerID: &tg.PeerUser{UserID: 1}, Out: true, EditDate: 5, ReplyTo: &tg.MessageReplyHeader{ReplyToMsgID: 4}}
	hidden := &tg.Message{ID: 51, PeerID: &tg.PeerUser{UserID: 1}, EditHide: true}
	err := f.take(t.Context(), &tg.Updates{Users: users, Updates: []tg.UpdateClass{
		from(2), from(700), from(cursor.ServiceChat),
		note(60, &tg.PeerChat{ChatID: 1}, 1), note(61, &tg.PeerChannel{ChannelID: 1}, 1),
		&tg.UpdateNewMessage{Message: &tg.MessageEmpty{ID: 62}},
		&tg.UpdateNewMessage{Message: &tg.MessageService{ID: 63, PeerID: &tg.PeerUser{UserID: 1}}},
		&tg.UpdateReadHistoryOutbox{Peer: &tg.PeerUser{UserID: cursor.ServiceChat}, MaxID: 1},
		&tg.UpdateReadHistoryOutbox{Peer: &tg.PeerChat{ChatID: 1}, MaxID: 1},
		&tg.UpdateReadHistoryOutbox{Peer: &tg.PeerUser{UserID: 700}, MaxID: 1},
		&tg.UpdateEditMessage{Message: hidden},
		from(1), &tg.UpdateNewMessage{Message: out},
	}})
	if err != nil || len(in.got) != 2 || in.read != 0 {
		t.Fatalf("%v, %+v, %d reads", err, in.got, in.read)
	}
	if m := in.got[0]; m.ID != 1 || m.Out || m.Peer.ID != 1 || m.Text != "x" || len(m.Raw) == 0 {
		t.Errorf("%+v", m)
	}
	if m := in.got[1]; m.ID != 50 || !m.Out || m.ReplyTo != 4 || m.EditedAt.Unix() != 5 {
		t.Errorf("%+v", m)
	}
	if len(b.people) != 1 {
		t.Errorf("kept %+v", b.people)
	}
}

// A refusal stops the stream there: nothing after it is handed on, and the place does
// not move.
func TestRefusalStopsTheStream(t *testing.T) {
	for name, break1 := range map[string]func(*ledger, *letters){
		"inbox":  func(_ *ledger, l *letters) { l.fail = errors.New("disk full") },
		"memory": func(b *ledger, _ *letters) { b.fail = errors.New("disk full") },
	} {
		t.Run(name, func(t *testing.T) {
			b, in := &ledger{people: map[int64]messenger.Peer{}}, &letters{}
			f, halted := reader(b, in)
			u := &tg.Updates{Updates: []tg.UpdateClass{note(1, &tg.PeerUser{UserID: 1}, 1)}, Users: []tg.UserClass{&tg.User{ID: 1, AccessHash: 11}}}
			break1(b, in)
			if err := f.take(t.Context(), u); err == nil || !*halted || !f.cursor.IsFrozen() {
				t.Errorf("error %v, halted %v, frozen %v", err, *halted, f.cursor.IsFrozen())
			}
			b.fail, in.fail = nil, nil
			if err := f.take(t.Context(), u); err == nil || len(in.got) != 0 {
				t.Errorf("error %v: %d messages were handed on after a refusal", err, len(in.got))
			}
			f.cursor.Thaw()
			if err := f.take(t.Context(), u); err != nil || len(in.got) != 1 {
				t.Errorf("error %v, %d messages after a new start", err, len(in.got))
			}
		})
	}
}

func TestFullQueueAsksAgain(t *testing.T) {
	f, _ := reader(&ledger{}, &letters{})
	for range updateQueue {
		f.affected(1, 1)
	}
	if f.lost.Load() {
		t.Fatal("the queue is smaller than it says")
	}
	for range 3 { // nobody reads, and it does not wait
		if err := f.Handle(t.Context(), &tg.UpdateShortSentMessage{ID: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if !f.lost.Load() || len(f.wake) != 1 {
		t.Errorf("lost %v, %d wakes", f.lost.Load(), len(f.wake))
	}
}

func (*letters) ReadHere(context.Context, int64, int) error { return nil }

func (l *letters) Reacted(_ context.Context, _ int64, id int, now []messenger.Reaction) error {
	if l.reacted == nil {
		l.reacted = map[int][]messenger.Reaction{}
	}
	l.reacted[id] = now
	return nil
}
