package lead

import (
	"flag"
	"testing"

	"svc/app/api/apitest"
	"svc/app/business"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestStates is the life of a lead (contract 60.29).
func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/lead.golden", *update, life, Statuses(), Events())
}

// TestStages: one step forward at most, never back, the last one for a purchase only.
func TestStages(t *testing.T) {
	f := &business.Funnel{Stages: []business.Stage{{Key: "NEW"}, {Key: "ASKED"}, {Key: "READY"}, {Key: "BOUGHT"}}}
	for _, x := range []struct {
		now, proposed string
		purchased     bool
		want          string
	}{
		{"", "", false, "NEW"},
		{"", "ASKED", false, "ASKED"},
		{"", "BOUGHT", true, "ASKED"},
		{"NEW", "READY", false, "ASKED"},
		{"ASKED", "NEW", false, "ASKED"},
		{"ASKED", "ASKED", false, "ASKED"},
		{"READY", "BOUGHT", false, "READY"},
		{"READY", "BOUGHT", true, "BOUGHT"},
		{"BOUGHT", "NEW", false, "BOUGHT"},
		{"GONE", "READY", false, "ASKED"},
		{"READY", "GONE", true, "READY"},
	} {
		if got := next(f, x.now, x.proposed, x.purchased); got != x.want {
			t.Errorf("from %q, proposed %q, purchased %v: %q, want %q", x.now, x.proposed, x.purchased, got, x.want)
		}
	}
	if got := next(&business.Funnel{}, "NEW", "ASKED", true); got != "" {
		t.Errorf("a funnel without stages gives %q", got)
	}
	if got := next(&business.Funnel{Stages: f.Stages[:1]}, "", "NEW", false); got != "NEW" {
		t.Errorf("a funnel of one stage gives %q", got)
	}
}
