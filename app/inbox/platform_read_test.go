package inbox

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/inbox/intake"
	"svc/app/inbox/reply"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/setting"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// readMarks is a messenger that counts the read marks it is told of.
type readMarks struct {
	*channel.Messenger
	told atomic.Int32
	// while is called while a mark is on its way.
	while func()
}

func (r *readMarks) MarkRead(context.Context, string, string, channel.Person, int64) error {
	r.told.Add(1)
	if r.while != nil {
		r.while()
	}
	return nil
}

// TestPlatformReadAtOnce: of calls that come together one tells the network and is audited; a
// call waits while another is under way, and then has nothing to tell.
func TestPlatformReadAtOnce(t *testing.T) {
	bus := &signal.Bus{}
	db := storetest.Open(t, slices.Concat(queue.Tables(), audit.Tables(), event.Tables(), setting.Tables(), notify.Tables(),
		user.Tables(), org.Tables(), recipient.Tables(), Tables())...)
	net := &readMarks{Messenger: &channel.Messenger{Bus: bus}}
	networks := channel.Networks{channel.OnMessenger: net}
	srv := apitest.New(t, db, New(db, Options{Networks: networks, Replies: reply.New(reply.Options{Networks: networks}), Bus: bus}))
	var k string
	storetest.Update(t, db, func(tx *store.Tx) error {
		made, err := org.Create(tx, api.System(context.Background(), "", db.Now()), org.Fields{Name: "Test", Plan: org.Enterprise})
		if err != nil {
			return err
		}
		srv.Org = made.ID
		at := channel.At{Org: made.ID, Account: "acc_00000000000000000000000001", Owner: "700", Channel: channel.OnMessenger}
		out, err := intake.New(networks, bus).Received(tx, at, channel.Incoming{ID: "1", Seq: 1, From: channel.Person{ID: "9"}, At: db.Now(), Text: "Salom"})
		k = out.Conversation
		return err
	})
	route := "POST /ai/conversations/" + k + "/platform-read"
	net.while = func() {
		net.while = nil
		soon, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		if a := srv.DoContext(soon, route, `{}`); a.Status < 400 || soon.Err() == nil {
			t.Errorf("a call beside another did not wait: %d %s", a.Status, a.Body)
		}
	}
	if a := srv.Do(route, `{}`).Want(200); a.At("already_read") != false {
		t.Error(a.Body)
	}
	storetest.Update(t, db, func(tx *store.Tx) error {
		c, err := conversation.Get(tx, srv.Org, k)
		if err != nil {
			return err
		}
		return conversation.ReadOnPlatform(tx, srv.Org, &c, 0, db.Now()) // as if it was not told
	})
	net.told.Store(0)
	var first atomic.Int32
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			if a := srv.Do(route, `{}`); a.Status == 200 && a.At("already_read") == false {
				first.Add(1)
			}
		})
	}
	calls.Wait()
	if net.told.Load() != 1 || first.Load() != 1 {
		t.Errorf("the network was told %d times, %d calls say that they did", net.told.Load(), first.Load())
	}
	page, err := audit.New(db).Page(srv.Call(), srv.Org, audit.Filter{Action: "conversation.platform_read"}, api.PageIn{Limit: 10}, true)
	if err != nil || page.Total != 2 {
		t.Errorf("%d entries of the audit log for two times, %v", page.Total, err)
	}
}
