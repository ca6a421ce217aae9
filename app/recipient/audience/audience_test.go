package audience

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	"svc/app/policy"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/store"
	"svc/store/storetest"
)

// people is the table of recipients: tests write what no operation makes.
var people = func() *store.Table[recipient.Recipient] {
	for _, t := range recipient.Tables() {
		if people, ok := t.(*store.Table[recipient.Recipient]); ok {
			return people
		}
	}
	panic("there is no table of recipients")
}()

// TestAudience counts a union of lists, tags and named people, and walks it; what it
// was when it was frozen, it stays.
func TestAudience(t *testing.T) {
	db := storetest.Open(t, recipient.Tables()...)
	org := db.NewID("org")
	update := func(f func(tx *store.Tx) error) {
		t.Helper()
		if err := db.Update(context.Background(), f); err != nil {
			t.Fatal(err)
		}
	}
	now := db.Now()
	lately := now.Add(-time.Hour)
	list := db.NewID("lst")
	var ids []string
	add := func(edit func(*recipient.Recipient)) {
		r := recipient.Recipient{ID: db.NewID("rcp"), Username: fmt.Sprint("person_", len(ids)), Consent: field.OptedIn, Language: "uz", Source: field.API, CreatedAt: now, UpdatedAt: now}
		edit(&r)
		ids = append(ids, r.ID)
		update(func(tx *store.Tx) error { return people.Insert(tx, org, &r) })
	}
	in := func(r *recipient.Recipient) { r.Lists = []string{list} }
	add(in)                                                                                                       // 0
	add(func(r *recipient.Recipient) { in(r); r.Tags = []string{"vip"} })                                         // 1: twice, counts once
	add(func(r *recipient.Recipient) { r.Tags = []string{"vip"}; r.Language = "ru" })                             // 2
	add(func(r *recipient.Recipient) { in(r); r.Consent = field.Unknown; r.Language = "" })                       // 3
	add(func(r *recipient.Recipient) { in(r); r.Consent, r.Suppressed = field.OptedOut, true })                   // 4
	add(func(r *recipient.Recipient) { in(r); r.Suppressed = true })                                              // 5
	add(func(r *recipient.Recipient) { in(r); r.LastMessagedAt = &lately })                                       // 6
	add(func(r *recipient.Recipient) { in(r); r.Username, r.MessengerID, r.KnownTo = "", 77, []string{"acc_1"} }) // 7
	add(func(r *recipient.Recipient) { in(r); r.Username, r.MessengerID, r.KnownTo = "", 78, []string{"acc_2"} }) // 8
	add(func(r *recipient.Recipient) {})                                                                          // 9: named
	add(func(r *recipient.Recipient) {})                                                                          // 10: not meant
	a := Audience{Lists: []string{list}, Tags: []string{"vip"}, Picked: []string{ids[9], ids[0]}}
	var frozen Frozen
	check := func(by Counting, want AudienceCounts) {
		t.Helper()
		var got AudienceCounts
		err := db.View(context.Background(), func(tx *store.Tx) (err error) {
			f, n, err := a.Freeze(tx, org, nil)
			if frozen = f; err != nil || n != want.Matched {
				t.Errorf("%d people are frozen: %v", n, err)
			}
			got, err = CountAudience(tx, org, frozen, by)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(got.ByConsent, want.ByConsent) || !maps.Equal(got.ByLanguage, want.ByLanguage) {
			t.Errorf("by consent %v, by language %v", got.ByConsent, got.ByLanguage)
		}
		got.ByConsent, got.ByLanguage, want.ByConsent, want.ByLanguage = nil, nil, nil, nil
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%+v: %+v, want %+v", by, got, want)
		}
	}
	consents := map[field.Consent]int{field.OptedIn: 8, field.Authorized: 0, field.ExistingRelationship: 0, field.Unknown: 1, field.OptedOut: 1}
	languages := map[string]int{"uz": 8, "ru": 1, "": 1}
	check(Counting{Message: policy.Message{Campaign: true, RestSince: now.Add(-24 * time.Hour)}, Accounts: []string{"acc_1"}}, AudienceCounts{
		Matched: 10, Sendable: 6, OptedOut: 1, Suppressed: 1, UnknownConsent: 1, Recently: 1, ByConsent: consents, ByLanguage: languages, Named: 4, Known: 1, Unreached: 1, Met: 1,
	})
	check(Counting{Message: policy.Message{Campaign: true, AllowUnknown: true}}, AudienceCounts{
		Matched: 10, Sendable: 8, OptedOut: 1, Suppressed: 1, ByConsent: consents, ByLanguage: languages, Named: 6, Unreached: 2,
	})
	// A person who goes is no longer in it; one who comes never is.
	update(func(tx *store.Tx) error { return people.Delete(tx, org, ids[2]) })
	add(in)
	err := db.View(context.Background(), func(tx *store.Tx) error {
		var got []string
		for after := (store.Cursor)(nil); ; {
			page, next, err := recipient.PageOf(tx, org, frozen, after, 4)
			if err != nil {
				return err
			}
			for i := range page {
				got = append(got, page[i].ID)
			}
			if after = next; after == nil {
				break
			}
		}
		want := append(append([]string{}, ids[:2]...), ids[3:10]...)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("a walk finds %v, want %v", got, want)
		}
		for i, id := range ids {
			r := recipient.Recipient{ID: id}
			if i != 2 {
				if r, _ = recipient.Get(tx, org, id); r.ID == "" {
					t.Fatalf("person %d is gone", i)
				}
			}
			meant := i != 10 && i != 2 && i != 11
			if yes, err := InAudience(tx, org, Audience{Kept: frozen}, &r); err != nil || yes != meant {
				t.Errorf("person %d is in the frozen audience: %v, %v", i, yes, err)
			}
		}
		some, n, err := Without(tx, org, frozen, Frozen{})
		if err != nil || n != 9 {
			t.Errorf("without nobody: %d, %v", n, err)
		}
		if _, n, err = Without(tx, org, frozen, some); err != nil || n != 0 {
			t.Errorf("without everybody: %d, %v", n, err)
		}
		both, err := Together(tx, org, nil, frozen)
		if n, _ := both.Count(); err != nil || n != 9 {
			t.Errorf("together with nobody: %d, %v", n, err)
		}
		again, err := Again(tx, org, frozen, []Frozen{some, nil}, lately)
		if n, _ := again.Count(); err != nil || n != 1 {
			t.Errorf("%d people were written to since, %v", again, err)
		}
		noLists, noPeople, err := CheckAudience(tx, org, a)
		if err != nil || len(noLists) != 1 || len(noPeople) != 0 {
			t.Errorf("what is not there: %v, %v, %v", noLists, noPeople, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
