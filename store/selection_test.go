package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"svc/store"
)

// TestSelections: a union has everybody once, and a selection means the same people
// later, whoever came and went.
func TestSelections(t *testing.T) {
	db := memory(t, tables()...)
	org := db.NewID("org")
	var ids []string
	update(t, db, func(tx *store.Tx) error {
		ids = nil
		for i := range 300 {
			p := person{ID: db.NewID("rcp"), Name: fmt.Sprint(i), Handle: fmt.Sprint("h", i), Consent: "IN", Tags: []string{fmt.Sprint("m", i%3)}}
			if i%2 == 0 {
				p.Consent = "OUT"
			}
			ids = append(ids, p.ID)
			if err := people.Insert(tx, org, &p); err != nil {
				return err
			}
		}
		return nil
	})
	picked := []string{ids[1], ids[1], ids[6], db.NewID("rcp"), "nonsense"}
	union := func() store.Cond[person] { return store.Or(tagged.Any("m0"), people.Records(picked)) }
	var sel store.Selection
	view(t, db, func(tx *store.Tx) (err error) {
		var n int
		if sel, n, err = people.Select(tx, org, union()); err != nil || n != 101 {
			t.Errorf("100 with the tag and one picked: %d, %v", n, err)
		}
		if _, n, err = people.Select(tx, org, union(), consenting.Any("IN")); err != nil || n != 51 {
			t.Errorf("of them those with IN: %d, %v", n, err)
		}
		if _, n, err = people.Select(tx, org, union().Not()); err != nil || n != 199 {
			t.Errorf("all others: %d, %v", n, err)
		}
		if _, n, err = people.Select(tx, org, store.Or[person]()); err != nil || n != 0 {
			t.Errorf("no condition holds for nobody: %d, %v", n, err)
		}
		if _, _, err = people.Select(tx, org, store.Or(tagged.Any("m0").Not())); err == nil {
			t.Error("a condition that was turned around is taken")
		}
		return nil
	})
	if n, err := sel.Count(); n != 101 || err != nil {
		t.Errorf("a stored selection counts %d, %v", n, err)
	}
	update(t, db, func(tx *store.Tx) error {
		if err := people.Delete(tx, org, ids[3]); err != nil {
			return err
		}
		return people.Insert(tx, org, &person{ID: db.NewID("rcp"), Name: "new", Handle: "new", Consent: "IN", Tags: []string{"m0"}})
	})
	view(t, db, func(tx *store.Tx) error {
		var got []string
		var after store.Cursor
		for {
			page, err := people.Page(tx, org, store.Query[person]{Where: []store.Cond[person]{people.In(sel)}, After: after, Limit: 7})
			if err != nil || page.Total != 100 {
				t.Fatalf("page of a selection: %d, %v", page.Total, err)
			}
			for _, p := range page.Data {
				got = append(got, p.ID)
			}
			if after = page.Next; after == nil {
				break
			}
		}
		var want []string
		for i, id := range ids {
			if (i%3 == 0 || i == 1) && i != 3 {
				want = append(want, id)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %d people, want %d", len(got), len(want))
		}
		return nil
	})
	for _, bad := range []store.Selection{{1}, {0, 200, 1}, append(slices.Clone(sel), sel...), {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}} {
		if _, err := bad.Count(); !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("selection %v: %v", []byte(bad[:min(len(bad), 8)]), err)
		}
	}
}
