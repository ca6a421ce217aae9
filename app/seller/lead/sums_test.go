package lead

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"svc/app/business/price"
	"svc/store"
	"svc/store/storetest"
)

const org = "org_01jyd1zq6x4t9v2n8m5c7b3k1h"

// TestSums: whatever happens to leads, the sums of the pipeline are those that a recount
// finds, and the oldest open lead of a stage is the oldest (contract 13.2).
func TestSums(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	rng := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // a test that is the same each time
	begin := db.Now()
	have := map[string]*Lead{}
	change := func(l *Lead) {
		l.Funnel, l.Stage = fmt.Sprint("fnl_", rng.IntN(2)), fmt.Sprint("S", rng.IntN(4))
		l.Status = Statuses()[rng.IntN(3)]
		l.Value, l.Currency = 0, ""
		if rng.IntN(4) > 0 {
			l.Value, l.Currency = price.Amount(rng.IntN(1_000_000)), []string{"UZS", "USD"}[rng.IntN(2)]
		}
	}
	for i := range 400 {
		storetest.Update(t, db, func(tx *store.Tx) error {
			var some *Lead
			for _, l := range have {
				some = l
				break
			}
			switch {
			case some == nil || rng.IntN(3) == 0:
				l := &Lead{
					ID: db.NewID("led"), Conversation: fmt.Sprint("cnv_", i), Business: "bus", Quality: Cold,
					OpenedAt: begin.Add(time.Duration(rng.IntN(1000)) * time.Minute),
				}
				change(l)
				have[l.ID] = l
				return put(tx, org, nil, l)
			case rng.IntN(6) == 0:
				delete(have, some.ID)
				return put(tx, org, some, nil)
			}
			next := *some
			change(&next)
			have[some.ID] = &next
			return put(tx, org, some, &next)
		})
	}
	want, oldest := map[string]*sum{}, map[string]time.Time{}
	for _, l := range have {
		id := sumID(l.Funnel, l.Stage)
		if want[id] == nil {
			want[id] = &sum{ID: id}
		}
		want[id].add(l, 1)
		if at, known := oldest[id]; l.Status == Open && (!known || l.OpenedAt.Before(at)) {
			oldest[id] = l.OpenedAt
		}
	}
	storetest.View(t, db, func(tx *store.Tx) error {
		if n, err := sums.Count(tx, org); err != nil || n != len(want) {
			t.Errorf("%d sums, want %d: %v", n, len(want), err)
		}
		for id, w := range want {
			got, err := sums.Get(tx, org, id)
			if err != nil || got.Open != w.Open || got.Won != w.Won || got.Lost != w.Lost || !maps.Equal(got.Value, w.Value) {
				t.Errorf("%s: %+v, want %+v: %v", id, got, *w, err)
			}
			if w.Open == 0 {
				continue
			}
			var funnel, stage string
			if _, err := fmt.Sscanf(id, "fnl_%1s/%s", &funnel, &stage); err != nil {
				return err
			}
			first, err := openIn.First(tx, org, store.Is(store.Tuple(store.Text("fnl_"+funnel), store.Text(stage))))
			if err != nil || !first.OpenedAt.Equal(oldest[id]) {
				t.Errorf("the oldest of %s is of %v, want %v: %v", id, first.OpenedAt, oldest[id], err)
			}
		}
		return nil
	})
}
