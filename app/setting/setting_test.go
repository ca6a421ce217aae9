package setting_test

import (
	"errors"
	"strings"
	"testing"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/setting"
	"svc/store"
	"svc/store/storetest"
)

func put(t *testing.T, db *store.DB, change map[string]any) (s setting.Settings, err error) {
	t.Helper()
	err = db.Update(t.Context(), func(tx *store.Tx) (err error) {
		s, err = setting.Put(tx, api.System(t.Context(), "", db.Now()), change)
		return err
	})
	return s, err
}

func get(t *testing.T, db *store.DB) (s setting.Settings) {
	t.Helper()
	err := db.View(t.Context(), func(tx *store.Tx) (err error) {
		s, err = setting.Get(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSettings(t *testing.T) {
	db := storetest.Twice(t, append(setting.Tables(), audit.Tables()...)...)
	if get(t, db) != setting.Default() {
		t.Errorf("at first %+v", get(t, db))
	}
	if _, err := put(t, db, map[string]any{"signups_open": false, "max_daily_limit": 200, "aup_version": strings.Repeat("ж", 40), "unknown": 1}); err != nil {
		t.Fatal(err)
	}
	s := get(t, db)
	if s.SignupsOpen || s.MaxDailyLimit != 200 || s.DefaultPlan != "PRO" {
		t.Errorf("%+v", s)
	}
	for field, change := range map[string]map[string]any{
		"default_plan":                 {"default_plan": "GOLD"},
		"default_daily_limit":          {"default_daily_limit": 201},
		"default_min_interval_seconds": {"default_min_interval_seconds": 3},
		"max_daily_limit":              {"max_daily_limit": 0, "default_daily_limit": 1},
		"min_interval_seconds_floor":   {"min_interval_seconds_floor": -1},
		"max_flood_wait_seconds":       {"max_flood_wait_seconds": 0},
		"inbox_max_file_mb":            {"inbox_max_file_mb": 2001},
		"session_ttl_hours":            {"session_ttl_hours": 0},
		"support_session_minutes":      {"support_session_minutes": 241},
		"aup_version":                  {"aup_version": strings.Repeat("ж", 41)},
	} {
		_, err := put(t, db, change)
		var e *api.Error
		if !errors.As(err, &e) || e.Details[field] == "" {
			t.Errorf("%v: %v", change, err)
		}
	}
	if _, err := put(t, db, map[string]any{"aup_version": ""}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("no version: %v", err)
	}
	if _, err := put(t, db, map[string]any{"signups_open": "yes"}); !errors.Is(err, api.ErrInvalid) {
		t.Errorf("a value of another type: %v", err)
	}
	if get(t, db) != s {
		t.Error("a refused change changed something")
	}
}
