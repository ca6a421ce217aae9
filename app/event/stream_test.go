package event

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/store"
	"svc/store/kv"
	"svc/store/storetest"
)

// client reads a stream in a bubble, whose clock is its own.
type client struct {
	t     *testing.T
	db    *store.DB
	s     *Service
	org   string
	perms perm.Set
	alive bool

	mu     sync.Mutex
	frames []string
	held   chan struct{} // while it is open and not closed, the client reads nothing
	ended  chan struct{}
	stop   context.CancelFunc
}

func bubble(t *testing.T, test func(*client)) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: Tables(), Engine: kv.NewMemory()})
		cl := &client{t: t, db: db, s: New(db), org: orgA, perms: perm.Owner.Permissions(), alive: true}
		defer func() {
			if cl.stop != nil {
				cl.stop()
				<-cl.ended
			}
		}()
		test(cl)
	})
}

func (cl *client) call() *api.Call {
	c := api.NewCall(context.Background(), nil)
	c.Org, c.Now = cl.org, cl.db.Now()
	c.Caller = api.Caller{Kind: api.Key, ID: "key_1", Perms: cl.perms}
	c.Alive = func() bool {
		cl.mu.Lock()
		defer cl.mu.Unlock()
		return cl.alive
	}
	return c
}

func (cl *client) open(in streamIn) {
	cl.t.Helper()
	st, err := cl.s.stream(cl.call(), in)
	if err != nil {
		cl.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cl.stop, cl.ended = cancel, make(chan struct{})
	ended := cl.ended
	go func() {
		defer close(ended)
		st.Run(ctx, func(b []byte) error { return cl.read(ctx, string(b)) })
	}()
	synctest.Wait()
}

func (cl *client) read(ctx context.Context, frames string) error {
	cl.mu.Lock()
	held := cl.held
	cl.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	cl.mu.Lock()
	defer cl.mu.Unlock()
	for _, f := range strings.SplitAfter(frames, "\n\n") {
		if f != "" {
			cl.frames = append(cl.frames, f)
		}
	}
	return nil
}

// names are the frames since the last call, short: the id of an event, the name of
// what has none, or the comment.
func (cl *client) names() (out []string) {
	synctest.Wait()
	cl.mu.Lock()
	defer cl.mu.Unlock()
	for _, f := range cl.frames {
		name, _, _ := strings.Cut(f, "\n")
		for _, prefix := range []string{"id: ", "event: "} {
			name = strings.TrimPrefix(name, prefix)
		}
		out = append(out, name)
	}
	cl.frames = nil
	return out
}

func (cl *client) expect(want ...string) {
	cl.t.Helper()
	if got := cl.names(); !slices.Equal(got, want) {
		cl.t.Errorf("got %q, want %q", got, want)
	}
}

func (cl *client) over() bool {
	synctest.Wait()
	select {
	case <-cl.ended:
		return true
	default:
		return false
	}
}

var opening = []string{"retry: 3000", ": ready"}

func TestStreamFollows(t *testing.T) {
	bubble(t, func(cl *client) {
		emit(cl.t, cl.db, cl.org, CampaignStarted) // before it: not sent
		cl.open(streamIn{})
		cl.expect(opening...)
		ids := emit(cl.t, cl.db, cl.org, CampaignPaused, CampaignResumed)
		emit(cl.t, cl.db, orgB, CampaignPaused)
		synctest.Wait()
		e := Event{}
		view(cl.t, cl.db, func(tx *store.Tx) (err error) {
			e, err = Get(tx, cl.org, ids[0])
			return err
		})
		if want := "id: " + ids[0] + "\nevent: campaign.paused\ndata: " + string(e.Envelope()) + "\n\n"; cl.frames[0] != want {
			cl.t.Errorf("frame %q, want %q", cl.frames[0], want)
		}
		cl.expect(ids...)
	})
}

func TestStreamReplays(t *testing.T) {
	bubble(t, func(cl *client) {
		var ids []string
		for range 3 { // more than may wait: a replay is no slow client
			ids = append(ids, emit(cl.t, cl.db, cl.org, slices.Repeat([]Type{CampaignPaused}, maxWaiting)...)...)
		}
		cl.open(streamIn{Header: ids[0], LastEventID: ids[9]}) // the header goes first
		live := emit(cl.t, cl.db, cl.org, CampaignResumed)
		cl.expect(slices.Concat(opening, ids[1:], live)...)
		cl.stop()
		cl.open(streamIn{LastEventID: ids[len(ids)-2]})
		cl.expect(slices.Concat(opening, ids[len(ids)-1:], live)...)
		cl.stop()
		cl.open(streamIn{LastEventID: live[0]})
		cl.expect(opening...)
	})
}

func TestStreamResets(t *testing.T) {
	bubble(t, func(cl *client) {
		ids := emit(cl.t, cl.db, cl.org, CampaignPaused, CampaignResumed, CampaignPaused)
		remove := func(n int) {
			err := cl.db.Update(context.Background(), func(tx *store.Tx) error {
				_, err := Purge(tx, cl.org, cl.db.Now().Add(time.Second), n)
				return err
			})
			if err != nil {
				cl.t.Fatal(err)
			}
		}
		remove(1)
		cl.open(streamIn{LastEventID: ids[0]})
		synctest.Wait()
		if want := "event: stream.reset\ndata: {\"oldest_event_id\":\"" + ids[1] + "\"}\n\n"; cl.frames[2] != want {
			cl.t.Errorf("frame %q, want %q", cl.frames[2], want)
		}
		live := emit(cl.t, cl.db, cl.org, CampaignResumed)
		cl.expect(slices.Concat(opening, []string{"stream.reset"}, live)...)
		cl.stop()
		remove(10)
		cl.open(streamIn{LastEventID: ids[0]})
		synctest.Wait()
		if want := "event: stream.reset\ndata: {\"oldest_event_id\":null}\n\n"; cl.frames[2] != want {
			cl.t.Errorf("frame %q, want %q", cl.frames[2], want)
		}
	})
}

// TestStreamFromThePlaceOfNoEvent: an id from the future would wait for ever.
func TestStreamFromThePlaceOfNoEvent(t *testing.T) {
	bubble(t, func(cl *client) {
		emit(cl.t, cl.db, cl.org, CampaignPaused)
		cl.open(streamIn{LastEventID: "evt_7zzzzzzzzzzzzzzzzzzzzzzzzz"})
		cl.expect(opening...)
		cl.expect(emit(cl.t, cl.db, cl.org, CampaignPaused)...)
	})
}

func TestStreamFilters(t *testing.T) {
	for name, tt := range map[string]struct {
		in    streamIn
		perms perm.Set
		want  []int
	}{
		"everything":             {streamIn{}, perm.Owner.Permissions(), []int{0, 1, 2, 3}},
		"types":                  {streamIn{Types: []string{"campaign.*", "webhook.test"}}, perm.Owner.Permissions(), []int{0, 3}},
		"a resource":             {streamIn{ResourceID: "cmp_1"}, perm.Owner.Permissions(), []int{0, 1}},
		"both":                   {streamIn{ResourceID: "cmp_1", Types: []string{"message.failed"}}, perm.Owner.Permissions(), []int{1}},
		"no personal chats":      {streamIn{}, perm.Operator.Permissions(), []int{0, 1}},
		"only what he may read":  {streamIn{}, perm.Of(perm.AIRead), nil},
		"asked for and not his":  {streamIn{Types: []string{"campaign.*"}}, perm.Of(perm.WebhooksRead), nil},
		"personal chats as well": {streamIn{}, perm.Of(perm.AIRead, perm.AccountsManage), []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(cl *client) {
				cl.perms = tt.perms
				cl.open(tt.in)
				cl.expect(opening...)
				ids := make([]string, 4)
				err := cl.db.Update(context.Background(), func(tx *store.Tx) error {
					take := func(i int) Option { return func(e *Stored) { ids[i] = e.ID } }
					return errors.Join(
						Emit(tx, cl.org, CampaignStarted, map[string]string{"campaign_id": "cmp_1"}, take(0)),
						Emit(tx, cl.org, MessageFailed, map[string]string{"campaign_id": "cmp_1", "recipient_id": "rcp_1"}, take(1)),
						Emit(tx, cl.org, ConversationMessage, map[string]string{}, Personal(), take(2)),
						Emit(tx, cl.org, WebhookTest, map[string]string{}, take(3)),
					)
				})
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				for _, i := range tt.want {
					want = append(want, ids[i])
				}
				cl.expect(want...)
			})
		})
	}
}

func TestStreamBeatsAndAges(t *testing.T) {
	bubble(t, func(cl *client) {
		cl.open(streamIn{})
		cl.expect(opening...)
		wait(heartbeat - time.Millisecond)
		cl.expect()
		wait(time.Millisecond)
		cl.expect(": ping")
		wait(2 * heartbeat)
		cl.expect(": ping", ": ping")
		wait(maxAge - 3*heartbeat - time.Millisecond)
		if cl.names(); cl.over() {
			t.Error("over before its time")
		}
		wait(time.Millisecond)
		if !cl.over() {
			t.Error("older than an hour")
		}
		if got := cl.names(); slices.Contains(got, "stream.closed") || slices.Contains(got, "stream.overflow") {
			t.Errorf("ended with %q, want nothing", got)
		}
	})
}

// wait lets the bubble's clock run.
func wait(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}
