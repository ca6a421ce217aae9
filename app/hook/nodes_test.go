package hook

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"svc/app/api/apitest"
	"svc/app/event"
	"svc/app/org"
	"svc/store"
	"svc/store/kv"
	"svc/store/kv/kvtest"
	"svc/store/storetest"
)

// TestTwoNodes: two nodes deliver what happens, each event once; when the one that makes
// the deliveries dies with an attempt under way, the other goes on with both.
func TestTwoNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := kv.NewMemory()
		gates := []*kvtest.Gate{kvtest.NewGate(engine), kvtest.NewGate(engine)}
		o := store.Options{Tables: allTables()}
		a, b := o, o
		a.Engine, b.Engine = gates[0], gates[1]
		dbs := storetest.Nodes(t, engine, a, b)
		w := &world{t: t, db: dbs[1], begun: time.Now()}
		options := Options{Sender: w, Production: true, Version: "1.0"}
		w.s = New(dbs[1], options)
		w.srv = apitest.New(t, dbs[1], w.s)
		w.srv.Org = w.newOrg(org.Enterprise)
		id := w.hook("https://example.com/")
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		for _, s := range []*Service{New(dbs[0], options), w.s} { // the first has the lease of the follower
			all.Go(func() { _ = s.Run(ctx) })
			synctest.Wait()
		}
		ids := w.emit(event.CampaignPaused, 50)
		if got := events(w.take()); !slices.Equal(slices.Sorted(slices.Values(got)), ids) {
			t.Errorf("%d attempts for %d events", len(got), len(ids))
		}
		w.answers(hanging)
		cut := w.emit(event.CampaignPaused, 4)
		w.after(time.Second)
		w.take()
		gates[0].Kill()
		w.answers(nil)
		later := w.emit(event.CampaignResumed, 3)
		w.after(2 * time.Minute)
		for i := range len(cut) + len(later) {
			if d := w.delivery(id, i); d.Status != Succeeded {
				t.Errorf("delivery %+v", d)
			}
		}
		cancel()
		all.Wait()
		gates[0].Open()
	})
}
