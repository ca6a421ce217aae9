package vault_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"svc/app/vault"
	"svc/store"
	"svc/store/storetest"
)

const name = "0123abcd4567"

// counting counts the pieces that are opened.
type counting struct {
	*store.DB
	opened []string
}

func (c *counting) OpenFile(name string, sealed []byte) ([]byte, error) {
	c.opened = append(c.opened, name)
	return c.DB.OpenFile(name, sealed)
}

func setup(t *testing.T) (*vault.Vault, *counting, string) {
	t.Helper()
	seal, dir := &counting{DB: storetest.Open(t)}, filepath.Join(t.TempDir(), "files")
	return vault.InFolder(dir, seal), seal, dir
}

func content(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(b)
	return b
}

func TestRoundTrip(t *testing.T) {
	v, _, dir := setup(t)
	for _, n := range []int{1, vault.Piece - 1, vault.Piece, vault.Piece + 1, 3*vault.Piece + 7} {
		want := content(n)
		if err := v.Write(name, want); err != nil {
			t.Fatal(err)
		}
		r, err := v.Open(name, int64(n))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: read %d, %v", n, len(got), err)
		}
		r.Close()
		raw, err := os.ReadFile(filepath.Join(dir, name[:2], name))
		if err != nil || n > 32 && bytes.Contains(raw, want[:32]) {
			t.Errorf("the file lies open (%v)", err)
		}
	}
}

// TestAPartOpensOnlyItsPieces: a Range request costs its range.
func TestAPartOpensOnlyItsPieces(t *testing.T) {
	v, seal, _ := setup(t)
	want := content(10*vault.Piece + 5)
	if err := v.Write(name, want); err != nil {
		t.Fatal(err)
	}
	r, err := v.Open(name, int64(len(want)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, tt := range []struct {
		offset int64
		whence int
		n, ask int
	}{{5*vault.Piece - 2, io.SeekStart, 4, 2}, {0, io.SeekCurrent, 10, 0}, {-5, io.SeekEnd, 5, 1}} {
		seal.opened = nil
		at, err := r.Seek(tt.offset, tt.whence)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, tt.n)
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want[at:at+int64(tt.n)]) {
			t.Errorf("at %d: %v", at, err)
		}
		if len(seal.opened) != tt.ask {
			t.Errorf("at %d: opened %v, want %d pieces", at, seal.opened, tt.ask)
		}
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("behind the end: %d, %v", n, err)
	}
	if _, err := r.Seek(-1, io.SeekStart); err == nil {
		t.Error("a place before the beginning")
	}
}

// TestDamage: what was changed on the disk is never served.
func TestDamage(t *testing.T) {
	const other = "fedc9876aaaa"
	n := 2*vault.Piece + 100
	tests := map[string]func([]byte) []byte{
		"a bit":  func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"cut":    func(b []byte) []byte { return b[:len(b)-3] },
		"longer": func(b []byte) []byte { return append(b, 1, 2, 3) },
		"empty":  func([]byte) []byte { return nil },
		"swapped": func(b []byte) []byte {
			k := (len(b) - n) / 3
			p := vault.Piece + k
			return slices.Concat(b[p:2*p], b[:p], b[2*p:])
		},
		"a piece":   func(b []byte) []byte { k := (len(b) - n) / 3; return b[:2*(vault.Piece+k)] },
		"all zeros": func(b []byte) []byte { return make([]byte, len(b)) },
	}
	for what, damage := range tests {
		v, _, dir := setup(t)
		if err := errors.Join(v.Write(name, content(n)), v.Write(other, content(n))); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name[:2], name)
		raw, _ := os.ReadFile(path)
		if err := os.WriteFile(path, damage(raw), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := readAll(v, name, n); !errors.Is(err, vault.ErrDamaged) {
			t.Errorf("%s: %v", what, err)
		}
		if err := readAll(v, other, n); err != nil {
			t.Errorf("%s: the other file: %v", what, err)
		}
	}
	v, _, dir := setup(t)
	if err := readAll(v, name, n); !errors.Is(err, vault.ErrDamaged) {
		t.Errorf("missing: %v", err)
	}
	if err := errors.Join(v.Write(name, content(n)), v.Write(other, content(n))); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, other[:2], other), filepath.Join(dir, name[:2], name)); err != nil {
		t.Fatal(err)
	}
	if err := readAll(v, name, n); !errors.Is(err, vault.ErrDamaged) {
		t.Errorf("another file under its name: %v", err)
	}
	if err := readAll(v, name, n-1); !errors.Is(err, vault.ErrDamaged) {
		t.Errorf("another length: %v", err)
	}
}

func readAll(v *vault.Vault, name string, n int) error {
	r, err := v.Open(name, int64(n))
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

func TestNames(t *testing.T) {
	v, _, dir := setup(t)
	list := func() (out []vault.Found) {
		for f, err := range v.Names() {
			if err != nil {
				t.Fatal(err)
			}
			if age := time.Since(f.At); age < 0 || age > time.Hour {
				t.Errorf("%s was written %v", f.Name, f.At)
			}
			f.At = time.Time{}
			out = append(out, f)
		}
		return out
	}
	if got := list(); got != nil {
		t.Errorf("a folder that does not exist holds %v", got)
	}
	if err := errors.Join(v.Write(name, content(10)), v.Write("ffff0000.thumb", content(10))); err != nil {
		t.Fatal(err)
	}
	for _, stray := range []string{"README", "01/notes", "01/ff23abcd4567", "01/0199abcd.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, stray), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []vault.Found{{Name: name}, {Name: "0199abcd", Partial: true}, {Name: "ffff0000.thumb"}}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
	if err := errors.Join(v.RemovePartial("0199abcd"), v.Remove(name), v.Remove(name), v.RemovePartial(name)); err != nil {
		t.Fatal(err)
	}
	if got := list(); !slices.Equal(got, want[2:]) {
		t.Errorf("found %v, want %v", got, want[2:])
	}
}

// TestBadNames: a name never leads out of the folder.
func TestBadNames(t *testing.T) {
	v, _, _ := setup(t)
	for _, bad := range []string{"", "short", "../../etc/passwd", "0123/abcdef", "ab..cdefgh", "ABCDEFGHIJ", "0123abcd\x00"} {
		_, opened := v.Open(bad, 1)
		for what, err := range map[string]error{"write": v.Write(bad, []byte("x")), "open": opened, "remove": v.Remove(bad), "partial": v.RemovePartial(bad)} {
			if err == nil {
				t.Errorf("%s %q", what, bad)
			}
		}
	}
}

// TestAFailedWrite: what cannot be written leaves what was there.
func TestAFailedWrite(t *testing.T) {
	v, _, dir := setup(t)
	if err := v.Write(name, content(10)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, name[:2], name+".tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := v.Write(name, content(20)); err == nil {
		t.Fatal("written over a folder")
	}
	if err := readAll(v, name, 10); err != nil {
		t.Errorf("the file that was there: %v", err)
	}
}

// TestReseal: every file is sealed again, once; what a killed rotation left goes, and a
// file that is damaged stays and is named.
func TestReseal(t *testing.T) {
	v, seal, dir := setup(t)
	const small, damaged = "aaaabbbbcccc", "ddddeeeeffff.thumb"
	sizes := map[string]int{name: 3*vault.Piece + 7, small: 1, "00001111.thumb": vault.Piece, damaged: 50}
	for n, size := range sizes {
		if err := v.Write(n, content(size)); err != nil {
			t.Fatal(err)
		}
	}
	at := func(n string) string { return filepath.Join(dir, n[:2], n) }
	if err := errors.Join(os.WriteFile(at(damaged), content(95), 0o600), os.WriteFile(at(small)+".tmp", nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(at(name))
	var again int
	err := seal.RotateKeys(t.Context(), store.Rotation{Files: func(ctx context.Context) error {
		cut, stop := context.WithCancel(ctx)
		stop()
		if _, _, err := vault.Reseal(cut, vault.Folder{Dir: dir}.Place(""), seal.DB); !errors.Is(err, context.Canceled) {
			t.Errorf("cut short: %v", err)
		}
		done, bad, err := vault.Reseal(ctx, vault.Folder{Dir: dir}.Place(""), seal.DB)
		if err != nil || done != 3 || !slices.Equal(bad, []string{damaged}) {
			t.Errorf("%d, %v, %v", done, bad, err)
		}
		once, _ := os.ReadFile(at(name))
		if _, _, err := vault.Reseal(ctx, vault.Folder{Dir: dir}.Place(""), seal.DB); err != nil {
			t.Error(err)
		}
		twice, _ := os.ReadFile(at(name))
		if bytes.Equal(before, once) || !bytes.Equal(once, twice) {
			t.Error("it is not sealed again, or twice")
		}
		again++
		return nil
	}})
	if err != nil || again != 1 {
		t.Fatal(err)
	}
	for n, size := range sizes {
		if n == damaged {
			continue
		}
		r, err := v.Open(n, int64(size))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content(size)) {
			t.Errorf("%s: %d bytes, %v", n, len(got), err)
		}
		r.Close()
	}
	if _, err := os.Stat(at(small) + ".tmp"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what a killed one left: %v", err)
	}
}
