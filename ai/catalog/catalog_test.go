package catalog_test

import (
	"testing"
	"time"

	"svc/ai"
	"svc/ai/catalog"
)

var november = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

// TestCost: whole nano-dollars, rounded up; cached and written tokens at their own rates;
// the tier by the whole prompt (contract 12.8).
func TestCost(t *testing.T) {
	haiku, ok := catalog.Find(ai.Anthropic, "claude-haiku-5-5", november)
	if !ok {
		t.Fatal("not in the catalogue")
	}
	for _, tt := range []struct {
		usage ai.Usage
		want  catalog.Nano
	}{
		{ai.Usage{}, 0},
		{ai.Usage{Input: 1}, 100}, // 0.10 a million
		{ai.Usage{Input: 1_000_000 - 900_001, CachedInput: 1}, 9_999_900 + 10},
		{ai.Usage{Input: 1000, CachedInput: 1000, CacheWrite: 1000, Output: 1000}, 100_000 + 10_000 + 125_000 + 500_000},
		{ai.Usage{Input: 100_000}, 10_000_000},
		{ai.Usage{Input: 100_001}, 50_000_500}, // above the tier everything is dearer
		{ai.Usage{Input: 1, CachedInput: 100_000, Output: 10}, 500 + 5_000_000 + 25_000},
	} {
		if got := haiku.Price.Cost(tt.usage); got != tt.want {
			t.Errorf("%+v costs %d, want %d", tt.usage, got, tt.want)
		}
	}
	if p := (catalog.Price{Rates: catalog.Rates{Input: 0.0000001}}); p.Cost(ai.Usage{Input: 1}) != 1 {
		t.Error("a part of a nano-dollar is lost")
	}
	if got := catalog.FromUSD(0.01); got != 10_000_000 || got.USD() != 0.01 {
		t.Errorf("0.01 USD is %d", got)
	}
}

// TestWorst: the worst case of a call is never below what it costs.
func TestWorst(t *testing.T) {
	for _, m := range catalog.All(november) {
		for _, estimated := range []int64{0, 1, 1000, 66_666, 66_667, 150_000} {
			real := int64(float64(estimated) * catalog.WorstInput)
			worst := m.Price.Worst(estimated, 1000)
			for _, u := range []ai.Usage{{Input: real, Output: 1000}, {CachedInput: real, Output: 1000}, {CacheWrite: real, Output: 1000}} {
				if cost := m.Price.Cost(u); cost > worst {
					t.Errorf("%s: %+v costs %d, worst %d", m.Name, u, cost, worst)
				}
			}
		}
	}
}

// TestDates: a price holds until its end, and the next follows without a gap.
func TestDates(t *testing.T) {
	before, _ := catalog.Find(ai.Google, "gemini-3.8-flash", time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC))
	behind, _ := catalog.Find(ai.Google, "gemini-3.8-flash", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	if before.Price.Input != 0.75 || behind.Price.Input != 1.50 {
		t.Errorf("%v, then %v", before.Price.Input, behind.Price.Input)
	}
	seen := map[string]bool{}
	for _, m := range catalog.All(november) {
		id := catalog.ID(m.Kind, m.Name)
		if len(id) != len("mdl_")+26 || seen[id] || m.Source == "" || m.Label == "" || m.ContextTokens == 0 {
			t.Errorf("%s: %s %+v", m.Name, id, m)
		}
		seen[id] = true
	}
	for _, kind := range []ai.Kind{ai.OpenAI, ai.Anthropic, ai.Google} {
		for _, size := range []catalog.Size{catalog.Small, catalog.Medium} {
			if _, ok := catalog.Default(kind, size, november); !ok {
				t.Errorf("%s has no model of size %d", kind, size)
			}
		}
	}
}
