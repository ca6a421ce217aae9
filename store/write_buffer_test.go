package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/store"
)

// TestATransactionSeesWhatItWrote: writes are kept back until the end, and everything
// that reads sees them all the same, as often as they change.
func TestATransactionSeesWhatItWrote(t *testing.T) {
	for _, engine := range []string{"bbolt", "memory", "twice"} {
		t.Run(engine, func(t *testing.T) {
			db := openEngine(t, engine)
			org, id := db.NewID("org"), db.NewID("rcp")
			other := db.NewID("rcp")
			update(t, db, func(tx *store.Tx) error {
				if err := people.Put(tx, org, &person{ID: other, Name: "zoe", Handle: "z", Consent: "IN"}); err != nil {
					return err
				}
				for round, name := range []string{"ann", "bob", "", "cid"} {
					if name == "" {
						if err := people.Delete(tx, org, id); err != nil {
							return err
						}
					} else if err := people.Put(tx, org, &person{ID: id, Name: name, Handle: "h" + name, Tags: []string{name}, Consent: "IN"}); err != nil {
						return err
					}
					if err := sees(tx, org, id, name); err != nil {
						return fmt.Errorf("round %d: %w", round, err)
					}
				}
				return nil
			})
			view(t, db, func(tx *store.Tx) error { return sees(tx, org, id, "cid") })
		})
	}
}

// sees looks for a record by every way in. name is "" when it should be gone.
func sees(tx *store.Tx, org, id, name string) error {
	want := []string{"zoe"}
	if name != "" {
		want = []string{name, "zoe"}
	}
	got, _, err := byName.Walk(tx, org, store.Range{Limit: 9})
	if names := namesOf(got); err != nil || !slices.Equal(names, want) {
		return fmt.Errorf("the index has %v, %w", names, err)
	}
	all, _, err := people.Walk(tx, org, nil, 9)
	if len(all) != len(want) || err != nil {
		return fmt.Errorf("the table has %d, %w", len(all), err)
	}
	n, err := people.Count(tx, org)
	if n != len(want) || err != nil {
		return fmt.Errorf("counted %d, %w", n, err)
	}
	rec, err := byHandle.Find(tx, org, store.Text("h"+name))
	if rec.Name != name || errors.Is(err, store.ErrNotFound) != (name == "") {
		return fmt.Errorf("found %q, %w", rec.Name, err)
	}
	rec, err = people.Get(tx, org, id)
	if rec.Name != name || errors.Is(err, store.ErrNotFound) != (name == "") {
		return fmt.Errorf("got %q, %w", rec.Name, err)
	}
	many, err := people.GetMany(tx, org, []string{id})
	if err != nil || (many[0] != nil) != (name != "") {
		return fmt.Errorf("got %v, %w", many[0], err)
	}
	page, err := people.Page(tx, org, store.Query[person]{Where: []store.Cond[person]{byHandle.Where(store.HasPrefix("h"))}, Limit: 9})
	if names := strings.Join(namesOf(page.Data), ""); names != name || err != nil {
		return fmt.Errorf("the page has %q, %w", names, err)
	}
	tags, err := tagged.Counts(tx, org)
	if tags[name] != len(want)-1 || len(tags) != len(want)-1 || err != nil {
		return fmt.Errorf("tags %v, %w", tags, err)
	}
	return nil
}

func namesOf(list []person) (out []string) {
	for _, p := range list {
		out = append(out, p.Name)
	}
	return out
}
