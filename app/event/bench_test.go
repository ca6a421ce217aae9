package event_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/event"
	"svc/store"
	"svc/store/storetest"
)

// flushing is what streams need from a server.
type flushing struct{ huma.Context }

func (flushing) Blob(api.Blob) {}

func (f flushing) Stream(st api.Stream) {
	_, w := humago.Unwrap(f.Context)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	st.Run(f.Context.Context(), func(frame []byte) error {
		if _, err := w.Write(frame); err != nil {
			return err
		}
		return control.Flush()
	})
}

// BenchmarkStream is an event on its way to the 50 clients that one organization may have,
// and to those of ten, through real sockets; every client sees each event of its
// organization. It reports from before the transaction until a client has read the whole
// frame. Targets: 1.5 ms for half of 50, 100 ms for 99 of 100 of 500.
func BenchmarkStream(b *testing.B) {
	b.Run("clients=50", func(b *testing.B) { benchStream(b, 1, 1.5, "target-p50-ms") })
	b.Run("clients=500", func(b *testing.B) { benchStream(b, 10, 100, "target-p99-ms") })
}

func benchStream(b *testing.B, organizations int, target float64, unit string) {
	const each = 50
	db := storetest.Open(b, event.Tables()...)
	s := event.New(db)
	mux := http.NewServeMux()
	guard := func(*api.Endpoint) func(huma.Context, func(huma.Context)) {
		return func(ctx huma.Context, next func(huma.Context)) {
			c := api.NewCall(ctx.Context(), flushing{ctx})
			c.Org, c.Caller = ctx.Header("Org"), api.Caller{Kind: api.Key, ID: ctx.Header("Key"), Perms: perm.Owner.Permissions()}
			next(huma.WithContext(ctx, c.Context))
		}
	}
	api.Mount(humago.New(mux, api.Config()), guard, s.Endpoints())
	srv := httptest.NewServer(mux)
	defer srv.Close()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()

	arrived := make(chan time.Time, organizations*each)
	var ready sync.WaitGroup
	transport := &http.Transport{MaxConnsPerHost: 0}
	defer transport.CloseIdleConnections()
	orgs := make([]string, organizations)
	for i := range orgs {
		orgs[i] = db.NewID("org")
		for range each {
			ready.Add(1)
			go follow(ctx, b, transport, srv.URL, orgs[i], db.NewID("key"), &ready, arrived)
		}
	}
	ready.Wait()
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		err := db.Update(ctx, func(tx *store.Tx) error {
			for _, org := range orgs {
				if err := event.Emit(tx, org, event.CampaignProgress, map[string]any{"campaign_id": "cmp_1", "total": 1}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		for range organizations * each {
			took = append(took, (<-arrived).Sub(begun))
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(target, unit)
	b.ReportMetric(float64(organizations*each*b.N)/b.Elapsed().Seconds(), "frames/s")
}

// follow is one client.
func follow(ctx context.Context, b *testing.B, t *http.Transport, url, org, key string, ready *sync.WaitGroup, arrived chan<- time.Time) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/events/stream", nil)
	if err != nil {
		b.Error(err)
		return
	}
	r.Header.Set("Org", org)
	r.Header.Set("Key", key)
	resp, err := t.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Errorf("%v %v", resp, err)
		return
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		switch line := lines.Text(); {
		case line == ": ready":
			ready.Done()
		case strings.HasPrefix(line, "data: "):
			arrived <- time.Now()
		}
	}
}
