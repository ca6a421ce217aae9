package acceptance

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A stop with open streams (contract 21.3, Stopping).
const (
	stopStreams = 500
	stopTarget  = 3 * time.Second
	stopMetered = 50 // map requests before the stop, each of which must be counted
	// What one organization and one key may have open (contract 1.3).
	streamsOfOrg, streamsOfKey = 50, 5
)

// TestStoppingWithOpenStreams ends the real server with 500 open streams: soon, with
// success, with a last word on each stream, and with every metered request counted.
func TestStoppingWithOpenStreams(t *testing.T) {
	s := newStop(t)
	took := s.stop(t)
	t.Logf("%d streams: stopped after %v", stopStreams, took)
	if took > stopTarget {
		t.Errorf("the stop took %v, more than %v", took, stopTarget)
	}
	s.streamsWereTold(t)
	s.everythingIsCounted(t)
}

// BenchmarkStop measures such a stop.
func BenchmarkStop(b *testing.B) {
	var took time.Duration
	for b.Loop() {
		s := newStop(b)
		took = max(took, s.stop(b))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took.Seconds()*1000, "stop-ms")
	b.ReportMetric(stopTarget.Seconds()*1000, "stop-target-ms")
}

// stopped is a server with open streams that is about to be stopped.
type stopped struct {
	dir, addr, key string
	cmd            *exec.Cmd
	said           *output
	streams        sync.WaitGroup
	mu             sync.Mutex
	last           []string // words of each stream
}

// newStop starts the program with a key file and a usage file, asks the map
// and opens the streams.
func newStop(t testing.TB) *stopped {
	t.Helper()
	addr, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	s := &stopped{dir: t.TempDir(), addr: addr, said: &output{}}
	added, err := exec.Command("svc", "keys", "add", "site", "--rate", "100000", "--keys", s.file("keys.json")).Output()
	if err != nil {
		t.Fatalf("svc keys add: %v", err)
	}
	s.key = strings.TrimSpace(strings.Split(string(added), "\n")[0])
	s.cmd = exec.Command("svc", "serve", "--listen", addr, "--data", s.file("data"), "--photos=false", "--trusted-proxies", "127.0.0.1",
		"--keys", s.file("keys.json"), "--usage", s.file("usage.db"), "--usage-flush", "1h")
	s.cmd.Stdout, s.cmd.Stderr = s.said, s.said
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // it has ended, when all went well
		s.streams.Wait()
		if t.Failed() {
			t.Logf("the server said:\n%s", tail(s.said.String()))
		}
	})
	s.untilItAnswers(t)
	for range stopMetered {
		resp, err := http.Get("http://" + s.addr + "/api/search?q=x&key=" + s.key)
		if err != nil {
			t.Fatal(err)
		}
		if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusServiceUnavailable { // there is no map
			t.Fatalf("status %d, %v", resp.StatusCode, err)
		}
	}
	for person := range stopStreams / streamsOfOrg {
		s.open(t, person)
	}
	return s
}

func (s *stopped) file(name string) string { return filepath.Join(s.dir, name) }

func (s *stopped) untilItAnswers(t testing.TB) {
	t.Helper()
	end := time.Now().Add(patience)
	for {
		resp, err := http.Get("http://" + s.addr + "/health")
		if err == nil {
			_ = resp.Body.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatalf("no answer within %v: %s", patience, s.said)
		}
	}
}

// open makes a person with an organization and keys, and opens every stream that they
// may have.
func (s *stopped) open(t testing.TB, person int) {
	t.Helper()
	from := fmt.Sprintf("192.0.2.%d", person+1)
	name := fmt.Sprintf("person%d", person)
	body := fmt.Sprintf(`{"email":"%s@example.uz","password":"%s","organization_name":"House of %s"}`, name, password, name)
	up := s.post(t, "/auth/signup", body, "X-Forwarded-For", from)
	cookie := up.cookie
	for n := range streamsOfOrg / streamsOfKey {
		key := s.post(t, "/api-keys", fmt.Sprintf(`{"name":"key %d"}`, n), "Cookie", cookie, "Origin", "http://"+s.addr).field("key")
		for range streamsOfKey {
			s.follow(t, key)
		}
	}
}

type posted struct{ body, cookie string }

func (p posted) field(name string) string {
	_, rest, _ := strings.Cut(p.body, `"`+name+`":"`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

func (s *stopped) post(t testing.TB, path, body string, headers ...string) (p posted) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, "http://"+s.addr+"/api/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("POST %s: %d, %v: %s", path, resp.StatusCode, err, all)
	}
	p.body = string(all)
	for _, c := range resp.Cookies() {
		p.cookie = c.Name + "=" + c.Value
	}
	return p
}

// follow opens one stream, and remembers its last words when it ends.
func (s *stopped) follow(t testing.TB, key string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, "http://"+s.addr+"/api/v1/events/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(resp.Body)
	if first, err := lines.ReadString('\n'); err != nil || resp.StatusCode != http.StatusOK || !strings.HasPrefix(first, "retry: ") {
		t.Fatalf("a stream: %d, %q, %v", resp.StatusCode, first, err)
	}
	s.streams.Go(func() {
		defer resp.Body.Close()
		rest, err := io.ReadAll(lines)
		words := strings.Split(strings.TrimSpace(string(rest)), "\n")
		said := words[len(words)-1]
		if err != nil {
			said = err.Error()
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.last = append(s.last, said)
	})
}

// stop ends the server and says how long that took; it must end well.
func (s *stopped) stop(t testing.TB) time.Duration {
	t.Helper()
	begin := time.Now()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := s.cmd.Wait()
	took := time.Since(begin)
	if err != nil {
		t.Errorf("the server ended with %v", err)
	}
	return took
}

func (s *stopped) streamsWereTold(t testing.TB) {
	t.Helper()
	s.streams.Wait()
	told := 0
	for _, words := range s.last {
		if strings.HasPrefix(words, "retry: ") {
			told++
		}
	}
	if told != stopStreams {
		t.Errorf("%d of %d streams were told when to come back; the first ended with %q", told, stopStreams, s.last[0])
	}
}

// everythingIsCounted reads the usage file with a server that is started again.
func (s *stopped) everythingIsCounted(t testing.TB) {
	t.Helper()
	s.cmd = exec.Command("svc", "serve", "--listen", s.addr, "--messaging=false", "--photos=false", "--keys", s.file("keys.json"), "--usage", s.file("usage.db"))
	s.cmd.Stdout, s.cmd.Stderr = s.said, s.said
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.untilItAnswers(t)
	resp, err := http.Get("http://" + s.addr + "/api/usage?key=" + s.key)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if want := fmt.Sprintf(`"requests":%d`, stopMetered); err != nil || !strings.Contains(string(body), want) {
		t.Errorf("of %d requests: %v: %s", stopMetered, err, body)
	}
	s.stop(t)
}
