// Package routetest runs the real routing engine for tests, and stands in for
// it where a test wants to know what happens when an engine is slow, refuses,
// lies or is not there.
//
// It promises one engine a test process, with routing tiles that it builds
// itself from two extracts and the configuration that the product prints, and
// that nothing of it is left when the tests end. It refuses to pretend: without
// the engine a test says that it did not run, and with CI=true it fails.
package routetest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"svc/geo/osm/osmtest"
	"svc/geo/route"
)

// Engine is a running Valhalla with the roads of Andorra and Monaco.
type Engine struct {
	URL   string
	Tiles string // folder of its routing tiles

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	log  *bytes.Buffer // whole once done is closed
}

// Folder is where the engine's programs are: the folder that SVC_TEST_VALHALLA
// names, or .cache/valhalla under the module's root, where tools/engine.sh puts
// them. A test that needs it is skipped with the reason when there is none, and
// fails with CI=true.
func Folder(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("SVC_TEST_VALHALLA")
	if dir == "" {
		dir = filepath.Join(root(tb), ".cache", "valhalla")
	}
	for _, name := range []string{"valhalla_service", "valhalla_build_tiles"} {
		if _, err := os.Stat(program(dir, name)); err != nil {
			if os.Getenv("CI") == "true" {
				tb.Fatalf("the routing engine is not there: %v; tools/engine.sh fetches it", err)
			}
			tb.Skipf("not run: it needs the routing engine; tools/engine.sh fetches it, or set SVC_TEST_VALHALLA to the folder that has valhalla/bin")
		}
	}
	return dir
}

func program(dir, name string) string { return filepath.Join(dir, "valhalla", "bin", name) }

// root gives the folder of go.mod.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}

// Main runs the tests of a package and removes the shared routing tiles after
// them. A package that calls Start needs it: func TestMain(m *testing.M) {
// os.Exit(routetest.Main(m)) }.
func Main(m *testing.M) int {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	return code
}

// built are the tiles of this process.
var built struct {
	once sync.Once
	dir  string
	err  error
}

// Tiles builds the routing tiles of Andorra and Monaco, once a process, and
// returns their folder. The two are not connected by road.
func Tiles(tb testing.TB) string {
	tb.Helper()
	dir := Folder(tb)
	extracts := []string{osmtest.Extract(tb, "andorra-valhalla.osm.pbf"), osmtest.Extract(tb, "monaco-osrm.osm.pbf")}
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "svc-routing-tiles-"); built.err != nil {
			return
		}
		config := filepath.Join(built.dir, "build.json")
		if built.err = writeConfig(config, built.dir, route.DefaultListen); built.err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		out, err := exec.CommandContext(ctx, program(dir, "valhalla_build_tiles"), append([]string{"-c", config}, extracts...)...).CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("valhalla_build_tiles: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		tb.Fatal(built.err)
	}
	return built.dir
}

func writeConfig(path, tiles, listen string) error {
	config, err := route.EngineConfig(tiles, listen)
	if err != nil {
		return err
	}
	return os.WriteFile(path, config, 0o600)
}

// patience bounds the building of tiles and the start of an engine.
const patience = time.Minute

// Start starts an engine with the printed configuration, changed by the given
// replacements ("old", "new", ...), and waits until it answers. It ends with the
// test.
func Start(tb testing.TB, replace ...string) *Engine {
	tb.Helper()
	tiles := Tiles(tb)
	listen := FreeAddress(tb)
	config, err := route.EngineConfig(tiles, listen)
	if err != nil {
		tb.Fatal(err)
	}
	for i := 0; i+1 < len(replace); i += 2 {
		changed := bytes.ReplaceAll(config, []byte(replace[i]), []byte(replace[i+1]))
		if bytes.Equal(changed, config) {
			tb.Fatalf("the configuration has no %q", replace[i])
		}
		config = changed
	}
	return StartWith(tb, config, listen, tiles)
}

// StartWith starts an engine with a whole configuration that makes it listen on
// that address, as "host:port".
func StartWith(tb testing.TB, config []byte, listen, tiles string) *Engine {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "valhalla.json")
	if err := os.WriteFile(path, config, 0o600); err != nil {
		tb.Fatal(err)
	}
	e := &Engine{URL: "http://" + listen, Tiles: tiles, done: make(chan struct{}), log: &bytes.Buffer{}}
	e.cmd = exec.Command(program(Folder(tb), "valhalla_service"), path, "1") //nolint:noctx // Stop ends it
	e.cmd.Stdout, e.cmd.Stderr = e.log, e.log
	if err := e.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	go func() {
		_ = e.cmd.Wait() // it is killed, which is an error
		close(e.done)
	}()
	tb.Cleanup(e.Stop)
	e.wait(tb)
	return e
}

// wait polls until the engine answers.
func (e *Engine) wait(tb testing.TB) {
	tb.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	end := time.After(patience)
	for {
		if resp, err := http.Get(e.URL + "/status"); err == nil { //nolint:noctx // ends with the engine
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-tick.C:
		case <-e.done:
			tb.Fatalf("the routing engine ended at its start:\n%s", e.log)
		case <-end:
			tb.Fatalf("the routing engine did not answer within %v", patience)
		}
	}
}

// Stop ends the engine at once and waits until it has ended.
func (e *Engine) Stop() {
	_ = e.cmd.Process.Kill() // the only error is that it has ended
	<-e.done
}

// FreeAddress is an address that nobody listens on at this moment.
func FreeAddress(tb testing.TB) string {
	tb.Helper()
	ln, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}
