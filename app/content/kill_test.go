package content_test

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
	"time"

	"svc/app/api/apitest"
	"svc/app/content"
	"svc/app/vault"
	"svc/store"
	"svc/store/storetest"
)

// TestKilled kills a process that uploads and removes files, again and again.
// Whatever it had acknowledged can be read, what it had not left nothing behind
// once the folder was cleaned, and the store passes its check. SVC_TEST_KILLS says
// how often; 3 when it is not set.
func TestKilled(t *testing.T) {
	if dir := os.Getenv("SVC_TEST_KILLED"); dir != "" {
		victim(t, dir)
		return
	}
	kills, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS"))
	if err != nil {
		kills = 3
	}
	dir := t.TempDir()
	acknowledged := map[string]string{} // attachment to organization
	partial := 0
	for range kills {
		for _, line := range killOne(t, dir, 5+rand.IntN(30)) {
			org, id, _ := strings.Cut(line, " ")
			acknowledged[id] = org
		}
		h := &harness{dir: filepath.Join(dir, "files")}
		h.db = storetest.OpenWith(t, filepath.Join(dir, "svc.db"), store.Options{Tables: tables()})
		h.s = content.New(h.db, content.Options{Vault: vault.InFolder(h.dir, h.db)})
		h.Server = apitest.New(t, h.db, h.s)
		before := len(h.onDisk())
		h.clean()
		partial += before - len(h.onDisk())
		for id, org := range acknowledged {
			a, r, err := h.s.Open(t.Context(), org, id)
			if err != nil {
				t.Fatalf("%s: %v", id, err)
			}
			if n := len(readAll(t, r)); int64(n) != a.SizeBytes {
				t.Errorf("%s has %d bytes, want %d", id, n, a.SizeBytes)
			}
		}
		storetest.Close(t, h.db)
	}
	if len(acknowledged) < 5*kills {
		t.Fatalf("only %d uploads in %d kills", len(acknowledged), kills)
	}
	t.Logf("%d kills, %d uploads, none lost; %d files of unfinished ones removed", kills, len(acknowledged), partial)
}

func readAll(t *testing.T, r interface {
	Read([]byte) (int, error)
	Close() error
},
) []byte {
	t.Helper()
	defer r.Close()
	var out []byte
	buffer := make([]byte, 1<<16)
	for {
		n, err := r.Read(buffer)
		out = append(out, buffer[:n]...)
		if err != nil {
			if err.Error() != "EOF" {
				t.Error(err)
			}
			return out
		}
	}
}

// killOne starts a victim, kills it a moment after a number of acknowledgements, and
// answers all it gave.
func killOne(t *testing.T, dir string, after int) (lines []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	cmd.Env = append(os.Environ(), "SVC_TEST_KILLED="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for scan := bufio.NewScanner(out); scan.Scan(); {
		line, ok := strings.CutSuffix(scan.Text(), " ok")
		if !ok {
			continue
		}
		if lines = append(lines, line); len(lines) == after {
			time.AfterFunc(time.Duration(rand.IntN(5_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed: it says so
	if len(lines) < after {
		t.Fatalf("the victim ended after %d acknowledgements, want %d", len(lines), after)
	}
	return lines
}

// victim uploads until it is killed. It acknowledges what is durable.
func victim(t *testing.T, dir string) {
	db, err := store.Open(context.Background(), filepath.Join(dir, "svc.db"), store.Options{Tables: tables(), KeyFile: filepath.Join(dir, "master.key")})
	if err != nil {
		t.Fatal(err)
	}
	h := &harness{db: db, s: content.New(db, content.Options{Vault: vault.InFolder(filepath.Join(dir, "files"), db)})}
	h.Server = apitest.New(t, db, h.s)
	h.Org = h.organization("Bazaar")
	go func() {
		for t.Context().Err() == nil {
			h.clean()
		}
	}()
	r := rand.New(rand.NewPCG(uint64(os.Getpid()), 1))
	for {
		b := make([]byte, 1+r.IntN(300_000))
		for i := range b {
			b[i] = byte(r.Uint32() | 1)
		}
		b[0] = 0 // no text, no program
		fmt.Printf("%s %s ok\n", h.Org, h.uploaded("a.data", b))
	}
}
