package intake

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/send"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/queue"
	"svc/store/storetest"
)

const ourAccount = "acc_00000000000000000000000001"

// env is what arrives, over a store.
type env struct {
	*apitest.Server
	t     testing.TB
	db    *store.DB
	bus   *signal.Bus
	in    *Service
	at    channel.At
	heard []any
	seq   int
	clock *storetest.Clock
}

// twice runs every closure of a transaction two times: one that does more than change the
// store shows. plain does not.
func twice(e kv.Engine) kv.Engine { return kvtest.Twice{Engine: e} }
func plain(e kv.Engine) kv.Engine { return e }

func newEnv(t testing.TB) *env { return newEnvOver(t, twice) }

func newEnvOver(t testing.TB, over func(kv.Engine) kv.Engine) *env {
	h := &env{t: t, bus: &signal.Bus{}, clock: storetest.NewClock()}
	tables := slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(), user.Tables(), org.Tables(),
		recipient.Tables(), conversation.Tables(), send.Tables())
	path := t.TempDir() + "/test.db"
	engine, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	h.db = storetest.OpenWith(t, path, store.Options{Tables: tables, Now: h.clock.Now, Engine: over(engine)})
	h.in = New(channel.Networks{channel.OnMessenger: &channel.Messenger{Bus: h.bus}}, h.bus)
	hear[Arrived](h)
	hear[recipient.OptedOut](h)
	hear[conversation.FileWanted](h)
	h.Server = apitest.New(t, h.db, org.New(h.db, h.bus, org.Options{}), recipient.New(h.db, h.bus, recipient.Options{}))
	h.update(func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(context.Background(), "", h.db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		h.Org = made.ID
		return err
	})
	h.at = channel.At{Org: h.Org, Account: ourAccount, Owner: "700", Channel: channel.OnMessenger}
	return h
}

func hear[T any](h *env) {
	signal.On(h.bus, func(tx *store.Tx, _ *api.Call, what T) error {
		tx.AfterCommit(func() { h.heard = append(h.heard, what) })
		return nil
	})
}

func signals[T any](h *env) (out []T) {
	for _, x := range h.heard {
		if s, ok := x.(T); ok {
			out = append(out, s)
		}
	}
	return out
}

func (h *env) update(f func(tx *store.Tx) error) {
	h.t.Helper()
	storetest.Update(h.t, h.db, f)
}

func (h *env) recipient(body string) string {
	h.t.Helper()
	return h.Do("POST /recipients", body).Want(201).String("id")
}

// person is somebody by number.
func person(n int) channel.Person { return channel.Person{ID: strconv.Itoa(n)} }

// say makes a message of the customer, the next of the account.
func (h *env) say(p channel.Person, text string) channel.Incoming {
	h.seq++
	return channel.Incoming{ID: strconv.Itoa(h.seq), Seq: int64(h.seq), From: p, At: h.db.Now(), Text: text}
}

// arrive hands a message over, as a connection does.
func (h *env) arrive(in channel.Incoming) (out channel.Stored) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		out, err = h.in.Received(tx, h.at, in)
		return err
	})
	return out
}

func (h *env) edit(in channel.Incoming) (out channel.Stored) {
	h.t.Helper()
	h.update(func(tx *store.Tx) (err error) {
		out, err = h.in.Edited(tx, h.at, in)
		return err
	})
	return out
}

// of reads the conversation with somebody, and all that was said.
func (h *env) of(p channel.Person) (k conversation.Conversation, said []string, list []conversation.Message) {
	h.t.Helper()
	storetest.View(h.t, h.db, func(tx *store.Tx) (err error) {
		said, list = nil, nil
		if k, err = conversation.Of(tx, h.Org, channel.OnMessenger, h.at.Owner, p.ID); err != nil {
			return store.IgnoreNotFound(err)
		}
		if list, _, err = conversation.Older(tx, h.Org, k.ID, "", 200); err != nil {
			return err
		}
		for i := range list {
			c, err := list[i].Open(h.db, h.Org)
			if err != nil {
				return err
			}
			said = append(said, c.Text)
		}
		return nil
	})
	return k, said, list
}

// events are those of a type, newest last.
func (h *env) events(t event.Type) (out []event.Stored) {
	h.t.Helper()
	storetest.View(h.t, h.db, func(tx *store.Tx) error {
		out = nil
		list, err := event.After(tx, h.Org, "", 1000)
		for _, e := range list {
			if e.Type == t {
				out = append(out, e)
			}
		}
		return err
	})
	return out
}
