package hookclient

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/hook"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/setting"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

func tables() []store.AnyTable {
	return slices.Concat(hook.Tables(), event.Tables(), audit.Tables(), notify.Tables(), setting.Tables(), org.Tables(), queue.Tables())
}

// inbox is a receiver that counts how often each event came.
type inbox struct {
	mu   sync.Mutex
	seen map[string]int // by endpoint and event
	got  chan struct{}
}

func (i *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	i.mu.Lock()
	i.seen[r.URL.Path+" "+r.Header.Get("Webhook-Id")]++
	i.mu.Unlock()
	select {
	case i.got <- struct{}{}:
	default:
	}
}

// TestKilled kills a process that records events and delivers them, again and again.
// Every event whose transaction was durable arrives at both endpoints at least once,
// each has one delivery an endpoint, and the counts are right. SVC_TEST_KILLS says
// how often; 4 when it is not set.
func TestKilled(t *testing.T) {
	if path := os.Getenv("SVC_TEST_KILLED"); path != "" {
		victim(t, path, os.Getenv("SVC_TEST_ORG"))
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 4
	}
	in := &inbox{seen: map[string]int{}, got: make(chan struct{}, 1)}
	srv := httptest.NewServer(in)
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "killed.db")
	owner := prepare(t, path, srv.URL)
	recorded := map[string]bool{}
	for range kills {
		for _, id := range killOne(t, path, owner, 20+rand.IntN(400)) {
			recorded[id] = true
		}
		storetest.Close(t, storetest.OpenWith(t, path, store.Options{Tables: tables()}))
		if t.Failed() {
			t.FailNow()
		}
	}
	db := storetest.OpenWith(t, path, store.Options{Tables: tables()})
	all := finish(t, db, owner)
	doubled := check(t, in, all)
	for id := range recorded {
		if !slices.Contains(all, id) {
			t.Errorf("%s was recorded and is lost", id)
		}
	}
	t.Logf("%d kills, %d events to 2 endpoints, none lost, %d received more than once", kills, len(all), doubled)
}

// prepare makes an organization with two endpoints.
func prepare(t *testing.T, path, url string) (owner string) {
	t.Helper()
	db := storetest.OpenWith(t, path, store.Options{Tables: tables()})
	defer storetest.Close(t, db)
	owner = organization(t, db)
	api := apitest.New(t, db, hook.New(db, hook.Options{AllowPrivate: true}))
	api.Org = owner
	for _, at := range []string{"/a", "/b"} {
		api.Do("POST /webhooks", map[string]any{"url": url + at, "events": []string{"message.*"}}).Want(201)
	}
	return owner
}

func organization(t testing.TB, db *store.DB) (id string) {
	t.Helper()
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		o, err := org.Create(tx, api.System(t.Context(), "", db.Now()), org.Fields{Name: "Killed", Plan: org.Enterprise})
		id = o.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// killOne starts a victim, kills it after a number of acknowledged events, and
// answers them.
func killOne(t *testing.T, path, owner string, after int) (ids []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+path, "SVC_TEST_ORG="+owner)
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
		if id, ok := strings.CutSuffix(scan.Text(), " ok"); ok {
			if ids = append(ids, id); len(ids) == after {
				_ = cmd.Process.Kill()
			}
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(ids) < after {
		t.Fatalf("the victim ended after %d events, want %d", len(ids), after)
	}
	return ids
}

// victim records events and delivers them until it is killed.
func victim(t *testing.T, path, owner string) {
	db, err := store.Open(context.Background(), path, store.Options{Tables: tables(), KeyFile: filepath.Join(filepath.Dir(path), "master.key")})
	if err != nil {
		t.Fatal(err)
	}
	s := hook.New(db, hook.Options{Sender: New(Options{AllowPrivate: true}), AllowPrivate: true})
	go func() { _ = s.Run(context.Background()) }()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				var ids []string
				err := db.Update(context.Background(), func(tx *store.Tx) error {
					ids = nil
					for range 5 {
						err := event.Emit(tx, owner, event.MessageDelivered, map[string]any{}, func(e *event.Stored) { ids = append(ids, e.ID) })
						if err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = os.Stdout.WriteString(strings.Join(ids, " ok\n") + " ok\n")
			}
		})
	}
	all.Wait()
}

// finish delivers what is left and answers all events.
func finish(t *testing.T, db *store.DB, owner string) (all []string) {
	t.Helper()
	s := hook.New(db, hook.Options{Sender: New(Options{AllowPrivate: true}), AllowPrivate: true})
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	running, stop := context.WithCancel(ctx)
	go func() { ended <- s.Run(running) }()
	list := apitest.New(t, db, event.New(db))
	list.Org = owner
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for left := -1; left != 0; {
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatalf("%d events are not delivered", left)
		}
		left, all = undelivered(list)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	return all
}

// undelivered counts the events that did not succeed at both endpoints.
func undelivered(list *apitest.Server) (left int, all []string) {
	for offset, total := 0, 1; offset < total; offset += 500 {
		var page api.Page[event.Listed]
		list.Do(fmt.Sprintf("GET /events?limit=500&offset=%d", offset), nil).Want(200).Into(&page)
		for _, e := range page.Data {
			all = append(all, e.ID)
			if e.Deliveries != (event.Deliveries{Succeeded: 2}) {
				left++
			}
		}
		total = page.Total
	}
	return left, all
}

// check counts what arrived: everything, at both endpoints.
func check(t *testing.T, in *inbox, all []string) (doubled int) {
	t.Helper()
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, id := range all {
		for _, at := range []string{"/a ", "/b "} {
			switch n := in.seen[at+id]; {
			case n == 0:
				t.Errorf("%s did not arrive at%s", id, at)
			case n > 1:
				doubled++
			}
		}
	}
	if len(in.seen) != 2*len(all) {
		t.Errorf("%d arrived, want %d", len(in.seen), 2*len(all))
	}
	return doubled
}
