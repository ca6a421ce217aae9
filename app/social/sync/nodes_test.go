package sync_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	gosync "sync"
	"testing"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/channel"
	"svc/app/content"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
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

func tables() []store.AnyTable {
	return slices.Concat(sync.Tables(), post.Tables(), channel.Tables(), org.Tables(), setting.Tables(), queue.Tables(), content.Tables(), audit.Tables(), event.Tables(), notify.Tables())
}

// TestNodes: a sync that two processes may do is done once. What it costs is what it costs one of
// them, and whoever answers comments hears of each once, though somebody asks for it again and
// again meanwhile, at both.
func TestNodes(t *testing.T) {
	const videos, comments = 30, 6
	world, err := sim.New(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(world.Handler())
	defer server.Close()
	defer func() { _ = world.Close() }()
	if err := world.Script(fmt.Sprintf("account video @big\nnow @big removes post\nnow @big fills %d %d", videos, comments)); err != nil {
		t.Fatal(err)
	}
	dbs := storetest.Nodes(t, nil, store.Options{Tables: tables()}, store.Options{Tables: tables()})
	var mu gosync.Mutex
	heard := map[string]int{}
	var channels []*channel.Service
	var working []*queue.Workers
	for _, db := range dbs {
		client := video.New(video.Options{Key: simvideo.Key, API: server.URL + simvideo.API, HTTP: server.Client(), Now: db.Now})
		bus := &signal.Bus{}
		of := channel.New(db, channel.Options{Networks: []platform.Network{client}, Bus: bus})
		reads := sync.New(db, sync.Options{Channels: of, Bus: bus, Done: func(*store.Tx, string) error { return nil }})
		signal.On(bus, reads.Changed)
		signal.On(bus, func(tx *store.Tx, _ *api.Call, x channel.Commented) error {
			tx.AfterCommit(func() {
				mu.Lock()
				defer mu.Unlock()
				heard[x.Comment.ID]++
			})
			return nil
		})
		w := queue.New(db, queue.Options{})
		reads.Work(w)
		channels, working = append(channels, of), append(working, w)
	}
	on := apitest.New(t, dbs[0], channels[0], org.New(dbs[0], nil, org.Options{}))
	storetest.Update(t, dbs[0], func(tx *store.Tx) error {
		o, err := org.Create(tx, on.Call(), org.Fields{Name: "Acme", Plan: org.Enterprise})
		on.Org = o.ID
		return err
	})
	on.Do("POST /organization/accept-policy", map[string]any{"policy_version": "1"}).Want(200)
	account := on.Do("POST /channels/youtube/accounts", map[string]any{"url": "@big"}).Want(201).String("id")

	ctx, cancel := context.WithCancel(t.Context())
	var all gosync.WaitGroup
	for i := range working {
		all.Go(func() { _ = working[i].Run(ctx) })
	}
	storetest.Eventually(t, "the sync never ended", func() bool {
		var r sync.Record
		for _, db := range dbs {
			storetest.Update(t, db, func(tx *store.Tx) (err error) {
				if r, err = sync.Get(tx, on.Org, account); err != nil || r.Status != sync.Running {
					return err
				}
				_, err = sync.Want(tx, on.Org, account)
				return err
			})
		}
		return r.Status == sync.Idle && !r.LastAt.IsZero() && !r.Asked
	})
	cancel()
	all.Wait()

	var r sync.Record
	var counts post.Counts
	storetest.View(t, dbs[1], func(tx *store.Tx) (err error) {
		if r, err = sync.Get(tx, on.Org, account); err != nil {
			return err
		}
		counts, err = post.CountsOf(tx, on.Org, account)
		return err
	})
	if counts.Posts != videos || counts.Comments != videos*comments {
		t.Errorf("kept: %+v", counts)
	}
	if r.Round != 1 {
		t.Errorf("%d syncs were begun", r.Round)
	}
	// To find the channel, who follows, the videos and which are short, their figures, and the comments of each.
	if most := 1 + 1 + 2 + 1 + 1 + videos; world.Video.Units() > most {
		t.Errorf("%d units were spent, want %d at most", world.Video.Units(), most)
	}
	for id, n := range heard {
		if n != 1 {
			t.Errorf("%s was told of %d times", id, n)
		}
	}
	if len(heard) == 0 {
		t.Error("nobody heard of a comment")
	}
}
