package web

import (
	"strings"
	"testing"

	"svc/ai"
	"svc/app/engine/execution"
)

// TestMetricsOfTheAI: calls by kind and fault, what they cost, cool-offs and refusals are
// published as they are when they are asked for.
func TestMetricsOfTheAI(t *testing.T) {
	m := NewMetrics("test")
	f := execution.Figures{
		Calls: map[execution.Call]int64{{Kind: "OPENAI"}: 3, {Kind: "OPENAI", Fault: ai.RateLimited}: 2}, CostUSD: map[string]float64{"OPENAI": 0.25}, CoolOffs: 1,
	}
	m.WatchAI(func() execution.Figures { return f })
	f.Refused = 4
	got := map[string]float64{}
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		for _, x := range family.GetMetric() {
			name := family.GetName()
			for _, l := range x.GetLabel() {
				name += " " + l.GetValue()
			}
			if strings.HasPrefix(name, "svc_ai_") {
				got[name] = x.GetCounter().GetValue()
			}
		}
	}
	want := map[string]float64{
		"svc_ai_calls_total none OPENAI": 3, "svc_ai_calls_total rate_limited OPENAI": 2, "svc_ai_cost_usd_total OPENAI": 0.25, "svc_ai_cool_offs_total": 1,
		"svc_ai_budget_refusals_total": 4,
	}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s is %g, want %g", name, got[name], n)
		}
	}
}
