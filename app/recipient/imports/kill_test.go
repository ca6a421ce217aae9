package imports_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/event"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/recipienttest"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// killRows is how many rows an import of the kill test has: several transactions.
const killRows = 8000

// TestKilled kills a process in the middle of an import, and of opt-outs beside it,
// again and again. After every kill the import goes on and ends: every row is there
// once, the report counts each once, and no acknowledged opt-out is lost.
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
	db := storetest.OpenWith(t, path, store.Options{Tables: recipienttest.Tables()})
	orgID := recipienttest.NewOrg(t, db, org.Enterprise)
	storetest.Close(t, db)
	optedOut := map[string]bool{}
	for round := range kills {
		for _, id := range killOne(t, path, orgID, round, rand.IntN(60)) {
			optedOut[id] = true
		}
	}
	db = storetest.OpenWith(t, path, store.Options{Tables: recipienttest.Tables()})
	h := recipienttest.In(t, db, nil)
	h.Org = orgID
	h.Work().Idle()
	imports := h.Do("GET /recipient-imports?limit=500", nil).Want(200)
	saved := imports.Int("total")
	for i := range saved {
		at := fmt.Sprintf("data.%d.", i)
		if imports.String(at+"status") != "DONE" || imports.Int(at+"report.created") != killRows || imports.Int(at+"report.valid") != killRows {
			t.Errorf("import %d: %v", i, imports.At(strings.TrimSuffix(at, ".")))
		}
	}
	if n := h.Do("GET /recipients?source=JSON", nil).Want(200).Int("total"); n != saved*killRows {
		t.Errorf("%d recipients of %d imports, want %d", n, saved, saved*killRows)
	}
	if n := h.Do("GET /suppressions", nil).Want(200).Int("total"); n < len(optedOut) {
		t.Errorf("%d suppressions, %d opt-outs were acknowledged", n, len(optedOut))
	}
	for id := range optedOut {
		if a := h.Do("GET /recipients/"+id, nil).Want(200); a.String("consent_status") != "OPTED_OUT" {
			t.Errorf("an acknowledged opt-out is lost: %s", a.Body)
		}
	}
	ended := 0
	h.View(func(tx *store.Tx) error {
		for after := ""; ; {
			list, err := event.After(tx, orgID, after, 500)
			if err != nil || len(list) == 0 {
				return err
			}
			for _, e := range list {
				if e.Type == event.RecipientImported {
					ended++
				}
			}
			after = list[len(list)-1].ID
		}
	})
	if ended != saved {
		t.Errorf("%d events of %d imports", ended, saved)
	}
	t.Logf("%d kills, %d imports of %d rows, %d opt-outs", kills, saved, killRows, len(optedOut))
}

// killOne starts a victim, kills it after a number of acknowledged opt-outs, and
// answers whom they were of.
func killOne(t *testing.T, path, orgID string, round, after int) (out []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+path, "SVC_TEST_ORG="+orgID, "SVC_TEST_ROUND="+strconv.Itoa(round))
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(pipe); scan.Scan(); {
		id, ok := strings.CutPrefix(scan.Text(), "out ")
		if !ok || !strings.HasSuffix(id, " ok") {
			continue
		}
		if out = append(out, strings.TrimSuffix(id, " ok")); len(out) > after {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(out) <= after {
		t.Fatalf("the victim ended after %d opt-outs, want %d", len(out), after)
	}
	return out
}

// victim finishes the import of the one before it, begins its own and opts people
// out meanwhile, until it is killed.
func victim(t *testing.T, path string) {
	db, err := store.Open(context.Background(), path, store.Options{Tables: recipienttest.Tables(), KeyFile: filepath.Join(filepath.Dir(path), "master.key")})
	if err != nil {
		t.Fatal(err)
	}
	h := recipienttest.In(t, db, nil)
	h.Org = os.Getenv("SVC_TEST_ORG")
	round, _ := strconv.Atoi(os.Getenv("SVC_TEST_ROUND"))
	w := queue.New(db, queue.Options{})
	h.Register(w)
	go func() { _ = w.Run(context.Background()) }()
	h.Idle()
	go func() {
		var b strings.Builder
		b.WriteString("[")
		for i := range killRows {
			fmt.Fprintf(&b, `%s{"messenger_id":%d,"tags":["r%d"]}`, map[bool]string{true: ","}[i > 0], 1+round*killRows+i, round)
		}
		h.Upload(b.String()+"]", nil)
	}()
	for i := 0; ; i++ {
		id := ""
		err := db.Update(context.Background(), func(tx *store.Tx) error {
			c := api.System(context.Background(), h.Org, db.Now())
			_, err := recipient.OptOut(tx, c, h.Bus, field.Who{Username: fmt.Sprintf("nobody_%d_%d", round, i)}, field.ByLink)
			return err
		})
		if err == nil {
			a := h.Do("POST /recipients", map[string]any{"username": fmt.Sprintf("out_%d_%d", round, i)})
			id = a.String("id")
			h.Do("POST /recipients/"+id+"/opt-out", nil).Want(200)
		}
		if err != nil || id == "" {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("out " + id + " ok\n")
	}
}
