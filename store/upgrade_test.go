package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/store"
	"svc/store/offline"
	"svc/store/storetest"
)

// Two versions of one table, as an older and a newer program have them.
type (
	personV1 struct {
		ID   string `json:"id"`
		Name string `json:"name"`
		City string `json:"city"`
	}
	personV2 struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		City  string `json:"city"`
	}
)

func v1() (*store.Table[personV1], *store.Index[personV1]) {
	t := store.NewTable("versioned", "rcp", func(p *personV1) string { return p.ID })
	t.Tally("city", func(p *personV1) []string { return []string{p.City} })
	return t, t.Index("name", func(p *personV1) store.Key { return store.Text(p.Name) })
}

type v2Table struct {
	*store.Table[personV2]
	name   *store.Index[personV2]
	unique *store.Unique[personV2]
	city   *store.Facet[personV2]
}

func v2() v2Table {
	t := store.NewTable("versioned", "rcp", func(p *personV2) string { return p.ID })
	return v2Table{t,
		t.Index("name", func(p *personV2) store.Key { return store.Desc(store.Text(p.Title)) }).Version(2),
		t.Unique("title", func(p *personV2) store.Key { return store.Text(p.Title) }),
		t.Facet("city", func(p *personV2) []string { return []string{p.City} }),
	}
}

// rename is the migration of the field.
func rename(t *store.Table[personV2]) store.Migration {
	return store.Migration{Name: "title from name", Step: t.Rewrite(func(old json.RawMessage) (json.RawMessage, error) {
		return bytes.Replace(old, []byte(`"name":`), []byte(`"title":`), 1), nil
	})}
}

// older makes a file of the older program with n records.
func older(t *testing.T, n int) (path, org string) {
	path = filepath.Join(t.TempDir(), "a.db")
	table, _ := v1()
	db := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{table}})
	org = db.NewID("org")
	for from := 0; from < n; from += 1000 {
		update(t, db, func(tx *store.Tx) error {
			for i := from; i < min(n, from+1000); i++ {
				p := personV1{ID: db.NewID("rcp"), Name: fmt.Sprintf("n%05d", i), City: fmt.Sprint("c", i%3)}
				if err := table.Insert(tx, org, &p); err != nil {
					return err
				}
			}
			return nil
		})
	}
	storetest.Close(t, db)
	return path, org
}

func TestUpgradeOfAnOlderFile(t *testing.T) {
	const n = 2300
	path, org := older(t, n)
	table, asked := v2(), 0
	o := store.Options{Tables: []store.AnyTable{table.Table}, Migrations: []store.Migration{rename(table.Table)},
		BeforeUpgrade: func(ctx context.Context, db *store.DB) error {
			asked++
			return db.Backup(ctx, path+".before")
		}}
	db := storetest.OpenWith(t, path, o)
	view(t, db, func(tx *store.Tx) error {
		page, err := table.Page(tx, org, store.Query[personV2]{Where: []store.Cond[personV2]{table.city.Any("c1")}, Sort: table.name, Limit: 2})
		if err != nil || page.Total != 767 || page.Data[0].Title != "n02299" || page.Data[1].Title != "n02296" {
			t.Errorf("%+v, %v", page, err)
		}
		p, err := table.unique.Find(tx, org, store.Text("n00042"))
		if err != nil || p.City != "c0" {
			t.Errorf("%+v, %v", p, err)
		}
		return nil
	})
	storetest.Close(t, db) // checks everything, the dropped tally included
	db = storetest.OpenWith(t, path, o)
	if m, err := db.Migrations(t.Context()); asked != 1 || m != 1 || err != nil {
		t.Errorf("upgraded %d times, through %d migrations, %v", asked, m, err)
	}
	storetest.Close(t, db)

	// The older program refuses the newer file, and takes the backup.
	old, _ := v1()
	opts := store.Options{Tables: []store.AnyTable{old}, KeyFile: filepath.Join(filepath.Dir(path), "master.key")}
	if _, err := store.Open(t.Context(), path, opts); !errors.Is(err, store.ErrNewer) {
		t.Errorf("a newer file: %v", err)
	}
	if err := store.Verify(t.Context(), path+".before", opts); err != nil {
		t.Errorf("the backup from before: %v", err)
	}
}

// TestUpgradeGoesOn: an upgrade that ends in any of its transactions is taken up
// by the next start.
func TestUpgradeGoesOn(t *testing.T) {
	path, org := older(t, 1300)
	table := v2()
	for stop := 1; ; stop++ {
		m := rename(table.Table)
		step, ran := m.Step, 0
		m.Step = func(tx *store.Tx, after []byte) ([]byte, error) {
			if ran++; ran > 1 {
				return nil, errors.New("killed")
			}
			return step(tx, after)
		}
		o := store.Options{Tables: []store.AnyTable{table.Table}, Migrations: []store.Migration{m}, KeyFile: filepath.Join(filepath.Dir(path), "master.key")}
		db, err := store.Open(t.Context(), path, o)
		if err != nil {
			if !strings.Contains(err.Error(), "killed") || stop > 5 {
				t.Fatal(err)
			}
			continue
		}
		if stop < 3 {
			t.Errorf("done after %d starts of one step each", stop)
		}
		view(t, db, func(tx *store.Tx) error {
			if p, err := table.unique.Find(tx, org, store.Text("n01299")); err != nil {
				t.Errorf("%+v, %v", p, err)
			}
			return nil
		})
		storetest.Close(t, db)
		return
	}
}

func TestTheListOfMigrationsOnlyGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	nothing := func(*store.Tx, []byte) ([]byte, error) { return nil, nil }
	list := []store.Migration{{Name: "one", Step: nothing}, {Name: "two", Step: nothing}}
	db := storetest.OpenWith(t, path, store.Options{Migrations: list})
	storetest.Close(t, db)
	for want, bad := range map[string][]store.Migration{
		"newer version":     list[:1],
		"only grows":        {{Name: "one", Step: nothing}, {Name: "2", Step: nothing}},
		"has been through ": {{Name: "zero", Step: nothing}, list[0], list[1]},
	} {
		if _, err := store.Open(t.Context(), path, store.Options{Migrations: bad}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

func TestAUniqueIndexThatCannotBeBuilt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	table, _ := v1()
	db := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{table}})
	org := db.NewID("org")
	update(t, db, func(tx *store.Tx) error {
		for range 2 {
			if err := table.Put(tx, org, &personV1{ID: db.NewID("rcp"), Name: "same"}); err != nil {
				return err
			}
		}
		return nil
	})
	storetest.Close(t, db)
	table, _ = v1()
	table.Unique("name", func(p *personV1) store.Key { return store.Text(p.Name) })
	_, err := store.Open(t.Context(), path, store.Options{Tables: []store.AnyTable{table}})
	if !store.Duplicate(err, "name") || !strings.Contains(err.Error(), "versioned") {
		t.Errorf("%v", err)
	}
}

func TestBackupVerifyRestoreCompact(t *testing.T) {
	dir := t.TempDir()
	path, backup := filepath.Join(dir, "a.db"), filepath.Join(dir, "backups", "b.db")
	if err := os.Mkdir(filepath.Dir(backup), 0o700); err != nil {
		t.Fatal(err)
	}
	o := store.Options{Tables: tables(), KeyFile: filepath.Join(dir, "master.key")}
	db := storetest.OpenWith(t, path, o)
	org := db.NewID("org")
	save := func(name string) {
		update(t, db, func(tx *store.Tx) error {
			return people.Put(tx, org, &person{ID: db.NewID("rcp"), Name: name, Consent: "IN"})
		})
	}
	save("before")
	if err := db.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	if err := db.Backup(t.Context(), path); err == nil {
		t.Error("a backup over the database itself")
	}
	save("after")
	if err := offline.Restore(t.Context(), backup, path, o); err == nil || !strings.Contains(err.Error(), "has it open") {
		t.Errorf("restored under a running server: %v", err)
	}
	storetest.Close(t, db)
	was, _ := os.ReadFile(backup)
	if err := store.Verify(t.Context(), backup, o); err != nil {
		t.Error(err)
	}
	if is, _ := os.ReadFile(backup); !bytes.Equal(was, is) {
		t.Error("verifying changed the backup")
	}
	if err := offline.Restore(t.Context(), backup, path, o); err != nil {
		t.Fatal(err)
	}
	names := func(path string) (names []string) {
		db := storetest.OpenWith(t, path, o)
		view(t, db, func(tx *store.Tx) error {
			page, err := people.Page(tx, org, store.Query[person]{Limit: 10})
			names = nil
			for _, p := range page.Data {
				names = append(names, p.Name)
			}
			return err
		})
		storetest.Close(t, db)
		return names
	}
	if got := names(path); !slices.Equal(got, []string{"before"}) {
		t.Errorf("restored %v", got)
	}
	if got := names(path + offline.Replaced); !slices.Equal(got, []string{"before", "after"}) {
		t.Errorf("kept aside %v", got)
	}
	if _, _, err := offline.Compact(t.Context(), path); err != nil {
		t.Error(err)
	}
	if got := names(path); !slices.Equal(got, []string{"before"}) {
		t.Errorf("compacted %v", got)
	}
	if err := os.WriteFile(backup, was[:len(was)-5000], 0o600); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"verify": store.Verify(t.Context(), backup, o), "restore": offline.Restore(t.Context(), backup, path, o),
	} {
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s of half a backup: %v", name, err)
		}
	}
	if got := names(path); !slices.Equal(got, []string{"before"}) {
		t.Errorf("after a failed restore %v", got)
	}
	if err := store.Verify(t.Context(), filepath.Join(dir, "none.db"), o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("verify of nothing: %v", err)
	}
}
