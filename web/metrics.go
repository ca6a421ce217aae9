package web

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"svc/app/mapkey"
	"svc/geo/live"
)

// requestBuckets are seconds. They are dense below 10 ms, where the targets of
// search and reverse are, and reach the longest handler (matrix, 60 s).
var requestBuckets = []float64{
	.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25, 60,
}

// engineBuckets are seconds, up to the engine client's 25.
var engineBuckets = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 1.5, 2.5, 5, 10, 25}

// Metrics is every figure of the process. No label ever holds a key, a path or
// anything else that a client chooses.
type Metrics struct {
	registry   *prometheus.Registry
	requests   *prometheus.HistogramVec
	refusals   *prometheus.CounterVec
	engine     *prometheus.HistogramVec
	reloads    *prometheus.CounterVec
	archives   *prometheus.CounterVec
	panics     prometheus.Counter
	namespaced prometheus.Registerer
}

// NewMetrics makes an empty set of figures, with those of the Go runtime.
func NewMetrics(version string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry()}
	m.namespaced = prometheus.WrapRegistererWithPrefix("svc_", m.registry)
	m.requests = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "request_seconds", Buckets: requestBuckets,
		Help: "Time to answer a request, by product and status class.",
	}, []string{"product", "status"})
	m.refusals = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "gate_decisions_total",
		Help: "Decisions of the key check, by product and outcome.",
	}, []string{"product", "outcome"})
	m.engine = prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "engine_seconds", Buckets: engineBuckets,
		Help: "Time of a call to the routing engine, by call and result.",
	}, []string{"call", "result"})
	m.reloads = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "index_loads_total",
		Help: "Attempts to load an index file, by result.",
	}, []string{"result"})
	m.archives = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "archive_loads_total",
		Help: "Attempts to load a tile archive, by what it holds and result.",
	}, []string{"archive", "result"})
	m.panics = prometheus.NewCounter(prometheus.CounterOpts{
		Name: "panics_total",
		Help: "Requests that failed inside the server.",
	})
	build := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "build_info", Help: "1, with the version as a label.",
		ConstLabels: prometheus.Labels{"version": version},
	}, func() float64 { return 1 })
	m.namespaced.MustRegister(m.requests, m.refusals, m.engine, m.reloads, m.archives, m.panics, build)
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, result := range []string{"ok", "failed"} {
		// Present from the start, so that alerts can use increase().
		m.reloads.WithLabelValues(result)
		m.archives.WithLabelValues("tiles", result)
		m.archives.WithLabelValues("terrain", result)
	}
	return m
}

// WatchMap publishes size, entries and age of the index that serves. Age counts
// from the build, by clock.
func (m *Metrics) WatchMap(maps *live.Map, clock func() time.Time) {
	m.watchIndex(func() (f indexFigures) {
		engine, release := maps.Acquire()
		defer release()
		if engine == nil {
			return f
		}
		x := engine.Index()
		return indexFigures{float64(x.Meta.Entries), float64(x.Size()), max(clock().Sub(x.Meta.BuiltAt).Seconds(), 0)}
	})
}

// indexFigures are zero when there is no index.
type indexFigures struct{ entries, bytes, age float64 }

func (m *Metrics) watchIndex(figures func() indexFigures) {
	gauge := func(name, help string, read func(indexFigures) float64) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return read(figures()) })
	}
	m.namespaced.MustRegister(
		gauge("index_entries", "Entries of the served index; 0 without one.", func(f indexFigures) float64 { return f.entries }),
		gauge("index_bytes", "Size of the served index file; 0 without one.", func(f indexFigures) float64 { return f.bytes }),
		gauge("index_age_seconds", "Time since the served index was built; 0 without one.", func(f indexFigures) float64 { return f.age }),
	)
}

// WatchUsage publishes how the metering is.
func (m *Metrics) WatchUsage(stats func() mapkey.MeterStats) {
	counter := func(name, help string, read func(mapkey.MeterStats) uint64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help},
			func() float64 { return float64(read(stats())) })
	}
	m.namespaced.MustRegister(
		counter("usage_flushes_total", "Writes to the usage file that went well.",
			func(s mapkey.MeterStats) uint64 { return s.Flushes }),
		counter("usage_flush_errors_total", "Failures to open, read or write the usage file.",
			func(s mapkey.MeterStats) uint64 { return s.FlushErrors }),
		counter("usage_lost_requests_total", "Requests that could not even be counted in memory.",
			func(s mapkey.MeterStats) uint64 { return s.Lost }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "usage_pending_cells", Help: "Counts of key, product and hour that are not yet written.",
		}, func() float64 { return float64(stats().Pending) }),
	)
}

// WatchKeys publishes how many keys are in force and how often a changed key
// file could not be taken over.
func (m *Metrics) WatchKeys(keys *mapkey.Keys) {
	m.namespaced.MustRegister(
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "keys", Help: "API keys in force, disabled ones included.",
		}, func() float64 { return float64(keys.Len()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "key_reload_errors_total", Help: "Changed key files that could not be taken over.",
		}, func() float64 { return float64(keys.Failures()) }),
	)
}

// GateDecision counts one decision of the key check. Both arguments come from
// fixed sets.
func (m *Metrics) GateDecision(product, outcome string) {
	m.refusals.WithLabelValues(product, outcome).Inc()
}

// EngineCall records one call to the routing engine.
func (m *Metrics) EngineCall(call string, ok bool, took time.Duration) {
	m.engine.WithLabelValues(call, result(ok)).Observe(took.Seconds())
}

// MapLoaded counts an index file that serves from now on; with MapFailed it
// makes Metrics an observer of geo/live.
func (m *Metrics) MapLoaded(int, int64, time.Time) { m.reloads.WithLabelValues(result(true)).Inc() }

// ArchiveLoaded counts an attempt to load a tile archive: "tiles" or "terrain".
func (m *Metrics) ArchiveLoaded(archive string, ok bool) {
	m.archives.WithLabelValues(archive, result(ok)).Inc()
}

// MapFailed counts an index file that could not be taken over.
func (m *Metrics) MapFailed() { m.reloads.WithLabelValues(result(false)).Inc() }

func (m *Metrics) request(product string, status int, took time.Duration) {
	m.requests.WithLabelValues(product, strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
}

func result(ok bool) string {
	if ok {
		return "ok"
	}
	return "failed"
}

// productLabel is the product of a path as a metric label. Paths outside the
// map get fixed words: the label must stay a small set.
func productLabel(path string) string {
	switch path {
	case "/":
		return "page"
	case "/health":
		return "health"
	}
	product, access := mapkey.Classify(path)
	if access == mapkey.Foreign {
		return "none"
	}
	return product.String()
}

// metricsHandler serves GET /metrics on the address of its own.
func (s *Server) metricsHandler() http.Handler {
	h := promhttp.HandlerFor(s.c.Metrics.registry, promhttp.HandlerOpts{
		ErrorLog: slogPrinter{s.c.Log}, MaxRequestsInFlight: 4, Timeout: 10 * time.Second,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/metrics" {
			notFound(w)
			return
		}
		h.ServeHTTP(w, r)
	})
}
