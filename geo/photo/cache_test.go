package photo

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAnswersAreKeptAsLongAsPromised(t *testing.T) {
	h := newHosts(t)
	now := time.Now()
	c := h.client(t, func(c *Config) { c.Clock = func() time.Time { return now } })
	steps := []struct {
		name  string
		after time.Duration
		qid   string
		calls int64
	}{
		{"asked", 0, "Q1", 2},
		{"kept", TTL - time.Second, "Q1", 2},
		{"asked again", time.Second, "Q1", 4},
	}
	for _, s := range steps {
		now = now.Add(s.after)
		if p, err := c.Lookup(t.Context(), s.qid); p == nil || err != nil {
			t.Fatalf("%s: %v, %v", s.name, p, err)
		}
		if n := h.calls.Load(); n != s.calls {
			t.Errorf("%s: %d calls, want %d", s.name, n, s.calls)
		}
	}
	h.answerClaims(say(`{"claims":{}}`))
	h.calls.Store(0)
	for i, s := range []struct {
		after time.Duration
		calls int64
	}{{0, 1}, {noneTTL - time.Second, 1}, {time.Second, 2}} {
		now = now.Add(s.after)
		if p, err := c.Lookup(t.Context(), "Q2"); p != nil || err != nil || h.calls.Load() != s.calls {
			t.Errorf("no photo, step %d: %v, %v, %d calls, want %d", i, p, err, h.calls.Load(), s.calls)
		}
	}
}

func TestFailuresAreNotKept(t *testing.T) {
	h := newHosts(t)
	good := h.claims
	h.claims = hangUp
	c := h.client(t, nil)
	if p, _ := c.Lookup(t.Context(), "Q1"); p != nil {
		t.Fatal("a photo from a dead host")
	}
	h.answerClaims(good)
	if p, err := c.Lookup(t.Context(), "Q1"); p == nil || err != nil {
		t.Errorf("after the host came back: %v, %v", p, err)
	}
}

func TestADamagedCacheFileIsReplaced(t *testing.T) {
	h := newHosts(t)
	c := h.client(t, nil)
	for name, content := range map[string]string{"Q1.json": `{"photo":`, "Q1.img": "<html>"} {
		if err := os.WriteFile(filepath.Join(c.c.CacheDir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p, err := c.Lookup(t.Context(), "Q1"); p == nil || err != nil {
		t.Errorf("got %v, %v", p, err)
	}
	f, kind, _, err := c.Image(t.Context(), "Q1")
	if err != nil || kind != "image/png" {
		t.Fatalf("got %s, %v", kind, err)
	}
	_ = f.Close()
}

func TestCacheStaysWithinItsBoundAndDropsTheOldest(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	dir := filepath.Join(t.TempDir(), "made", "when needed")
	c := newCache(dir, 10*block, func() time.Time { return now })
	for i := range 40 {
		now = now.Add(time.Second)
		if err := c.write(fmt.Sprintf("f%02d", i), make([]byte, block-1)); err != nil {
			t.Fatal(err)
		}
		if used := usage(t, dir); used > 10*block {
			t.Fatalf("after file %d: %d bytes on disk, bound %d", i, used, 10*block)
		}
	}
	if _, _, ok := c.read("f39", block); !ok {
		t.Error("the newest file is gone")
	}
	if _, _, ok := c.read("f00", block); ok {
		t.Error("the oldest file is still there")
	}
	// Writing the same name again must not count twice.
	for range 40 {
		if err := c.write("same", []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if c.total != usage(t, dir) {
		t.Errorf("counted %d bytes, there are %d", c.total, usage(t, dir))
	}
}

func TestLeftOverTemporaryFilesGo(t *testing.T) {
	now := time.Now()
	c := newCache(t.TempDir(), 100*block, func() time.Time { return now })
	stale := filepath.Join(c.dir, tempPrefix+"1")
	if err := os.WriteFile(stale, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Hour)
	if err := c.write("a", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(stale); err == nil {
		t.Error("a temporary file of a dead process is kept")
	}
}

func TestAnUnwritableCacheCostsNoAnswer(t *testing.T) {
	h := newHosts(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := h.client(t, func(c *Config) { c.CacheDir = filepath.Join(file, "below a file") })
	if p, err := c.Lookup(t.Context(), "Q1"); p == nil || err != nil {
		t.Errorf("got %v, %v", p, err)
	}
}

func usage(t *testing.T, dir string) int64 {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		sum += onDisk(info.Size())
	}
	return sum
}
