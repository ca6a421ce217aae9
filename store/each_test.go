package store_test

import (
	"errors"
	"fmt"
	"testing"

	"svc/store"
)

// TestEach: every record is yielded once, in order, over several pages, also when each is removed
// on the way; a caller may stop early, and begins where it wants.
func TestEach(t *testing.T) {
	const all = 1201 // three pages
	db := memory(t, tables()...)
	org := db.NewID("org")
	ids := make([]string, all)
	update(t, db, func(tx *store.Tx) error {
		for i := range all {
			ids[i] = db.NewID("rcp")
			p := person{ID: ids[i], Name: fmt.Sprintf("n%05d", all-i), Handle: fmt.Sprint("h", i), Consent: "IN"}
			if err := people.Insert(tx, org, &p); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, db, func(tx *store.Tx) error {
		n := 0
		for p, err := range people.Each(tx, org, "") {
			if err != nil || p.ID != ids[n] {
				t.Fatalf("the %dth record is %v (%v)", n, p, err)
			}
			n++
		}
		if n != all {
			t.Errorf("%d records of %d", n, all)
		}
		for p, err := range people.Each(tx, org, ids[1000]) {
			if err != nil || p.ID != ids[1001] {
				t.Errorf("behind the thousandth comes %v (%v)", p, err)
			}
			break
		}
		before := ""
		for p, err := range byName.Each(tx, org, store.All()) {
			if err != nil || p.Name <= before {
				t.Fatalf("%v behind %q (%v)", p, before, err)
			}
			before = p.Name
		}
		return nil
	})
	update(t, db, func(tx *store.Tx) error {
		n := 0
		for p, err := range people.Each(tx, org, "") {
			if err := errors.Join(err, people.Delete(tx, org, p.ID)); err != nil {
				return err
			}
			n++
		}
		if n != all {
			t.Errorf("%d records were removed of %d", n, all)
		}
		return nil
	})
}
