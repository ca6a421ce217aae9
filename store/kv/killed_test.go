package kv_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/store/kv"
)

// TestKilled kills a process that commits and moves what it committed, and looks whether
// all that it told is there. SVC_TEST_KILLS says how often; 3 when it is not set.
func TestKilled(t *testing.T) {
	if path := os.Getenv("KV_TEST_COMMIT"); path != "" {
		commitUntilKilled(t, path)
		return
	}
	kills := 3
	if n, err := strconv.Atoi(os.Getenv("SVC_TEST_KILLS")); err == nil {
		kills = n
	}
	path := filepath.Join(t.TempDir(), "a.db")
	told := 0
	for range kills {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), "KV_TEST_COMMIT="+path)
		out, err := cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for begun, wait := time.Now(), time.Duration(rand.IntN(400))*time.Millisecond; lines.Scan(); {
			n, err := strconv.Atoi(lines.Text())
			if err != nil {
				t.Fatalf("the process says %q", lines.Text())
			}
			told = n
			if time.Since(begun) > wait {
				_ = cmd.Process.Kill()
			}
		}
		_ = cmd.Wait()
		b, err := kv.OpenBolt(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := counted(t, b); n < told {
			t.Fatalf("%d steps are left, and %d were told", n, told)
		}
		if err := errors.Join(b.Check(t.Context()), b.Close()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d steps", kills, told)
}

func commitUntilKilled(t *testing.T, path string) {
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			if err := b.Checkpoint(context.Background()); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for n := counted(t, b) + 1; ; n++ {
		if err := b.Update(t.Context(), func(tx kv.Tx) error { return count(tx, n) }); err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Println(n)
	}
}

// TestDiskIsFull: a commit that does not fit is refused, keeps nothing, and is taken when
// there is room again.
func TestDiskIsFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	steps(t, b, 1, 10)
	// A folder in the place of the next log keeps it from being made.
	if err := errors.Join(b.Checkpoint(t.Context()), os.Mkdir(kv.Logs(path)[0], 0o700)); err != nil {
		t.Fatal(err)
	}
	if err := b.Update(t.Context(), func(tx kv.Tx) error { return count(tx, 11) }); err == nil {
		t.Error("a commit without a log succeeded")
	}
	if n := counted(t, b); n != 10 {
		t.Errorf("%d steps, want 10", n)
	}
	if err := os.Remove(kv.Logs(path)[0]); err != nil {
		t.Fatal(err)
	}
	steps(t, b, 11, 20)
	if n := counted(t, b); n != 20 {
		t.Errorf("%d steps, want 20", n)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if left := names(t, filepath.Dir(path)); !slices.Equal(left, []string{"a.db"}) {
		t.Errorf("a database that was closed stands alone, and there is %v", left)
	}
}

// FuzzLog: whatever stands in a log, opening answers, and does not take forever.
func FuzzLog(f *testing.F) {
	path := filepath.Join(f.TempDir(), "a.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		f.Fatal(err)
	}
	for n := range 3 {
		if err := b.Update(f.Context(), func(tx kv.Tx) error { return count(tx, n+1) }); err != nil {
			f.Fatal(err)
		}
	}
	log, err := os.ReadFile(kv.Logs(path)[1])
	if err != nil {
		f.Fatal(err)
	}
	log = log[:(len(strings.TrimRight(string(log), "\x00"))+7)/8*8]
	file, err := os.ReadFile(path)
	if err := errors.Join(err, b.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(log, 100, byte(1))
	f.Fuzz(func(t *testing.T, log []byte, at int, x byte) {
		path := filepath.Join(t.TempDir(), "a.db")
		log = slices.Clone(log)
		if at >= 0 && at < len(log) {
			log[at] ^= x
		}
		if err := errors.Join(os.WriteFile(path, file, 0o600), os.WriteFile(kv.Logs(path)[1], log, 0o600)); err != nil {
			t.Fatal(err)
		}
		b, err := kv.OpenBolt(path)
		if err != nil {
			return
		}
		if n := counted(t, b); n > 3 {
			t.Errorf("%d steps of 3", n)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
}
