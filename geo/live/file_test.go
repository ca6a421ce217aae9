package live

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// note is the simplest version: the text of a file.
type note struct {
	text   string
	closed *atomic.Int32
}

func (n note) Verify() error {
	if strings.Contains(n.text, "damaged") {
		return errors.New("the note is damaged")
	}
	return nil
}

func (n note) Close() error { n.closed.Add(1); return nil }

// TestOptional: a file that is not there is no failure, serves when it appears,
// and when it goes again what serves stays and that is told.
func TestOptional(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.note")
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		failed, closed := new(atomic.Int32), new(atomic.Int32)
		f := Open(path, 5*time.Second, slog.New(slog.NewTextHandler(&log, nil)), Kind[note]{
			Name: "note", Optional: true,
			Open: func(path string) (note, error) {
				b, err := os.ReadFile(path)
				return note{string(b), closed}, err
			},
			Loaded: func(n note) []any { return []any{"text", n.text} },
			Failed: func() { failed.Add(1) },
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- f.Run(ctx) }()
		expect := func(what, want string, wantFailed, wantClosed int) {
			t.Helper()
			<-time.After(6 * time.Second)
			synctest.Wait()
			v, release, ok := f.Acquire()
			release()
			if v.text != want || ok != (want != "") || int(failed.Load()) != wantFailed || int(closed.Load()) != wantClosed {
				t.Fatalf("%s: %q (%t), %d failures, %d closed; want %q, %d, %d", what, v.text, ok, failed.Load(), closed.Load(), want, wantFailed, wantClosed)
			}
		}
		write := func(text string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		expect("missing", "", 0, 0)
		write("first")
		expect("there", "first", 0, 0)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		expect("gone", "first", 1, 0)
		write("damaged")
		expect("damaged", "first", 2, 1)
		write("second!")
		expect("whole again", "second!", 2, 2)
		if f.Path() != path {
			t.Errorf("watches %s", f.Path())
		}
		cancel()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for part, times := range map[string]int{ // read when nobody writes any more
			"level=INFO msg=\"no note\"": 1, "level=INFO msg=\"note loaded\"": 2, "text=first": 1,
			"level=ERROR msg=\"note not loaded\"": 2, "serving=\"the note loaded before\"": 2, "find the note": 1, "the note is damaged": 1,
		} {
			if got := strings.Count(log.String(), part); got != times {
				t.Errorf("the log says %q %d times, not %d: %s", part, got, times, log.String())
			}
		}
	})
}
