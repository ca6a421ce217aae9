package org_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/store"
)

// TestPlans is the table of contract 3, row by row.
func TestPlans(t *testing.T) {
	for key, row := range map[org.LimitKey][4]any{
		"accounts":             {1, 3, 20, nil},
		"channel_accounts":     {1, 3, 20, nil},
		"active_campaigns":     {1, 5, 25, nil},
		"members":              {2, 5, 25, nil},
		"webhooks":             {1, 3, 20, nil},
		"recipients":           {500, 10_000, 250_000, nil},
		"api_access":           {false, true, true, true},
		"storage_mb":           {500, 5_000, 50_000, nil},
		"ai_businesses":        {1, 2, 10, nil},
		"knowledge_sources":    {10, 100, 1_000, nil},
		"event_retention_days": {7, 30, 90, 365},
	} {
		for i, plan := range []org.Plan{org.Free, org.Starter, org.Pro, org.Enterprise} {
			if got := plan.Limits()[key]; got != row[i] {
				t.Errorf("%s of %s is %v, want %v", key, plan, got, row[i])
			}
		}
	}
	if n := len(org.LimitKeys()); n != 11 {
		t.Errorf("%d limits", n)
	}
	if o := (org.Organization{Plan: "STRANGE"}); o.Allows(org.LimitAPIAccess) || o.Allows(org.LimitMembers) {
		t.Error("a plan that is not in the table allows something")
	}
}

func TestCheckLimit(t *testing.T) {
	h := newHarness(t, org.Options{})
	check := func(key org.LimitKey, used, adding int) (err error) {
		h.update(func(tx *store.Tx, _ *api.Call) error { err = org.CheckLimit(tx, h.Org, key, used, adding); return nil })
		return err
	}
	for _, tt := range []struct {
		overrides    map[string]any
		key          org.LimitKey
		used, adding int
		good         bool
	}{
		{nil, org.LimitMembers, 24, 1, true},
		{nil, org.LimitMembers, 25, 1, false},
		{nil, org.LimitMembers, 0, 26, false},
		{nil, org.LimitMembers, 30, 0, true}, // more than the plan allows is no trouble while nothing is added
		{map[string]any{"members": 2.0}, org.LimitMembers, 2, 1, false},
		{map[string]any{"members": 0.0}, org.LimitMembers, 0, 1, false},
		{map[string]any{"members": nil}, org.LimitMembers, 1_000_000, 1, true},
		{map[string]any{"members": "default"}, org.LimitMembers, 25, 1, false},
		{map[string]any{"api_access": false}, org.LimitAPIAccess, 0, 1, false},
		{map[string]any{"api_access": "default"}, org.LimitAPIAccess, 0, 1, true},
	} {
		h.override(tt.overrides)
		err := check(tt.key, tt.used, tt.adding)
		if (err == nil) != tt.good || err != nil && !errors.Is(err, api.ErrPlanLimit) {
			t.Errorf("%+v: %v", tt, err)
		}
		if err != nil && !strings.Contains(err.Error(), string(tt.key)) {
			t.Errorf("the refusal does not name the limit: %v", err)
		}
	}
	if err := check(org.LimitRecipients, 249_990, 11); err == nil || err.(*api.Error).Message != "The plan allows 250000 (recipients); 249990 are in use and 11 more would pass it." {
		t.Error(err)
	}
	h.update(func(tx *store.Tx, _ *api.Call) error {
		if err := org.CheckLimit(tx, h.db.NewID("org"), org.LimitMembers, 0, 1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("nobody's limit: %v", err)
		}
		return nil
	})
}

func TestOverridesThatAreWrong(t *testing.T) {
	h := newHarness(t, org.Options{})
	for _, change := range []map[string]any{
		{"people": 1.0}, {"members": -1.0}, {"members": 1.5}, {"members": true}, {"members": "many"}, {"members": 1e10}, {"members": []any{}},
		{"api_access": 1.0}, {"api_access": nil}, {"members": 1.0, "accounts": "x"},
	} {
		h.update(func(tx *store.Tx, c *api.Call) error {
			if _, err := org.SetOverrides(tx, c, h.Org, change); !errors.Is(err, api.ErrInvalid) {
				t.Errorf("%v: %v", change, err)
			}
			o, err := org.Get(tx, h.Org)
			if len(o.Overrides) != 0 {
				t.Errorf("%v was saved", change)
			}
			return err
		})
	}
	h.override(map[string]any{"members": nil, "webhooks": 5.0, "api_access": false})
	h.update(func(tx *store.Tx, _ *api.Call) error {
		o, err := org.Get(tx, h.Org)
		if over := o.Overridden(); len(over) != 3 || over["members"] != nil || over["webhooks"] != 5 || over["api_access"] != false {
			t.Errorf("%v", over)
		}
		return err
	})
}

func TestUsage(t *testing.T) {
	percent := 40.0
	h := newHarness(t, org.Options{
		Counters: map[org.LimitKey]org.Counter{org.LimitRecipients: func(_ *store.Tx, id string) (int, error) { return len(id), nil }},
		Meter: org.Meter{
			Messages: func(_ *store.Tx, _ string, from, to time.Time) (org.UsedMessages, error) {
				return org.UsedMessages{Sent: from.Day(), Failed: to.Day() + int(to.Month())}, nil
			},
			AI: func(*store.Tx, string, time.Time, time.Time) (org.UsedAI, error) {
				return org.UsedAI{CostUSD: 1.5, TokensIn: 10, TokensOut: 20, BudgetUSD: new(5.0), BudgetUsedPercent: &percent}, nil
			},
		},
	})
	h.member("b@example.com", perm.Admin)
	h.override(map[string]any{"webhooks": nil})
	a := h.Do("GET /organization/usage", nil).Want(200)
	for path, want := range map[string]any{
		"plan": "PRO", "period.from": "2026-03-01T00:00:00Z", "period.to": "2026-04-01T00:00:00Z", "limits.members": 25.0, "limits.webhooks": nil,
		"limits.api_access": true, "limits.event_retention_days": 90.0, "used.members": 2.0, "used.recipients": float64(len(h.Org)), "used.accounts": 0.0,
		"used.api_access": nil, "messages.sent": 1.0, "messages.failed": 5.0, "ai.cost_usd": 1.5, "ai.tokens_in": 10.0, "ai.budget_usd": 5.0, "ai.budget_used_percent": 40.0,
	} {
		if got := a.At(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	for role, good := range map[perm.Role]bool{perm.Admin: true, perm.Analyst: true, perm.Manager: false, perm.Operator: false} {
		h.as = role
		if got := h.Do("GET /organization/usage", nil).Status == 200; got != good {
			t.Errorf("%s: %v", role, got)
		}
	}
	none := newHarness(t, org.Options{})
	if a := none.Do("GET /organization/usage", nil).Want(200); a.Int("messages.sent") != 0 || a.At("ai.budget_usd") != nil {
		t.Error(a.Body)
	}
}
