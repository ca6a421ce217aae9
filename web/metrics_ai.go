package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"svc/app/engine/execution"
)

// aiFigures reads the counts of the AI engine when they are asked for.
type aiFigures struct {
	read                           func() execution.Figures
	calls, cost, coolOffs, refused *prometheus.Desc
}

// WatchAI publishes what language models were asked and what it cost. Labels come from
// fixed sets: kinds of providers and faults.
func (m *Metrics) WatchAI(read func() execution.Figures) {
	m.namespaced.MustRegister(&aiFigures{
		read:     read,
		calls:    prometheus.NewDesc("ai_calls_total", "Calls to providers of language models, by kind and fault; none: it answered.", []string{"kind", "fault"}, nil),
		cost:     prometheus.NewDesc("ai_cost_usd_total", "What they cost, by kind of provider.", []string{"kind"}, nil),
		coolOffs: prometheus.NewDesc("ai_cool_offs_total", "Times that a provider or a model was passed over for a while.", nil, nil),
		refused:  prometheus.NewDesc("ai_budget_refusals_total", "Runs that no budget had room for.", nil, nil),
	})
}

// Describe implements prometheus.Collector.
func (a *aiFigures) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{a.calls, a.cost, a.coolOffs, a.refused} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (a *aiFigures) Collect(to chan<- prometheus.Metric) {
	f := a.read()
	for call, n := range f.Calls {
		fault := string(call.Fault)
		if fault == "" {
			fault = "none"
		}
		to <- prometheus.MustNewConstMetric(a.calls, prometheus.CounterValue, float64(n), call.Kind, fault)
	}
	for kind, usd := range f.CostUSD {
		to <- prometheus.MustNewConstMetric(a.cost, prometheus.CounterValue, usd, kind)
	}
	to <- prometheus.MustNewConstMetric(a.coolOffs, prometheus.CounterValue, float64(f.CoolOffs))
	to <- prometheus.MustNewConstMetric(a.refused, prometheus.CounterValue, float64(f.Refused))
}
