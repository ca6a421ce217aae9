package event

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/store"
	"svc/store/storetest"
)

func TestStreamCloses(t *testing.T) {
	revoke := func(cl *client) {
		cl.mu.Lock()
		defer cl.mu.Unlock()
		cl.alive = false
	}
	t.Run("within a second", func(t *testing.T) {
		bubble(t, func(cl *client) {
			cl.open(streamIn{})
			cl.names()
			revoke(cl)
			wait(time.Second)
			if want := "event: stream.closed\ndata: {\"code\":\"unauthenticated\"}\n\n"; len(cl.frames) != 1 || cl.frames[0] != want {
				cl.t.Errorf("frames %q, want %q", cl.frames, want)
			}
			if !cl.over() {
				cl.t.Error("goes on")
			}
		})
	})
	t.Run("before an event", func(t *testing.T) {
		bubble(t, func(cl *client) {
			cl.open(streamIn{})
			cl.names()
			revoke(cl)
			emit(cl.t, cl.db, cl.org, CampaignPaused)
			cl.expect("stream.closed")
			if !cl.over() {
				cl.t.Error("goes on")
			}
		})
	})
}

// TestStreamOverflows when a client does not read what comes meanwhile.
func TestStreamOverflows(t *testing.T) {
	many := func(n int) []Type { return slices.Repeat([]Type{CampaignPaused}, n) }
	large := func(cl *client, n, size int) {
		err := cl.db.Update(context.Background(), func(tx *store.Tx) error {
			for range n {
				if err := Emit(tx, cl.org, CampaignPaused, map[string]string{"f": strings.Repeat("x", size)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			cl.t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		in        streamIn
		meanwhile func(*client)
		over      bool
	}{
		"as many as may":          {streamIn{}, func(cl *client) { emit(cl.t, cl.db, cl.org, many(maxWaiting)...) }, false},
		"one more":                {streamIn{}, func(cl *client) { emit(cl.t, cl.db, cl.org, many(maxWaiting+1)...) }, true},
		"few and large":           {streamIn{}, func(cl *client) { large(cl, 11, 100<<10) }, true},
		"fewer":                   {streamIn{}, func(cl *client) { large(cl, 10, 100<<10) }, false},
		"that it does not follow": {streamIn{Types: []string{"message.*"}}, func(cl *client) { emit(cl.t, cl.db, cl.org, many(maxWaiting+1)...) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(cl *client) {
				cl.open(tt.in)
				cl.names()
				cl.held = make(chan struct{})
				first := emit(cl.t, cl.db, cl.org, MessageFailed)
				synctest.Wait() // it is offered this one
				tt.meanwhile(cl)
				close(cl.held)
				got := cl.names()
				if len(got) == 0 || got[0] != first[0] {
					cl.t.Fatalf("got %q, want first %s", got, first[0])
				}
				if over := slices.Contains(got, "stream.overflow"); over != tt.over || cl.over() != tt.over {
					cl.t.Errorf("overflow %v, over %v, want %v", over, cl.over(), tt.over)
				}
				if tt.over && len(got) != 2 {
					cl.t.Errorf("%d frames, want the event and the overflow", len(got))
				}
			})
		})
	}
	t.Run("many of one transaction are no slow client", func(t *testing.T) {
		bubble(t, func(cl *client) {
			cl.open(streamIn{})
			cl.names()
			cl.expect(emit(cl.t, cl.db, cl.org, many(maxWaiting+250)...)...)
		})
	})
}

// TestStreamLimits: 50 of an organization, 5 of a key or a session.
func TestStreamLimits(t *testing.T) {
	bubble(t, func(cl *client) {
		var open []api.Stream
		take := func(kind api.CallerKind, id, session, org string) error {
			c := cl.call()
			c.Org, c.Caller.Kind, c.Caller.ID, c.Caller.Session = org, kind, id, session
			st, err := cl.s.stream(c, streamIn{})
			if err == nil {
				open = append(open, st)
			}
			return err
		}
		for i := range streamsPerCaller {
			if err := take(api.Key, "key_1", "", orgA); err != nil {
				t.Fatalf("stream %d of a key: %v", i+1, err)
			}
		}
		if err := take(api.Key, "key_1", "", orgA); !errors.Is(err, ErrTooManyStreams) {
			t.Errorf("one more of a key: %v", err)
		}
		for i := range streamsPerOrg - streamsPerCaller {
			if err := take(api.Person, "usr_1", string(rune('a'+i)), orgA); err != nil {
				t.Fatalf("session %d: %v", i+1, err)
			}
		}
		if err := take(api.Person, "usr_1", "new", orgA); !errors.Is(err, ErrTooManyStreams) {
			t.Errorf("one more of an organization: %v", err)
		}
		if err := take(api.Person, "usr_1", "new", orgB); err != nil {
			t.Errorf("another organization: %v", err)
		}
		over, cancel := context.WithCancel(context.Background())
		cancel()
		open[0].Run(over, func([]byte) error { return nil })
		if err := take(api.Key, "key_1", "", orgA); err != nil {
			t.Errorf("after one ended: %v", err)
		}
		for _, st := range open[1:] {
			st.Run(over, func([]byte) error { return nil })
		}
		if n := len(cl.s.streams.open); n != 0 {
			t.Errorf("%d counts are left behind", n)
		}
	})
}

// TestStreamOverHTTP: the parameters and refusals of the operation.
func TestStreamOverHTTP(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	srv := apitest.New(t, db, New(db))
	ids := emit(t, db, srv.Org, CampaignStarted, MessageFailed, CampaignPaused, WebhookTest)
	read := func(query string, headers ...string) string {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // what is stored is sent at once
		defer cancel()
		return srv.DoContext(ctx, "GET /events/stream"+query, nil, headers...).Want(200).Body
	}
	for _, tt := range []struct {
		query   string
		headers []string
		want    []string
	}{
		{"?last_event_id=" + ids[0], nil, ids[1:]},
		{"?types=campaign.*,webhook.test", []string{"Last-Event-ID", ids[0]}, []string{ids[2], ids[3]}},
	} {
		var got []string
		for line := range strings.SplitSeq(read(tt.query, tt.headers...), "\n") {
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				got = append(got, id)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.query, got, tt.want)
		}
	}
	for _, bad := range []string{"types=exploded", "last_event_id=evt_1", "last_event_id=" + srv.Org} {
		srv.Do("GET /events/stream?"+bad, nil).Refused(api.ErrInvalid)
	}
	srv.As = func(c *api.Call) { c.Org = "" }
	srv.Do("GET /events/stream", nil).Refused(api.ErrNoOrganization)
	srv.As = func(c *api.Call) { c.Caller = api.Caller{} }
	srv.Do("GET /events/stream", nil).Refused(api.ErrUnauthenticated)
}
