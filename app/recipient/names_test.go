package recipient

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"svc/app/recipient/field"
	"svc/store"
	"svc/store/storetest"
)

// TestNamesAreFound: the beginning of a first or a last name, in either script and without
// apostrophes.
func TestNamesAreFound(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	org := db.NewID("org")
	people := map[string]Recipient{
		"otabek": {FirstName: "O‘tabek", LastName: "Каримов"}, "olga": {FirstName: "Ольга", LastName: "Иванова-Петрова"},
		"dilshod": {FirstName: "Dilshod"}, "shahlo": {LastName: "Шаҳлоева"}, "john": {FirstName: "John", LastName: "O'Neill"},
	}
	err := db.Update(t.Context(), func(tx *store.Tx) error {
		for name, r := range people {
			r.ID, r.Username, r.Consent = db.NewID("rcp"), name+"_user", field.Unknown
			if err := recipients.Put(tx, org, &r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{
		"O'tabek": "otabek", "otabek": "otabek", "Ўтабек": "otabek", "ОТАБЕК": "otabek", "karim": "otabek", "каримов о": "otabek", "o‘tabek k": "otabek",
		"olga": "olga", "ol": "olga", "ива": "olga", "ivanova petrova o": "olga", "Иванова-П": "olga", "petrova": "",
		"ДИЛ": "dilshod", "shahl": "shahlo", "шаҳл": "shahlo", "o'neill": "john", "oneill": "john", "bek": "", "zz": "",
	} {
		var got []string
		err := db.View(t.Context(), func(tx *store.Tx) error {
			where, err := filter{q: q}.conditions(tx, org)
			if err != nil {
				return err
			}
			page, err := recipients.Page(tx, org, store.Query[Recipient]{Where: where, Limit: 10})
			got = nil
			for _, r := range page.Data {
				got = append(got, strings.TrimSuffix(r.Username, "_user"))
			}
			return err
		})
		if found := strings.Join(got, " "); err != nil || found != want {
			t.Errorf("%q finds %q, want %q (%v)", q, found, want, err)
		}
	}
}

// TestNameIndexes compares what the indexes find with a look at everybody, while names
// change.
func TestNameIndexes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	db := storetest.Open(t, Tables()...)
	org := db.NewID("org")
	names := []string{"", "Ali", "Алишер", "Alisa", "Al", "Азиза", "Olim", "Олимжон", "Ўткир", "X"}
	all := make([]Recipient, 1500)
	save := func() {
		for from := 0; from < len(all); from += 250 {
			err := db.Update(t.Context(), func(tx *store.Tx) error {
				for i := from; i < from+250; i++ {
					all[i].FirstName, all[i].LastName = names[rnd.IntN(len(names))], names[rnd.IntN(len(names))]
					if err := recipients.Put(tx, org, &all[i]); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range all {
		all[i] = Recipient{ID: db.NewID("rcp"), MessengerID: int64(i + 1), Consent: field.Unknown}
	}
	for range 2 {
		save()
		for _, q := range []string{"al", "ali", "alis", "alish", "ali a", "olim", "olimj", "ўт", "utk", "x", "al ali", "alisa olim"} {
			key, want := nameKey(q), 0
			for i := range all {
				r := &all[i]
				if strings.HasPrefix(nameKey(r.FirstName, r.LastName), key) || strings.HasPrefix(nameKey(r.LastName, r.FirstName), key) {
					want++
				}
			}
			cond, ok := named(q)
			if !ok {
				if len([]rune(key)) > 1 {
					t.Errorf("%q is not looked for", q)
				}
				continue
			}
			err := db.View(t.Context(), func(tx *store.Tx) error {
				page, err := recipients.Page(tx, org, store.Query[Recipient]{Where: []store.Cond[Recipient]{cond}, Limit: 1})
				if page.Total != want {
					t.Errorf("%q begins %d names, found %d", q, want, page.Total)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestTagsWithoutCapitals: a tag is one in any case, and shows as it was written first.
func TestTagsWithoutCapitals(t *testing.T) {
	tags, err := field.Tags([]string{"VIP", "vip", " Vip ", "Акция", "АКЦИЯ"})
	if err != nil || fmt.Sprint(tags) != "[VIP Акция]" {
		t.Errorf("%v, %v", tags, err)
	}
	if got := field.AddTags(tags, []string{"акция", "new"}); fmt.Sprint(got) != "[VIP Акция new]" {
		t.Errorf("%v", got)
	}
	if left, n := field.RemoveTags(tags, []string{"vip"}); n != 1 || !slices.Equal(left, []string{"Акция"}) {
		t.Errorf("%v, %d", left, n)
	}
	if !field.HasTag(tags, "vIP") || field.HasTag(tags, "vi") {
		t.Error("vIP is not found, or vi is")
	}
}
