package cases

import (
	"fmt"
	"slices"
	"testing"

	"svc/app/insight/dimension"
	"svc/store"
	"svc/store/storetest"
)

// TestKeep: of what an agent names only what is new becomes a case: no key that is taken, also by
// an archived case, no name alike one that is there or came before it, and no 26th active case.
func TestKeep(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	const org, shop = "org_00000000000000000000000001", "bus_00000000000000000000000001"
	add := func(key, name string, s Status) {
		t.Helper()
		storetest.Update(t, db, func(tx *store.Tx) error {
			k := Case{ID: db.NewID("cas"), Business: shop, Dimension: dimension.Demand, Key: key, Name: Names{name, name, name}, Source: Manual, Status: s, CreatedAt: db.Now()}
			return table.Insert(tx, org, &k)
		})
	}
	call := func(key, uz, ru, en string) named {
		return named{dimension: dimension.Demand, Key: key, UZ: uz, RU: ru, EN: en, Examples: []string{"Bormi?"}}
	}
	keep := func(found ...named) (g generation, active []Case) {
		t.Helper()
		g = generation{Generation: Generation{BusinessID: shop, Dimensions: []dimension.Dimension{dimension.Demand}}}
		storetest.Update(t, db, func(tx *store.Tx) (err error) {
			g.Added, g.Total = 0, 0
			if err = g.keep(tx, org, found); err == nil {
				active, err = ActiveOf(tx, org, shop, dimension.Demand)
			}
			return err
		})
		return g, active
	}
	add("roses", "Red roses", Active)
	add("tulips", "Dutch tulips", Archived)
	g, active := keep(
		call("roses", "Boshqa nom", "Другое имя", "Another name"),         // the key is there
		call("tulips", "Golland lolalari", "Голландские", "From Holland"), // also in the archive
		call("red", "Red roses", "Red roses", "Red roses"),                // the name is there
		call("UNCLEAR", "Noaniq", "Неясно", "Not clear"),                  // no case has that key
		call("peonies", "Pionlar", "Пионы", "Peonies"),
		call("peony", "Pionlar", "Пионы", "Peonies"),                                              // as the one before it
		call("peonies", "Sochilgan", "Разные", "Several"),                                         // and its key
		named{dimension: dimension.LostReason, Key: "price", UZ: "Narx", RU: "Цена", EN: "Price"}, // of another dimension
		call("boxes", "Qutilar", "Коробки", "Boxes"),
	)
	keys := []string{}
	for _, k := range active {
		keys = append(keys, k.Key)
		if generated := k.Key != "roses"; generated != (k.Source == Generated) {
			t.Errorf("%s is %s", k.Key, k.Source)
		}
	}
	if !slices.Equal(keys, []string{"roses", "peonies", "boxes"}) || g.Added != 2 || g.Total != 3 {
		t.Errorf("%v are active, %d added of %d", keys, g.Added, g.Total)
	}
	for i := range MaxActive - 4 {
		add(fmt.Sprint("more_", i), fmt.Sprintf("Name%d number%d", i, i), Active)
	}
	g, active = keep(call("last", "Oxirgi", "Последний", "Last"), call("beyond", "Ortiqcha", "Лишний", "Beyond"))
	if len(active) != MaxActive || g.Added != 1 || g.Total != MaxActive || active[MaxActive-1].Key != "last" {
		t.Errorf("%d are active, %d added of %d", len(active), g.Added, g.Total)
	}
}

// TestNamesOfAnAgent: a case needs a key and a name in each language that holds more than blanks;
// what a customer wrote of themselves is in none of its texts.
func TestNamesOfAnAgent(t *testing.T) {
	for _, x := range []struct {
		n  named
		ok bool
	}{
		{named{Key: "slow_delivery", UZ: "Sekin yetkazish", RU: "Медленно", EN: "Slow delivery", Examples: []string{"Kuryer kechikdi, +998 90 123 45 67", " "}}, true},
		{named{Key: "slow_delivery", UZ: " \n ", RU: "Медленно", EN: "Slow delivery"}, false},
		{named{Key: "slow_delivery", UZ: "Sekin", RU: "Медленно"}, false},
		{named{Key: "__", UZ: "Sekin", RU: "Медленно", EN: "Slow"}, false},
	} {
		err := x.n.check()
		if (err == nil) != x.ok {
			t.Errorf("%+v: %v", x.n, err)
		}
		if x.ok && !slices.Equal(x.n.Examples, []string{"Kuryer kechikdi, [PHONE]"}) {
			t.Errorf("examples %q", x.n.Examples)
		}
	}
}
