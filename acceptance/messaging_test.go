package acceptance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// installation is the real program with a data folder of its own: started, killed
// and started again, and asked by its commands.
type installation struct {
	t    testing.TB
	data string
	addr string
	args []string // of svc serve, beside those of every installation
	name string   // of the command: "svc"

	cmd    *exec.Cmd
	ended  chan struct{} // closed when the process is gone
	stdout *output
	stderr *output
}

// output is what a process wrote so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// install makes a data folder; nothing runs yet.
func install(t testing.TB) *installation {
	t.Helper()
	addr, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	in := &installation{t: t, data: filepath.Join(t.TempDir(), "data"), addr: addr, name: "svc"}
	t.Cleanup(func() {
		if in.cmd != nil {
			in.kill()
		}
		if t.Failed() && in.stderr != nil {
			t.Logf("the server said:\n%s", tail(in.stderr.String()))
		}
	})
	return in
}

func tail(s string) string {
	const most = 12000
	if len(s) > most {
		return "…" + s[len(s)-most:]
	}
	return s
}

// start starts the server and waits until it answers.
func (in *installation) start() {
	in.t.Helper()
	in.stdout, in.stderr, in.ended = &output{}, &output{}, make(chan struct{})
	args := append([]string{"serve", "--listen", in.addr, "--data", in.data, "--private-webhooks", "--trusted-proxies", "127.0.0.1", "--photos=false"}, in.args...)
	in.cmd = exec.Command(in.name, args...)
	in.cmd.Stdout, in.cmd.Stderr = in.stdout, in.stderr
	if err := in.cmd.Start(); err != nil {
		in.t.Fatal(err)
	}
	go func(cmd *exec.Cmd, ended chan struct{}) {
		_ = cmd.Wait() // how it ended is asked where it matters
		close(ended)
	}(in.cmd, in.ended)
	wait(in.t, "the server to answer", func() bool {
		select {
		case <-in.ended:
			in.t.Fatalf("the server ended: %s", in.stderr)
		default:
		}
		resp, err := http.Get("http://" + in.addr + "/health")
		if err != nil {
			return false
		}
		return resp.Body.Close() == nil
	})
}

// kill ends the server as a power cut would (kill -9).
func (in *installation) kill() {
	_ = in.cmd.Process.Kill() // it may be gone already
	<-in.ended
	in.cmd = nil
}

// stop ends the server as an administrator would; it must end well.
func (in *installation) stop() {
	in.t.Helper()
	if err := in.cmd.Process.Signal(os.Interrupt); err != nil {
		in.t.Fatal(err)
	}
	select {
	case <-in.ended:
	case <-time.After(patience):
		in.t.Fatalf("the server did not stop within %v", patience)
	}
	if code := in.cmd.ProcessState.ExitCode(); code != 0 {
		in.t.Errorf("the server ended with %d: %s", code, tail(in.stderr.String()))
	}
	in.cmd = nil
}

// svc runs a command over the data folder.
func (in *installation) svc(args ...string) (string, error) {
	out, err := exec.Command("svc", append(args, "--data", in.data)...).CombinedOutput()
	return string(out), err
}

// must is a command that has to go well.
func (in *installation) must(args ...string) string {
	in.t.Helper()
	out, err := in.svc(args...)
	if err != nil {
		in.t.Fatalf("svc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// auditIsWhole asks svc audit verify, which names the chains that it proved.
func (in *installation) auditIsWhole(chains int) {
	in.t.Helper()
	out := in.must("audit", "verify")
	if n := strings.Count(out, "whole, entries: "); n != chains || strings.Contains(out, "BROKEN") {
		in.t.Errorf("svc audit verify proved %d chains, want %d:\n%s", n, chains, out)
	}
}

// wait tries f, with short waits that end when the bound is reached.
func wait(t testing.TB, what string, f func() bool) {
	t.Helper()
	waitFor(t, patience, what, f)
}

func waitFor(t testing.TB, bound time.Duration, what string, f func() bool) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	end := time.After(bound)
	for !f() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("waited %v for %s", bound, what)
		}
	}
}

// at is the same person, who asks another server.
func (c *caller) at(in *installation) *caller {
	other := *c
	other.in = in
	return &other
}

// caller is somebody who calls the API: a person with a cookie, a program with a
// key, or a stranger from an address of his own.
type caller struct {
	in          *installation
	cookie, key string
	from        string // in X-Forwarded-For
}

// reply is an answer of the API.
type reply struct {
	t      testing.TB
	asked  string
	status int
	header http.Header
	body   []byte
}

// try makes a request with a JSON body, a form (the type in the key "") or none.
// The error is that of a server that is gone.
func (c *caller) try(method, path string, body any) (reply, error) {
	r := reply{t: c.in.t, asked: method + " " + path}
	var content []byte
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case form:
		kind, content = b.kind, b.content
	default:
		var err error
		if content, err = json.Marshal(body); err != nil {
			return r, err
		}
	}
	if !strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/o/") {
		path = "/api/v1" + path
	}
	req, err := http.NewRequest(method, "http://"+c.in.addr+path, bytes.NewReader(content))
	if err != nil {
		return r, err
	}
	if content != nil {
		req.Header.Set("Content-Type", kind)
	}
	req.Header.Set("Accept", "application/json")
	if c.cookie != "" {
		req.Header.Set("Cookie", c.cookie)
		req.Header.Set("Origin", "http://"+c.in.addr)
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	if c.from != "" {
		req.Header.Set("X-Forwarded-For", c.from)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return r, err
	}
	defer resp.Body.Close()
	r.status, r.header = resp.StatusCode, resp.Header
	r.body, err = io.ReadAll(resp.Body)
	return r, err
}

// do is try with a server that must be there.
func (c *caller) do(method, path string, body any) reply {
	c.in.t.Helper()
	for {
		r, err := c.try(method, path, body)
		if err != nil {
			c.in.t.Fatal(err)
		}
		if r.status != http.StatusTooManyRequests {
			return r
		}
		seconds, _ := strconv.Atoi(r.header.Get("Retry-After"))
		<-time.After(time.Duration(max(1, seconds)) * time.Second) // as every client must
	}
}

// want insists on a status.
func (r reply) want(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("%s: %d, want %d: %s", r.asked, r.status, status, tail(string(r.body)))
	}
	return r
}

// into reads the answer.
func (r reply) into(v any) {
	r.t.Helper()
	if err := json.Unmarshal(r.body, v); err != nil {
		r.t.Fatalf("%s: %v: %s", r.asked, err, tail(string(r.body)))
	}
}

// at is the value at a path such as data.0.id, nil for none.
func (r reply) at(path string) any {
	r.t.Helper()
	var v any
	r.into(&v)
	for part := range strings.SplitSeq(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

func (r reply) text(path string) string { s, _ := r.at(path).(string); return s }
func (r reply) int(path string) int     { n, _ := r.at(path).(float64); return int(n) }

// says insists on a value, as it is printed.
func (r reply) says(path string, want any) reply {
	r.t.Helper()
	if got := r.at(path); fmt.Sprint(got) != fmt.Sprint(want) {
		r.t.Errorf("%s: %s is %v, want %v", r.asked, path, got, want)
	}
	return r
}

// signs in with the cookie of an answer.
func (c *caller) signedIn(r reply) {
	c.in.t.Helper()
	for _, cookie := range (&http.Response{Header: r.header}).Cookies() {
		if cookie.Name == "svc_session" && cookie.Value != "" {
			c.cookie = "svc_session=" + cookie.Value
			return
		}
	}
	c.in.t.Fatalf("%s set no session cookie", r.asked)
}

// signUp makes a person with an organization.
func (in *installation) signUp(name string, more map[string]any) *caller {
	in.t.Helper()
	body := map[string]any{
		"name": name, "email": name + "@example.uz", "password": password, "organization_name": "House of " + name, "timezone": "Asia/Tashkent",
	}
	for k, v := range more {
		body[k] = v
	}
	c := &caller{in: in}
	c.signedIn(c.do("POST", "/auth/signup", body).want(201))
	// These tests run on the clock of the machine, where it may be night.
	c.do("PATCH", "/organization", map[string]any{"default_sending_window": nil}).want(200)
	return c
}

const password = "correct horse battery"

// newKey makes an API key of the caller's organization.
func (c *caller) newKey(name string) *caller {
	c.in.t.Helper()
	return &caller{in: c.in, key: c.do("POST", "/api-keys", map[string]any{"name": name}).want(201).text("key")}
}
