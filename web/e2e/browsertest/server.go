package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"svc/embed/assets"
	"svc/geo/osm/osmtest"
	"svc/geo/route/routetest"
)

// work is the folder of everything that is made once for all tests of a process.
var work string

// Main runs the tests of a package with a folder for what they share; call it
// from TestMain.
func Main(m *testing.M) (code int) {
	dir, err := os.MkdirTemp("", "svc-browser-*")
	if err != nil {
		panic(err)
	}
	work = dir
	few()
	defer func() { _ = os.RemoveAll(dir) }()
	code = routetest.Main(m) // it may have made routing tiles
	quit()
	if err := endSample(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// atOnce is how many stories run beside each other: each page wants most of a core.
const atOnce = 3

// few keeps a machine with many cores from running more than that.
func few() {
	flag.Parse()
	if n, err := strconv.Atoi(flag.Lookup("test.parallel").Value.String()); err == nil && n > atOnce {
		_ = flag.Set("test.parallel", strconv.Itoa(atOnce)) // it is a number
	}
}

// once remembers what a maker gave, for every test that asks.
type once struct {
	sync.Mutex
	made string
}

func (o *once) get(maker func() string) string {
	o.Lock()
	defer o.Unlock()
	if o.made == "" {
		o.made = maker()
	}
	return o.made
}

var (
	binary once
	maps   sync.Map // extract to *once
)

// Binary gives the path of the program, built from this tree. The variable
// SVC_TEST_BINARY names one that exists.
func Binary(tb testing.TB) string {
	tb.Helper()
	if path := os.Getenv("SVC_TEST_BINARY"); path != "" {
		if _, err := os.Stat(path); err != nil { // asked also so that go test forgets what it knows of an older one
			tb.Fatalf("SVC_TEST_BINARY: %v", err)
		}
		return path
	}
	return binary.get(func() string {
		path := filepath.Join(work, "svc")
		run(tb, "go", "build", "-o", path, "svc")
		return path
	})
}

// Built ends the test, saying why, when this tree has no browser part: the
// pages of the binary would be placeholders.
func Built(tb testing.TB) {
	tb.Helper()
	if assets.Built() && page() {
		return
	}
	const why = "it needs the browser part of the product: run make assets"
	if os.Getenv("CI") == "true" {
		tb.Fatal("not run: " + why)
	}
	tb.Skip("not run: " + why)
}

// Map builds a map from a real extract such as "malta.osm.pbf", once for all
// tests; "" is the sample that every machine has.
func Map(tb testing.TB, extract string) string {
	tb.Helper()
	source := ""
	if extract == "" {
		extract, source = "delaware.osm.pbf", osmtest.Delaware(tb)
	} else {
		source = osmtest.Extract(tb, extract)
	}
	o, _ := maps.LoadOrStore(extract, new(once))
	return o.(*once).get(func() string {
		out := filepath.Join(work, strings.TrimSuffix(extract, ".osm.pbf")+".svcmap")
		run(tb, Binary(tb), "map", "build", source, "--out", out)
		return out
	})
}

func run(tb testing.TB, name string, args ...string) string {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), name, args...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, text)
	}
	return string(text)
}

// Serve starts the real program on a free port and gives its address. It is
// stopped, in order, at the end of the test.
func Serve(tb testing.TB, args ...string) (base string) {
	tb.Helper()
	base, _ = start(tb, args...)
	return base
}

// ServeSaying is Serve, and answers the one-time link of the first person, which the
// server prints.
func ServeSaying(tb testing.TB, args ...string) (base, link string) {
	tb.Helper()
	base, said := start(tb, args...)
	select {
	case link = <-said.link:
	case <-time.After(patience):
		tb.Fatal("the server printed no link")
	}
	return base, link
}

// printed finds the link in what a server prints.
type printed struct {
	text strings.Builder // one goroutine writes: exec copies the pipe
	link chan string
	told bool
}

// Write takes a piece of the output.
func (p *printed) Write(b []byte) (int, error) {
	p.text.Write(b)
	for word := range strings.FieldsSeq(p.text.String()) {
		if strings.Contains(word, "setup_token=") && !p.told && strings.HasSuffix(p.text.String(), "\n") {
			p.told = true
			p.link <- word
		}
	}
	return len(b), nil
}

// start starts a server that stops with the test.
func start(tb testing.TB, args ...string) (base string, said *printed) {
	tb.Helper()
	s, base := launch(tb, tb.TempDir(), args...)
	tb.Cleanup(func() {
		if err := s.stop(); err != nil {
			tb.Error(err)
		}
		s.tell(tb)
	})
	return base, s.said
}

// server is the real program while it serves.
type server struct {
	cmd  *exec.Cmd
	log  *tail
	said *printed
}

// launch starts a server and waits until it serves.
func launch(tb testing.TB, data string, args ...string) (s *server, base string) {
	tb.Helper()
	s = &server{log: &tail{address: make(chan string, 1), done: make(chan struct{})}, said: &printed{link: make(chan string, 1)}}
	all := append([]string{"serve", "--listen", "127.0.0.1:0", "--data", data, "--photos=false"}, args...)
	// Not the context of the test: that ends before the clean-up, which stops the
	// server as an operator would.
	s.cmd = exec.CommandContext(context.Background(), Binary(tb), all...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		tb.Fatal(err)
	}
	s.cmd.Stdout = s.said
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	go s.log.read(stderr)
	select {
	case base = <-s.log.address:
		return s, base
	case <-s.log.done:
		tb.Fatalf("the server ended at once:\n%s", s.log.text())
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		tb.Fatalf("the server did not start:\n%s", s.log.text())
	}
	return nil, ""
}

// stop ends the server in order.
func (s *server) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	<-s.log.done // all of stderr is read before Wait closes it
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("the server did not stop well: %w\n%s", err, s.log.text())
	}
	return nil
}

// tell logs what the server said last when the test failed.
func (s *server) tell(tb testing.TB) {
	if tb.Failed() {
		tb.Logf("the server said last:\n%s", s.log.text())
	}
}

// sample is the server that tests share which only read.
var sample struct {
	sync.Mutex
	*server
	base string
}

// Sample gives the address of a server with the sample map, which the tests of this
// process share: they change nothing in it.
func Sample(tb testing.TB) (base string) {
	tb.Helper()
	m := Map(tb, "")
	sample.Lock()
	defer sample.Unlock()
	if sample.server == nil {
		sample.server, sample.base = launch(tb, filepath.Join(work, "sample"), "--map", m)
	}
	tb.Cleanup(func() { sample.tell(tb) })
	return sample.base
}

// endSample stops the server that was shared, if there is one.
func endSample() error {
	sample.Lock()
	defer sample.Unlock()
	if sample.server == nil {
		return nil
	}
	return sample.stop()
}

// Key makes a key file with one key and gives both. origins restrict the key.
func Key(tb testing.TB, origins ...string) (file, key string) {
	tb.Helper()
	file = filepath.Join(tb.TempDir(), "keys.json")
	args := []string{"keys", "add", "test", "--keys", file}
	for _, o := range origins {
		args = append(args, "--origins", o)
	}
	cmd := exec.CommandContext(tb.Context(), Binary(tb), args...)
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("keys add: %v", err)
	}
	return file, strings.TrimSpace(string(out))
}

// tail keeps the last lines of a log and finds the address in it.
type tail struct {
	address chan string
	done    chan struct{}
	mu      sync.Mutex
	lines   []string
}

const tailLines = 40

func (t *tail) read(r io.Reader) {
	defer close(t.done)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		t.mu.Lock()
		if t.lines = append(t.lines, lines.Text()); len(t.lines) > tailLines {
			t.lines = t.lines[1:]
		}
		t.mu.Unlock()
		var entry struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
			select {
			case t.address <- entry.Address:
			default:
			}
		}
	}
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}
