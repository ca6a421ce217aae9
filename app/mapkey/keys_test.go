package mapkey

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// logged opens a key set whose log can be read.
func logged(t *testing.T, path string) (*Keys, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	k, err := OpenKeys(path, KeyOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return k, &log
}

func has(k *Keys, key string) bool { _, ok := k.Lookup(key); return ok }

func TestOpenKeysAtStart(t *testing.T) {
	k, log := logged(t, filepath.Join(t.TempDir(), "none.json"))
	if k.Len() != 0 || !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("missing file: %d keys, log %q", k.Len(), log)
	}
	_, err := OpenKeys(write(t, "keys.json", `[{"key":`), KeyOptions{})
	if err == nil || !strings.Contains(err.Error(), "line 1, column") {
		t.Errorf("invalid file: %v", err)
	}
	k = openKeys(t, `[{"key":"a","rate_limit":-1,"monthly_quota":-5},{"name":"without"},{"key":"b"},{"key":"b","disabled":true}]`)
	if h, _ := k.Lookup("a"); k.Len() != 2 || h.RateLimit != DefaultRate || h.MonthlyQuota != 0 || h.ID != KeyID("a") {
		t.Errorf("%d keys, a = %+v", k.Len(), h)
	}
	if h, _ := k.Lookup("b"); !h.Disabled {
		t.Error("of a key that stands twice the last record must count")
	}
	if has(k, "") {
		t.Error("an entry with an empty key is in force")
	}
}

func TestOpenKeysWarnsOfAReadableFile(t *testing.T) {
	path := write(t, "keys.json", `[]`)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, log := logged(t, path); !strings.Contains(log.String(), "chmod 600") {
		t.Errorf("log %q", log)
	}
}

// TestKeyStates walks the table of map contract 54.9.
func TestKeyStates(t *testing.T) {
	path := write(t, "keys.json", `[{"key":"a","rate_limit":5}]`)
	k, log := logged(t, path)
	c := Checker{Keys: k}
	ask := func(key string) Outcome { return c.Check(noon, Request{Key: key, Product: Search}).Outcome }
	for range 3 {
		ask("a")
	}

	rewrite(t, path, `[{"key":"a","rate_limit":5},{"key":"b"}]`, time.Second)
	k.poll()
	if ask("b") != Admitted {
		t.Error("an added key is not accepted")
	}
	if ask("a"); ask("a") != Admitted || ask("a") != RateLimited {
		t.Error("the bucket did not survive the reload")
	}

	rewrite(t, path, `[{"key":"a","disabled":true},{"key":"b"}]`, 2*time.Second)
	k.poll()
	if ask("a") != DisabledKey {
		t.Error("disabled did not apply")
	}

	rewrite(t, path, `[{"key":"b"}]`, 3*time.Second)
	k.poll()
	if ask("a") != UnknownKey {
		t.Error("a removed key is still known")
	}
	rewrite(t, path, `[{"key":"a","rate_limit":5},{"key":"b"}]`, 4*time.Second)
	k.poll()
	if ask("a") != Admitted {
		t.Error("the bucket of a removed key was not dropped")
	}

	log.Reset()
	rewrite(t, path, `[{"key":"a"`, 5*time.Second)
	k.poll()
	k.poll()
	if ask("b") != Admitted || strings.Count(log.String(), "level=ERROR") != 1 || !strings.Contains(log.String(), "line 1") {
		t.Errorf("invalid file: log %q", log)
	}
	if k.Failures() != 1 {
		t.Errorf("%d failures", k.Failures())
	}

	log.Reset()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	k.poll()
	k.poll()
	if ask("b") != Admitted || strings.Count(log.String(), "level=ERROR") != 1 {
		t.Errorf("deleted file: log %q", log)
	}
	if again, err := OpenKeys(path, KeyOptions{}); err != nil || again.Len() != 0 {
		t.Errorf("restart without the file: %v", err)
	}
	rewrite(t, path, `[{"key":"c"}]`, 0)
	k.poll()
	if ask("c") != Admitted || ask("b") != UnknownKey {
		t.Error("a file that came back was not read")
	}
}

func TestPollSeesWhatChanged(t *testing.T) {
	path := write(t, "keys.json", `[{"key":"a"}]`)
	k := openKeysAt(t, path)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	touch := func() {
		t.Helper()
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	// The same time, another size.
	rewrite(t, path, `[{"key":"bb"}]`, 0)
	touch()
	k.poll()
	if !has(k, "bb") {
		t.Error("a changed size was not noticed")
	}
	// The same size, another time.
	rewrite(t, path, `[{"key":"cc"}]`, time.Minute)
	k.poll()
	if !has(k, "cc") {
		t.Error("a changed time was not noticed")
	}
	// The same size and time, another file.
	next := filepath.Join(filepath.Dir(path), "next")
	rewrite(t, next, `[{"key":"dd"}]`, 0)
	old, _ := os.Stat(path)
	if err := errors.Join(os.Chtimes(next, old.ModTime(), old.ModTime()), os.Rename(next, path)); err != nil {
		t.Fatal(err)
	}
	k.poll()
	if !has(k, "dd") {
		t.Error("a replaced file was not noticed")
	}
	// Nothing changed: the set stays the very same.
	before := k.set.Load()
	k.poll()
	if k.set.Load() != before {
		t.Error("an unchanged file was read again")
	}
}

func openKeysAt(t *testing.T, path string) *Keys {
	t.Helper()
	k, err := OpenKeys(path, KeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestRunPollsAtTheInterval(t *testing.T) {
	path := write(t, "keys.json", `[{"key":"a"}]`)
	synctest.Test(t, func(t *testing.T) {
		k := openKeysAt(t, path)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- k.Run(ctx) }()
		rewrite(t, path, `[{"key":"a"},{"key":"b"}]`, time.Hour)
		at := time.Now()
		for !has(k, "b") {
			if time.Since(at) > time.Minute {
				t.Fatal("Run does not poll")
			}
			<-time.After(100 * time.Millisecond)
		}
		if took := time.Since(at); took < 4900*time.Millisecond || took > 5200*time.Millisecond {
			t.Errorf("noticed after %v, want 5 s", took)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestReloadNeverLogsAKey(t *testing.T) {
	path := write(t, "keys.json", `[{"key":"`+secret+`","name":"n","rate_limit":-1},{"key":"`+secret+`"}]`)
	k, log := logged(t, path)
	rewrite(t, path, `[{"key":"`+secret+`","disabled":"`+secret+`"}]`, time.Second)
	if err := k.Reload(); err == nil {
		t.Error("an invalid file was taken over")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := k.Reload(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("deleted: %v", err)
	}
	if strings.Contains(log.String(), secret) {
		t.Errorf("the log holds a key: %s", log)
	}
}
