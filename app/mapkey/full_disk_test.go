package mapkey

import (
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// TestUndoEmptiesOnlyWhatIsHalfMade: a file whose making broke off is emptied,
// so that the next try makes it; any other file is left as it is.
func TestUndoEmptiesOnlyWhatIsHalfMade(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "whole.db")
	f, err := openUsage(whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		held    bool // by another process
		emptied bool
	}{
		"half a page":        {sound[:2048], false, true},
		"two pages":          {sound[:8192], false, true},
		"sound":              {sound, false, false},
		"half, somebody's":   {sound[:8192], true, false},
		"nothing was made":   {nil, false, false},
		"an empty file":      {[]byte{}, false, false},
		"sound, in some use": {sound, true, false},
	} {
		path := filepath.Join(t.TempDir(), "u.db")
		if c.content != nil {
			if err := os.WriteFile(path, c.content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if c.held {
			raw, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer raw.Close()
			if err := lockShared(raw); err != nil {
				t.Fatal(err)
			}
		}
		if err := (&usageFile{path: path}).undo(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, err := os.ReadFile(path)
		if want := len(c.content); c.emptied && len(got) != 0 || !c.emptied && len(got) != want || (err == nil) != (c.content != nil) {
			t.Errorf("%s: %d bytes left of %d, %v", name, len(got), want, err)
		}
		if c.emptied {
			f, err := openUsage(path)
			if err != nil {
				t.Fatalf("%s: it is not made anew: %v", name, err)
			}
			if err := f.db.View(func(tx *bolt.Tx) error { return f.readHead(tx) }); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := f.close(); err != nil {
				t.Error(err)
			}
		}
	}
}
