package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"svc/store"
	"svc/store/kv"
	"svc/store/offline"
	"svc/store/storetest"
)

// backedUp makes a store with some people and a backup of it. The store is closed.
func backedUp(t *testing.T) (path, backup string, o store.Options) {
	t.Helper()
	dir := t.TempDir()
	path, backup = filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	o = store.Options{Tables: tables(), KeyFile: filepath.Join(dir, "master.key")}
	db := storetest.OpenWith(t, path, o)
	org := db.NewID("org")
	update(t, db, func(tx *store.Tx) error {
		for i := range 20 {
			p := person{ID: db.NewID("rcp"), Name: fmt.Sprint("name", i), Handle: fmt.Sprint("h", i), Consent: "IN", Note: "told in May"}
			if err := people.Put(tx, org, &p); err != nil {
				return err
			}
		}
		return nil
	})
	if err := db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	return path, backup, o
}

// edit changes a file as somebody with the file and bbolt's own tool could: with edit
// called on every pair until it answers that it did something.
func edit(t *testing.T, path string, change func(b *bbolt.Bucket, k, v []byte) bool) {
	t.Helper()
	b, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	done := false
	err = b.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket([]byte("kv"))
		for k, v := bucket.Cursor().First(); k != nil && !done; {
			done = change(bucket, bytes.Clone(k), bytes.Clone(v))
			k, v = after(bucket, k)
		}
		return nil
	})
	if err != nil || !done {
		t.Fatalf("changed nothing: %v", err)
	}
}

func after(b *bbolt.Bucket, k []byte) (key, value []byte) {
	return b.Cursor().Seek(append(bytes.Clone(k), 0))
}

// replace changes text inside one stored value.
func replace(from, to string) func(*bbolt.Bucket, []byte, []byte) bool {
	return func(b *bbolt.Bucket, k, v []byte) bool {
		return bytes.Contains(v, []byte(from)) && b.Put(k, bytes.Replace(v, []byte(from), []byte(to), 1)) == nil
	}
}

// TestBackupThatWasChanged: a value that no index, count or set refers to is covered
// by the checksum; restoring such a backup replaces nothing.
func TestBackupThatWasChanged(t *testing.T) {
	path, backup, o := backedUp(t)
	sound, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		change func(*bbolt.Bucket, []byte, []byte) bool
		want   string
	}{
		"a value that nothing refers to": {replace("told in May", "told in Mai"), "its content does not match its checksum"},
		"a key too many": {func(b *bbolt.Bucket, _, _ []byte) bool {
			return b.Put([]byte("zzz"), nil) == nil
		}, "keys, and"},
		"a checksum that is none": {replace(`{"pairs":`, `{"pears:`), "does not decode"},
		"another checksum":        {replace(`"sha256":"`, `"sha256":"0`), "does not match its checksum"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(backup, sound, 0o600); err != nil {
				t.Fatal(err)
			}
			edit(t, backup, tt.change)
			for what, err := range map[string]error{
				"verify": store.Verify(t.Context(), backup, o), "restore": offline.Restore(t.Context(), backup, path, o),
			} {
				if !errors.Is(err, store.ErrCorrupt) || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: got %v, want %q", what, err, tt.want)
				}
			}
			if is, _ := os.ReadFile(path); !bytes.Equal(is, before) {
				t.Error("the database was replaced or changed")
			}
		})
	}
}

// TestBackupWithoutAChecksum: what an older version made still verifies.
func TestBackupWithoutAChecksum(t *testing.T) {
	path, backup, o := backedUp(t)
	edit(t, backup, func(b *bbolt.Bucket, k, _ []byte) bool {
		return bytes.HasSuffix(k, []byte("backup")) && b.Delete(k) == nil
	})
	if err := store.Verify(t.Context(), backup, o); err != nil {
		t.Error(err)
	}
	if err := offline.Restore(t.Context(), backup, path, o); err != nil {
		t.Error(err)
	}
}

// TestChecksumEndsWithWriting: a backup that is compacted is the same content; one
// that is served from is a store again, which no old checksum speaks of.
func TestChecksumEndsWithWriting(t *testing.T) {
	path, backup, o := backedUp(t)
	if _, _, err := offline.Compact(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	edit(t, backup, replace("told in May", "told in May")) // moves pages, changes nothing
	if err := offline.Restore(t.Context(), backup, path, o); err != nil {
		t.Fatal(err)
	}
	db := storetest.OpenWith(t, path, o)
	org := db.NewID("org")
	update(t, db, func(tx *store.Tx) error {
		return people.Put(tx, org, &person{ID: db.NewID("rcp"), Name: "later", Consent: "IN"})
	})
	again := filepath.Join(filepath.Dir(path), "again.db")
	if err := db.Backup(t.Context(), again); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	for _, file := range []string{path, again} {
		if err := store.Verify(t.Context(), file, o); err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
	}
}

// TestNoBackupOfWhatIsNotWhole: a store that contradicts itself, or whose records do
// not mean what they should, gets no backup, and an older one keeps its name.
func TestNoBackupOfWhatIsNotWhole(t *testing.T) {
	path, backup, o := backedUp(t)
	before, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(o store.Options, want string) {
		t.Helper()
		db, err := store.Open(t.Context(), path, o)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		err = db.Backup(t.Context(), backup)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "there is no new backup") {
			t.Errorf("got %v, want %q", err, want)
		}
		if is, _ := os.ReadFile(backup); !bytes.Equal(is, before) {
			t.Error("the older backup was replaced")
		}
		if left, _ := filepath.Glob(backup + ".*"); left != nil {
			t.Errorf("left behind: %v", left)
		}
	}
	broken := o
	broken.Prove = func(context.Context, *store.DB) error { return errors.New("the chain is broken") }
	refused(broken, "the chain is broken")
	edit(t, path, func(b *bbolt.Bucket, k, v []byte) bool { // an entry of an index
		return len(k) > 4 && k[4] == 's' && b.Delete(k) == nil
	})
	refused(o, "is missing")
}

// TestProve: what the program proves of its records is proven of a backup that is
// verified and of one that is restored, on a store that is only read.
func TestProve(t *testing.T) {
	path, backup, o := backedUp(t)
	seen := 0
	o.Prove = func(ctx context.Context, db *store.DB) error {
		seen++
		if err := db.Update(ctx, func(*store.Tx) error { return nil }); !errors.Is(err, store.ErrReadOnly) {
			t.Errorf("it may write: %v", err)
		}
		return db.View(ctx, func(tx *store.Tx) error {
			owners, _, err := people.Owners(tx, nil, 1)
			if len(owners) != 1 {
				t.Errorf("it sees the people of %v", owners)
			}
			return err
		})
	}
	if err := errors.Join(store.Verify(t.Context(), backup, o), offline.Restore(t.Context(), backup, path, o)); err != nil || seen != 2 {
		t.Errorf("proven %d times, %v", seen, err)
	}
}

func TestOwners(t *testing.T) {
	db, err := store.Open(t.Context(), "", store.Options{Tables: tables(), Engine: kv.NewMemory()})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{db.NewID("org"), db.NewID("org"), db.NewID("org")}
	slices.Sort(want)
	var last string
	update(t, db, func(tx *store.Tx) error {
		for i, org := range want {
			for n := range 3 {
				p := person{ID: db.NewID("rcp"), Name: "n", Handle: fmt.Sprint(i, n), Consent: "IN"}
				if err := people.Put(tx, org, &p); err != nil {
					return err
				}
				last = p.ID
			}
		}
		return nil
	})
	if err := store.Raw(db, func(k kv.Tx) error { // who has a record that does not decode has one
		for p, err := range k.Scan(kv.Range{}) {
			if err != nil || bytes.Contains(p.Value, []byte(`"handle":"0 0"`)) {
				return errors.Join(err, k.Put(bytes.Clone(p.Key), []byte("nonsense")))
			}
		}
		return errors.New("no such record")
	}); err != nil {
		t.Fatal(err)
	}
	for limit := 1; limit <= 4; limit++ {
		var got []string
		var next store.Cursor
		for more := true; more; more = next != nil {
			view(t, db, func(tx *store.Tx) error {
				page, after, err := people.Owners(tx, next, limit)
				if len(page) > limit {
					t.Errorf("a page of %d, the limit is %d", len(page), limit)
				}
				got, next = append(got, page...), after
				return err
			})
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d: %v, want %v", limit, got, want)
		}
	}
	view(t, db, func(tx *store.Tx) error {
		if of, err := people.Anywhere(tx, last); err != nil || of.Org != want[2] || of.Record.ID != last {
			t.Errorf("of the last organization: %+v, %v", of, err)
		}
		if of, err := people.Anywhere(tx, db.NewID("rcp")); !store.IsNotFound(err) {
			t.Errorf("of nobody: %+v, %v", of, err)
		}
		return nil
	})
}

// TestLeftoversAreSwept: what a process that was killed during a backup left is removed
// when the store opens again, but nothing of a backup that a living process makes, and no
// file that only has a similar name.
func TestLeftoversAreSwept(t *testing.T) {
	path, backup, o := backedUp(t)
	left := []string{backup + ".svc-backup.tmp", backup + ".svc-backup.lock"}
	there := func(names ...string) (n int) {
		for _, name := range names {
			if _, err := os.Stat(name); err == nil {
				n++
			}
		}
		return n
	}
	// The database as a kill in the middle of a backup leaves it.
	killed := filepath.Join(filepath.Dir(path), "killed.db")
	reopen := func() {
		t.Helper()
		o := o
		o.Prove = nil
		storetest.Close(t, storetest.OpenWith(t, killed, o))
	}
	o.Prove = func(context.Context, *store.DB) error {
		b, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(killed, b, 0o600)
		}
		if reopen(); there(left...) != 2 {
			t.Error("the files of a backup that is being made were removed")
		}
		return err
	}
	db := storetest.OpenWith(t, path, o)
	if err := db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	others := []string{backup + ".tmp", backup + ".lock", path + ".tmp"}
	for _, name := range append(append([]string{killed + ".restore.tmp", killed + ".compact.tmp"}, left...), others...) {
		if err := os.WriteFile(name, []byte("left"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if reopen(); there(left...) != 0 || there(killed+".restore.tmp", killed+".compact.tmp") != 0 || there(others...) != 3 {
		t.Errorf("%d of the files of the killed backup are left, %d of others", there(left...), there(others...))
	}
	// A backup that ended well is not remembered, in the store or in the copy.
	for _, name := range left {
		if err := os.WriteFile(name, []byte("of somebody else"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	storetest.Close(t, db)
	o.Prove = nil
	for _, file := range []string{path, backup, killed} {
		storetest.Close(t, storetest.OpenWith(t, file, o))
	}
	if there(left...) != 2 {
		t.Error("a backup that ended is remembered")
	}
}
