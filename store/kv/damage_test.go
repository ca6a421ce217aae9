package kv_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/kv"
	"svc/store/kv/pages"

	bolt "go.etcd.io/bbolt"
)

// sound makes a small database and gives its bytes, with the list of its free pages
// or without.
func sound(t testing.TB, listed bool) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sound.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []string{"a", "b", "c"} {
		if err := put(t.Context(), b, k, strings.Repeat(k, 6000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if !listed {
		if err := kv.Unlist(path); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDamagedFiles(t *testing.T) {
	for _, listed := range []bool{false, true} {
		data := sound(t, listed)
		if err := pages.Verify(bytes.NewReader(data), int64(len(data)), true); err != nil {
			t.Fatalf("the sound file: %v", err)
		}
		tests := map[string][]byte{
			"half a page":  data[:2000],
			"two pages":    data[:8192],
			"cut short":    data[:5*4096],
			"text":         bytes.Repeat([]byte("not a database\n"), 1000),
			"both heads":   overwrite(data, 0, 8192),
			"a tree page":  overwriteTree(data),
			"only zeroes":  make([]byte, 65536),
			"random pages": overwrite(data, 2*4096, len(data)),
		}
		for name, bad := range tests {
			path := filepath.Join(t.TempDir(), "bad.db")
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			if listed && name == "a tree page" {
				continue // found when it is read, or by a full check
			}
			_, err := kv.OpenBolt(path)
			if !errors.Is(err, kv.ErrDamaged) || !strings.Contains(err.Error(), "restore a backup") {
				t.Errorf("%s (with the list of free pages: %v): %v", name, listed, err)
			}
		}
	}
}

func overwrite(data []byte, from, to int) []byte {
	out := bytes.Clone(data)
	for i := from; i < to; i++ {
		out[i] = byte(i*7 + i>>8)
	}
	return out
}

// overwriteTree breaks every page but the heads that says it is a leaf.
func overwriteTree(data []byte) []byte {
	out := bytes.Clone(data)
	for at := 2 * 4096; at < len(out); at += 4096 {
		if out[at+8] == 2 {
			out[at+10], out[at+11] = 0xFF, 0xFF
		}
	}
	return out
}

func TestOtherPeoplesDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := bolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucket([]byte("theirs")); return err })
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := kv.OpenBolt(path); err == nil || !strings.Contains(err.Error(), "not one of this program") {
		t.Errorf("opened another program's database: %v", err)
	}
}

// TestTruncatedWhileOpen: pages that vanish under a running server end in an
// error, not in a dead process.
func TestTruncatedWhileOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "open.db")
	b, err := kv.OpenBolt(path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, b, 0, 5000)
	if err := os.Truncate(path, 8192); err != nil {
		t.Fatal(err)
	}
	count := func(tx kv.Tx) error {
		for _, err := range tx.Scan(kv.Range{}) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := b.View(t.Context(), count); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("view: %v", err)
	}
	if err := put(t.Context(), b, "k", "v"); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("update: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

// trim cuts the empty pages at the end.
func trim(data []byte) []byte {
	used := len(bytes.TrimRight(data, "\x00"))
	return data[:min(len(data), (used+4095)/4096*4096)]
}

func FuzzVerifyPages(f *testing.F) {
	f.Add(trim(sound(f, true)), 8200, byte(1))
	f.Add(trim(sound(f, false)), 12300, byte(255))
	f.Add([]byte("x"), 0, byte(0))
	f.Fuzz(func(t *testing.T, data []byte, at int, x byte) {
		data = bytes.Clone(data)
		if at >= 0 && at < len(data) {
			data[at] ^= x
		}
		err := pages.Verify(bytes.NewReader(data), int64(len(data)), true)
		if err != nil && !errors.Is(err, kv.ErrDamaged) {
			t.Error(err)
		}
	})
}
