package managed

import (
	"slices"
	"testing"
	"time"

	"svc/app/mapkey"
	"svc/store"
	"svc/store/storetest"
)

var noon = time.Date(2026, 11, 23, 12, 30, 0, 0, time.UTC)

func meterOn(t *testing.T, db *store.DB) *mapkey.Meter {
	t.Helper()
	m := mapkey.NewMeter(mapkey.MeterOptions{Clock: func() time.Time { return noon }})
	if !m.NeedsLedger() {
		t.Fatal("it has a ledger already")
	}
	if err := m.UseLedger(t.Context(), ledger{db}); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCountsLiveInTheStore: what two processes count is one sum, by hour and product, the
// quota holds over both, and nothing is lost when they end (map contract 54.10).
func TestCountsLiveInTheStore(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	one, two := meterOn(t, db), meterOn(t, db)
	id := mapkey.KeyID("0123456789abcdef")
	for range 3 {
		one.Admit(id, mapkey.Search, noon, 5)
	}
	two.Admit(id, mapkey.Tiles, noon.Add(-time.Hour), 5)
	two.Deny(id, mapkey.Tiles, noon)
	for _, m := range []*mapkey.Meter{one, two, one} {
		if err := m.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for name, m := range map[string]*mapkey.Meter{"one": one, "two": two} {
		if used, ok := m.Used(id, noon); used != 4 || !ok {
			t.Errorf("%s knows of %d, %v", name, used, ok)
		}
	}
	if used, ok := two.Admit(id, mapkey.Search, noon, 5); used != 4 || !ok {
		t.Errorf("the fifth request: %d, %v", used, ok)
	}
	if used, ok := two.Admit(id, mapkey.Search, noon, 5); used != 5 || ok {
		t.Errorf("the sixth request: %d, %v", used, ok)
	}
	if err := two.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := meterOn(t, db)
	r, err := again.Report(t.Context(), &mapkey.Holder{ID: id, MonthlyQuota: 5}, mapkey.MonthWindow(noon), true, noon)
	if err != nil {
		t.Fatal(err)
	}
	want := []mapkey.ProductUse{{Product: "search", Requests: 4, Denied: 1}, {Product: "tiles", Requests: 1, Denied: 1}}
	if !slices.Equal(r.Products, want) || r.Requests != 5 || r.Quota == nil || r.Quota.Used != 5 || len(r.Series) != 3 {
		t.Errorf("%+v", r)
	}
	// Another month, another key, and hours outside of the window count for nothing.
	other, err := again.Report(t.Context(), &mapkey.Holder{ID: mapkey.KeyID("other")}, mapkey.MonthWindow(noon), true, noon)
	if err != nil || len(other.Products) != 0 {
		t.Errorf("%+v, %v", other, err)
	}
	if used, ok := again.Used(id, noon.AddDate(0, 1, 0)); used != 0 || !ok {
		t.Errorf("next month: %d, %v", used, ok)
	}
	early, err := again.Report(t.Context(), &mapkey.Holder{ID: id}, mapkey.Window{From: noon.Add(-90 * time.Minute).Truncate(time.Hour), To: noon.Truncate(time.Hour)}, true, noon)
	if err != nil || early.Requests != 1 {
		t.Errorf("%+v, %v", early, err)
	}
}

// TestCountsWaitForTheStore: what is counted before the store is open is written after.
func TestCountsWaitForTheStore(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	m := mapkey.NewMeter(mapkey.MeterOptions{Clock: func() time.Time { return noon }})
	id := mapkey.KeyID("0123456789abcdef")
	if _, ok := m.Admit(id, mapkey.Search, noon, 1); !ok {
		t.Error("refused while no quota can be known")
	}
	if m.Stats().Readable || m.Flush(t.Context()) == nil || m.Stats().FlushErrors != 0 {
		t.Errorf("without a store: %+v", m.Stats())
	}
	if err := m.UseLedger(t.Context(), ledger{db}); err != nil {
		t.Fatal(err)
	}
	if _, ok := m.Admit(id, mapkey.Search, noon, 1); ok {
		t.Error("the quota does not count what came before the store")
	}
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if used, ok := meterOn(t, db).Used(id, noon); used != 1 || !ok {
		t.Errorf("%d, %v", used, ok)
	}
}

// TestOldCountsGo: no report reaches back so far.
func TestOldCountsGo(t *testing.T) {
	db := storetest.Open(t, Tables()...)
	id := mapkey.KeyID("0123456789abcdef")
	now := db.Now()
	for _, at := range []time.Time{now.Add(-keepUse - 48*time.Hour), now} {
		if err := (ledger{db}).Add(t.Context(), []mapkey.Use{{ID: id, Hour: at.Truncate(time.Hour), Product: "search", Requests: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	var gone [2]int
	for i := range gone {
		if err := db.Update(t.Context(), func(tx *store.Tx) (err error) {
			gone[i], err = purge(tx, 10)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if gone != [2]int{1, 0} {
		t.Errorf("%v were removed", gone)
	}
	left := 0
	if err := (ledger{db}).Uses(t.Context(), id, now.Add(-24*time.Hour), now.Add(time.Hour), func(mapkey.Use) { left++ }); err != nil || left != 1 {
		t.Errorf("%d are left, %v", left, err)
	}
}
