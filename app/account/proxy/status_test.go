package proxy

import (
	"flag"
	"testing"
	"time"

	"svc/app/api/apitest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestStates(t *testing.T) {
	apitest.Table(t, "testdata/proxy.golden", *update, transitions, []Status{Unchecked, Active, Unreachable, AuthFailed, Disabled},
		[]event{checkPassed, checkFailed, credentialsRefused, edited, disabled, enabled})
}

// TestCheckDue is the timing of checks (contract 7.3).
func TestCheckDue(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for want, at := range map[bool]time.Duration{true: 15 * time.Minute, false: 15*time.Minute - time.Second} {
		checked := now.Add(-at)
		if (&Proxy{Status: Active, LastCheckedAt: &checked}).CheckDue(now) != want {
			t.Errorf("a proxy checked %s ago", at)
		}
	}
	if !(&Proxy{Status: Unchecked}).CheckDue(now) || (&Proxy{Status: Disabled}).CheckDue(now) {
		t.Error("proxies that were never checked, or are disabled")
	}
}
