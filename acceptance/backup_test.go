package acceptance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBackupUnderLoad takes a backup while one organization imports and opts out, and
// restores it into another data folder with the same master key. Whatever another
// organization, which rests, was answered before, it is answered byte for byte; what
// was acknowledged before the backup began is in it.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.start()
	in.signUp("boss", map[string]any{"setup_token": setupToken(t, in)})
	rest := in.signUp("rest", nil)
	key := furnish(rest)
	before := answers(rest)

	load := in.signUp("load", nil)
	ctx, stop := context.WithCancel(t.Context())
	written := make(chan string, 10_000)
	var busy sync.WaitGroup
	for n := range 4 { // each has a key, for its rate
		key := load.newKey(fmt.Sprint("writer ", n))
		busy.Go(func() { writeOn(ctx, key, n, written) })
	}
	go func() {
		busy.Wait()
		close(written) // nobody waits for writers that gave up
	}()
	var acknowledged []string
	for range 50 {
		acknowledged = append(acknowledged, <-written)
	}
	file := filepath.Join(t.TempDir(), "backup.db")
	in.must("backup", file)
	for range len(written) + 1 { // it went on meanwhile, and does
		<-written
	}
	stop()
	for range written {
		continue // until the last of them ended
	}
	if diff := cmp.Diff(before, answers(rest)); diff != "" {
		t.Fatalf("the organization that rests did not (-before +now):\n%s", diff)
	}
	in.stop()

	other := install(t)
	moveIn(t, in, other)
	other.must("restore", file)
	other.start()
	rest.in, key.in, load.in = other, other, other
	if diff := cmp.Diff(before, answers(rest)); diff != "" {
		t.Errorf("the restored answers are others (-before +restored):\n%s", diff)
	}
	key.do("GET", "/recipients?limit=1", nil).want(200).says("total", resting)
	for _, id := range acknowledged {
		load.do("GET", "/recipients/"+id, nil).want(200).says("consent_status", "OPTED_OUT").says("suppressed", true)
	}
	other.auditIsWhole(4)
	other.stop()
	other.must("backup", "verify", file)
}

// resting is how many recipients the organization that rests has.
const resting = 1200

// furnish gives an organization something of every kind.
func furnish(c *caller) (key *caller) {
	c.in.t.Helper()
	records := make([]map[string]any, resting)
	for i := range records {
		records[i] = map[string]any{"messenger_id": 1 + i, "username": fmt.Sprint("resting_", i), "tags": []string{fmt.Sprint("t", i%7)}, "attributes": map[string]any{"n": i}}
	}
	c.do("POST", "/recipients/import", map[string]any{"records": records, "new_list_name": "Everybody", "default_consent": "OPTED_IN"}).want(201)
	c.do("POST", "/suppressions", map[string]any{"username": "resting_5", "reason": "asked"}).want(201)
	file := append([]byte("\x89PNG\r\n\x1a\n"), smallPicture...)
	attachment := c.do("POST", "/attachments", newForm(nil, "dot.png", file)).want(201).text("id")
	c.do("POST", "/templates", map[string]any{"name": "Hello", "text": "Салом {{first_name}} {{opt_out_url}}", "attachment_ids": []string{attachment}}).want(201)
	c.do("POST", "/invitations", map[string]any{"email": "later@example.uz", "role": "ANALYST"}).want(201)
	c.do("POST", "/webhooks", map[string]any{"url": "http://127.0.0.1:1/hook", "events": []string{"campaign.*"}}).want(201)
	return c.newKey("reader")
}

// smallPicture is what follows the signature of a PNG of one dot.
var smallPicture = []byte("\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82")

// answers are what an organization sees, by path.
func answers(c *caller) map[string]string {
	c.in.t.Helper()
	out := map[string]string{}
	attachment := c.do("GET", "/templates", nil).want(200).text("data.0.attachment_ids.0")
	webhook := c.do("GET", "/webhooks", nil).want(200).text("data.0.id")
	recipient := c.do("GET", "/recipients?q=resting_5", nil).want(200).text("data.0.id")
	for _, path := range []string{
		"/me", "/organization", "/organization/usage", "/dashboard", "/members", "/invitations", "/api-keys", "/audit-logs?limit=500",
		"/recipients?limit=500", "/recipients?limit=500&offset=500&sort=first_name", "/recipients?tag=t3&suppressed=false", "/recipients?format=csv",
		"/recipients/" + recipient, "/recipients/" + recipient + "/history", "/recipients/" + recipient + "/reachability", "/recipients/tags",
		"/recipient-imports", "/lists", "/suppressions", "/templates", "/attachments/" + attachment + "/content", "/events?limit=500",
		"/webhooks", "/webhooks/" + webhook + "/deliveries", "/notifications", "/me/sessions",
	} {
		r := c.do("GET", path, nil).want(200)
		out[path] = string(r.body)
	}
	for _, path := range []string{"/dashboard", "/recipients/" + recipient + "/reachability", "/organization/usage"} {
		out[path] = withoutNow.ReplaceAllString(out[path], "")
	}
	return out
}

// writeOn imports, makes people and opts them out until it is told to stop, and says
// whose opt-out was acknowledged.
func writeOn(ctx context.Context, c *caller, writer int, written chan<- string) {
	records := make([]map[string]any, 2000)
	for i := range records {
		records[i] = map[string]any{"username": fmt.Sprintf("load_%d_%d", writer, i)}
	}
	if writer == 0 {
		if r, err := c.try("POST", "/recipients/import", map[string]any{"records": records}); err != nil || r.status != 201 {
			c.in.t.Errorf("import: %v, %d: %s", err, r.status, r.body)
			return
		}
	}
	for i := 0; ctx.Err() == nil; i++ {
		made, err := c.try("POST", "/recipients", map[string]any{"username": fmt.Sprintf("one_%d_%d", writer, i)})
		if err == nil && made.status == http.StatusTooManyRequests {
			continue
		}
		id := ""
		if err == nil && made.status == 201 {
			id = made.text("id")
		}
		out, err := c.try("POST", "/recipients/"+id+"/opt-out", nil)
		switch {
		case err == nil && out.status == 200:
			written <- id
		case err != nil || out.status != http.StatusTooManyRequests:
			c.in.t.Errorf("opt-out of %q: %v, %d: %s", id, err, out.status, out.body)
			return
		}
	}
}

// moveIn gives an installation what a backup does not hold: the master key, which is
// kept apart, and the files, which never change.
func moveIn(t *testing.T, from, to *installation) {
	t.Helper()
	if err := os.MkdirAll(to.data, 0o700); err != nil {
		t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(from.data, "master.key"))
	if err == nil {
		err = os.WriteFile(filepath.Join(to.data, "master.key"), key, 0o600)
	}
	for _, kind := range []string{"files", "inbox"} {
		if err == nil {
			err = os.CopyFS(filepath.Join(to.data, kind), os.DirFS(filepath.Join(from.data, kind)))
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // there are none of that kind
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// withoutNow takes out what follows the clock and not the database.
var withoutNow = regexp.MustCompile(`"(checked_at|from|to)":"[^"]*"`)
