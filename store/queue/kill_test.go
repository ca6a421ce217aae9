package queue_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// effect is what a job leaves: one record, made with the job's end in one change.
type effect struct {
	ID  string   `json:"id"`
	Ran int      `json:"ran"`
	Tag []string `json:"tag"`
}

var (
	effects = store.NewTable("effect", "", func(e *effect) string { return e.ID }).Global()
	_       = effects.Facet("tag", func(e *effect) []string { return e.Tag })
	_       = effects.Unique("ran", func(e *effect) store.Key { return store.Text("effect of " + e.ID) })
)

// deed is a job that leaves an effect.
type deed struct {
	Effect string `json:"effect"`
}

func (deed) Kind() string      { return "test.deed" }
func (deed) Queue() queue.Name { return queue.Imports }

func killTables() []store.AnyTable { return append(queue.Tables(), effects) }

// TestKilled kills a process that writes, adds jobs, runs them and makes backups,
// again and again.
// Whatever it had acknowledged is there, each job had its effect exactly once, and
// the store passes its check after every kill. SVC_TEST_KILLS says how often; 4
// when it is not set.
func TestKilled(t *testing.T) {
	if path := os.Getenv("SVC_TEST_KILLED"); path != "" {
		victim(t, path)
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 4
	}
	path := filepath.Join(t.TempDir(), "killed.db")
	acknowledged := map[string]bool{}
	for round := range kills {
		for _, line := range killOne(t, path, 50+rand.IntN(400)) {
			acknowledged[line] = true
		}
		db := storetest.OpenWith(t, path, store.Options{Tables: killTables()})
		checkAcknowledged(t, db, acknowledged, false)
		if _, err := os.Stat(path + ".backup"); err == nil {
			if err := store.Verify(t.Context(), path+".backup", store.Options{Tables: killTables()}); err != nil {
				t.Errorf("the backup of a killed process: %v", err)
			}
		}
		storetest.Close(t, db)
		if t.Failed() {
			t.Fatalf("after kill %d", round+1)
		}
	}
	db := storetest.OpenWith(t, path, store.Options{Tables: killTables()})
	finishAll(t, db)
	checkAcknowledged(t, db, acknowledged, true)
	t.Logf("%d kills, %d acknowledged changes, none lost", kills, len(acknowledged))
}

// killOne starts a victim, kills it after a number of acknowledgements, and answers
// all it gave.
func killOne(t *testing.T, path string, after int) (lines []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	for scan.Scan() {
		line, ok := strings.CutSuffix(scan.Text(), " ok")
		if !ok {
			continue // the last line, cut by the kill
		}
		if lines = append(lines, line); len(lines) == after {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(lines) < after {
		t.Fatalf("the victim ended after %d acknowledgements, want %d", len(lines), after)
	}
	return lines
}

// victim writes until it is killed. It acknowledges what is durable.
func victim(t *testing.T, path string) {
	db, err := store.Open(context.Background(), path, store.Options{Tables: killTables()})
	if err != nil {
		t.Fatal(err)
	}
	w := newDoer(db)
	go func() { _ = w.Run(context.Background()) }()
	var all sync.WaitGroup
	all.Go(func() {
		for {
			if err := db.Backup(context.Background(), path+".backup"); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 8 {
		all.Go(func() {
			for {
				write, job := db.NewID("w"), db.NewID("j")
				err := db.Update(context.Background(), func(tx *store.Tx) error {
					if err := effects.Insert(tx, store.Platform, &effect{ID: write, Tag: []string{"write"}}); err != nil {
						return err
					}
					_, err := queue.Add(tx, deed{job}, time.Time{}, queue.InLane(job[len(job)-1:]))
					return err
				})
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = os.Stdout.WriteString(write + " ok\n" + job + " ok\n")
			}
		})
	}
	all.Wait()
}

// newDoer makes workers that do deeds. Insert fails when a deed is done twice.
func newDoer(db *store.DB) *queue.Workers {
	w := queue.New(db, queue.Options{Concurrency: map[queue.Name]int{queue.Imports: 16}})
	queue.Register(w, func(ctx context.Context, j queue.Job, d deed) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			if err := effects.Insert(tx, store.Platform, &effect{ID: d.Effect, Ran: 1, Tag: []string{"job"}}); err != nil {
				return queue.Drop(fmt.Errorf("done twice: %w", err))
			}
			return queue.Finish(tx, j)
		})
	})
	return w
}

func checkAcknowledged(t *testing.T, db *store.DB, acknowledged map[string]bool, jobs bool) {
	t.Helper()
	ids := slices.Sorted(maps.Keys(acknowledged))
	for chunk := range slices.Chunk(ids, 500) {
		err := db.View(t.Context(), func(tx *store.Tx) error {
			found, err := effects.GetMany(tx, store.Platform, chunk)
			for i, e := range found {
				if e == nil && (jobs || strings.HasPrefix(chunk[i], "w_")) {
					t.Errorf("%s was acknowledged and is lost", chunk[i])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	err := db.View(t.Context(), func(tx *store.Tx) error {
		list, n, err := queue.List(tx, queue.Imports, queue.Archived, 0, 10)
		if n > 0 {
			t.Errorf("%d jobs failed, for example %+v", n, list[0])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// finishAll runs what is left.
func finishAll(t *testing.T, db *store.DB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	wake, stop := db.Listen("queue")
	defer stop()
	ended := make(chan error, 1)
	running, stopRunning := context.WithCancel(ctx)
	go func() { ended <- newDoer(db).Run(running) }()
	for left := -1; left != 0; {
		err := db.View(ctx, func(tx *store.Tx) error {
			s, err := queue.StatsOf(tx, queue.Imports)
			left = s.Counts[queue.Pending] + s.Counts[queue.Scheduled] + s.Counts[queue.Retry] + s.Counts[queue.Active]
			return err
		})
		if err != nil {
			t.Fatalf("%d jobs left: %v", left, err)
		}
		if left > 0 {
			select {
			case <-wake:
			case <-ctx.Done():
			}
		}
	}
	stopRunning()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
