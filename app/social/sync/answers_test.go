package sync_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"svc/app/api/apitest"
	"svc/app/channel"
	"svc/app/org"
	"svc/app/signal"
	"svc/app/social/post"
	"svc/app/social/sync"
	"svc/messenger/platform"
	"svc/messenger/platform/sim"
	simvideo "svc/messenger/platform/sim/video"
	"svc/messenger/platform/video"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestManyAnswers: one page of the comments of a video holds more, with the answers below them, than a
// transaction takes. They are all stored, and told of once.
func TestManyAnswers(t *testing.T) {
	const answers = 950
	world, err := sim.New(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world.Handler())
	defer server.Close()
	defer func() { _ = world.Close() }()
	script := "account video @big\nnow @lola comments \"narxi\" on @big\n" + strings.Repeat("now @lola answers \"qancha\" to @big\n", answers)
	if err := world.Script(script); err != nil {
		t.Fatal(err)
	}
	db := storetest.OpenWith(t, "", store.Options{Tables: tables()})
	client := video.New(video.Options{Key: simvideo.Key, API: server.URL + simvideo.API, HTTP: server.Client(), Now: db.Now})
	bus := &signal.Bus{}
	of := channel.New(db, channel.Options{Networks: []platform.Network{client}, Bus: bus})
	reads := sync.New(db, sync.Options{Channels: of, Bus: bus, Done: func(*store.Tx, string) error { return nil }})
	signal.On(bus, reads.Changed)
	w := queue.New(db, queue.Options{})
	reads.Work(w)
	on := apitest.New(t, db, of, org.New(db, nil, org.Options{}))
	storetest.Update(t, db, func(tx *store.Tx) error {
		o, err := org.Create(tx, on.Call(), org.Fields{Name: "Acme", Plan: org.Enterprise})
		on.Org = o.ID
		return err
	})
	on.Do("POST /organization/accept-policy", map[string]any{"policy_version": "1"}).Want(200)
	account := on.Do("POST /channels/youtube/accounts", map[string]any{"url": "@big"}).Want(201).String("id")
	storetest.Run(t, w.Run)
	var counts post.Counts
	storetest.Eventually(t, "the sync never ended", func() bool {
		var r sync.Record
		storetest.View(t, db, func(tx *store.Tx) (err error) {
			if r, err = sync.Get(tx, on.Org, account); err != nil {
				return err
			}
			counts, err = post.CountsOf(tx, on.Org, account)
			return err
		})
		return r.Status == sync.Idle && !r.LastAt.IsZero()
	})
	if counts.Comments != answers+1 {
		t.Errorf("%d comments are kept, want %d", counts.Comments, answers+1)
	}
}
