package simulator

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gotd/td/exchange"
	"github.com/gotd/td/tgerr"

	"svc/messenger/simulator/world/journal"
	"svc/messenger/simulator/world/record"
)

// asProcess names the folder when the test binary plays a process of its own.
const asProcess = "SIMULATOR_TEST_DIR"

func TestMain(m *testing.M) {
	dir := os.Getenv(asProcess)
	if dir == "" {
		os.Exit(m.Run())
	}
	s, err := Open(Options{Dir: dir})
	if err == nil {
		s.World().AddPeople(record.Range{Prefix: "u", From: 1, To: 100, FirstID: 5000})
		fmt.Printf("listening %s\n", s.Addr())
		err = s.Run(context.Background()) // until it is killed
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// process starts a simulator in a process of its own.
func process(t *testing.T, dir string) (addr string, kill func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asProcess+"="+dir)
	out, err := cmd.StdoutPipe()
	ok(t, err)
	ok(t, cmd.Start())
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if addr, found := strings.CutPrefix(lines.Text(), "listening "); found {
			return addr, kill
		}
	}
	t.Fatal("the process did not begin to listen")
	return "", nil
}

// remote is a simulator in another process, as far as clients need it.
func remote(t *testing.T, dir, addr string) *Simulator {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, keyName))
	ok(t, err)
	block, _ := pem.Decode(b)
	k, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	ok(t, err)
	return &Simulator{key: exchange.PrivateKey{RSA: k}, ln: elsewhere(addr)}
}

// elsewhere is the listener of another process: its address.
type elsewhere string

func (e elsewhere) Accept() (net.Conn, error) { return nil, net.ErrClosed }
func (e elsewhere) Close() error              { return nil }
func (e elsewhere) Addr() net.Addr            { return e }
func (e elsewhere) Network() string           { return "tcp" }
func (e elsewhere) String() string            { return string(e) }

// Killed at any moment, the simulator has every message that it answered to, once, and
// takes none a second time.
func TestKill(t *testing.T) {
	const accounts, kills = 4, 5
	dir := t.TempDir()
	s, err := Open(Options{Dir: dir})
	ok(t, err)
	sessions := make([][]byte, accounts)
	for n := range sessions {
		sessions[n], err = s.Session(fmt.Sprintf("+99890100000%d", n))
		ok(t, err)
	}
	ok(t, s.Close())
	var random atomic.Int64
	var mu sync.Mutex
	answered := map[int64]bool{}
	for round := range kills {
		addr, kill := process(t, dir)
		r := remote(t, dir, addr)
		var wg sync.WaitGroup
		dead := make(chan struct{})
		for n := range sessions {
			c := connect(t, r, clientOptions{session: sessions[n]})
			to := c.peer(t, fmt.Sprintf("u%d", n+1))
			wg.Go(func() {
				<-dead
				c.stop() // it would look for the server for ever
			})
			go func() {
				for {
					id := random.Add(1)
					if _, err := c.send(to, id, "x"); err != nil {
						return
					}
					mu.Lock()
					answered[id] = true
					if len(answered) == (round+1)*300 {
						go func() { kill(); close(dead) }()
					}
					mu.Unlock()
				}
			}()
		}
		wg.Wait()
	}
	mu.Lock()
	defer mu.Unlock()
	seen, byAccount := map[int64]bool{}, map[string][]int64{}
	ok(t, journal.ReadLog(dir, func(s record.Sent) error {
		if seen[s.RandomID] {
			t.Errorf("message %d was accepted twice", s.RandomID)
		}
		seen[s.RandomID] = true
		byAccount[s.Account] = append(byAccount[s.Account], s.RandomID)
		return nil
	}))
	for id := range answered {
		if !seen[id] {
			t.Errorf("message %d was answered and is not in the log", id)
		}
	}
	t.Logf("%d answered, %d accepted", len(answered), len(seen))
	// What is in the log is not taken again, by whatever account it came.
	addr, _ := process(t, dir)
	for n := range sessions {
		c := connect(t, remote(t, dir, addr), clientOptions{session: sessions[n]})
		to := c.peer(t, fmt.Sprintf("u%d", n+1))
		for _, id := range byAccount[fmt.Sprintf("+99890100000%d", n)] {
			if _, err := c.send(to, id, "x"); !tgerr.Is(err, "RANDOM_ID_DUPLICATE") {
				t.Errorf("message %d again: %v", id, err)
			}
		}
	}
}
