package live

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestDamagedInPlace: whoever writes over the file in place damages the map
// that serves. It is taken out, the process lives, and a good file serves again.
func TestDamagedInPlace(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"cut to nothing": func(path string) error { return os.Truncate(path, 0) },
		"cut in half":    func(path string) error { return os.Truncate(path, 4096) },
		"written over": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt(bytes.Repeat([]byte{0xa5}, 3000), 2000)
			return errors.Join(err, f.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.svcmap")
			makeMap(t, path, 2)
			makeMap(t, path+".new", 3)
			var log bytes.Buffer
			o := &told{}
			m := New(path, 0, false, slog.New(slog.NewTextHandler(&log, nil)), o)
			if got := answer(m); got != 2 {
				t.Fatalf("answers %d", got)
			}
			if err := change(path); err != nil {
				t.Fatal(err)
			}
			later := time.Now().Add(time.Hour) // the change is noticed whatever the clock's grain
			if err := os.Chtimes(path, later, later); err != nil {
				t.Fatal(err)
			}
			m.load(false, true)
			if got := answer(m); got != -1 {
				t.Errorf("a damaged map still answers %d", got)
			}
			if _, failed := o.counts(); failed != 1 {
				t.Errorf("told %d failures", failed)
			}
			if s := log.String(); !strings.Contains(s, "what served until now is damaged as well") || !strings.Contains(s, `serving="no map"`) {
				t.Errorf("log: %s", s)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
			m.load(false, true)
			if got := answer(m); got != 3 {
				t.Errorf("with a good file it answers %d", got)
			}
		})
	}
}

// TestTriedAgain: a file that the system could not open is tried again
// unchanged, and told once; one with bad content is left until it changes.
func TestTriedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.svcmap")
	makeMap(t, path, 2)
	o := &told{}
	m := New(path, 0, false, quiet(), o)
	expect := func(what string, loaded, failed int) {
		t.Helper()
		if l, f := o.counts(); l != loaded || f != failed || answer(m) != 2 {
			t.Fatalf("%s: loaded %d, failed %d, answers %d; want %d, %d, 2", what, l, f, answer(m), loaded, failed)
		}
	}
	m.refused(errors.New("bad content"))
	m.load(false, true)
	expect("bad content", 1, 1)
	full := &fs.PathError{Op: "open", Path: path, Err: syscall.EMFILE}
	m.refused(full)
	m.refused(full)
	expect("no descriptors, twice", 1, 2)
	m.load(false, true)
	expect("descriptors again", 2, 2)
	m.refused(full)
	expect("no descriptors after a good load", 2, 3)
}
