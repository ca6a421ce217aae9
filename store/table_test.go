package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"svc/store"
	"svc/store/kv"
	"svc/store/storetest"
)

func update(t testing.TB, db *store.DB, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := db.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func view(t testing.TB, db *store.DB, fn func(tx *store.Tx) error) {
	t.Helper()
	if err := db.View(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

func memory(t testing.TB, list ...store.AnyTable) *store.DB {
	t.Helper()
	return storetest.OpenWith(t, "", store.Options{Tables: list, Engine: kv.NewMemory()})
}

// TestAnotherOrganizationIsNotFound: whatever is asked with another organization's
// id answers as if nothing were there.
func TestAnotherOrganizationIsNotFound(t *testing.T) {
	db := memory(t, tables()...)
	mine, other := db.NewID("org"), db.NewID("org")
	p := person{ID: db.NewID("rcp"), Name: "ann", Handle: "ann", Consent: "IN", Tags: []string{"a"}}
	update(t, db, func(tx *store.Tx) error { return people.Insert(tx, mine, &p) })
	update(t, db, func(tx *store.Tx) error {
		for name, err := range map[string]error{
			"get":    second(people.Get(tx, other, p.ID)),
			"delete": people.Delete(tx, other, p.ID),
			"edit":   second(people.Edit(tx, other, p.ID, func(*person) error { return nil })),
			"unique": second(byHandle.Find(tx, other, store.Text("ann"))),
			"first":  second(byName.First(tx, other, store.All())),
		} {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, bad := range []string{"", "rcp_", "nonsense", strings.ToUpper(p.ID), "org" + p.ID[3:]} {
			if _, err := people.Get(tx, mine, bad); !errors.Is(err, store.ErrNotFound) {
				t.Errorf("id %q: %v", bad, err)
			}
		}
		page, err := people.Page(tx, other, store.Query[person]{Limit: 10})
		if err != nil || page.Total != 0 || len(page.Data) != 0 {
			t.Errorf("a page of another organization: %+v, %v", page, err)
		}
		// The same id and the same unique value may exist in both.
		return people.Insert(tx, other, &p)
	})
}

func second[T any](_ T, err error) error { return err }

func TestWhatATableRefuses(t *testing.T) {
	db := memory(t, people, notes)
	org := db.NewID("org")
	global := store.NewTable("global", "usr", func(p *person) string { return p.ID }).Global()
	update(t, db, func(tx *store.Tx) error {
		p := person{ID: "rcp_wrong", Consent: "IN"}
		for name, err := range map[string]error{
			"bad id":           people.Put(tx, org, &p),
			"no organization":  second(people.Get(tx, store.Platform, p.ID)),
			"bad organization": second(people.Get(tx, "nobody", p.ID)),
			"unlisted table":   second(global.Get(tx, store.Platform, p.ID)),
			"no limit":         second(people.Page(tx, org, store.Query[person]{})),
			"sort by a multi":  second(people.Page(tx, org, store.Query[person]{Sort: byTag, Limit: 1})),
			"two beginnings":   second(people.Page(tx, org, store.Query[person]{Limit: 1, Offset: 1, After: store.Cursor("abcd")})),
			"no facets":        second(notes.Page(tx, org, store.Query[person]{Limit: 1, Where: []store.Cond[person]{tagged.Any("a")}})),
			"long id":          notes.Put(tx, org, &person{ID: strings.Repeat("x", 300)}),
		} {
			if err == nil || errors.Is(err, store.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		return nil
	})
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		_, err := people.Edit(tx, org, db.NewID("rcp"), func(*person) error { return nil })
		return err
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("edit of nothing: %v", err)
	}
	if _, err := store.Open(t.Context(), "", store.Options{Tables: []store.AnyTable{people, people}, Engine: kv.NewMemory()}); err == nil {
		t.Error("a table is listed twice")
	}
}

// TestGoingOnAfterADuplicate: a closure may catch a duplicate and save the rest,
// as an import does; what was refused leaves nothing behind.
func TestGoingOnAfterADuplicate(t *testing.T) {
	db := memory(t, tables()...)
	org := db.NewID("org")
	a, b, c := db.NewID("rcp"), db.NewID("rcp"), db.NewID("rcp")
	update(t, db, func(tx *store.Tx) error {
		if err := people.Put(tx, org, &person{ID: a, Handle: "h", Name: "a", Consent: "IN"}); err != nil {
			return err
		}
		err := people.Put(tx, org, &person{ID: b, Handle: "h", Token: "t", Name: "b", Tags: []string{"x"}, Consent: "IN"})
		var d *store.DuplicateError
		if !errors.As(err, &d) || d.Index != "handle" || d.Table != "person" || d.ID != a {
			t.Errorf("%v", err)
		}
		return people.Put(tx, org, &person{ID: c, Handle: "i", Token: "t", Name: "c", Consent: "IN"})
	})
	view(t, db, func(tx *store.Tx) error {
		if n, err := people.Count(tx, org); n != 2 {
			t.Errorf("%d records, %v", n, err)
		}
		return nil
	})
}

// TestASpoiledTransactionDoesNotCommit: a write that failed half-way is not saved
// even when the closure hides its error.
func TestASpoiledTransactionDoesNotCommit(t *testing.T) {
	db := memory(t, tables()...)
	org := db.NewID("org")
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		_ = people.Put(tx, org, &person{ID: db.NewID("rcp"), Name: strings.Repeat("x", 5000), Consent: "IN"})
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "indexed value is too long") {
		t.Errorf("committed: %v", err)
	}
	view(t, db, func(tx *store.Tx) error {
		if n, err := people.Count(tx, org); n != 0 {
			t.Errorf("%d records, %v", n, err)
		}
		return nil
	})
}

func TestAfterCommitAndTopics(t *testing.T) {
	db := storetest.OpenWith(t, "", store.Options{Tables: tables()})
	wake, stop := db.Listen("people")
	other, stopOther := db.Listen("other")
	defer stopOther()
	ran := 0
	_ = db.Update(t.Context(), func(tx *store.Tx) error {
		tx.AfterCommit(func() { ran++ })
		tx.Notify("people")
		return errors.New("no")
	})
	if ran != 0 || len(wake) != 0 {
		t.Error("told of a change that was not made")
	}
	for range 3 {
		update(t, db, func(tx *store.Tx) error {
			tx.AfterCommit(func() { ran++ })
			tx.Notify("people")
			return nil
		})
	}
	if ran != 3 || len(wake) != 1 || len(other) != 0 {
		t.Errorf("ran %d, woken %d, the others %d", ran, len(wake), len(other))
	}
	<-wake
	stop()
	update(t, db, func(tx *store.Tx) error { tx.Notify("people"); return nil })
	if len(wake) != 0 {
		t.Error("told after stop")
	}
}

// TestNotesOfAnyID: ids of any form, records of the platform beside those of
// organizations, indexes that span all.
func TestNotesOfAnyID(t *testing.T) {
	db := memory(t, tables()...)
	org := db.NewID("org")
	update(t, db, func(tx *store.Tx) error {
		for i, id := range []string{"b", "a", "a/b", "\x00", "ü"} {
			for _, o := range []string{org, store.Platform} {
				if err := notes.Put(tx, o, &person{ID: id, Name: fmt.Sprint(9 - i), Tags: []string{"t"}}); err != nil {
					return err
				}
			}
		}
		return nil
	})
	view(t, db, func(tx *store.Tx) error {
		page, err := notes.Page(tx, org, store.Query[person]{Limit: 2, Offset: 1})
		if got := fmt.Sprintf("%q %d", idsOf(page.Data), page.Total); got != `["a" "a/b"] 5` || err != nil {
			t.Errorf("by id %s, %v", got, err)
		}
		page, err = notes.Page(tx, store.Platform, store.Query[person]{Limit: 3, Offset: 3, Sort: noteNames})
		if got := fmt.Sprintf("%q %d", idsOf(page.Data), page.Total); got != `["a" "b"] 5` || err != nil {
			t.Errorf("by name %s, %v", got, err)
		}
		page, err = notes.Page(tx, org, store.Query[person]{Limit: 3, Offset: 9})
		if len(page.Data) != 0 || page.Total != 5 || err != nil {
			t.Errorf("behind the end %+v, %v", page, err)
		}
		all, _, err := allNotes.Walk(tx, store.Range{Limit: 100})
		if len(all) != 10 || all[0].Org != store.Platform || all[9].Org != org || all[9].Record.ID != "ü" || err != nil {
			t.Errorf("all: %v, %v", all, err)
		}
		recs, next, err := notes.Walk(tx, org, nil, 3)
		if len(recs) != 3 || next == nil || err != nil {
			t.Errorf("walk: %v, %v", recs, err)
		}
		recs, next, err = notes.Walk(tx, org, next, 3)
		if got := fmt.Sprintf("%q", idsOf(recs)); got != `["b" "ü"]` || next != nil || err != nil {
			t.Errorf("walk on: %s, %v", got, err)
		}
		return nil
	})
}
