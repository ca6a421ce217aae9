package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"svc/app/api/apitest"
	"svc/app/audit"
	"svc/store"
)

// TestChain: whoever changes the file behind our back is found, and the first entry
// that is not as it was written is named.
func TestChain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		forge func(f *file)
		want  string // ID3 stands for the id of entry 3
	}{
		{"untouched", func(*file) {}, ""},
		{"a changed value", func(f *file) { f.replace(3, `"action":"list.c"`, `"action":"list.X"`) }, "at place 3, entry ID3: it was changed"},
		{"a changed value in a field without an index", func(f *file) { f.replace(2, "2.5", "3.5") }, "at place 2, entry ID2: it was changed"},
		{"a changed place", func(f *file) { f.replace(2, `"seq":2,`, `"seq":7,`) }, "at place 2: the entry is missing"},
		{"a changed first entry", func(f *file) { f.replace(1, "list.a", "list.z") }, "at place 1, entry ID1: it was changed"},
		{"a missing entry", func(f *file) { f.remove(2) }, "at place 2: the entry is missing"},
		{"a missing last entry", func(f *file) { f.remove(4) }, "at place 4: it ends here, and 4 entries were written"},
		{"a record whose index is left", func(f *file) { f.delete(f.record(3).key) }, "at place 3, entry ID3: the entry is missing"},
		{"an added entry", func(f *file) { f.end(3) }, "at place 4, entry ID4: it was added, 3 entries were written"},
		{"one that cannot be read", func(f *file) { f.replace(3, `{"id"`, `{"id`) }, "at place 3, entry ID3: it cannot be read any more"},
		{"a first one that cannot be read", func(f *file) { f.put(f.record(1).key, nil) }, "at place 1, entry ID1: it cannot be read any more"},
		{"no end", func(f *file) { f.delete(f.head().key) }, "at place 1, entry ID1: it was added, 0 entries were written"},
		{"an end that cannot be read", func(f *file) { f.put(f.head().key, []byte("x")) }, "is broken: the record of its end cannot be read"},
		{"nothing but the end", func(f *file) { f.remove(1, 2, 3, 4) }, "at place 1: it ends here, and 4 entries were written"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "svc.db")
			db := open(t, path)
			s, other := apitest.New(t, db, audit.New(db)), apitest.New(t, db, audit.New(db))
			for _, name := range []string{"a", "b", "c", "d"} {
				write(t, db, s.Call(), "list."+name, "lst_1", audit.Changed("n", 1, 2.5), audit.Changed("<tag>", "<&>", "\u2028"))
			}
			write(t, db, other.Call(), "group.a", "lst_2")
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			ids := forge(t, path, tt.forge)
			db = open(t, path)
			defer db.Close()
			n, err := audit.Verify(t.Context(), db, s.Org)
			var broken *audit.BrokenError
			want := tt.want
			for seq, id := range ids {
				want = strings.ReplaceAll(want, fmt.Sprint("ID", seq), id)
			}
			switch {
			case tt.want == "" && (err != nil || n != 4):
				t.Errorf("%d entries, %v", n, err)
			case tt.want != "" && (!errors.As(err, &broken) || !strings.Contains(err.Error(), want) || broken.Org != s.Org):
				t.Errorf("got %v, want %q", err, want)
			}
			if n, err := audit.Verify(t.Context(), db, other.Org); n != 1 || err != nil {
				t.Errorf("the other chain: %d, %v", n, err)
			}
			owners, err := audit.Owners(t.Context(), db)
			if orgs := []string{min(s.Org, other.Org), max(s.Org, other.Org)}; err != nil || !slices.Equal(owners, orgs) {
				t.Errorf("the chains of %v, %v, want %v", owners, err, orgs)
			}
		})
	}
}

// TestLongChain: one that does not read is found behind whole pages too.
func TestLongChain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "svc.db")
	db := open(t, path)
	s := apitest.New(t, db, audit.New(db))
	c, action := s.Call(), audit.On("list", "lst_1", "")
	for range 4 {
		if err := db.Update(t.Context(), func(tx *store.Tx) error {
			for range 300 {
				if err := audit.Write(tx, c, "list.created", action); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := audit.Verify(t.Context(), db, s.Org); n != 1200 || err != nil {
		t.Fatalf("%d entries, %v", n, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	ids := forge(t, path, func(f *file) { f.replace(1101, `"seq"`, `"seq`) })
	db = open(t, path)
	defer db.Close()
	var broken *audit.BrokenError
	n, err := audit.Verify(t.Context(), db, s.Org)
	if !errors.As(err, &broken) || n != 1100 || broken.Seq != 1101 || broken.Entry != ids[1101] {
		t.Errorf("%d entries are as they were written, %v", n, err)
	}
}

func open(t *testing.T, path string) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), path, store.Options{Tables: audit.Tables(), KeyFile: path + ".key", Migrations: []store.Migration{audit.Migration}})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// pair is what is stored under a key.
type pair struct{ key, value []byte }

// file is the stored bytes, as somebody with the file could change them. It speaks of
// the chain of four entries and more.
type file struct {
	t       *testing.T
	b       *bbolt.Bucket
	entries map[int]pair
	ids     map[int]string
	hashes  map[int]string
	ends    []pair
}

// forge changes a database that nobody has open, and answers the ids of its entries.
func forge(t *testing.T, path string, change func(*file)) map[int]string {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	f := &file{t: t, entries: map[int]pair{}, ids: map[int]string{}, hashes: map[int]string{}}
	if err := db.Update(func(tx *bbolt.Tx) error {
		f.b = tx.Bucket([]byte("kv"))
		if err := f.b.ForEach(f.look); err != nil {
			return err
		}
		change(f)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return f.ids
}

func (f *file) look(k, v []byte) error {
	at := bytes.IndexByte(v, '{')
	var e struct {
		ID, Hash, Action string
		Seq              int
	}
	readable := at >= 0 && json.Unmarshal(v[at:], &e) == nil
	switch {
	case !readable || e.ID == "" || e.Hash == "" || strings.HasPrefix(e.Action, "group."):
	case e.ID == "head":
		f.ends = append(f.ends, pair{bytes.Clone(k), bytes.Clone(v)})
	default:
		f.entries[e.Seq], f.ids[e.Seq], f.hashes[e.Seq] = pair{bytes.Clone(k), bytes.Clone(v)}, e.ID, e.Hash
	}
	return nil
}

// record is an entry by its place.
func (f *file) record(seq int) pair {
	f.t.Helper()
	if f.entries[seq].key == nil {
		f.t.Fatalf("there is no entry %d", seq)
	}
	return f.entries[seq]
}

// head is what the chain says of its end.
func (f *file) head() pair {
	f.t.Helper()
	for _, p := range f.ends {
		if bytes.Contains(p.value, fmt.Appendf(nil, `"seq":%d,`, len(f.entries))) {
			return p
		}
	}
	f.t.Fatal("the chain has no end")
	return pair{}
}

func (f *file) put(k, v []byte) {
	f.t.Helper()
	if err := f.b.Put(k, v); err != nil {
		f.t.Fatal(err)
	}
}

func (f *file) delete(k []byte) {
	f.t.Helper()
	if err := f.b.Delete(k); err != nil {
		f.t.Fatal(err)
	}
}

// replace changes text of an entry.
func (f *file) replace(seq int, from, to string) {
	f.t.Helper()
	p := f.record(seq)
	if !bytes.Contains(p.value, []byte(from)) {
		f.t.Fatalf("entry %d does not hold %s: %s", seq, from, p.value)
	}
	f.put(p.key, bytes.Replace(p.value, []byte(from), []byte(to), 1))
}

// remove takes entries away, with every index entry, all of which end with the id.
func (f *file) remove(seqs ...int) {
	f.t.Helper()
	for _, seq := range seqs {
		key := f.record(seq).key
		var all [][]byte
		_ = f.b.ForEach(func(k, _ []byte) error {
			if bytes.HasSuffix(k, key[len(key)-16:]) {
				all = append(all, bytes.Clone(k))
			}
			return nil
		})
		if len(all) < 3 {
			f.t.Fatalf("entry %d has only %d keys", seq, len(all))
		}
		for _, k := range all {
			f.delete(k)
		}
	}
}

// end moves the end of the chain to an entry, so that those behind it were added.
func (f *file) end(seq int) {
	f.t.Helper()
	f.record(seq)
	f.put(f.head().key, fmt.Appendf([]byte{1}, `{"id":"head","seq":%d,"hash":"%s"}`, seq, f.hashes[seq]))
}
