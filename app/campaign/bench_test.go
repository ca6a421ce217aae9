package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/app/send"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// The figures of campaigns (issue 5, section 5) beside their targets.
const (
	plannedPeople    = 100_000
	planningTarget   = 5 * time.Second
	runningPeople    = 250_000
	statisticsTarget = 10 * time.Millisecond
)

// benchHarness has so many people with the tag all, on disk.
func benchHarness(b *testing.B, people int) *harness {
	b.Helper()
	h := newHarness(b, storetest.OpenWith(b, "", store.Options{Tables: allTables()}), send.Options{NoPacing: true})
	ctx, cancel := context.WithCancel(context.Background())
	workers := queue.New(h.db, queue.Options{})
	h.people.Work(workers)
	h.imports.Work(workers)
	ended := make(chan error, 1)
	go func() { ended <- workers.Run(ctx) }()
	const chunk = 50_000
	for from := 0; from < people; from += chunk {
		var rows strings.Builder
		for i := from; i < min(from+chunk, people); i++ {
			if i > from {
				rows.WriteByte(',')
			}
			fmt.Fprintf(&rows, `{"username":"person_%07d","first_name":"Odam %d","consent_status":"OPTED_IN","tags":["all"]}`, i, i)
		}
		h.Do("POST /recipients/import", `{"records":[`+rows.String()+`]}`).Want(201)
	}
	cancel()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	return h
}

func (h *harness) several(n int) (ids []string) {
	for range n {
		ids = append(ids, h.account(""))
	}
	return ids
}

// BenchmarkPlanning gives 100,000 people a row each.
func BenchmarkPlanning(b *testing.B) {
	h := benchHarness(b, plannedPeople)
	accounts := h.several(20)
	for range b.N {
		id := h.started(accounts, nil)
		begun := time.Now()
		for !h.planPage(id) {
		}
		took := time.Since(begun)
		b.ReportMetric(took.Seconds(), "s")
		b.ReportMetric(planningTarget.Seconds(), "target-s")
		h.totals(id, Totals{Total: plannedPeople, Pending: plannedPeople})
		h.Do("POST /campaigns/"+id+"/cancel", nil).Want(200)
	}
}

// BenchmarkStatistics reads the statistics of a campaign of 250,000 people while its
// accounts send as fast as they can.
func BenchmarkStatistics(b *testing.B) {
	h := benchHarness(b, runningPeople)
	id := h.started(h.several(20), nil)
	for !h.planPage(id) {
	}
	h.run()
	defer h.end()
	for h.out.count() < 1000 {
		<-time.After(10 * time.Millisecond)
	}
	var took []time.Duration
	for b.Loop() {
		begun := time.Now()
		h.Do("GET /campaigns/"+id+"/statistics", nil).Want(200)
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(statisticsTarget.Milliseconds()), "target-ms")
	if k := h.campaign(id); k.String("status") != string(Running) {
		b.Errorf("the campaign was %s when it was read last", k.String("status"))
	}
}
