package experiment

import (
	"fmt"
	"testing"
)

// TestAssignment: a conversation gets the same variant each time, and variants get their
// share of conversations.
func TestAssignment(t *testing.T) {
	e := Experiment{ID: "xpm_1", Variants: []Variant{{ID: "a", Weight: 3}, {ID: "b", Weight: 1}}}
	seen := map[string]int{}
	for i := range 10_000 {
		id := fmt.Sprintf("cnv_%d", i)
		v := e.assign(id)
		if again := e.assign(id); again.ID != v.ID {
			t.Fatalf("%s got %s and %s", id, v.ID, again.ID)
		}
		seen[v.ID]++
	}
	if n := seen["a"]; n < 7300 || n > 7700 {
		t.Errorf("the variant of three quarters got %d of 10000", n)
	}
	other := Experiment{ID: "xpm_2", Variants: e.Variants}
	same := 0
	for i := range 10_000 {
		if id := fmt.Sprintf("cnv_%d", i); e.assign(id).ID == other.assign(id).ID {
			same++
		}
	}
	if same < 5900 || same > 6600 { // 3/4 · 3/4 + 1/4 · 1/4
		t.Errorf("two experiments agree about %d of 10000", same)
	}
	if (&Experiment{ID: "xpm_3"}).assign("cnv_1") != nil {
		t.Error("a variant of none")
	}
}

func TestTooEarly(t *testing.T) {
	value := func(x float64) *float64 { return &x }
	for _, x := range []struct {
		name        string
		metric      Metric
		list        []Result
		leader, why string
	}{
		{"one", ReplyRate, []Result{{VariantID: "a"}}, "", "ONE_VARIANT"},
		{"few", ReplyRate, []Result{
			{VariantID: "a", Counted: 500, Value: value(0.9), Interval: []float64{0.88, 0.92}},
			{VariantID: "b", Counted: 99, Value: value(0.1), Interval: []float64{0.05, 0.2}},
		}, "", "TOO_FEW_CONVERSATIONS"},
		{"overlap", ReplyRate, []Result{
			{VariantID: "a", Counted: 100, Value: value(0.5), Interval: []float64{0.4, 0.6}},
			{VariantID: "b", Counted: 100, Value: value(0.55), Interval: []float64{0.45, 0.65}},
		}, "", "INTERVALS_OVERLAP"},
		{"apart", ReplyRate, []Result{
			{VariantID: "a", Counted: 300, Value: value(0.3), Interval: []float64{0.25, 0.35}},
			{VariantID: "b", Counted: 300, Value: value(0.6), Interval: []float64{0.54, 0.65}},
		}, "b", ""},
		{"less is better", HandoffRate, []Result{
			{VariantID: "a", Counted: 300, Value: value(0.3), Interval: []float64{0.25, 0.35}},
			{VariantID: "b", Counted: 300, Value: value(0.6), Interval: []float64{0.54, 0.65}},
		}, "a", ""},
	} {
		if leader, why := (&Experiment{Metric: x.metric}).leader(x.list); leader != x.leader || why != x.why {
			t.Errorf("%s: %q %q", x.name, leader, why)
		}
	}
}
