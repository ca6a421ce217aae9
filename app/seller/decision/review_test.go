package decision_test

import (
	"path/filepath"
	"testing"

	"svc/ai/decide"
	"svc/app/seller/decision"
	"svc/store"
	"svc/store/storetest"
)

// TestJudge: a decision counts once, only what a model decided of it, and of a wrong one only
// the fields that are called wrong; other organizations keep what their models say.
func TestJudge(t *testing.T) {
	db := storetest.OpenWith(t, filepath.Join(t.TempDir(), "svc.db"), store.Options{Tables: decision.Tables()})
	org, other := db.NewID("org"), db.NewID("org")
	sure := 0.95
	fields := decide.Decision{
		decide.Intent:  {Value: decide.Price, Probability: &sure, Confidence: sure, Source: decide.FromModel},
		decide.Handoff: {Value: decide.No, Probability: &sure, Confidence: sure, Source: decide.FromModel},
		decide.Stage:   {Value: "new", Confidence: 1, Source: decide.FromRules},
	}
	judge := func(right bool, only []decide.Field) {
		t.Helper()
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			id, err := decision.Keep(tx, org, decision.Decision{Fields: fields})
			if err != nil {
				return err
			}
			if err := decision.Judge(tx, org, id, right, only); err != nil {
				return err
			}
			return decision.Judge(tx, org, id, !right, only) // it is counted already
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 100 {
		judge(true, nil)
	}
	for range 50 {
		judge(false, nil)
	}
	for range 50 {
		judge(false, []decide.Field{decide.Handoff})
	}
	view := func(org string) (r decide.Reviews) {
		t.Helper()
		if err := db.View(t.Context(), func(tx *store.Tx) (err error) {
			r, err = decision.Reviews(tx, org)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := view(org)
	if _, ok := r.Fields[decide.Stage]; ok || r.Decisions != 200 {
		t.Errorf("%+v", r)
	}
	if got, ok := r.Correct(decide.Intent, sure); !ok || got < 0.65 || got > 0.68 {
		t.Errorf("100 of 150 intents were right: %v %v", got, ok)
	}
	if got, ok := r.Correct(decide.Handoff, sure); !ok || got < 0.49 || got > 0.52 {
		t.Errorf("100 of 200 were right about handing over: %v %v", got, ok)
	}
	if r := view(other); r.Decisions != 0 {
		t.Errorf("%+v of another organization", r)
	}
	if err := db.Update(t.Context(), func(tx *store.Tx) error { return decision.Judge(tx, org, "dec_none", true, nil) }); !store.IsNotFound(err) {
		t.Errorf("%v", err)
	}
}
