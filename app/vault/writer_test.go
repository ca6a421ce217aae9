package vault_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"svc/app/vault"
)

// What comes in parts of any length is the file that Write would have kept; one of another
// length than was said leaves nothing.
func TestWriter(t *testing.T) {
	v, _, _ := setup(t)
	for _, size := range []int{1, 1000, vault.Piece - 1, vault.Piece, vault.Piece + 1, 3*vault.Piece + 17} {
		content := bytes.Repeat([]byte("abcdefg"), size/7+1)[:size]
		w, err := v.Create(name, int64(size))
		if err != nil {
			t.Fatal(err)
		}
		for rest := content; len(rest) > 0; {
			n := min(len(rest), 40_001)
			if _, err := w.Write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if _, err := w.Write([]byte("x")); !errors.Is(err, vault.ErrLength) {
			t.Errorf("%d: one byte more: %v", size, err)
		}
		if err := errors.Join(w.Commit(), w.Abort()); err != nil {
			t.Fatal(err)
		}
		r, err := v.Open(name, int64(size))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d: %d bytes, %v", size, len(got), err)
		}
		_ = r.Close()
	}
	if err := v.Remove(name); err != nil {
		t.Fatal(err)
	}
	short, err := v.Create(name, 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := short.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if err := short.Commit(); !errors.Is(err, vault.ErrLength) {
		t.Errorf("a file that is not whole: %v", err)
	}
	for found := range v.Names() {
		t.Errorf("left: %+v", found)
	}
	if _, err := v.Create(name, 0); !errors.Is(err, vault.ErrLength) {
		t.Errorf("an empty file: %v", err)
	}
	if _, err := v.Create("../../etc/passwd", 5); err == nil {
		t.Error("a path is a name")
	}
}
