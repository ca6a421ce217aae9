package knowledge_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"svc/app/knowledge"
	"svc/app/vault"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// edition is a text of n chunks that all say which edition they are of.
func edition(number, chunks int) string {
	var b strings.Builder
	for i := range chunks {
		fmt.Fprintf(&b, "# Bo‘lim %d\nYetkazib berish sharti nashr%d, bo‘lim raqami %d.\n\n", i, number, i)
	}
	return b.String()
}

// editionOf is the edition that a chunk says it is of.
func editionOf(t testing.TB, text string) int {
	t.Helper()
	_, rest, ok := strings.Cut(text, "nashr")
	n, err := strconv.Atoi(rest[:max(0, strings.IndexByte(rest, ','))])
	if !ok || err != nil {
		t.Fatalf("no edition in %q", text)
	}
	return n
}

// TestSearchWhilePublishing is H 52: while new versions are published again and again, no
// search finds nothing, and none finds chunks of two versions, on whatever node.
func TestSearchWhilePublishing(t *testing.T) {
	w := newWorld(t, store.Options{}).work()
	b := w.business("Shop")
	id := w.add(map[string]any{"business_id": b, "type": "TEXT", "title": "Shartlar", "text": edition(1, 40)})
	w.ends(id, "READY")
	other := knowledge.New(w.db, knowledge.Options{Vault: vault.InFolder(t.TempDir(), w.db)}) // another index over the store
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	searches := make([]int, 4)
	for i := range searches {
		s := w.s
		if i%2 == 1 {
			s = other
		}
		wait.Go(func() {
			newest := 0
			for ctx.Err() == nil {
				hits, _, err := s.Find(context.Background(), knowledge.Query{Org: w.Org, Business: b, Text: "yetkazib berish sharti", Limit: 10}, nil)
				if err != nil || len(hits) == 0 {
					t.Errorf("search %d found %d chunks: %v", searches[i], len(hits), err)
					return
				}
				n := editionOf(t, hits[0].Text)
				for _, h := range hits {
					if editionOf(t, h.Text) != n || h.Version != hits[0].Version {
						t.Errorf("chunks of two versions: %d %q and %d %q", h.Version, h.Text, hits[0].Version, hits[0].Text)
						return
					}
				}
				if n < newest {
					t.Errorf("edition %d was found after %d", n, newest)
					return
				}
				newest = n
				searches[i]++
			}
		})
	}
	for n := 2; n <= 12; n++ {
		w.Do("PATCH /ai/knowledge/sources/"+id, map[string]any{"text": edition(n, 40)}).Want(200)
		w.ends(id, "READY")
		// What is published is found by the next search, on the other node too.
		hits, _, err := other.Find(t.Context(), knowledge.Query{Org: w.Org, Business: b, Text: "yetkazib berish sharti"}, nil)
		if err != nil || len(hits) == 0 || editionOf(t, hits[0].Text) != n {
			t.Fatalf("after edition %d: %+v, %v", n, hits, err)
		}
	}
	cancel()
	wait.Wait()
	t.Logf("searches: %v", searches)
}

// killedChunks is how many chunks a version of the kill test has: several transactions.
const killedChunks = 1200

// TestKilled kills a process while it ingests, again and again. After every kill a search
// finds a whole version, and in the end the last text is published.
// SVC_TEST_KILLS says how often; 3 when it is not set.
func TestKilled(t *testing.T) {
	if path := os.Getenv("SVC_TEST_KILLED"); path != "" {
		victim(t, path)
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 3
	}
	path := filepath.Join(t.TempDir(), "killed.db")
	db := storetest.OpenWith(t, path, store.Options{Tables: tables()})
	w := worldOver(t, db, t.TempDir())
	w.Org = newOrg(t, db)
	w.work()
	b := w.business("Shop")
	id := w.add(map[string]any{"business_id": b, "type": "TEXT", "title": "Shartlar", "text": edition(1, killedChunks)})
	w.ends(id, "READY")
	w.stop()
	storetest.Close(t, db)
	last, began := 1, 1
	for range kills {
		last, began = killOne(t, path, w.Org, id, max(last, began))
		db := storetest.OpenWith(t, path, store.Options{Tables: tables()})
		x := worldOver(t, db, t.TempDir())
		x.Org = w.Org
		a := x.Do("GET /ai/knowledge/sources/"+id, nil).Want(200)
		if n := a.Int("chunks_count"); n != killedChunks {
			t.Errorf("%d chunks are published, %d were ingested: %s", n, killedChunks, a.String("status"))
		}
		for i := 0; i < killedChunks; i += 97 {
			hits, _ := x.find(b, fmt.Sprintf("Bo‘lim raqami %d", i))
			if len(hits) == 0 || hits[0].Version != a.Int("published_version") {
				t.Errorf("part %d was not found: %+v", i, hits)
			}
		}
		storetest.Close(t, db)
	}
	db = storetest.OpenWith(t, path, store.Options{Tables: tables()})
	x := worldOver(t, db, t.TempDir())
	x.Org = w.Org
	x.work()
	a := x.ends(id, "READY")
	if got := editionOf(t, a.String("chunks.0.text")); got < last || got > began {
		t.Errorf("edition %d is published, %d was saved and %d began to be", got, last, began)
	}
	t.Logf("%d kills, %d editions", kills, last)
}

// killOne starts a victim and kills it a while after it has saved a new edition, whose number
// it answers, with that of the edition that it began to save: it may have been killed between
// saving one and telling.
func killOne(t *testing.T, path, orgID, id string, last int) (saved, began int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+path, "SVC_TEST_ORG="+orgID, "SVC_TEST_SOURCE="+id, "SVC_TEST_EDITION="+strconv.Itoa(last))
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begun := last
	for scan := bufio.NewScanner(pipe); scan.Scan(); {
		if n, err := strconv.Atoi(strings.TrimPrefix(scan.Text(), "saving ")); err == nil {
			began = n
		}
		n, err := strconv.Atoi(strings.TrimPrefix(scan.Text(), "saved "))
		if err != nil {
			continue
		}
		if last = n; last > begun+1 {
			time.AfterFunc(time.Duration(last*37%100)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: it says so
	if last == begun {
		t.Fatal("the victim saved nothing")
	}
	return last, max(began, last)
}

// victim saves edition after edition, each when the one before is published, until it is
// killed.
func victim(t *testing.T, path string) {
	db, err := store.Open(context.Background(), path, store.Options{Tables: tables(), KeyFile: filepath.Join(filepath.Dir(path), "master.key")})
	if err != nil {
		t.Fatal(err)
	}
	w := worldOver(t, db, filepath.Dir(path))
	w.Org = os.Getenv("SVC_TEST_ORG")
	q := queue.New(db, queue.Options{})
	w.s.Work(q)
	go func() { _ = q.Run(context.Background()) }()
	id := os.Getenv("SVC_TEST_SOURCE")
	n, _ := strconv.Atoi(os.Getenv("SVC_TEST_EDITION"))
	for {
		n++
		fmt.Printf("saving %d\n", n)
		w.Do("PATCH /ai/knowledge/sources/"+id, map[string]any{"text": edition(n, killedChunks)}).Want(200)
		fmt.Printf("saved %d\n", n)
		w.ends(id, "READY")
	}
}
