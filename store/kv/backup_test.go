package kv_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/store/kv"
)

// opened opens a new database with some keys.
func opened(t *testing.T) (b *kv.Bolt, dir string) {
	t.Helper()
	dir = t.TempDir()
	b, err := kv.OpenBolt(filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	fill(t, b, 0, 1000)
	return b, dir
}

// TestBackupIsFinished: the copy is changed and judged before it has its name. One
// that is not good leaves no trace, and an older backup stays as it is.
func TestBackupIsFinished(t *testing.T) {
	b, dir := opened(t)
	path := filepath.Join(dir, "copy.db")
	if err := os.WriteFile(path, []byte("the older one"), 0o600); err != nil {
		t.Fatal(err)
	}
	bad := errors.New("not good")
	if err := b.Backup(t.Context(), path, func(string) error { return bad }); !errors.Is(err, bad) {
		t.Errorf("a copy that is not good: %v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != "the older one" {
		t.Error("the older backup is gone")
	}
	amend := func(tmp string) error {
		return kv.Amend(t.Context(), tmp, func(tx kv.Tx) error { return tx.Put([]byte("last"), []byte("word")) })
	}
	if err := b.Backup(t.Context(), path, amend); err != nil {
		t.Fatal(err)
	}
	copied, err := kv.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	for name, want := range map[string]struct {
		in  kv.Engine
		has string
	}{"the backup": {copied, "word"}, "the database": {b, ""}} {
		if err := want.in.View(t.Context(), func(tx kv.Tx) error {
			got, err := tx.Get([]byte("last"))
			if string(got) != want.has {
				t.Errorf("%s holds %q, want %q", name, got, want.has)
			}
			return err
		}); err != nil {
			t.Error(err)
		}
	}
	if files := names(t, dir); !slices.Equal(files, []string{"a.db", "a.db.log1", "copy.db"}) {
		t.Errorf("left behind: %v", files)
	}
}

func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		out = append(out, f.Name())
	}
	return out
}

// TestOneBackupAtATime: two that would write the same file do not meet in it, and
// what a killed one left is in nobody's way.
func TestOneBackupAtATime(t *testing.T) {
	b, dir := opened(t)
	path := filepath.Join(dir, "copy.db")
	for _, left := range []string{".svc-backup.lock", ".svc-backup.tmp", ".lock", ".tmp"} {
		if err := os.WriteFile(path+left, []byte(strings.Repeat("left by a killed process ", 9999)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := func(string) error { return nil }
	err := b.Backup(t.Context(), path, func(string) error {
		if err := b.Backup(t.Context(), path, again); err == nil || !strings.Contains(err.Error(), "somebody is making it already") {
			t.Errorf("a second one meanwhile: %v", err)
		}
		return b.Backup(t.Context(), filepath.Join(dir, "other.db"), again)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Backup(t.Context(), path, again); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	if err := kv.VerifyFile(path, true); err != nil {
		t.Error(err)
	}
	// Files of other people that only have similar names stay.
	if files := names(t, dir); !slices.Equal(files, []string{"a.db", "a.db.log1", "copy.db", "copy.db.lock", "copy.db.tmp", "other.db"}) {
		t.Errorf("files now: %v", files)
	}
}

// TestAmendRefuses: a damaged file is not opened, and a change that fails is none.
func TestAmendRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.db")
	if err := os.WriteFile(path, overwriteTree(sound(t, true)), 0o600); err != nil {
		t.Fatal(err)
	}
	put := func(tx kv.Tx) error { return tx.Put([]byte("k"), nil) }
	if err := kv.Amend(t.Context(), path, put); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("a damaged file: %v", err)
	}
	if err := os.WriteFile(path, sound(t, true), 0o600); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	err := kv.Amend(t.Context(), path, func(tx kv.Tx) error { return errors.Join(put(tx), stop) })
	if !errors.Is(err, stop) {
		t.Errorf("a change that fails: %v", err)
	}
	e, err := kv.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.View(t.Context(), func(tx kv.Tx) error {
		if got, _ := tx.Get([]byte("k")); got != nil {
			t.Error("it was made all the same")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}
