package agent

import (
	"path/filepath"
	"testing"

	"svc/store"
	"svc/store/storetest"
)

// TestResearchMigration: RESEARCH may read the web where its configuration was stored before
// anything asked for that; what other agents may stays.
func TestResearchMigration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	before := []Config{
		{ID: configID(Research, ""), Agent: Research, Enabled: true, Tools: Tools{KnowledgeSearch: true}},
		{ID: configID(Research, "biz_1"), Agent: Research, BusinessID: "biz_1"},
		{ID: configID(Seller, ""), Agent: Seller, Enabled: true, Tools: Tools{KnowledgeSearch: true}},
	}
	db := storetest.OpenWith(t, path, store.Options{Tables: Tables()})
	storetest.Update(t, db, func(tx *store.Tx) error {
		return configTable.PutMany(tx, "org_00000000000000000000000001", pointers(before))
	})
	storetest.Close(t, db)

	db = storetest.OpenWith(t, path, store.Options{Tables: Tables(), Migrations: []store.Migration{ResearchMigration}})
	storetest.View(t, db, func(tx *store.Tx) error {
		for _, want := range before {
			got, err := configTable.Get(tx, "org_00000000000000000000000001", want.ID)
			if err != nil {
				return err
			}
			want.Tools.WebResearch = want.Agent == Research
			if got.Tools != want.Tools || got.Enabled != want.Enabled || got.BusinessID != want.BusinessID {
				t.Errorf("%s: %+v, want %+v", want.ID, got, want)
			}
		}
		return nil
	})
	storetest.Update(t, db, func(tx *store.Tx) error { // it was taken away since
		_, err := configTable.Edit(tx, "org_00000000000000000000000001", configID(Research, ""), func(c *Config) error {
			c.Tools.WebResearch = false
			return nil
		})
		return err
	})
	storetest.Close(t, db)

	db = storetest.OpenWith(t, path, store.Options{Tables: Tables(), Migrations: []store.Migration{ResearchMigration}})
	storetest.View(t, db, func(tx *store.Tx) error {
		c, err := configTable.Get(tx, "org_00000000000000000000000001", configID(Research, ""))
		if err == nil && c.Tools.WebResearch {
			t.Error("it is granted again by the next start")
		}
		return err
	})
}

func pointers(list []Config) (out []*Config) {
	for i := range list {
		out = append(out, &list[i])
	}
	return out
}
