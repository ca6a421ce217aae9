package live

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// note is the simplest version: the text of a file.
type note struct {
	text   string
	closed *int
}

func (n note) Verify() error {
	if strings.Contains(n.text, "damaged") {
		return errors.New("the note is damaged")
	}
	return nil
}

func (n note) Close() error { *n.closed++; return nil }

// TestOptional: a file that is not there is no failure, serves when it appears,
// and when it goes again what serves stays and that is told.
func TestOptional(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.note")
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		failed, closed := 0, 0
		f := Open(path, 5*time.Second, slog.New(slog.NewTextHandler(&log, nil)), Kind[note]{
			Name: "note", Optional: true,
			Open: func(path string) (note, error) {
				b, err := os.ReadFile(path)
				return note{string(b), &closed}, err
			},
			Loaded: func(n note) []any { return []any{"text", n.text} },
			Failed: func() { failed++ },
		})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _ = f.Run(ctx) }()
		expect := func(what, want string, wantFailed, wantClosed int) {
			t.Helper()
			<-time.After(6 * time.Second)
			synctest.Wait()
			v, release, ok := f.Acquire()
			release()
			if v.text != want || ok != (want != "") || failed != wantFailed || closed != wantClosed {
				t.Fatalf("%s: %q (%t), %d failures, %d closed; want %q, %d, %d", what, v.text, ok, failed, closed, want, wantFailed, wantClosed)
			}
		}
		write := func(text string) {
			t.Helper()
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		expect("missing", "", 0, 0)
		if s := log.String(); strings.Count(s, `msg="no note"`) != 1 || strings.Contains(s, "ERROR") {
			t.Errorf("log: %s", s)
		}
		write("first")
		expect("there", "first", 0, 0)
		if s := log.String(); !strings.Contains(s, `msg="note loaded"`) || !strings.Contains(s, "text=first") {
			t.Errorf("log: %s", s)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		expect("gone", "first", 1, 0)
		write("damaged")
		expect("damaged", "first", 2, 1)
		if s := log.String(); !strings.Contains(s, `msg="note not loaded"`) || !strings.Contains(s, `serving="the note loaded before"`) {
			t.Errorf("log: %s", s)
		}
		write("second!")
		expect("whole again", "second!", 2, 2)
		if f.Path() != path {
			t.Errorf("watches %s", f.Path())
		}
		cancel()
		synctest.Wait()
	})
}
