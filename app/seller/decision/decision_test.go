package decision_test

import (
	"path/filepath"
	"strings"
	"testing"

	"svc/app/seller/decision"
	"svc/store"
	"svc/store/storetest"
)

// TestMigration: a decision of a version in which ids began with "dcn_" is found by the id that
// it has now, and is as it was.
func TestMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "svc.db")
	old := store.NewTable("decision", "dcn", func(d *decision.Decision) string { return d.ID })
	old.Index("age", func(d *decision.Decision) store.Key { return store.Time(d.CreatedAt) })
	db := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{old}})
	org, d := db.NewID("org"), decision.Decision{ID: db.NewID("dcn"), MessageID: `the words "id":"dcn_1`, CreatedAt: db.Now()}
	if err := db.Update(t.Context(), func(tx *store.Tx) error { return old.Insert(tx, org, &d) }); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)

	db = storetest.OpenWith(t, path, store.Options{Tables: decision.Tables(), Migrations: []store.Migration{decision.Migration}})
	var got decision.Decision
	err := db.View(t.Context(), func(tx *store.Tx) (err error) {
		got, err = decision.Get(tx, org, strings.Replace(d.ID, "dcn_", "dec_", 1))
		return err
	})
	if err != nil || got.MessageID != d.MessageID || !strings.HasPrefix(got.ID, "dec_") || !got.CreatedAt.Equal(d.CreatedAt) {
		t.Errorf("%+v of %+v, %v", got, d, err)
	}
}
