package doctor

import (
	"context"
	"strings"
	"testing"
	"time"

	"svc/app/local"
	"svc/geo/route"
)

// clocks is a running server of which only the clocks are asked.
type clocks struct {
	local.Admin
	answer local.Clocks
}

func (clocks) MissingFiles(context.Context) (local.MissingFiles, error) {
	return local.MissingFiles{Records: 20, Files: 12, First: []string{"fil_1", "fil_2"}}, nil
}

func (c clocks) Clocks(context.Context) (local.Clocks, error) { return c.answer, nil }

// While a server runs, the clock is compared with the platform's and with the newest
// entry of the database (contract 21.3, Clock).
func TestDoctorComparesClocks(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		answer  local.Clocks
		verdict route.Verdict
		found   string
	}{
		{"nothing known", local.Clocks{}, route.Good, "2026-05-01T12:00:00Z"},
		{"agrees", local.Clocks{Newest: now.Add(-time.Hour), Known: true, Ahead: time.Second}, route.Good, "as on the messaging platform"},
		{"an entry of the future", local.Clocks{Newest: now.Add(2 * time.Hour)}, route.Bad, "newest entry of the database is 2h0m0s in the future"},
		{"ahead", local.Clocks{Known: true, Ahead: 90 * time.Second}, route.Bad, "1m30s ahead of the messaging platform's"},
		{"behind", local.Clocks{Known: true, Ahead: -2 * time.Hour}, route.Bad, "2h0m0s behind the messaging platform's"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- local.Serve(ctx, dir, clocks{answer: tt.answer}) }()
			t.Cleanup(func() {
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
			})
			for { // until it listens
				if c, err := local.Dial(t.Context(), dir); err == nil {
					_ = c.Close()
					break
				}
			}
			found := Examine(t.Context(), &Subject{Data: dir, Messaging: true}, now)
			if n := only(found, "files")["conversations"]; n.Verdict != route.Warning || n.Found != "files of conversations: 20, missing: 12, the first of them: fil_1, fil_2" {
				t.Errorf("%+v", n)
			}
			n := only(found, "clock")["time"]
			if n.Verdict != tt.verdict || !strings.Contains(n.Found, tt.found) {
				t.Errorf("%v: %s", n.Verdict, n.Found)
			}
		})
	}
}
