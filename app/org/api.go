package org

import (
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/setting"
	"svc/store"
)

// ShownOrganization is an organization as its members see it (contract 9).
type ShownOrganization struct {
	ID                       string         `json:"id"`
	Name                     string         `json:"name"`
	Slug                     string         `json:"slug"`
	Status                   Status         `json:"status" enum:"ACTIVE,SUSPENDED"`
	SuspendedReason          *string        `json:"suspended_reason"`
	Plan                     Plan           `json:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE"`
	Timezone                 string         `json:"timezone" example:"Asia/Tashkent"`
	DefaultLanguage          Language       `json:"default_language" enum:"uz,ru,en"`
	AUPVersion               *string        `json:"aup_version" doc:"The policy that was accepted last."`
	PolicyVersion            string         `json:"policy_version" doc:"The policy that holds now."`
	PolicyAcceptedAt         *time.Time     `json:"policy_accepted_at"`
	PolicyAcceptedBy         *string        `json:"policy_accepted_by"`
	AIEnabled                bool           `json:"ai_enabled"`
	ConversationIntelligence bool           `json:"conversation_intelligence_enabled"`
	Retention                ShownRetention `json:"retention"`
	OptOutPage               OptOutPage     `json:"opt_out_page"`
	StopKeywords             StopKeywords   `json:"stop_keywords"`
	SendingWindow            *Hours         `json:"default_sending_window" doc:"What a new campaign gets that names no sending_window; null: nothing."`
	CreatedAt                time.Time      `json:"created_at"`
	UpdatedAt                time.Time      `json:"updated_at"`
}

// ShownRetention is how long data is kept, with what the plan makes of it.
type ShownRetention struct {
	MessagesDays   *int `json:"messages_days" doc:"null keeps them."`
	EventsDays     int  `json:"events_days"`
	ExecutionsDays int  `json:"executions_days"`
}

// EventsDays is how long the organization's events are kept: what it chose, within
// the plan.
func (o *Organization) EventsDays() int {
	most, noLimit := o.Limit(LimitEventRetentionDays)
	switch days := o.Retention.EventsDays; {
	case days == nil && noLimit:
		return maxDays
	case days == nil:
		return most
	case noLimit:
		return *days
	default:
		return min(*days, most)
	}
}

// maxDays bounds what may be chosen.
const maxDays = 3650

func (o *Organization) show(policy string) ShownOrganization {
	return ShownOrganization{
		ID: o.ID, Name: o.Name, Slug: o.Slug, Status: o.Status, SuspendedReason: o.SuspendedReason, Plan: o.Plan,
		Timezone: o.Timezone, DefaultLanguage: o.DefaultLanguage, AUPVersion: o.AUPVersion, PolicyVersion: policy,
		PolicyAcceptedAt: o.PolicyAcceptedAt, PolicyAcceptedBy: o.PolicyAcceptedBy, AIEnabled: o.AIEnabled,
		ConversationIntelligence: o.ConversationIntelligence,
		Retention:                ShownRetention{o.Retention.MessagesDays, o.EventsDays(), o.Retention.ExecutionsDays},
		OptOutPage:               o.OptOutPage, StopKeywords: o.Keywords(), SendingWindow: o.SendingHours(), CreatedAt: o.CreatedAt, UpdatedAt: o.UpdatedAt,
	}
}

// Show makes an organization as its members see it.
func Show(tx *store.Tx, id string) (ShownOrganization, error) {
	o, err := Get(tx, id)
	if err != nil {
		return ShownOrganization{}, err
	}
	s, err := setting.Get(tx)
	return o.show(s.AUPVersion), err
}

func (s *Service) get(c *api.Call, tx *store.Tx, _ struct{}) (out ShownOrganization, err error) {
	return Show(tx, c.Org)
}

type acceptPolicyIn struct {
	Body struct {
		PolicyVersion string `json:"policy_version" required:"true" maxLength:"40"`
	}
}

func (s *Service) acceptPolicy(c *api.Call, in acceptPolicyIn) (out ShownOrganization, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		settings, err := setting.Get(tx)
		if err != nil {
			return err
		}
		if in.Body.PolicyVersion != settings.AUPVersion {
			return api.ErrState.WithMessage("That is not the policy that holds now, which is version %s; read it and accept that one.", settings.AUPVersion)
		}
		o, err := Get(tx, c.Org)
		if err != nil {
			return err
		}
		before, now, by := o.AUPVersion, tx.DB().Now(), c.Caller.ID
		o.AUPVersion, o.PolicyAcceptedAt, o.PolicyAcceptedBy, o.UpdatedAt = &settings.AUPVersion, &now, &by, now
		if err := save(tx, &o); err != nil {
			return err
		}
		out = o.show(settings.AUPVersion)
		return audit.Write(tx, c, "organization.policy_accepted", audit.On("organization", o.ID, o.Name), audit.Changed("aup_version", before, o.AUPVersion))
	})
	return out, err
}
