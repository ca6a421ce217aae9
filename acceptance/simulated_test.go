package acceptance

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// simulated is a messenger of a process of its own, which goes on when the server is
// killed, and writes down every message that it took.
type simulated struct {
	t         *testing.T
	dir, addr string
	stderr    *output
	cmd       *exec.Cmd
}

// startSimulator starts a simulator with scenes.
func startSimulator(t *testing.T, script string) *simulated {
	t.Helper()
	addr, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	s := &simulated{t: t, dir: t.TempDir(), addr: addr, stderr: &output{}}
	s.run(script)
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // it has nothing to lose any more
		_ = s.cmd.Wait()
		if t.Failed() {
			t.Logf("the simulator said:\n%s", tail(s.stderr.String()))
		}
	})
	wait(t, "the simulator to answer", func() bool {
		_, err := os.Stat(s.key())
		return err == nil
	})
	return s
}

// run starts the process with scenes.
func (s *simulated) run(script string) {
	s.t.Helper()
	scenes := filepath.Join(s.dir, "scenes.txt")
	if err := os.WriteFile(scenes, []byte(script), 0o600); err != nil {
		s.t.Fatal(err)
	}
	s.cmd = exec.Command("svc", "simulator", "--listen", s.addr, "--data", s.dir, "--script", scenes)
	s.cmd.Stdout, s.cmd.Stderr = s.stderr, s.stderr
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
}

func (s *simulated) key() string { return filepath.Join(s.dir, "simulator", "public.pem") }

// args are those of a server that uses the simulator.
func (s *simulated) args() []string {
	return []string{"--simulator", s.addr, "--simulator-key", s.key(), "--private-proxies"}
}

// taken is one message that the simulator took.
type taken struct {
	Account string    `json:"account"`
	Peer    int64     `json:"peer"`
	Random  int64     `json:"random_id"`
	At      time.Time `json:"at"`
}

// sent reads the simulator's own log. A line that is being written is left out.
func (s *simulated) sent() (all []taken) {
	s.t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, "simulator", "sent.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		s.t.Fatal(err)
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one taken
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			s.t.Fatalf("the log of the simulator: %v: %s", err, lines.Text())
		}
		all = append(all, one)
	}
	return all
}

// count is how many messages the simulator took.
func (s *simulated) count() int { return len(s.sent()) }

// administer makes a platform administrator, verified, who lets accounts write as fast
// as they can.
func (in *installation) administer() *caller {
	in.t.Helper()
	boss := in.signUp("olga", map[string]any{"setup_token": setupToken(in.t, in)})
	turnOnTwoFactor(boss)
	boss.do("PUT", "/admin/settings", map[string]any{
		"min_interval_seconds_floor": 0, "default_min_interval_seconds": 0, "max_daily_limit": 100_000, "default_daily_limit": 100_000,
	}).want(200)
	return boss
}

// acceptPolicy is what an organization does before it connects an account.
func (c *caller) acceptPolicy() {
	c.in.t.Helper()
	version := c.do("GET", "/organization", nil).want(200).text("policy_version")
	c.do("POST", "/organization/accept-policy", map[string]any{"policy_version": version}).want(200)
}

// connect signs in to an account; password is that of two-step verification, "" for
// none.
func (c *caller) connect(phone, password, proxy string) (id string) {
	c.in.t.Helper()
	body := map[string]any{"phone": phone}
	if proxy != "" {
		body["proxy_id"] = proxy
	}
	step := c.do("POST", "/accounts", body).want(201).says("state.step", "CODE_SENT")
	flow := "/accounts/login/" + step.text("state.flow_id")
	step = c.do("POST", flow+"/code", map[string]any{"code": "12345"}).want(200)
	if password != "" {
		step.says("state.step", "PASSWORD_REQUIRED")
		step = c.do("POST", flow+"/password", map[string]any{"password": password}).want(200)
	}
	return step.says("state.step", "COMPLETED").says("account.status", "ACTIVE").text("account.id")
}

// importDemo imports people that the simulator knows, with a consent.
func (c *caller) importDemo(n int) {
	c.in.t.Helper()
	records := make([]map[string]any, n)
	for i := range records {
		records[i] = map[string]any{"username": fmt.Sprint("demo_user_", i+1), "first_name": fmt.Sprint("Odam ", i+1)}
	}
	for len(records) > 0 { // a body has 2 MB
		part := records[:min(len(records), 10_000)]
		c.do("POST", "/recipients/import", map[string]any{"records": part, "default_consent": "OPTED_IN", "tags": []string{"everybody"}}).want(201)
		records = records[len(part):]
	}
}
