package index

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefusals: every file that is not a whole map of this version is refused
// with a sentence that says what is wrong and what to do.
func TestRefusals(t *testing.T) {
	good, err := os.ReadFile(write(t, testModel(200, 1)))
	if err != nil {
		t.Fatal(err)
	}
	changed := func(edit func(b []byte)) []byte {
		b := append([]byte(nil), good...)
		edit(b)
		return b
	}
	type refusal struct {
		name string
		data []byte
		want string
	}
	cases := []refusal{
		{"empty", nil, "is not a map file: build one with"},
		{"short text", []byte("hello"), "is not a map file: build one with"},
		{"long text", []byte(strings.Repeat("hello ", 1000)), "is not a map file: build one with"},
		{"newer", changed(func(b []byte) { b[8]++ }), "was made by a newer svc"},
		{"older", changed(func(b []byte) { b[8]-- }), "was made by an older svc"},
		{"a damaged section table", changed(func(b []byte) { b[headerSize+3] ^= 1 }), "has a damaged header"},
		{"a damaged checksum", changed(func(b []byte) { b[25] ^= 1 }), "has a damaged header"},
		{"another number of sections", changed(func(b []byte) { b[12]++ }), "has a damaged header"},
		{"longer than it says", append(append([]byte(nil), good...), 0), "has a damaged header"},
		{"a damaged description", changed(func(b []byte) { b[metaAt(b)+2] ^= 1 }), "is damaged (section meta)"},
	}
	for _, share := range []int{1, 10, 30, 50, 70, 90, 99} {
		cases = append(cases, refusal{"truncated", good[:max(headerSize, len(good)*share/100)], "is truncated"})
	}
	for _, n := range []int{headerSize, headerSize + 1, headerSize + tableSize, len(good) - 1} {
		cases = append(cases, refusal{"truncated", good[:n], "is truncated"})
	}
	for _, c := range cases {
		path := filepath.Join(t.TempDir(), "a.svcmap")
		if err := os.WriteFile(path, c.data, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := Open(path)
		if err == nil {
			_ = x.Close()
			t.Errorf("%s: opened", c.name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s (%d bytes): %v, want %q and the file", c.name, len(c.data), err, c.want)
		}
		if _, err := Inspect(path); err == nil {
			t.Errorf("%s: inspected", c.name)
		}
	}
	if _, err := Open(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// metaAt is where the description of a file stands.
func metaAt(b []byte) int {
	return int(binary.LittleEndian.Uint64(b[headerSize+int(secMeta)*entrySize:]))
}

// TestVerify finds a changed byte in every section.
func TestVerify(t *testing.T) {
	path := write(t, testModel(300, 2))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x := open(t, path)
	for s := range sectionCount {
		e := x.table[s]
		if s == secMeta || e.Length == 0 {
			continue
		}
		b := append([]byte(nil), good...)
		b[e.Offset+e.Length/2] ^= 0x40
		path := filepath.Join(t.TempDir(), "b.svcmap")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Open(path)
		if err != nil {
			t.Fatalf("section %s: %v", sectionNames[s], err)
		}
		if err := d.Verify(); err == nil || !strings.Contains(err.Error(), "is damaged (section "+sectionNames[s]+")") || !strings.Contains(err.Error(), path) {
			t.Errorf("section %s: %v", sectionNames[s], err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
		if err := d.Close(); err != nil {
			t.Errorf("closed twice: %v", err)
		}
	}
}

func TestInspect(t *testing.T) {
	path := write(t, testModel(300, 2))
	info, err := Inspect(path)
	if err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, n := range info.Meta.Kinds {
		sum += n
	}
	if info.Bytes != stat.Size() || info.Meta.Entries != 300 || sum != 300 || info.Areas != 60 || info.Format != Version || len(info.Sections) != int(sectionCount) {
		t.Errorf("%+v", info)
	}
}
