package mapkey

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func report(t testing.TB, m *Meter, h *Holder, w Window, series bool) string {
	t.Helper()
	r, err := m.Report(t.Context(), h, w, series, noon)
	if err != nil {
		t.Error(err)
	}
	out, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestReport(t *testing.T) {
	m := openMeter(t, filepath.Join(t.TempDir(), "usage.db"))
	h := &Holder{ID: alice, Key: "alice", Name: "Алиса", MonthlyQuota: 5}
	quiet := `{"key":"alice","name":"Алиса","from":"2026-11-01T00:00:00Z","to":"2026-11-21T13:00:00Z","requests":0,"denied":0,"products":[],` +
		`"quota":{"limit":5,"used":0,"remaining":5,"resets":"2026-12-01T00:00:00Z"}}`
	if got := report(t, m, h, MonthWindow(noon), false); got != quiet {
		t.Errorf("quiet key:\n%s\n%s", got, quiet)
	}
	if got := report(t, m, h, MonthWindow(noon), true); !strings.Contains(got, `"products":[],"series":[],"quota"`) {
		t.Errorf("quiet key with series: %s", got)
	}

	before := noon.Add(-2 * time.Hour)
	october := noon.AddDate(0, -1, 0)
	m.Admit(alice, Tiles, october, 0)
	m.Admit(alice, Tiles, before, 0)
	m.Admit(alice, Search, before, 0)
	flush(t, m)
	m.Admit(alice, Search, noon, 0)
	m.Deny(alice, Search, noon)
	m.Deny(bob, Search, noon)
	for range 2 {
		m.Admit(alice, Search, before, 0) // on top of what the file holds
	}
	if got, want := report(t, m, h, MonthWindow(noon), true), `{"key":"alice","name":"Алиса","from":"2026-11-01T00:00:00Z","to":"2026-11-21T13:00:00Z",`+
		`"requests":5,"denied":1,"products":[{"key":"alice","product":"search","requests":4,"denied":1},{"key":"alice","product":"tiles","requests":1,"denied":0}],`+
		`"series":[{"hour":"2026-11-21T10:00:00Z","product":"search","requests":3,"denied":0},{"hour":"2026-11-21T10:00:00Z","product":"tiles","requests":1,"denied":0},`+
		`{"hour":"2026-11-21T12:00:00Z","product":"search","requests":1,"denied":1}],`+
		`"quota":{"limit":5,"used":5,"remaining":0,"resets":"2026-12-01T00:00:00Z"}}`; got != want {
		t.Errorf("month:\n%s\n%s", got, want)
	}
	h.MonthlyQuota = 2 // lowered below what is used
	if got := report(t, m, h, MonthWindow(noon), false); !strings.Contains(got, `"used":5,"remaining":0`) {
		t.Errorf("lowered quota: %s", got)
	}
	h.MonthlyQuota = 0
	if got := report(t, m, h, DaysWindow(noon, 366), false); strings.Contains(got, "quota") || !strings.Contains(got, `"requests":6,`) {
		t.Errorf("a year without quota: %s", got)
	}
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		now      string
		days     int
		from, to string
	}{
		{"2026-11-21T12:34:56Z", 0, "2026-11-01T00:00:00Z", "2026-11-21T13:00:00Z"},
		{"2026-11-01T00:00:00Z", 0, "2026-11-01T00:00:00Z", "2026-11-01T01:00:00Z"},
		{"2026-11-30T23:59:59Z", 0, "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"},
		{"2026-11-21T12:34:56Z", 1, "2026-11-20T13:00:00Z", "2026-11-21T13:00:00Z"},
		{"2026-11-21T12:00:00Z", 7, "2026-11-14T13:00:00Z", "2026-11-21T13:00:00Z"},
		{"2026-11-21T12:34:56Z", 366, "2025-11-20T13:00:00Z", "2026-11-21T13:00:00Z"},
	} {
		now, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		w := MonthWindow(now)
		if c.days > 0 {
			w = DaysWindow(now, c.days)
		}
		got := []string{w.From.Format(time.RFC3339), w.To.Format(time.RFC3339)}
		if d := cmp.Diff([]string{c.from, c.to}, got); d != "" {
			t.Errorf("%s, %d days: %s", c.now, c.days, d)
		}
	}
}

// TestReportWithoutTheFile: a report is made of memory when the file is away.
func TestReportWithoutTheFile(t *testing.T) {
	m := OpenMeter(t.TempDir(), MeterOptions{})
	h := &Holder{ID: alice, Key: "alice", MonthlyQuota: 1}
	m.Admit(alice, Search, noon, 1)
	m.Admit(alice, Search, noon, 1)
	r, err := m.Report(t.Context(), h, MonthWindow(noon), false, noon)
	if err == nil || r.Requests != 2 || r.Quota != nil {
		t.Errorf("%+v, %v", r, err)
	}
}
