package acceptance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAuditAnchors runs a server that anchors the ends of its audit chains in the log, in
// a file and at an address. Each of them proves later that the database was set back to
// an older copy, which it alone cannot show.
func TestAuditAnchors(t *testing.T) {
	t.Parallel()
	posted := make(chan string, 10)
	outside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		posted <- r.Header.Get("Content-Type") + " " + string(body)
	}))
	defer outside.Close()
	in := install(t)
	in.start()
	vera := in.signUp("vera", nil)
	org := vera.do("GET", "/organization", nil).want(200).text("id")
	in.stop()
	database := filepath.Join(in.data, "svc.db")
	before := contents(t, database)

	file := filepath.Join(t.TempDir(), "far", "anchors.jsonl")
	in.start()
	vera.do("POST", "/lists", map[string]any{"name": "One"}).want(201)
	in.stop()
	in.args = []string{"--audit-anchors", file, "--audit-anchor-url", outside.URL}
	in.start()
	got := ""
	wait(t, "the anchors at the address", func() bool {
		select {
		case got = <-posted:
		default:
		}
		return got != ""
	})
	if !strings.HasPrefix(got, `application/json {"anchors":[{"time":"`) || !strings.Contains(got, `"chain":"`+org+`"`) {
		t.Errorf("posted: %s", got)
	}
	wait(t, "the anchors in the file", func() bool { return strings.Contains(string(readable(file)), org) })
	in.stop()
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if out := in.must("audit", "verify", "--anchors", file); !strings.Contains(out, ", anchors: ") || strings.Contains(out, "BROKEN") {
		t.Errorf("%s", out)
	}
	if err := os.WriteFile(database, before, 0o600); err != nil {
		t.Fatal(err)
	}
	in.must("audit", "verify")
	if out := in.fails(t, "audit", "verify", "--anchors", file); !strings.Contains(out, org) || !strings.Contains(out, "so it was cut shorter or set back") {
		t.Errorf("%s", out)
	}
	if out := in.fails(t, "audit", "verify", "--anchors", database); !strings.Contains(out, "svc.db: ") {
		t.Errorf("%s", out)
	}
	if out := in.fails(t, "audit", "verify", "--anchors", "nowhere"); !strings.Contains(out, "the anchors cannot be read") {
		t.Errorf("%s", out)
	}
}

func readable(path string) []byte {
	b, _ := os.ReadFile(path)
	return b
}
