package execution_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/providers"
	"svc/ai/simulator"
	"svc/app/api/apitest"
	"svc/app/engine"
	"svc/app/engine/budget"
	"svc/app/engine/execution"
	"svc/store"
	"svc/store/coord"
	"svc/store/storetest"
)

// TestKilled kills a process in the middle of calls, again and again. Every execution that
// was begun ends, nothing stays reserved, and what is spent is the sum of the executions:
// no reservation leaks and no cost is lost. SVC_TEST_KILLS says how often; 1 when it is not
// set.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_KILLED"); dir != "" {
		victim(t, dir)
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 1
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "svc.db")
	db := storetest.OpenWith(t, path, store.Options{Tables: allTables()})
	org := newOrg(t, db)
	storetest.Close(t, db)
	known := map[string]bool{} // those that are not found yet
	acknowledged, interrupted := 0, 0
	for range kills {
		for _, id := range killOne(t, dir, org, 10+rand.IntN(40)) {
			known[id] = true
		}
		acknowledged += len(known)
		db := storetest.OpenWith(t, path, store.Options{Tables: allTables()})
		session, err := coord.Of(db).Enter(t.Context()) // which ends the nodes of the killed
		if err != nil {
			t.Fatal(err)
		}
		s := engine.New(db, engine.Options{Providers: providers.Over(simulator.New())})
		if err := s.Runs.RecoverEnded(t.Context()); err != nil {
			t.Fatal(err)
		}
		interrupted = checkSettled(t, db, org, known)
		session.Leave()
		storetest.Close(t, db)
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("%d kills, %d executions acknowledged, %d interrupted in a call", kills, acknowledged, interrupted)
}

// checkSettled proves the sums, and answers how many executions were interrupted.
func checkSettled(t *testing.T, db *store.DB, org string, known map[string]bool) (interrupted int) {
	t.Helper()
	var sum catalog.Nano
	var list []execution.Record
	err := db.View(t.Context(), func(tx *store.Tx) (err error) {
		list, err = execution.Records(tx, org)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		delete(known, e.ID)
		sum += e.Cost
		if e.Status == execution.Running || len(e.Lease) != 0 {
			t.Errorf("%s is %s with %d reserved", e.ID, e.Status, e.Lease.Total())
		}
		if e.Status == execution.Cancelled {
			interrupted++
		}
	}
	for id := range known {
		t.Errorf("%s was acknowledged and is lost", id)
	}
	err = db.View(t.Context(), func(tx *store.Tx) error {
		m, err := budget.MeterOf(tx, org, budget.Monthly, db.Now(), "")
		if err != nil {
			return err
		}
		if m.Reserved != 0 || m.Spent != sum {
			t.Errorf("spent %d and reserved %d, executions cost %d", m.Spent, m.Reserved, sum)
		}
		used, err := budget.Used(tx, org, db.Now().AddDate(0, 0, -2), db.Now().Add(time.Hour))
		if counted := catalog.FromUSD(used.CostUSD); counted != sum {
			t.Errorf("%d are counted, executions cost %d", counted, sum)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return interrupted
}

// killOne starts a victim, kills it a moment after a number of acknowledgements, and
// answers all it gave.
func killOne(t *testing.T, dir, org string, behind int) (lines []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+dir, "SVC_TEST_ORG="+org)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(out); scan.Scan(); {
		var id string
		if _, err := fmt.Sscanf(scan.Text(), "exe %s ok", &id); err != nil {
			continue
		}
		if lines = append(lines, id); len(lines) == behind {
			time.AfterFunc(time.Duration(rand.IntN(10_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(lines) < behind {
		t.Fatalf("the victim ended after %d executions, want %d", len(lines), behind)
	}
	return lines
}

// victim runs executions until it is killed. It acknowledges what is settled.
func victim(t *testing.T, dir string) {
	db, err := store.Open(context.Background(), filepath.Join(dir, "svc.db"), store.Options{Tables: allTables(), KeyFile: filepath.Join(dir, "master.key")})
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, db: db, sim: simulator.New()}
	w.s = engine.New(db, engine.Options{Providers: providers.Over(w.sim)})
	w.Server = apitest.New(t, db, w.s)
	w.Org = os.Getenv("SVC_TEST_ORG")
	w.play("slow 3ms", "400 code=policy text=odd times=1000000")
	if w.Do("GET /ai/providers", nil).Int("total") == 0 {
		w.provider(ai.OpenAI, "OpenAI")
		w.provider(ai.Anthropic, "Claude")
	}
	var printing sync.Mutex
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for {
				job := w.job()
				if i == 0 {
					job.Request.Messages[0].Text = "odd"
				}
				res, err := w.run(job)
				if err != nil && i != 0 {
					t.Error(err)
					return
				}
				if err == nil {
					printing.Lock()
					fmt.Printf("exe %s ok\n", res.ExecutionID)
					printing.Unlock()
				}
			}
		})
	}
	all.Wait()
}
