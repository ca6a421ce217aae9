package recipient

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"svc/app/recipient/field"
	"svc/store"
	"svc/store/storetest"
)

// TestBeginningsAreFound compares what the indexes find with a look at everybody.
func TestBeginningsAreFound(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	db := storetest.Open(t, Tables()...)
	org := db.NewID("org")
	var all []Recipient
	for i := range 2000 {
		r := Recipient{ID: db.NewID("rcp"), Consent: field.Unknown}
		if i%5 > 0 {
			r.MessengerID = 1 + rnd.Int64N([...]int64{99, 9_999, 999_999_999, 1 << 53}[rnd.IntN(4)])
		}
		if i%5 < 4 {
			r.Username = fmt.Sprint([...]string{"ali", "Alibek", "olga_", "User", "us_"}[rnd.IntN(5)], i)
		}
		all = append(all, r)
	}
	for from := 0; from < len(all); from += 500 {
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			for i := from; i < from+500; i++ {
				if err := recipients.Put(tx, org, &all[i]); err != nil && !store.Duplicate(err) {
					return err
				} else if err != nil {
					all[i] = Recipient{} // somebody has the number
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	queries := []string{"a", "al", "ali", "alib", "ol", "olga_1", "us", "us_", "use", "user1", "z", "zz", "é", "12ab", "0", "007", "1", "9", "12", "90071992547409920", "99999999999999999999"}
	for range 60 {
		if id := strconv.FormatInt(all[rnd.IntN(len(all))].MessengerID, 10); id != "0" {
			queries = append(queries, id[:1+rnd.IntN(len(id))])
		}
	}
	for _, q := range queries {
		want := 0
		for _, r := range all {
			if r.MessengerID != 0 && strings.HasPrefix(strconv.FormatInt(r.MessengerID, 10), q) || strings.HasPrefix(strings.ToLower(r.Username), q) {
				want++
			}
		}
		err := db.View(t.Context(), func(tx *store.Tx) error {
			page, err := recipients.Page(tx, org, store.Query[Recipient]{
				Where: []store.Cond[Recipient]{field.PrefixSearch(q, initialFacet, byUsername, byMessengerID)}, Limit: 1,
			})
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

// TestAttributesThatSomebodyHas follows a key through a record's life.
func TestAttributesThatSomebodyHas(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	org, other := db.NewID("org"), db.NewID("org")
	r := Recipient{ID: db.NewID("rcp"), Consent: field.Unknown, Attributes: map[string]any{"city": "Tashkent", "order_no": 7}}
	for _, tt := range []struct {
		attributes map[string]any
		want       string
	}{
		{map[string]any{"city": "Tashkent", "order_no": 7}, "city order_no"},
		{map[string]any{"city": "Samarkand"}, "city"},
		{nil, ""},
	} {
		r.Attributes = tt.attributes
		err := db.Update(t.Context(), func(tx *store.Tx) error { return recipients.Put(tx, org, &r) })
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		err = db.View(t.Context(), func(tx *store.Tx) error {
			got = nil
			for _, key := range []string{"city", "order_no", "size"} {
				if has, err := HasAttribute(tx, org, key); err != nil {
					return err
				} else if has {
					got = append(got, key)
				}
				if has, err := HasAttribute(tx, other, key); has || err != nil {
					t.Errorf("another organization: %v, %v", has, err)
				}
			}
			return nil
		})
		if err != nil || strings.Join(got, " ") != tt.want {
			t.Errorf("%v, %v, want %s", got, err, tt.want)
		}
	}
}
