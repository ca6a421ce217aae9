package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// server is one of the two that are compared.
type server struct {
	name    string
	cmd     *exec.Cmd
	address string
	paths   []string
	rounds  []*result
	asked   int // requests over its whole life
}

// measure runs both servers on one archive, in turn, three rounds each.
func measure(dir, archive, svc string, clients int, length time.Duration) error {
	if archive == "" {
		archive = filepath.Join(dir, "noise.pmtiles")
		if err := makeArchive(archive, 5000, tileBytes); err != nil {
			return err
		}
	}
	ids, err := someTiles(archive, 4096)
	if err != nil {
		return err
	}
	servers, err := startBoth(dir, archive, svc)
	for _, s := range servers {
		defer s.kill()
	}
	if err != nil {
		return err
	}
	for _, s := range servers {
		s.paths = pathsOf(s.paths[0], ids)
		if err := waitFor(s.address, s.paths[0]); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	fmt.Printf("%s, %d tiles, %d connections, %d cores shared with the client\n", filepath.Base(archive), len(ids), clients, runtime.GOMAXPROCS(0))
	for round := range 4 {
		for _, s := range servers {
			r, err := load(s.address, s.paths, clients, length)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.asked += r.requests
			if round > 0 { // the first one warms up
				s.rounds = append(s.rounds, r)
			}
		}
	}
	for _, s := range servers {
		s.report()
	}
	ours, peer := servers[0].best(), servers[1].best()
	fmt.Printf("  ratio of requests a second %.2f (target at least 1), of p99 %.2f (target at most 1)\n",
		ours.perSecond()/peer.perSecond(), float64(ours.at(.99))/float64(peer.at(.99)))
	return nil
}

// best is the round with the most requests.
func (s *server) best() *result {
	best := s.rounds[0]
	for _, r := range s.rounds {
		if r.perSecond() > best.perSecond() {
			best = r
		}
	}
	return best
}

// report ends the server and prints its figures. What a request costs in
// processor time says how many the cores could answer without the client.
func (s *server) report() {
	r := s.best()
	s.kill()
	u := s.cmd.ProcessState.SysUsage().(*syscall.Rusage)
	cost := (s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()) / time.Duration(s.asked)
	fmt.Printf("  %-18s %8.0f requests/s (target 15000, stretch 25000)   p50 %v  p99 %v   %v of a core each: 2 cores alone %.0f/s   peak %d MB\n",
		s.name, r.perSecond(), r.at(.5), r.at(.99), cost, 2/cost.Seconds(), u.Maxrss>>10)
}

func (s *server) kill() {
	if s.cmd.ProcessState == nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
}

// startBoth builds and starts svc and the peer. What was started is returned with
// an error too, so that it is ended.
func startBoth(dir, archive, svc string) (servers []*server, err error) {
	peer := filepath.Join(dir, "pmtiles")
	if err := goBuild(".", peer, "github.com/protomaps/go-pmtiles"); err != nil {
		return nil, err
	}
	if svc == "" {
		svc = filepath.Join(dir, "svc")
		if err := goBuild("..", svc, "."); err != nil {
			return nil, err
		}
	}
	name := strings.TrimSuffix(filepath.Base(archive), ".pmtiles")
	for _, s := range []struct {
		name, prefix string
		args         func(host, port string) []string
	}{
		{"svc", "/tiles/", func(host, port string) []string {
			return []string{svc, "serve", "--tiles", archive, "--map", filepath.Join(dir, "none.svcmap"), "--data", dir, "--usage", "", "--keys", "", "--listen", net.JoinHostPort(host, port)}
		}},
		{"go-pmtiles serve", "/" + name + "/", func(host, port string) []string {
			return []string{peer, "serve", filepath.Dir(archive), "--interface", host, "--port", port}
		}},
	} {
		port, err := freePort()
		if err != nil {
			return servers, err
		}
		args := s.args("127.0.0.1", port)
		cmd := exec.Command(args[0], args[1:]...)
		if cmd.Stderr, err = os.Create(filepath.Join(dir, filepath.Base(args[0])+".log")); err != nil {
			return servers, err
		}
		cmd.Stdout = cmd.Stderr
		if err := cmd.Start(); err != nil {
			return servers, err
		}
		servers = append(servers, &server{name: s.name, cmd: cmd, address: net.JoinHostPort("127.0.0.1", port), paths: []string{s.prefix}})
	}
	return servers, nil
}

func goBuild(dir, out, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, pkg)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w", pkg, err)
	}
	return nil
}

// freePort is a port of the loopback address that was free a moment ago.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	address, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return "", errors.New("no TCP address")
	}
	return strconv.Itoa(address.Port), l.Close()
}
