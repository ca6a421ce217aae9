package audience

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/store"
	"svc/store/storetest"
)

// TestConditions: each operator over each type, joined either way, and that what the store
// answers is what each person would (contract 21.2, Audience).
func TestConditions(t *testing.T) {
	db := storetest.Open(t, recipient.Tables()...)
	org := db.NewID("org")
	var ids []string
	err := db.Update(context.Background(), func(tx *store.Tx) error {
		for i, p := range []struct {
			language string
			consent  field.Consent
			has      map[string]any
		}{
			{"uz", field.OptedIn, map[string]any{"city": "Toshkent", "age": 34.0, "vip": true, "at": "2026-05-01"}},
			{"ru", field.OptedIn, map[string]any{"city": " toshkent", "age": "9", "vip": "TRUE", "at": "2026-05-01T00:00:01Z"}},
			{"", field.Unknown, map[string]any{"city": "Samarqand", "age": "x", "vip": false}},
			{"uz", field.OptedOut, nil},
		} {
			r := recipient.Recipient{
				ID: db.NewID("rcp"), Username: fmt.Sprint("person_", i), Language: p.language, Consent: p.consent, Attributes: p.has, Source: field.API,
				CreatedAt: db.Now(), UpdatedAt: db.Now(),
			}
			ids = append(ids, r.ID)
			if err := people.Insert(tx, org, &r); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		where, want string
		match       Match
	}{
		{`[{"field":"attributes.city","op":"eq","value":"TOSHKENT"}]`, "01", ""},
		{`[{"field":"attributes.city","op":"ne","value":"Toshkent"}]`, "23", ""},
		{`[{"field":"attributes.city","op":"contains","value":"QAND"}]`, "2", ""},
		{`[{"field":"attributes.city","op":"in","value":["samarqand","Toshkent"]}]`, "012", ""},
		{`[{"field":"attributes.city","op":"exists"}]`, "012", ""},
		{`[{"field":"attributes.city","op":"exists","value":false}]`, "3", ""},
		{`[{"field":"attributes.age","op":"gt","value":10}]`, "0", ""},
		{`[{"field":"attributes.age","op":"lt","value":"10"}]`, "1", ""},
		{`[{"field":"attributes.age","op":"eq","value":9}]`, "1", ""},
		{`[{"field":"attributes.age","op":"eq","value":"34"}]`, "0", ""},
		{`[{"field":"attributes.age","op":"ne","value":9}]`, "023", ""},
		{`[{"field":"attributes.vip","op":"eq","value":true}]`, "01", ""},
		{`[{"field":"attributes.at","op":"gt","value":"2026-05-01"}]`, "1", ""},
		{`[{"field":"attributes.at","op":"lt","value":"2026-05-01T05:00:01+05:00"}]`, "0", ""},
		{`[{"field":"language","op":"eq","value":"UZ"}]`, "03", ""},
		{`[{"field":"language","op":"ne","value":"uz"}]`, "12", ""},
		{`[{"field":"language","op":"exists"}]`, "013", ""},
		{`[{"field":"language","op":"exists","value":false}]`, "2", ""},
		{`[{"field":"consent_status","op":"in","value":["opted_out","UNKNOWN"]}]`, "23", ""},
		{`[{"field":"language","op":"eq","value":"uz"},{"field":"attributes.age","op":"gt","value":1}]`, "0", MatchAll},
		{`[{"field":"language","op":"eq","value":"uz"},{"field":"attributes.age","op":"gt","value":1}]`, "013", MatchAny},
		{`[{"field":"language","op":"ne","value":"uz"},{"field":"consent","op":"eq","value":"OPTED_OUT"}]`, "123", MatchAny},
		{`[{"field":"language","op":"eq","value":"ru"},{"field":"consent","op":"eq","value":"OPTED_OUT"}]`, "13", MatchAny},
	} {
		a := Audience{Everyone: true, Match: tt.match}
		if err := json.Unmarshal([]byte(tt.where), &a.Where); err != nil {
			t.Fatal(err)
		}
		if err := CheckConditions("where", a.Where); err != nil {
			t.Errorf("%s: %v", tt.where, err)
			continue
		}
		found, err := Resolve(context.Background(), db, org, func(*store.Tx) (Audience, error) { return a, nil })
		if err != nil {
			t.Fatal(err)
		}
		err = db.View(context.Background(), func(tx *store.Tx) error {
			frozen, n, err := a.Freeze(tx, org, found)
			if err != nil || n != len(tt.want) {
				t.Errorf("%s: %d people (%v), want %s", tt.where, n, err, tt.want)
			}
			list, _, err := recipient.PageOf(tx, org, frozen, nil, 10)
			for i := range list {
				if at := slices.Index(ids, list[i].ID); !strings.Contains(tt.want, fmt.Sprint(at)) {
					t.Errorf("%s: person %d is meant, want %s", tt.where, at, tt.want)
				}
			}
			for i, id := range ids {
				r, failed := recipient.Get(tx, org, id)
				if failed != nil {
					return failed
				}
				if yes, err := InAudience(tx, org, a, &r); err != nil || yes != strings.Contains(tt.want, fmt.Sprint(i)) {
					t.Errorf("%s: of person %d it holds: %v, %v", tt.where, i, yes, err)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestConditionBounds: what would make a record of a campaign long is refused.
func TestConditionBounds(t *testing.T) {
	one := Condition{Field: "attributes.city", Op: Equal, Value: "x"}
	values := make([]any, MaxOneOf)
	for i := range values {
		values[i] = strings.Repeat("x", maxValue)
	}
	for name, list := range map[string][]Condition{
		"21 conditions":       slices.Repeat([]Condition{one}, MaxConditions+1),
		"a list of 101":       {{Field: "attributes.city", Op: OneOf, Value: slices.Repeat([]any{"x"}, MaxOneOf+1)}},
		"a long text":         {{Field: "attributes.city", Op: Contains, Value: strings.Repeat("x", maxValue+1)}},
		"long in all":         {{Field: "attributes.city", Op: OneOf, Value: values}},
		"a list in a list":    {{Field: "attributes.city", Op: OneOf, Value: []any{[]any{"x"}}}},
		"a list where a text": {{Field: "language", Op: Equal, Value: []any{"uz"}}},
	} {
		if CheckConditions("where", list) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
