// Package setting keeps the settings of the platform, with their bounds (contract 17).
//
// It promises that every setting has a value at all times and that a value out of
// its bounds is refused with the field's name. It refuses settings of an
// organization: those are package org's.
package setting

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// Settings are what a platform administrator may set.
type Settings struct {
	SignupsOpen              bool    `json:"signups_open"`
	MaintenanceMode          bool    `json:"maintenance_mode"`
	MaintenanceMessage       *string `json:"maintenance_message"`
	DefaultPlan              string  `json:"default_plan"`
	AllowUnknownConsent      bool    `json:"allow_unknown_consent"`
	DefaultDailyLimit        int     `json:"default_daily_limit"`
	MaxDailyLimit            int     `json:"max_daily_limit"`
	DefaultMinInterval       int     `json:"default_min_interval_seconds"`
	MinIntervalFloor         int     `json:"min_interval_seconds_floor"`
	MaxFloodWait             int     `json:"max_flood_wait_seconds"`
	AUPVersion               string  `json:"aup_version"`
	AUPText                  string  `json:"aup_text"`
	AIEnabled                bool    `json:"ai_enabled"`
	ConversationIntelligence bool    `json:"conversation_intelligence_enabled"`
	JEVAvailable             bool    `json:"jev_available"`
	InboxMaxFileMB           int     `json:"inbox_max_file_mb"`
	SessionTTLHours          int     `json:"session_ttl_hours"`
	SupportSessionMinutes    int     `json:"support_session_minutes"`
}

// Default is what holds where nothing was set. SessionTTLHours and InboxMaxFileMB
// may come from the environment (contract 20.14).
func Default() Settings {
	return Settings{
		SignupsOpen: true, DefaultPlan: "PRO", DefaultDailyLimit: 150, MaxDailyLimit: 500, DefaultMinInterval: 8, MinIntervalFloor: 4,
		MaxFloodWait: 900, AUPVersion: "1", AUPText: defaultPolicy, AIEnabled: true, ConversationIntelligence: true,
		InboxMaxFileMB: 50, SessionTTLHours: 336, SupportSessionMinutes: 60,
	}
}

const defaultPolicy = "Write only to people who agreed to hear from you. Tell them who you are and how to stop. " +
	"An opt-out is for ever. Send nothing that deceives, harasses or breaks the law."

// Plans are the values of default_plan.
var Plans = []string{"FREE", "STARTER", "PRO", "ENTERPRISE"}

// record is the settings as they are stored: only what was set, so that a default
// of a later version reaches those who never chose.
type record struct {
	ID  string         `json:"id"`
	Set map[string]any `json:"set"`
}

const (
	recordID   = "settings"
	defaultsID = "defaults" // what the configuration of this installation says
)

var table = store.NewTable("setting", "", func(r *record) string { return r.ID }).Global()

// Tables are what a store that holds the settings is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Topic is what the store is told when a setting changed.
const Topic = "settings"

// Get reads the settings.
func Get(tx *store.Tx) (Settings, error) {
	s, set, err := read(tx)
	if err != nil {
		return s, err
	}
	return s, overlay(&s, set)
}

// read reads what holds where no administrator chose otherwise, and what they chose.
func read(tx *store.Tx) (defaults Settings, set map[string]any, err error) {
	defaults = Default()
	found, err := table.GetMany(tx, store.Platform, []string{defaultsID, recordID})
	if err != nil {
		return defaults, nil, err
	}
	if found[0] != nil {
		err = overlay(&defaults, found[0].Set)
	}
	if found[1] != nil {
		set = found[1].Set
	}
	return defaults, set, err
}

// Configure keeps what the configuration of the installation says: it holds where
// no administrator chose otherwise.
func Configure(tx *store.Tx, sessionTTLHours, inboxMaxFileMB int) error {
	set := map[string]any{"session_ttl_hours": sessionTTLHours, "inbox_max_file_mb": inboxMaxFileMB}
	s := Default()
	if err := overlay(&s, set); err != nil {
		return err
	}
	if wrong := s.wrong(); len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return table.Put(tx, store.Platform, &record{ID: defaultsID, Set: set})
}

// Put changes settings: a subset of the fields of Settings as JSON values. Unknown
// fields are ignored; a value out of bounds is validation_failed. What changes is
// written into the log of the platform.
func Put(tx *store.Tx, c *api.Call, change map[string]any) (Settings, error) {
	after, old, err := read(tx)
	if err != nil {
		return after, err
	}
	before := after
	if err := overlay(&before, old); err != nil {
		return before, err
	}
	set := maps.Clone(old)
	if set == nil {
		set = map[string]any{}
	}
	maps.Copy(set, change)
	if err := overlay(&after, set); err != nil {
		return before, api.ErrInvalid.WithCause(err)
	}
	if wrong := after.wrong(); len(wrong) > 0 {
		return before, api.WrongFields(wrong)
	}
	if err := table.Put(tx, store.Platform, &record{ID: recordID, Set: set}); err != nil {
		return before, err
	}
	tx.Changed(Topic)
	if reflect.DeepEqual(before, after) {
		return after, nil // what held by default was chosen
	}
	return after, audit.WriteTo(tx, store.Platform, c, "settings.updated", audit.On("settings", recordID, ""), differences(before, after)...)
}

// wrong maps the fields that are out of bounds to what is wrong with them.
func (s *Settings) wrong() map[string]string {
	out := map[string]string{}
	between := func(field string, v, low, high int, unit string) {
		if v < low || v > high {
			out[field] = "must be between " + itoa(low) + " and " + itoa(high) + unit
		}
	}
	if !slices.Contains(Plans, s.DefaultPlan) {
		out["default_plan"] = "must be one of " + strings.Join(Plans, ", ")
	}
	between("max_daily_limit", s.MaxDailyLimit, 1, 100_000, "")
	between("default_daily_limit", s.DefaultDailyLimit, 1, s.MaxDailyLimit, " (max_daily_limit)")
	between("min_interval_seconds_floor", s.MinIntervalFloor, 0, 3600, " seconds")
	between("default_min_interval_seconds", s.DefaultMinInterval, s.MinIntervalFloor, 86_400, " seconds")
	between("max_flood_wait_seconds", s.MaxFloodWait, 1, 86_400, " seconds")
	between("inbox_max_file_mb", s.InboxMaxFileMB, 1, 2000, " MB")
	between("session_ttl_hours", s.SessionTTLHours, 1, 8760, " hours")
	between("support_session_minutes", s.SupportSessionMinutes, 1, 240, " minutes")
	if s.AUPVersion == "" || utf8.RuneCountInString(s.AUPVersion) > 40 {
		out["aup_version"] = "must have 1 to 40 characters"
	}
	if len(s.AUPText) > 100_000 {
		out["aup_text"] = "must not be longer than 100,000 bytes"
	}
	if s.MaintenanceMessage != nil && len(*s.MaintenanceMessage) > 500 {
		out["maintenance_message"] = "must not be longer than 500 bytes"
	}
	return out
}
