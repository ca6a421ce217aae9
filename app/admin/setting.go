package admin

import (
	"encoding/json"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/setting"
	"svc/store"
)

func (s *Service) getSettings(_ *api.Call, tx *store.Tx, _ struct{}) (out setting.Settings, err error) {
	return setting.Get(tx)
}

// putSettingsIn is any subset of the settings; their bounds are package setting's,
// because some depend on each other.
type putSettingsIn struct {
	Body struct {
		SignupsOpen              api.Patch[bool]       `json:"signups_open"`
		MaintenanceMode          api.Patch[bool]       `json:"maintenance_mode"`
		MaintenanceMessage       api.PatchNull[string] `json:"maintenance_message" doc:"null: the service's own words."`
		DefaultPlan              api.Patch[string]     `json:"default_plan" enum:"FREE,STARTER,PRO,ENTERPRISE"`
		AllowUnknownConsent      api.Patch[bool]       `json:"allow_unknown_consent"`
		DefaultDailyLimit        api.Patch[int]        `json:"default_daily_limit" doc:"1 to max_daily_limit."`
		MaxDailyLimit            api.Patch[int]        `json:"max_daily_limit" doc:"1 to 100,000; what accounts were given above it counts as this."`
		DefaultMinInterval       api.Patch[int]        `json:"default_min_interval_seconds" doc:"min_interval_seconds_floor to 86,400."`
		MinIntervalFloor         api.Patch[int]        `json:"min_interval_seconds_floor" doc:"0 to 3600; what accounts were given below it counts as this."`
		MaxFloodWait             api.Patch[int]        `json:"max_flood_wait_seconds" doc:"1 to 86,400."`
		AUPVersion               api.Patch[string]     `json:"aup_version" doc:"1 to 40 characters. A new one asks every organization to accept the policy again."`
		AUPText                  api.Patch[string]     `json:"aup_text" doc:"At most 100,000 bytes."`
		AIEnabled                api.Patch[bool]       `json:"ai_enabled"`
		ConversationIntelligence api.Patch[bool]       `json:"conversation_intelligence_enabled"`
		JEVAvailable             api.Patch[bool]       `json:"jev_available"`
		InboxMaxFileMB           api.Patch[int]        `json:"inbox_max_file_mb" doc:"1 to 2000."`
		SessionTTLHours          api.Patch[int]        `json:"session_ttl_hours" doc:"1 to 8760; for sessions from now on."`
		SupportSessionMinutes    api.Patch[int]        `json:"support_session_minutes" doc:"1 to 240."`
	}
}

// change are the fields that were there, by name. Absent ones encode as null, and so
// does the one that may be null.
func (in putSettingsIn) change() (map[string]any, error) {
	data, err := json.Marshal(in.Body)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, err
	}
	for name, v := range out {
		if v == nil && (name != "maintenance_message" || !in.Body.MaintenanceMessage.Set) {
			delete(out, name)
		}
	}
	return out, nil
}

func (s *Service) putSettings(c *api.Call, in putSettingsIn) (out setting.Settings, err error) {
	change, err := in.change()
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		out, err = setting.Put(tx, c, change)
		return err
	})
	return out, err
}

type listAuditIn struct {
	audit.ListIn
	OrganizationID string `query:"organization_id" maxLength:"64" doc:"The log of that organization, and not of the platform."`
}

func (s *Service) listAudit(c *api.Call, in listAuditIn) (api.Either[api.Page[audit.Entry]], error) {
	if in.OrganizationID != "" {
		err := s.db.View(c, func(tx *store.Tx) error { return exists(tx, in.OrganizationID) })
		if err != nil {
			return api.Either[api.Page[audit.Entry]]{}, err
		}
	}
	return s.o.Audit.List(c, in.OrganizationID, in.ListIn)
}
