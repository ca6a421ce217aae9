package web

import (
	"github.com/prometheus/client_golang/prometheus"

	"svc/app/calendar"
)

// calendarFigures reads the counts of calendar actions when they are asked for.
type calendarFigures struct {
	read    func() map[calendar.Figure]int64
	actions *prometheus.Desc
}

// WatchCalendar publishes what became of calendar actions. Labels are types and statuses.
func (m *Metrics) WatchCalendar(read func() map[calendar.Figure]int64) {
	m.namespaced.MustRegister(&calendarFigures{
		read: read, actions: prometheus.NewDesc("ai_calendar_actions", "Times that calendar actions of a type came into a status.", []string{"type", "status"}, nil),
	})
}

// Describe implements prometheus.Collector.
func (a *calendarFigures) Describe(to chan<- *prometheus.Desc) { to <- a.actions }

// Collect implements prometheus.Collector.
func (a *calendarFigures) Collect(to chan<- prometheus.Metric) {
	for f, n := range a.read() {
		to <- prometheus.MustNewConstMetric(a.actions, prometheus.CounterValue, float64(n), string(f.Type), string(f.Status))
	}
}
