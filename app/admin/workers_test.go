package admin_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/admin"
	"svc/app/api"
	"svc/app/org"
	"svc/store"
	"svc/store/kv"
	"svc/store/queue"
	"svc/store/storetest"
)

func (h *harness) workers() (out []admin.Worker) {
	h.t.Helper()
	var list api.List[admin.Worker]
	h.boss.do("GET /admin/workers", nil).Want(200).Into(&list)
	return list.Data
}

// TestWorkers: each kind of work of a process has a heart; one that stops shows, and
// is forgotten; a process that ends as it should takes its own away.
func TestWorkers(t *testing.T) {
	h := newHarness(t, func(h *harness, o *admin.Options) {
		o.Workers = queue.New(h.db, queue.Options{Concurrency: map[queue.Name]int{queue.Imports: 2}})
		n := 7
		o.Loads = map[admin.WorkerKind]func() admin.Load{
			admin.Sender: func() admin.Load { return admin.Load{Busy: 5, Capacity: 100, Accounts: &n} },
		}
	})
	if got := h.workers(); len(got) != 0 {
		t.Fatalf("%+v", got)
	}
	h.archive(3)
	if err := h.s.Heartbeat(t.Context()); err != nil {
		t.Fatal(err)
	}
	begun := h.clock.Now()
	list := h.workers()
	var kinds []admin.WorkerKind
	for _, w := range list {
		kinds = append(kinds, w.Kind)
		if w.Status != "ALIVE" || w.Version != "1.4.0" || w.Host == "" || !w.HeartbeatAt.Equal(begun) || w.StartedAt.After(begun) {
			t.Errorf("%+v", w)
		}
	}
	want := []admin.WorkerKind{admin.Sender, admin.Inbound, admin.AI, admin.Webhook, admin.Import, admin.Media, admin.Analysis, admin.Social, admin.Scheduler}
	if !slices.Equal(kinds, want) {
		t.Fatalf("%v", kinds)
	}
	if w := list[0]; w.Busy != 5 || w.Capacity != 108 || w.Accounts == nil || *w.Accounts != 7 {
		t.Errorf("%+v", w)
	}
	if w := list[4]; w.Failed != 3 || w.Processed != 0 || w.Capacity != 2 || w.Accounts != nil {
		t.Errorf("%+v", w)
	}

	// Another process over the same database: the first one was killed.
	next := admin.New(h.db, admin.Options{Orgs: h.orgs, Users: h.users, Accounts: h.accounts})
	for _, at := range []struct {
		after         time.Duration
		alive, listed int
	}{{0, 18, 18}, {59 * time.Second, 18, 18}, {time.Second, 9, 18}, {58 * time.Minute, 9, 18}, {time.Minute, 9, 9}} {
		h.clock.Add(at.after)
		if err := next.Heartbeat(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, alive := h.workers(), 0
		for _, w := range list {
			if w.Status == "ALIVE" {
				alive++
			}
		}
		if alive != at.alive || len(list) != at.listed {
			t.Errorf("at %s: %d of %d are alive, want %d of %d", h.clock.Now().Sub(begun), alive, len(list), at.alive, at.listed)
		}
		if n := h.boss.do("GET /admin/overview", nil).Want(200).Int("workers"); n != at.alive {
			t.Errorf("the overview counts %d", n)
		}
	}
}

// TestHeartbeats: the heart beats every 15 seconds while the service runs.
func TestHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := storetest.OpenWith(t, "", store.Options{Tables: tables(), Engine: kv.NewMemory()})
		s := admin.New(db, admin.Options{Orgs: org.New(db, nil, org.Options{})})
		begun := db.Now()
		want := func(n int, after time.Duration) {
			t.Helper()
			synctest.Wait()
			err := db.View(t.Context(), func(tx *store.Tx) error {
				beats, err := admin.Beats(tx)
				if len(beats) != n || n > 0 && beats[0].Sub(begun) != after {
					t.Errorf("at %s: %v", time.Since(begun), beats)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		want(9, 0)
		<-time.After(14 * time.Second)
		want(9, 0)
		<-time.After(2 * time.Second)
		want(9, 15*time.Second)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		want(0, 0)
	})
}
