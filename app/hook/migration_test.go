package hook

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"svc/store"
	"svc/store/offline"
	"svc/store/storetest"
)

// TestAddressesAreSealed: a database of a version that kept addresses as they are is
// migrated, and once its free pages are gone nobody finds one in the file
// (contract 21.3, Keys).
func TestAddressesAreSealed(t *testing.T) {
	type before struct {
		ID     string       `json:"id"`
		URL    string       `json:"url"`
		Status Status       `json:"status"`
		Secret store.Sealed `json:"secret"`
	}
	path := filepath.Join(t.TempDir(), "a.db")
	table := store.NewTable("webhook", "whk", func(w *before) string { return w.ID })
	old := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{table}})
	org, token := old.NewID("org"), "https://hooks.example.com/services/T0K3N"
	var ids []string
	err := old.Update(t.Context(), func(tx *store.Tx) error {
		ids = nil
		for range 700 { // more than a chunk
			w := before{ID: old.NewID("whk"), URL: token, Status: Active}
			if err := table.Insert(tx, org, &w); err != nil {
				return err
			}
			ids = append(ids, w.ID)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, old)
	if b, _ := os.ReadFile(path); !bytes.Contains(b, []byte("T0K3N")) {
		t.Fatal("the old file has no address: this test shows nothing")
	}

	db := storetest.OpenWith(t, path, store.Options{Tables: []store.AnyTable{webhooks}, Migrations: []store.Migration{Migration}})
	err = db.View(t.Context(), func(tx *store.Tx) error {
		for _, id := range ids {
			w, err := webhooks.Get(tx, org, id)
			if err != nil {
				return err
			}
			if url, err := w.url(db, org); url != token || w.Host != "hooks.example.com" || err != nil {
				t.Fatalf("%s: %q at %q, %v", id, url, w.Host, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, db)
	if _, _, err := offline.Compact(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte("T0K3N")) {
		t.Errorf("the file still has an address (%v)", err)
	}
}
