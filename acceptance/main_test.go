package acceptance

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"svc/geo/osm/osmtest"
	"svc/store/kv/postgres/pgtest"
	"svc/web/wiring"
)

// TestMain lets the scripts run this test binary as the command svc.
func TestMain(m *testing.M) {
	testscript.Main(withPostgres{m}, map[string]func(){
		"svc":     func() { os.Exit(wiring.Main("")) },
		clockFast: func() { os.Exit(wiring.MainAt(func() time.Time { return time.Now().Add(5 * time.Minute) })) },
	})
}

// clockFast is svc on a machine whose clock is five minutes ahead.
const clockFast = "svc-ahead"

// withPostgres ends the PostgreSQL server that tests started.
type withPostgres struct{ *testing.M }

// Run implements testscript.TestingM.
func (m withPostgres) Run() int {
	defer pgtest.Stop()
	return m.M.Run()
}

// TestScripts runs testdata/script/*.txtar: the real program, as a process.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv("DELAWARE", osmtest.Delaware(t))
			for _, name := range []string{"ADDR", "METRICS"} {
				addr, err := freeAddress()
				if err != nil {
					return err
				}
				e.Setenv(name, addr)
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"ready":  ready,
			"fetch":  fetch,
			"poll":   poll,
			"signal": signalServer,
			"newer":  newer,
			"cut":    cut,
		},
		RequireUniqueNames: true,
	})
}

// ports counts up, so that no two tests are given the same; two runs begin elsewhere.
var (
	ports     atomic.Uint32
	firstPort = rand.Uint32N(10_000)
)

// freeAddress is an address that nobody listens on. It lies below the ports from which
// the system takes those of outgoing connections: one of them would have it by the time
// that it is listened on.
func freeAddress() (addr string, err error) {
	for range 100 {
		addr = fmt.Sprint("127.0.0.1:", 20_000+(firstPort+ports.Add(1))%10_000)
		var ln net.Listener
		if ln, err = net.Listen("tcp", addr); err == nil {
			return addr, ln.Close()
		}
	}
	return "", err
}

// patience bounds every wait of a script.
const patience = 20 * time.Second

// until tries f, with short waits that end when the bound is reached.
func until(ts *testscript.TestScript, what string, f func() bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	end := time.After(patience)
	for !f() {
		select {
		case <-tick.C:
		case <-end:
			ts.Fatalf("waited %v for %s", patience, what)
		}
	}
}

// ready waits until the server of this script answers: `ready`.
func ready(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: ready")
	}
	until(ts, "the server to answer", func() bool {
		resp, err := http.Get("http://" + ts.Getenv("ADDR") + "/health")
		if err != nil {
			return false
		}
		_ = resp.Body.Close()
		return true
	})
}

// fetch asks the server and prints status, headers and body:
// `fetch PATH [STATUS] [HEADER:VALUE ...]`. A path may use the first line of a
// file as {FILE}. It tries again until the status is the expected one, because
// reloads take their time.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: fetch PATH [STATUS] [HEADER:VALUE ...]")
	}
	path := fileInPath.ReplaceAllStringFunc(args[0], func(m string) string {
		line, _, _ := strings.Cut(ts.ReadFile(strings.Trim(m, "{}")), "\n")
		return line
	})
	want, headers := "200", args[1:]
	if len(headers) > 0 && !strings.Contains(headers[0], ":") {
		want, headers = headers[0], headers[1:]
	}
	var out string
	until(ts, "status "+want+" from "+args[0], func() bool {
		var status int
		status, out = ask(ts, "http://"+ts.Getenv("ADDR")+path, headers)
		return fmt.Sprint(status) == want
	})
	_, err := ts.Stdout().Write([]byte(out))
	ts.Check(err)
}

var fileInPath = regexp.MustCompile(`\{[^}]+\}`)

// poll asks an address until the answer matches: `poll URL PATTERN`.
func poll(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: poll URL PATTERN")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	until(ts, args[1]+" from "+args[0], func() bool {
		_, out := ask(ts, args[0], nil)
		return pattern.MatchString(out)
	})
}

func ask(ts *testscript.TestScript, url string, headers []string) (int, string) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	ts.Check(err)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ":")
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	var out strings.Builder
	fmt.Fprintln(&out, resp.Status)
	ts.Check(resp.Header.Write(&out))
	fmt.Fprintln(&out)
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	return resp.StatusCode, out.String() + string(body)
}

// signalServer sends a signal to the commands in the background: `signal TERM`.
func signalServer(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP}
	if neg || len(args) != 1 || signals[args[0]] == 0 {
		ts.Fatalf("usage: signal TERM|HUP")
	}
	for _, c := range ts.BackgroundCmds() {
		ts.Check(c.Process.Signal(signals[args[0]]))
	}
}
