package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/messenger"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// network is a messenger with chats of one message each.
type network struct {
	*channel.Messenger
	chats int
	fail  error // of the messages of a chat
	asked int
}

func (n *network) Account(*store.Tx, string, string) (channel.Account, error) {
	return channel.Account{ID: ourAccount, Name: "Do'kon", Owner: "700"}, nil
}

func (n *network) Chats(context.Context, string, string, string) (out channel.ChatPage, err error) {
	for i := range n.chats {
		out.Chats = append(out.Chats, channel.Chat{Person: channel.Person{ID: strconv.Itoa(1000 + i)}, Token: []byte("{}")})
	}
	return out, nil
}

func (n *network) Messages(_ context.Context, _, _ string, c channel.Chat, _ string, _ int) (channel.MessagePage, error) {
	n.asked++
	return channel.MessagePage{Messages: []channel.Incoming{{ID: "m" + c.Person.ID, Seq: 1, From: c.Person, At: time.Now(), Text: "Salom", Imported: true}}}, n.fail
}

const ourAccount = "acc_00000000000000000000000001"

// imports is an account whose history is imported.
type imports struct {
	*Service
	t   *testing.T
	net *network
	org string
	run importing
}

func newImports(t *testing.T, chats int) *imports {
	t.Helper()
	db := storetest.Open(t, slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(),
		account.Tables(), recipient.Tables(), conversation.Tables(), Tables())...)
	h := &imports{t: t, net: &network{chats: chats}}
	networks := channel.Networks{channel.OnMessenger: h.net}
	h.Service = New(db, Options{Networks: networks, Intake: intake.New(networks, &signal.Bus{}), Pause: time.Nanosecond})
	storetest.Update(t, db, func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		if err != nil {
			return err
		}
		h.org = made.ID
		r := run{Run: Run{ID: db.NewID("hst"), AccountID: ourAccount, Status: Queued, PerChatLimit: 10, StartedAt: db.Now()}, Channel: channel.OnMessenger}
		h.run = importing{h.org, ourAccount, r.ID}
		return begin(tx, h.org, &r)
	})
	return h
}

// steps takes some steps of the run.
func (h *imports) steps(n int) {
	h.t.Helper()
	for range n {
		if over, err := h.step(h.t.Context(), h.run); over || err != nil {
			h.t.Fatalf("over %v, %v", over, err)
		}
	}
}

// left are the chats that are still to be imported, and the run.
func (h *imports) left() (n int, r run) {
	h.t.Helper()
	storetest.View(h.t, h.db, func(tx *store.Tx) (err error) {
		if r, err = runs.Get(tx, h.org, h.run.Run); err != nil {
			return err
		}
		n, err = chats.Count(tx, h.org)
		return err
	})
	return n, r
}

// TestCancelledLeavesNoChats: the addresses of chats that a cancelled run did not come to do not
// stay, however many they are.
func TestCancelledLeavesNoChats(t *testing.T) {
	h := newImports(t, clearedAtOnce+20)
	h.steps(3) // the list, and two chats
	if n, r := h.left(); n != clearedAtOnce+18 || r.ChatsImported != 2 {
		t.Fatalf("%d chats, %+v", n, r)
	}
	storetest.Update(t, h.db, func(tx *store.Tx) error {
		r, err := runs.Get(tx, h.org, h.run.Run)
		if err != nil {
			return err
		}
		return finish(tx, h.org, &r, Cancelled, "")
	})
	if err := h.work(t.Context(), queue.Job{Attempts: 1, MaxAttempts: tries}, h.run); err != nil {
		t.Fatal(err)
	}
	if n, r := h.left(); n != 0 || r.Status != Cancelled || r.MessagesImported != 2 || h.net.asked != 2 {
		t.Errorf("%d chats are left, %d were asked for, %+v", n, h.net.asked, r)
	}
}

// TestFailedLeavesNoChats: nor do those of a run that failed, whose code says why.
func TestFailedLeavesNoChats(t *testing.T) {
	h := newImports(t, 5)
	h.steps(2)
	h.net.fail = &messenger.Error{Fault: messenger.Refused, Code: "CHANNEL_PRIVATE"}
	for try := 1; try < tries; try++ {
		if err := h.work(t.Context(), queue.Job{Attempts: try, MaxAttempts: tries}, h.run); err == nil {
			t.Fatalf("try %d is no failure", try)
		}
	}
	if n, r := h.left(); n != 4 || r.Status != Running {
		t.Fatalf("%d chats, %+v", n, r)
	}
	if err := h.work(t.Context(), queue.Job{Attempts: tries, MaxAttempts: tries}, h.run); err != nil {
		t.Fatal(err)
	}
	if n, r := h.left(); n != 0 || r.Status != Failed || r.ErrorCode == nil || *r.ErrorCode != "CHANNEL_PRIVATE" {
		t.Errorf("%d chats are left, %+v", n, r)
	}
}

// TestKilledBetweenSteps: a run that another process goes on with takes each message once and each
// chat once, wherever the first ended.
func TestKilledBetweenSteps(t *testing.T) {
	for stop := range 6 {
		t.Run(fmt.Sprint(stop), func(t *testing.T) {
			h := newImports(t, 4)
			h.steps(stop)
			next := New(h.db, h.o)
			if err := next.work(t.Context(), queue.Job{Attempts: 1, MaxAttempts: tries}, h.run); err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if n, r := h.left(); n != 0 || r.Status != Done || r.ChatsImported != 4 || r.MessagesImported != 4 || h.net.asked != 4 {
				t.Errorf("%d chats are left, %d were asked for, %+v", n, h.net.asked, r)
			}
		})
	}
}
