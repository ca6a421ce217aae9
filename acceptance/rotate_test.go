package acceptance

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sealedAgain: two files, or fewer when the kill came after the process before had sealed them.
var sealedAgain = regexp.MustCompile(`\b[012] files? (was|were) sealed again`)

// TestRotateMaster rotates the master key of an installation that has something of every
// kind, and kills it at work. Afterwards everything is answered as before with the new key
// alone, audit chains and tokens too; the database has neither the address of a webhook
// nor the user of a proxy in its bytes (contract 21.3, Keys).
func TestRotateMaster(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.args = []string{"--private-proxies"}
	in.start()
	boss := in.signUp("boss", map[string]any{"setup_token": setupToken(t, in)})
	key := furnish(boss)
	boss.do("POST", "/webhooks", map[string]any{"url": "http://127.0.0.1:1/services/T0K3N-of-a-hook", "events": []string{"campaign.completed"}}).want(201)
	boss.do("POST", "/proxies/import", map[string]any{"text": "socks5://user-of-a-proxy:passw@127.0.0.1:1"}).want(200)
	// Its check is over: nothing changes by itself any more.
	wait(t, "the check of the proxy", func() bool {
		return boss.do("GET", "/proxies?status=UNREACHABLE", nil).want(200).at("total") == float64(1)
	})
	all := func() map[string]string {
		out := answers(boss)
		delete(out, "/me/sessions") // says when it was used
		return out
	}
	before := all()
	if out := in.fails(t, "keys", "rotate-master", "--data", in.data); !strings.Contains(out, "stop it first") {
		t.Errorf("while the server runs: %s", out)
	}
	in.stop()

	killAt(t, "sealing again: new keys", "keys", "rotate-master", "--data", in.data)
	// The second kill may come too late: the command was done, and another begins anew.
	const tries = 50
	for try := 1; ; try++ {
		killAt(t, "sealing again: files", "keys", "rotate-master", "--data", in.data)
		if _, err := os.Stat(filepath.Join(in.data, "master.key.before-rotation")); err == nil {
			break
		}
		done, err := filepath.Glob(filepath.Join(in.data, "master.key.retired-*"))
		if err != nil || len(done) != 1 || try == tries {
			t.Fatalf("killed %d times, the old key is not kept while the rotation is not finished: %v, %v", try, done, err)
		}
		if err := os.Remove(done[0]); err != nil {
			t.Fatal(err)
		}
	}
	in.start() // in the middle of a rotation
	if diff := cmp.Diff(before, all()); diff != "" {
		t.Errorf("in the middle of a rotation (-before +now):\n%s", diff)
	}
	in.stop()
	out := in.must("keys", "rotate-master", "--data", in.data)
	old, err := filepath.Glob(filepath.Join(in.data, "master.key.*"))
	if err != nil || len(old) != 1 || !strings.Contains(out, old[0]+" is the old key") || !sealedAgain.MatchString(out) {
		t.Fatalf("%v, %v: %s", old, err, out)
	}
	if err := os.Remove(old[0]); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(in.data, "svc.db"))
	for _, secret := range []string{"T0K3N", "user-of-a-proxy"} {
		if err != nil || bytes.Contains(b, []byte(secret)) {
			t.Errorf("the database has %s in its bytes (%v)", secret, err)
		}
	}
	in.start()
	if diff := cmp.Diff(before, all()); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
	key.do("GET", "/recipients?limit=1", nil).want(200).says("total", resting)
	in.auditIsWhole(2)
	in.stop()
}

// killAt runs a command and kills it the moment it wrote a line.
func killAt(t *testing.T, line string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "svc", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	said := false
	for scan := bufio.NewScanner(out); scan.Scan(); {
		if scan.Text() == line {
			said = true
			_ = cmd.Process.Kill() // it may be done
		}
	}
	_ = cmd.Wait() // killed: it says so
	if !said {
		t.Errorf("svc %v did not say %q", args, line)
	}
}
