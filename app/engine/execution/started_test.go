package execution_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"svc/ai"
	"svc/app/engine/agent"
	"svc/app/engine/execution"
	"svc/store"
)

// TestStartedBetween: the list of a time has those that began in it, from its first microsecond
// on and before its end, wherever in hours and days the ends lie.
func TestStartedBetween(t *testing.T) {
	w := newWorld(t, store.Options{})
	provider := w.provider(ai.OpenAI, "OpenAI")
	base := w.db.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -5)
	random := rand.New(rand.NewPCG(1, 2))
	var starts []time.Time
	for hour := range 4 * 24 {
		at := base.Add(time.Duration(hour) * time.Hour)
		if hour/24 == 2 && hour%24 > 3 { // a day that is nearly empty
			continue
		}
		starts = append(starts, at, at.Add(time.Hour-time.Microsecond), at.Add(time.Duration(random.Int64N(int64(time.Hour)))).Truncate(time.Microsecond))
	}
	err := w.db.Update(t.Context(), func(tx *store.Tx) error {
		for i, at := range starts {
			if err := execution.Fill(tx, w.Org, agent.Seller, provider, "bus_00000000000000000000000001", "cnv_1", at, i); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	check := func(from, to time.Time) {
		t.Helper()
		want := 0
		for _, at := range starts {
			if !at.Before(from) && (to.IsZero() || at.Before(to)) {
				want++
			}
		}
		query := "GET /ai/executions?limit=1"
		if !from.IsZero() {
			query += "&from=" + from.Format(time.RFC3339Nano)
		}
		if !to.IsZero() {
			query += "&to=" + to.Format(time.RFC3339Nano)
		}
		if got := w.Do(query, nil).Want(200).Int("total"); got != want {
			t.Errorf("from %v to %v: %d, want %d", from, to, got, want)
		}
	}
	zero, noon := time.Time{}, base.Add(36*time.Hour)
	for _, x := range [][2]time.Time{
		{noon, zero}, {zero, noon}, {base, base.AddDate(0, 0, 1)}, {base.AddDate(0, 0, -40), base.AddDate(0, 0, 40)}, {noon, noon}, {noon, base},
		{noon.Add(time.Minute), noon.Add(2 * time.Minute)}, {noon.Add(time.Minute), noon.Add(time.Hour)}, {noon, noon.Add(time.Minute)},
		{noon.Add(59 * time.Minute), noon.Add(61 * time.Minute)}, {base.AddDate(0, 0, 9), zero}, {zero, base}, {base.Add(time.Microsecond), zero},
	} {
		check(x[0], x[1])
	}
	for range 200 {
		from := base.Add(time.Duration(random.Int64N(int64(5*24*time.Hour))) - 12*time.Hour).Truncate(time.Microsecond)
		check(from, from.Add(time.Duration(random.Int64N(int64(3*24*time.Hour)))).Truncate(time.Microsecond))
	}
}
