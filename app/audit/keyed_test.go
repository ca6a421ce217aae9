package audit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/store"
)

// recount makes entries from one on what somebody without the key would: their hashes
// are counted again as versions without a key did, over the stored fields, and the end
// says the last of them.
func (f *file) recount(from, to int) {
	f.t.Helper()
	before := ""
	if from > 1 {
		before = f.hashes[from-1]
	}
	for seq := from; seq <= to; seq++ {
		p := f.record(seq)
		at := bytes.IndexByte(p.value, '{')
		hash := plain(f.t, before, p.value[at:])
		f.put(p.key, bytes.Replace(p.value, []byte(f.hashes[seq]), []byte(hash), 1))
		f.hashes[seq], before = hash, hash
	}
	f.end(to)
}

// plain is how versions without a key linked an entry, counted from its stored form:
// its fields without those that are null, and without the hash.
func plain(t *testing.T, before string, stored []byte) string {
	t.Helper()
	var e struct {
		Seq       json.RawMessage `json:"seq"`
		ID        json.RawMessage `json:"id"`
		At        json.RawMessage `json:"at"`
		Actor     json.RawMessage `json:"actor"`
		Action    json.RawMessage `json:"action"`
		Resource  json.RawMessage `json:"resource"`
		Changes   any             `json:"changes,omitempty"`
		IP        *string         `json:"ip,omitempty"`
		RequestID *string         `json:"request_id,omitempty"`
	}
	if err := json.Unmarshal(stored, &e); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(append([]byte(before+"\n"), data...))
	return hex.EncodeToString(sum[:])
}

// written is a closed database with a chain of four entries. With old, it is one that a
// version without keys wrote, and the next opening upgrades it.
func written(t *testing.T, old bool) (path, org string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "svc.db")
	o := options(path)
	if old {
		o.Migrations = nil
	}
	db, err := store.Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	s := apitest.New(t, db, audit.New(db))
	for _, name := range []string{"a", "b", "c", "d"} {
		write(t, db, s.Call(), "list."+name, "lst_1", audit.Changed("n", 1, 2))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if old {
		forge(t, path, func(f *file) { f.recount(1, 4) })
	}
	return path, s.Org
}

func options(path string) store.Options {
	return store.Options{Tables: audit.Tables(), KeyFile: path + ".key", Migrations: []store.Migration{audit.Migration}}
}

// verify opens the database, which upgrades an old one, and follows a chain.
func verify(t *testing.T, path, org string, anchors ...audit.Anchor) (int64, error) {
	t.Helper()
	db := open(t, path)
	defer db.Close()
	return audit.Verify(t.Context(), db, org, anchors...)
}

// TestRecountedWithoutTheKey: who changes entries and counts hashes again, as far as
// that goes without the master key, is found; also in entries that an older version
// wrote, from the upgrade on.
func TestRecountedWithoutTheKey(t *testing.T) {
	const value = `"to":2`
	for _, tt := range []struct {
		name  string
		old   bool
		forge func(f *file)
		want  string
	}{
		{"a changed entry, all behind it counted again", false, func(f *file) { f.replace(3, value, `"to":3`); f.reread(); f.recount(3, 4) }, "at place 3"},
		{"everything counted again", false, func(f *file) { f.replace(1, value, `"to":3`); f.reread(); f.recount(1, 4) }, "at place 4: its entries were not linked with the key"},
		{"cut shorter, with an end made for it", false, func(f *file) { f.remove(4); f.end(3) }, "the record of its end was not signed"},
		{"an old entry, counted again up to the upgrade", true, func(f *file) {
			f.replace(2, value, `"to":3`)
			f.reread()
			f.recount(2, 4)
			f.end(5)
		}, "at place 5"},
		{"the upgrade taken away, everything counted again", true, func(f *file) {
			f.replace(2, value, `"to":3`)
			f.reread()
			f.remove(5)
			f.recount(2, 4)
		}, "at place 4: its entries were not linked with the key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path, org := written(t, tt.old)
			if n, err := verify(t, path, org); err != nil || n < 4 {
				t.Fatalf("before: %d, %v", n, err)
			}
			forge(t, path, tt.forge)
			var broken *audit.BrokenError
			if _, err := verify(t, path, org); !errors.As(err, &broken) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			// Writing goes on, and heals nothing.
			db := open(t, path)
			defer db.Close()
			s := apitest.New(t, db, audit.New(db))
			s.Org = org
			write(t, db, s.Call(), "list.later", "lst_1")
			if _, err := audit.Verify(t.Context(), db, org); !errors.As(err, &broken) {
				t.Errorf("after one more entry: %v", err)
			}
		})
	}
}

// reread takes up what was changed.
func (f *file) reread() {
	f.ends = nil
	_ = f.b.ForEach(f.look)
}

// TestUpgradeCannotBeUndone: a file that was made to look as if it had never been
// upgraded is refused, so that its forged entries are not marked as good by a second
// upgrade.
func TestUpgradeCannotBeUndone(t *testing.T) {
	path, org := written(t, true)
	if n, err := verify(t, path, org); err != nil || n != 5 {
		t.Fatalf("%d, %v", n, err)
	}
	forge(t, path, func(f *file) {
		f.replace(2, `"to":2`, `"to":3`)
		f.reread()
		f.remove(5)
		f.recount(2, 4)
		head := append(make([]byte, 4), "head"...)
		f.put(head, bytes.Replace(bytes.Clone(f.b.Get(head)), []byte(`"`+audit.Migration.Name+`"`), nil, 1))
	})
	_, err := store.Open(t.Context(), path, options(path))
	if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), "somebody changed the file") {
		t.Errorf("it was opened: %v", err)
	}
}

// TestAnchors: ends of chains that were kept outside prove that nothing was cut off or
// written anew since, by whoever had the key too.
func TestAnchors(t *testing.T) {
	path, org := written(t, false)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	var got []audit.Anchor
	take := func(all bool) int {
		t.Helper()
		got = nil
		err := audit.Anchors(t.Context(), db, "file", all, func(_ context.Context, list []audit.Anchor) error {
			got = append(got, list...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return len(got)
	}
	s := apitest.New(t, db, audit.New(db))
	s.Org = org
	write(t, db, s.Call(), "list.e", "lst_1")
	failed := errors.New("nobody took it")
	if err := audit.Anchors(t.Context(), db, "file", false, func(context.Context, []audit.Anchor) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("not delivered: %v", err)
	}
	if take(false) != 1 || got[0].Seq != 5 || got[0].Chain != org || len(got[0].Hash) != 64 {
		t.Fatalf("%+v", got)
	}
	five := got[0]
	if take(false) != 0 || take(true) != 1 {
		t.Error("what did not grow is anchored again only when all are asked for")
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	_, _ = fmt.Fprintln(&lines, `{"time":"2026-01-01T00:00:00Z","msg":"serving","address":"x"}`+"\nnot JSON, audit anchor")
	if err := json.NewEncoder(&lines).Encode(five); err != nil {
		t.Fatal(err)
	}
	anchors, err := audit.ReadAnchors(&lines)
	if err != nil || len(anchors[org]) != 1 {
		t.Fatalf("%v, %v", anchors, err)
	}
	if n, err := verify(t, path, org, anchors[org]...); err != nil || n != 5 {
		t.Errorf("%d, %v", n, err)
	}
	// Set back to before: every entry and the end are as they were written, once.
	if err := os.WriteFile(path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(t, path, org); err != nil {
		t.Errorf("without anchors it is whole: %v", err)
	}
	if _, err := verify(t, path, org, anchors[org]...); err == nil || !strings.Contains(err.Error(), "at place 5: it ends here") || !strings.Contains(err.Error(), "cut shorter or set back") {
		t.Errorf("set back: %v", err)
	}
	// And written on, by somebody with the key.
	db = open(t, path)
	s = apitest.New(t, db, audit.New(db))
	s.Org = org
	write(t, db, s.Call(), "list.other", "lst_1")
	write(t, db, s.Call(), "list.more", "lst_1")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := verify(t, path, org, anchors[org]...); err == nil || !strings.Contains(err.Error(), "at place 5: it or one before it was rewritten") {
		t.Errorf("written anew: %v", err)
	}
}

// TestFilesThatHoldNoAnchors are refused, with the line where there is one.
func TestFilesThatHoldNoAnchors(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "no anchor in it",
		`{"msg":"audit anchor"`: "no anchor in it",
		"\n" + `{"msg":"audit anchor","chain":"x","seq":1,"hash":"00"}`:  "line 2: this anchor names no chain",
		`{"msg":"audit anchor","chain":"platform","seq":-1,"hash":"00"}`: "line 1: this anchor names no chain",
		"x\n" + strings.Repeat(`{"msg":"audit anchor"`, 1<<13):           "line 2: ",
	} {
		if _, err := audit.ReadAnchors(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
}
