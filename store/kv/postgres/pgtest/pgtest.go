// Package pgtest starts a PostgreSQL server for tests: one a process, in a folder of its
// own, reached over a socket. Databases are made from nothing for each test.
package pgtest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// server is the one of this process.
type server struct {
	port    int
	folder  string
	command *exec.Cmd
	ended   chan struct{}
	given   string // address of one that was started elsewhere; its database is left out
	err     error
}

var (
	once   sync.Once
	shared server
	number int
	mu     sync.Mutex
)

// Address makes a database and answers its address: on the server whose address
// SVC_TEST_POSTGRES is, which must allow that, or else on one that this process starts.
// Without a server on this machine the test is skipped, and fails where CI says that it has
// one. Stop ends the server: call it in TestMain.
func Address(t testing.TB) string {
	t.Helper()
	once.Do(func() { shared.start() })
	switch {
	case shared.err == nil:
	case os.Getenv("CI") != "":
		t.Fatal(shared.err)
	default:
		t.Skipf("no PostgreSQL to test with: %v", shared.err)
	}
	mu.Lock()
	number++
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), number)
	mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, shared.address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, "create database "+name); err != nil {
		t.Fatal(err)
	}
	return shared.address(name)
}

// Stop ends the server of this process, if there is one.
func Stop() {
	if shared.command == nil {
		return
	}
	_ = shared.command.Process.Signal(syscall.SIGINT) // at once, in order
	<-shared.ended
	_ = os.RemoveAll(shared.folder)
}

func (s *server) address(name string) string {
	if s.given != "" {
		u, err := url.Parse(s.given)
		if err != nil {
			return s.given
		}
		u.Path = "/" + name
		return u.String()
	}
	return fmt.Sprintf("postgres://svc@127.0.0.1:%d/%s?sslmode=disable", s.port, name)
}

func (s *server) start() {
	if s.given = os.Getenv("SVC_TEST_POSTGRES"); s.given == "" {
		s.err = s.tryStart()
	}
}

func (s *server) tryStart() error {
	programs, err := find()
	if err != nil {
		return err
	}
	if s.folder, err = os.MkdirTemp("", "pgtest"); err != nil {
		return err
	}
	as, err := unprivileged(s.folder)
	if err != nil {
		return err
	}
	data := filepath.Join(s.folder, "data")
	initdb := exec.CommandContext(context.Background(), filepath.Join(programs, "initdb"), "-D", data, "-U", "svc", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr, initdb.Dir = as, s.folder
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	if s.port, err = freePort(); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(s.folder, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.command = exec.CommandContext(context.Background(), filepath.Join(programs, "postgres"), "-D", data, "-p", strconv.Itoa(s.port), "-k", s.folder, "-h", "127.0.0.1",
		"-c", "max_connections=200", "-c", "max_pred_locks_per_transaction=1024", "-c", "shared_buffers=64MB", "-c", "fsync="+fsync())
	s.command.SysProcAttr, s.command.Dir, s.command.Stdout, s.command.Stderr = as, s.folder, log, log
	if err := s.run(); err != nil {
		return err
	}
	return s.wait()
}

// run starts the server from a thread of its own, which lives as long as the server: the
// system ends the server with the thread that started it, so that none outlives a test
// that was killed.
func (s *server) run() error {
	started := make(chan error)
	s.ended = make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer close(s.ended)
		err := s.command.Start()
		started <- err
		if err == nil {
			_ = s.command.Wait()
		}
	}()
	return <-started
}

// fsync is off but for measurements: a test server need not survive a power cut.
func fsync() string {
	if os.Getenv("SVC_BENCH_FSYNC") != "" {
		return "on"
	}
	return "off"
}

func (s *server) wait() error {
	var err error
	for range 200 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		var conn *pgx.Conn
		if conn, err = pgx.Connect(ctx, s.address("postgres")); err == nil {
			err = conn.Close(ctx)
		}
		cancel()
		if err == nil {
			return nil
		}
		<-time.After(50 * time.Millisecond)
	}
	said, _ := os.ReadFile(filepath.Join(s.folder, "log"))
	return fmt.Errorf("the server does not answer: %w: %s", err, said)
}

// Tool answers the path of a program of PostgreSQL, such as pg_dump: that of the version of
// the server. Without it the test is skipped, and fails where CI says that it has one.
func Tool(t testing.TB, name string) string {
	t.Helper()
	folder, err := find()
	var real string
	if err == nil {
		real, err = filepath.EvalSymlinks(filepath.Join(folder, "initdb"))
	}
	if err == nil {
		return filepath.Join(filepath.Dir(real), name)
	}
	if os.Getenv("CI") != "" {
		t.Fatal(err)
	}
	t.Skipf("no program %s to test with: %v", name, err)
	return ""
}

// find answers the folder of the newest programs of the server.
func find() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return "", fmt.Errorf("initdb was not found: install postgresql")
	}
	slices.Sort(found)
	return filepath.Dir(found[len(found)-1]), nil
}

// unprivileged is another user when this one is root, whom the server refuses to run as.
func unprivileged(folder string) (*syscall.SysProcAttr, error) {
	as := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Getuid() != 0 {
		return as, nil
	}
	other, err := user.Lookup("postgres")
	if err != nil {
		if other, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(other.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(other.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return as, os.Chown(folder, int(uid), int(gid))
}

func freePort() (int, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}
