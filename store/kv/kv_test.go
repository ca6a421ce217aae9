package kv_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"svc/store/kv"
	"svc/store/kv/kvtest"
)

func openBolt(t testing.TB) *kv.Bolt {
	t.Helper()
	b, err := kv.OpenBolt(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Check(context.Background()); err != nil && !errors.Is(err, kv.ErrClosed) {
			t.Error(err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func TestEnginesConform(t *testing.T) {
	engines := map[string]func(*testing.T) kv.Engine{
		"bbolt":  func(t *testing.T) kv.Engine { return openBolt(t) },
		"memory": func(*testing.T) kv.Engine { return kv.NewMemory() },
	}
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				kvtest.Conformance(t, kvtest.Twice{Engine: open(t)}, seed, 200)
			}
			kvtest.Rules(t, open(t))
		})
	}
}

func put(ctx context.Context, e kv.Engine, key, value string) error {
	return e.Update(ctx, func(tx kv.Tx) error { return tx.Put([]byte(key), []byte(value)) })
}

func get(t *testing.T, e kv.Engine, key string) (out string, ok bool) {
	t.Helper()
	err := e.View(t.Context(), func(tx kv.Tx) error {
		v, err := tx.Get([]byte(key))
		out, ok = string(v), v != nil
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return out, ok
}

// TestNeighboursSurvive: many closures share a commit; some fail, panic or end
// their goroutine after writing over a shared key, and only those leave nothing.
func TestNeighboursSurvive(t *testing.T) {
	b := openBolt(t)
	var all sync.WaitGroup
	const n = 200
	for i := range n {
		all.Go(func() {
			defer func() { _ = recover() }()
			_ = b.Update(context.Background(), func(tx kv.Tx) error {
				old, err := tx.Get([]byte("sum"))
				if err != nil {
					return err
				}
				var sum uint64
				if old != nil {
					sum = binary.BigEndian.Uint64(old)
				}
				if err := errors.Join(tx.Put([]byte("sum"), binary.BigEndian.AppendUint64(nil, sum+1)),
					tx.Put([]byte(fmt.Sprint("k", i)), nil), tx.Delete([]byte(fmt.Sprint("k", i-5)))); err != nil {
					return err
				}
				switch i % 5 {
				case 1:
					return errors.New("no")
				case 2:
					panic("no")
				case 3:
					runtime.Goexit()
				}
				return nil
			})
		})
	}
	all.Wait()
	v, _ := get(t, b, "sum")
	if sum := binary.BigEndian.Uint64([]byte(v)); sum != n*2/5 {
		t.Errorf("%d closures succeeded, want %d", sum, n*2/5)
	}
	for i := range n {
		if _, ok := get(t, b, fmt.Sprint("k", i)); ok && i%5 != 0 && i%5 != 4 {
			t.Errorf("k%d was written by a closure that did not succeed", i)
		}
	}
}

// TestWaitersShareACommit: what queues during one closure becomes one commit, and
// a caller whose context ends meanwhile leaves without a change.
func TestWaitersShareACommit(t *testing.T) {
	b := openBolt(t)
	inside, release := make(chan struct{}), make(chan struct{})
	go func() {
		_ = b.Update(context.Background(), func(kv.Tx) error {
			close(inside)
			<-release
			return nil
		})
	}()
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan error)
	go func() { gone <- put(ctx, b, "gone", "") }()
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left: %v", err)
	}
	close(release)
	if err := put(t.Context(), b, "stays", ""); err != nil {
		t.Fatal(err)
	}
	if _, ok := get(t, b, "gone"); ok {
		t.Error("the change of a caller that left was made")
	}
}

func TestLockedByAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "locked.db")
	if os.Getenv("KV_TEST_HOLD") != "" {
		hold(t, os.Getenv("KV_TEST_HOLD"))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLockedByAnother$")
	cmd.Env = append(os.Environ(), "KV_TEST_HOLD="+path)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() error{
		"open":   func() error { _, err := kv.OpenBolt(path); return err },
		"verify": func() error { return kv.VerifyFile(path, true) },
		"compact": func() error {
			_, _, err := kv.Compact(t.Context(), path)
			return err
		},
	} {
		if err := open(); err == nil || !strings.Contains(err.Error(), "another process has it open") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_ = in.Close()
	_ = cmd.Wait()
}

// hold keeps the file open until standard input ends.
func hold(t *testing.T, path string) {
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdout.WriteString("x")
	_, _ = os.Stdin.Read(make([]byte, 1))
	_ = b.Close()
}

func TestClosed(t *testing.T) {
	b := openBolt(t)
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	nothing := func(kv.Tx) error { return nil }
	for _, err := range []error{b.View(t.Context(), nothing), b.Update(t.Context(), nothing), b.Check(t.Context())} {
		if !errors.Is(err, kv.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
}

func fill(t *testing.T, b *kv.Bolt, from, to int) {
	t.Helper()
	for ; from < to; from += 500 {
		err := b.Update(t.Context(), func(tx kv.Tx) error {
			for i := range 500 {
				if err := tx.Put(fmt.Appendf(nil, "%08d", from+i), make([]byte, 300)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// keys is how many keys an engine has.
func keys(t *testing.T, e kv.Engine) (n int) {
	t.Helper()
	err := e.View(t.Context(), func(tx kv.Tx) error {
		n = 0
		for _, err := range tx.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
			n++
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

func TestBackupAndCompact(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, b, 0, 5000)
	if err := b.Backup(t.Context(), copied, func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	err = b.Update(t.Context(), func(tx kv.Tx) error {
		for i := range 4000 {
			if err := tx.Delete(fmt.Appendf(nil, "%08d", i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, b.Close()); err != nil {
		t.Fatal(err)
	}
	before, after, err := kv.Compact(t.Context(), path)
	if err != nil || after >= before/2 {
		t.Errorf("compacted from %d to %d: %v", before, after, err)
	}
	count := func(path string) int {
		e, err := kv.OpenBolt(path)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		return keys(t, e)
	}
	if n, m := count(copied), count(path); n != 5000 || m != 1000 {
		t.Errorf("the backup holds %d, want 5000; the compacted file %d, want 1000", n, m)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.lock")); left != nil {
		t.Errorf("left behind: %v", left)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := kv.Compact(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled compaction: %v", err)
	}
}

// TestFailureAfterWriting: of three closures that share a commit the second writes
// and fails. It leaves nothing, and the others run once more at most.
func TestFailureAfterWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := openBolt(t)
		inside, release, began := make(chan struct{}), make(chan struct{}), sync.Once{}
		go func() {
			_ = b.Update(t.Context(), func(kv.Tx) error {
				began.Do(func() { close(inside) })
				<-release
				return nil
			})
		}()
		<-inside
		failure := errors.New("no")
		var runs [6]int
		var results [6]error
		for i := range runs {
			go func() {
				results[i] = b.Update(t.Context(), func(tx kv.Tx) error {
					runs[i]++
					if err := errors.Join(tx.Put([]byte("last"), []byte{byte(i)}), tx.Put([]byte{'k', byte(i)}, nil)); err != nil {
						return err
					}
					if i%2 == 1 {
						return failure
					}
					return nil
				})
			}()
			synctest.Wait() // it waits in the queue now
		}
		close(release)
		synctest.Wait()
		for i := range runs {
			failed := i%2 == 1
			if runs[i] < 1 || runs[i] > 2 {
				t.Errorf("closure %d ran %d times", i, runs[i])
			}
			if err := results[i]; errors.Is(err, failure) != failed || !failed && err != nil {
				t.Errorf("closure %d: %v", i, err)
			}
			if _, ok := get(t, b, string([]byte{'k', byte(i)})); ok == failed {
				t.Errorf("closure %d failed: %v, and its key is there: %v", i, failed, ok)
			}
		}
		if last, _ := get(t, b, "last"); last != string([]byte{4}) {
			t.Errorf("the last closure that succeeded wrote %q", last)
		}
	})
}

// TestErrorsStayWhatTheyAre: callers compare errors of their closures.
func TestErrorsStayWhatTheyAre(t *testing.T) {
	b := openBolt(t)
	no := errors.New("no")
	for _, err := range []error{
		b.View(t.Context(), func(kv.Tx) error { return no }), b.Update(t.Context(), func(kv.Tx) error { return no }),
	} {
		if err != no {
			t.Errorf("%#v", err)
		}
	}
}
