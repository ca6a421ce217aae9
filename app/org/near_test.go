package org_test

import (
	"testing"
	"time"

	"svc/app/api"
	"svc/app/notify"
	"svc/app/org"
	"svc/store"
)

// TestWarnNearLimits: people hear once a week that a limit is nearly used up.
func TestWarnNearLimits(t *testing.T) {
	used := 0
	h := newHarness(t, org.Options{Counters: map[org.LimitKey]org.Counter{
		org.LimitWebhooks: func(*store.Tx, string) (int, error) { return used, nil },
	}})
	told := func() (n int) {
		h.update(func(tx *store.Tx, c *api.Call) error {
			if err := h.orgs.WarnNearLimits(tx, h.Org); err != nil {
				return err
			}
			list, err := notify.Pressing(tx, c, 100)
			n = len(list)
			if n > 0 && list[0].Title != "18 of 20 webhooks are used" {
				t.Errorf("it says %q", list[0].Title)
			}
			return err
		})
		return n
	}
	used = 17
	if n := told(); n != 0 {
		t.Errorf("told %d times at 85 %%", n)
	}
	used = 18
	told()
	if n := told(); n != 1 {
		t.Errorf("told %d times, want once", n)
	}
	h.clock.Add(8 * 24 * time.Hour)
	if n := told(); n != 2 {
		t.Errorf("told %d times after a week, want twice", n)
	}
	used = 100
	h.override(map[string]any{"webhooks": nil})
	h.clock.Add(8 * 24 * time.Hour)
	if n := told(); n != 2 {
		t.Errorf("told of a limit that is none: %d", n)
	}
}
