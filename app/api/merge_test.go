package api_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/app/api"
)

// rule is an object within a record.
type rule struct {
	Days  []string       `json:"days,omitempty"`
	Time  string         `json:"time,omitempty"`
	Until *time.Time     `json:"until,omitempty"`
	Most  int64          `json:"most,omitempty"`
	Inner *rule          `json:"inner,omitempty"`
	Free  map[string]any `json:"free,omitempty"`
}

// TestPatchMerges: of an object the keys change that are sent, null removes one, a list
// is replaced whole (contract 21.2).
func TestPatchMerges(t *testing.T) {
	until := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	whole := rule{Days: []string{"MO", "TU"}, Time: "09:00", Until: &until, Most: 1<<53 + 1, Inner: &rule{Time: "10:00", Most: 2}, Free: map[string]any{"a": "1", "b": "2"}}
	with := func(change func(*rule)) rule {
		r := whole
		change(&r)
		return r
	}
	for _, tt := range []struct {
		name, sent string
		want       rule
		changes    bool
	}{
		{"a key", `{"time":"11:00"}`, with(func(r *rule) { r.Time = "11:00" }), true},
		{"nothing", `{}`, whole, false},
		{"the same", `{"time":"09:00"}`, whole, false},
		{"null removes", `{"until":null,"free":null}`, with(func(r *rule) { r.Until, r.Free = nil, nil }), true},
		{"null of what is not there", `{"free":{"c":null}}`, whole, false},
		{"a list is replaced", `{"days":["FR"]}`, with(func(r *rule) { r.Days = []string{"FR"} }), true},
		{"deeper", `{"inner":{"time":"12:00"}}`, with(func(r *rule) { r.Inner = &rule{Time: "12:00", Most: 2} }), true},
		{"free keys", `{"free":{"b":null,"c":"3"}}`, with(func(r *rule) { r.Free = map[string]any{"a": "1", "c": "3"} }), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var body struct {
				Rule  api.Patch[rule]     `json:"rule"`
				Maybe api.PatchNull[rule] `json:"maybe"`
			}
			if err := json.Unmarshal([]byte(`{"rule":`+tt.sent+`,"maybe":`+tt.sent+`}`), &body); err != nil {
				t.Fatal(err)
			}
			got, before := whole, whole
			maybe := &before
			if body.Rule.Apply(&got) != tt.changes || body.Maybe.Apply(&maybe) != tt.changes {
				t.Errorf("says whether it changes anything: want %v", tt.changes)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.want, *maybe); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(whole, before); d != "" {
				t.Errorf("the record before it changed: %s", d)
			}
		})
	}
}

// TestPatchOfNothing: an object that is not there is what was sent; null clears one.
func TestPatchOfNothing(t *testing.T) {
	var body struct {
		Rule api.PatchNull[rule]      `json:"rule"`
		At   api.PatchNull[time.Time] `json:"at"`
	}
	if err := json.Unmarshal([]byte(`{"rule":{"time":"11:00"},"at":"2026-05-02T00:00:00Z"}`), &body); err != nil {
		t.Fatal(err)
	}
	var none *rule
	old := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	at := &old
	if !body.Rule.Apply(&none) || none.Time != "11:00" || !body.At.Apply(&at) || at.Day() != 2 {
		t.Errorf("%+v %v", none, at)
	}
	if err := json.Unmarshal([]byte(`{"rule":null}`), &body); err != nil {
		t.Fatal(err)
	}
	if !body.Rule.Apply(&none) || none != nil {
		t.Errorf("%+v", none)
	}
}
