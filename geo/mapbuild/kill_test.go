package mapbuild

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"svc/geo/index"
	"svc/geo/osm/osmtest"
)

// The child of TestKill builds what these variables say, again and again.
const (
	killIn  = "SVC_TEST_BUILD_IN"
	killOut = "SVC_TEST_BUILD_OUT"
)

func TestMain(m *testing.M) {
	if in := os.Getenv(killIn); in != "" {
		for {
			if _, err := Run(context.Background(), Options{Inputs: []string{in}, Out: os.Getenv(killOut)}); err != nil {
				_, _ = os.Stderr.WriteString(err.Error() + "\n")
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

// TestKill kills builds at moments all over their course: the output is absent
// or whole, and the next build is not confused by what they left.
func TestKill(t *testing.T) {
	nodes, ways := town(1500)
	in := extract(t, osmtest.Options{}, nodes, ways)
	began := time.Now()
	dir := t.TempDir()
	out := filepath.Join(dir, "a.svcmap")
	if _, err := Run(context.Background(), Options{Inputs: []string{in}, Out: out}); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	whole, absent, left := 0, 0, 0
	const rounds = 20
	for i := range rounds {
		if i%3 == 0 { // from an empty folder, or over an older map and older litter
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		killAfter(t, in, out, 4*took*time.Duration((i+1)*(i+1))/(rounds*rounds))
		if _, err := os.Stat(out + ".tmp"); err == nil {
			left++
		}
		x, err := index.Open(out)
		if os.IsNotExist(errOf(out)) {
			absent++
			continue
		}
		if err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		if err := x.Verify(); err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		whole++
	}
	t.Logf("after a kill the map was whole %d times and absent %d times; %d times a temporary file was left", whole, absent, left)
	if whole == 0 || absent == 0 {
		t.Errorf("the kills came all before or all after the end: whole %d, absent %d", whole, absent)
	}
	if _, err := Run(context.Background(), Options{Inputs: []string{in}, Out: out}); err != nil {
		t.Fatalf("the build after: %v", err)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"a.report.json", "a.svcmap"}) {
		t.Errorf("left %v", got)
	}
}

func errOf(path string) error {
	_, err := os.Stat(path)
	return err
}

// killAfter runs builds in a process of their own and kills it.
func killAfter(t *testing.T, in, out string, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), killIn+"="+in, killOut+"="+out)
	if output, err := cmd.CombinedOutput(); ctx.Err() == nil {
		t.Fatalf("the build ended by itself: %v\n%s", err, output)
	}
}
