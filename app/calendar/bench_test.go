package calendar

import (
	"slices"
	"testing"
	"time"

	"svc/app/calendar/slot"
	"svc/store"
	"svc/store/queue"
	"svc/store/storetest"
)

// BenchmarkConfirm is the way from a person's confirmation to the event in the calendar, through
// operation, queue and the calendar's own interface. Target: p95 below 1 s.
func BenchmarkConfirm(b *testing.B) {
	w := newWorld(b, nil)
	q := queue.New(w.db, queue.Options{})
	w.s.Work(q)
	storetest.Run(b, q.Run)
	var took []time.Duration
	first := w.db.Now().Add(2 * time.Hour).Truncate(time.Hour)
	for i := 0; b.Loop(); i++ {
		at := slot.Span{Start: first.Add(time.Duration(i%600) * time.Hour)}
		at.End = at.Start.Add(30 * time.Minute)
		var a Action
		storetest.Update(b, w.db, func(tx *store.Tx) (err error) {
			a, err = w.s.Propose(tx, w.Call(), w.Org, w.origin("cnv_1"), Proposal{Type: Create, Extracted: Extracted{Title: "Visit", Start: at.Start, End: at.End}})
			return err
		})
		begun := time.Now()
		w.Do("POST /ai/calendar/actions/"+a.ID+"/confirm", nil).Want(200)
		storetest.Eventually(b, "the event is in the calendar", func() bool {
			s := w.get(a.ID).Status
			return s == Completed || s == Failed
		})
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms/1000")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
}
