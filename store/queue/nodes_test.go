package queue_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/queue"
	"svc/store/storetest"
)

// TestNodeDies: a node dies with a job in hand, again and again. Another runs the job
// once it notices; after the sixth death the job is archived, because it may be the cause.
// What a worker finished before its node died stays done.
func TestNodeDies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := kv.NewMemory()
		const nodes = 8
		var gates []*kvtest.Gate
		var options []store.Options
		for range nodes {
			g := kvtest.NewGate(engine)
			gates = append(gates, g)
			options = append(options, store.Options{Tables: queue.Tables(), Engine: g})
		}
		dbs := storetest.Nodes(t, engine, options...)
		var mu sync.Mutex
		var ran []string
		var all sync.WaitGroup
		var onlooker *queue.Workers
		ctx, cancel := context.WithCancel(context.Background())
		for i, db := range dbs {
			w := queue.New(db, queue.Options{})
			queue.Register(w, func(ctx context.Context, j queue.Job, m mail) error {
				mu.Lock()
				ran = append(ran, fmt.Sprint(m.To, " ", i, " try ", j.Attempts))
				mu.Unlock()
				if m.To == "finished" {
					if err := db.Update(ctx, func(tx *store.Tx) error { return queue.Finish(tx, j) }); err != nil {
						t.Error(err)
					}
				}
				gates[i].Kill()
				<-ctx.Done()
				return nil
			})
			if i == nodes-1 {
				onlooker = w
				break
			}
			all.Go(func() { _ = w.Run(ctx) })
			synctest.Wait()
		}
		last := dbs[nodes-1]
		add := func(to string) (id string) {
			err := last.Update(t.Context(), func(tx *store.Tx) (err error) {
				id, err = queue.Add(tx, mail{To: to}, time.Time{})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		job := func(id string) (j queue.Job) {
			err := last.View(t.Context(), func(tx *store.Tx) (err error) {
				j, err = queue.Get(tx, id)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return j
		}
		finished := add("finished")
		<-time.After(time.Second)
		killer := add("killer")
		<-time.After(10 * time.Minute)
		all.Go(func() { _ = onlooker.Run(ctx) }) // all others are dead
		<-time.After(time.Minute)
		if j := job(finished); j.State != queue.Done || j.Interrupted != 0 || len(j.Slot.Claims) != 0 {
			t.Errorf("a finished job: %+v", j)
		}
		if j := job(killer); j.State != queue.Archived || j.Interrupted != 6 || !strings.Contains(j.LastError, "svc ended 6 times") {
			t.Errorf("%+v, ran %v", j, ran)
		}
		if len(ran) != 7 || slices.ContainsFunc(ran, func(s string) bool { return !strings.HasSuffix(s, "try 1") }) {
			t.Errorf("ran %v", ran)
		}
		for _, g := range gates {
			g.Open()
		}
		cancel()
		all.Wait()
	})
}

// letter is a mail that is needed.
type letter struct{ mail }

func (letter) Kind() string { return "test.letter" }

// TestNeeded: a job that is needed is not given up however often a node dies under it. It waits
// between its tries, and runs once where the node lives.
func TestNeeded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := kv.NewMemory()
		const deaths = 7
		var gates []*kvtest.Gate
		var options []store.Options
		for range deaths + 1 {
			g := kvtest.NewGate(engine)
			gates = append(gates, g)
			options = append(options, store.Options{Tables: queue.Tables(), Engine: g})
		}
		dbs := storetest.Nodes(t, engine, options...)
		ctx, cancel := context.WithCancel(context.Background())
		begun, done := make(chan time.Time, deaths), make(chan time.Time, 1)
		var all sync.WaitGroup
		var last *queue.Workers
		for i, db := range dbs {
			last = queue.New(db, queue.Options{})
			queue.Register(last, func(ctx context.Context, _ queue.Job, _ letter) error {
				if i == deaths {
					done <- time.Now()
					return nil
				}
				begun <- time.Now()
				gates[i].Kill()
				<-ctx.Done()
				return nil
			}, queue.Needed())
			if i < deaths {
				all.Go(func() { _ = last.Run(ctx) })
				synctest.Wait()
			}
		}
		db := dbs[deaths]
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			_, err := queue.Add(tx, letter{mail{To: "them"}}, time.Time{})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		<-time.After(20 * time.Minute)
		all.Go(func() { _ = last.Run(ctx) })
		<-time.After(20 * time.Minute)
		if len(begun) != deaths || len(done) != 1 {
			t.Errorf("%d tries ended with their node, %d were done; want %d and 1", len(begun), len(done), deaths)
		}
		for _, g := range gates {
			g.Open()
		}
		cancel()
		all.Wait()
	})
}

// TestMigration: jobs of a version without slots wait and run as they did; what was
// running counts as interrupted.
func TestMigration(t *testing.T) {
	path := t.TempDir() + "/old.db"
	old := store.NewTable("job", "tsk", func(j *map[string]any) string { return (*j)["id"].(string) }).Global()
	db := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{old}})
	now := db.Now()
	ids := map[string]string{}
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		for _, j := range []struct{ state, lane string }{{"pending", ""}, {"scheduled", ""}, {"active", ""}, {"done", ""}, {"pending", "a"}, {"retry", "a"}} {
			id := db.NewID("tsk")
			args, _ := json.Marshal(mail{To: j.state + j.lane})
			rec := map[string]any{"id": id, "queue": "send", "kind": "test.mail", "args": json.RawMessage(args), "state": j.state, "at": now.Add(-time.Minute), "due": now, "attempts": 1, "max_attempts": 10, "created_at": now}
			if j.lane != "" {
				rec["lane"], rec["front"] = j.lane, j.state == "pending"
			}
			if err := old.Insert(tx, store.Platform, &rec); err != nil {
				return err
			}
			ids[j.state+j.lane] = id
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	db = storetest.OpenWith(t, path, store.Options{Tables: queue.Tables(), Migrations: []store.Migration{queue.Migration}})
	w := queue.New(db, queue.Options{})
	ran := make(chan string, 10)
	queue.Register(w, func(_ context.Context, j queue.Job, m mail) error {
		ran <- fmt.Sprint(m.To, " ", j.Interrupted)
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	var got []string
	for range 5 {
		got = append(got, <-ran)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	slices.Sort(got)
	if want := []string{"active 1", "pending 0", "pendinga 0", "retrya 0", "scheduled 0"}; !slices.Equal(got, want) {
		t.Errorf("ran %v, want %v", got, want)
	}
}
