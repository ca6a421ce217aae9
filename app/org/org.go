// Package org keeps organizations and who belongs to them: members, roles,
// invitations, plans and their limits, the accepted policy, how long data is kept.
//
// It promises that an organization always has an OWNER, that only an OWNER makes
// or removes one, that a plan's limit is checked before anything is saved
// (CheckLimit), and that an invitation works once, for the address it was made
// for. It refuses to know who is signed in (package session does) and what the
// things are that a limit counts: slices register counters.
package org

import (
	"slices"
	"time"

	"svc/app/api"
	"svc/app/setting"
	"svc/store"
)

// Status says whether an organization may act.
type Status string

// The statuses. A suspended organization can be read, not changed.
const (
	Active    Status = "ACTIVE"
	Suspended Status = "SUSPENDED"
)

// Plan is what an organization pays for; it sets its limits.
type Plan string

// The plans (contract 3).
const (
	Free       Plan = "FREE"
	Starter    Plan = "STARTER"
	Pro        Plan = "PRO"
	Enterprise Plan = "ENTERPRISE"
)

// Language is one of the languages that the service speaks to people.
type Language string

// The languages.
const (
	Uzbek   Language = "uz"
	Russian Language = "ru"
	English Language = "en"
)

// Retention is how long an organization keeps what it may remove, in days.
type Retention struct {
	// MessagesDays: texts and files of conversations; nil keeps them.
	MessagesDays *int `json:"messages_days"`
	// EventsDays: nil is as long as the plan allows.
	EventsDays *int `json:"events_days"`
	// ExecutionsDays: what the AI did, step by step.
	ExecutionsDays int `json:"executions_days"`
}

// OptOutPage is what the public page that ends messages says; nil texts are the
// service's own.
type OptOutPage struct {
	Title    *string  `json:"title" maxLength:"120"`
	Text     *string  `json:"text" maxLength:"2000"`
	Language Language `json:"language" enum:"uz,ru,en"`
}

// StopKeywords are the words that opt somebody out who writes one of them, by
// language.
type StopKeywords struct {
	UZ []string `json:"uz" maxItems:"50"`
	RU []string `json:"ru" maxItems:"50"`
	EN []string `json:"en" maxItems:"50"`
}

// All are the words of every language.
func (w StopKeywords) All() []string { return slices.Concat(w.UZ, w.RU, w.EN) }

// Organization is one tenant.
type Organization struct {
	ID               string     `json:"id"`
	Name             string     `json:"name"`
	Slug             string     `json:"slug"`
	Status           Status     `json:"status"`
	SuspendedReason  *string    `json:"suspended_reason,omitempty"`
	Plan             Plan       `json:"plan"`
	Timezone         string     `json:"timezone"`
	DefaultLanguage  Language   `json:"default_language"`
	AUPVersion       *string    `json:"aup_version,omitempty"`
	PolicyAcceptedAt *time.Time `json:"policy_accepted_at,omitempty"`
	PolicyAcceptedBy *string    `json:"policy_accepted_by,omitempty"`
	AIEnabled        bool       `json:"ai_enabled"`
	// ConversationIntelligence: conversations may be analysed.
	ConversationIntelligence bool       `json:"conversation_intelligence_enabled"`
	Retention                Retention  `json:"retention"`
	OptOutPage               OptOutPage `json:"opt_out_page"`
	// StopKeywords nil are the service's own (Keywords).
	StopKeywords *StopKeywords `json:"stop_keywords,omitempty"`
	// DefaultHours nil are the service's own, unless AnyHour says that there are none
	// (SendingHours).
	DefaultHours *Hours `json:"default_hours,omitempty"`
	AnyHour      bool   `json:"any_hour,omitempty"`
	// Overrides replace limits of the plan; nil is unlimited.
	Overrides map[LimitKey]*int `json:"overrides,omitempty"`
	CreatedAt time.Time         `json:"created_at"`
	UpdatedAt time.Time         `json:"updated_at"`
}

var (
	table  = store.NewTable("organization", "org", func(o *Organization) string { return o.ID }).Global()
	bySlug = table.Unique("slug", func(o *Organization) store.Key { return store.Text(o.Slug) })

	statusFacet = table.Facet("status", func(o *Organization) []string { return []string{string(o.Status)} })
	planFacet   = table.Facet("plan", func(o *Organization) []string { return []string{string(o.Plan)} })
	bySearch    = table.Multi("search", searchKeys)
)

// Tables are what a store that holds organizations is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table, members, invitations} }

// Topic is what the store is told when an organization or its members changed.
const Topic = "organizations"

func save(tx *store.Tx, o *Organization) error {
	tx.Changed(Topic)
	return table.Put(tx, store.Platform, o)
}

// Get reads an organization: store.ErrNotFound when there is none of that id.
func Get(tx *store.Tx, id string) (Organization, error) {
	return table.Get(tx, store.Platform, id)
}

// Walk reads organizations in the order in which they were made, for jobs.
func Walk(tx *store.Tx, after store.Cursor, limit int) ([]Organization, store.Cursor, error) {
	return table.Walk(tx, store.Platform, after, limit)
}

// PolicyAccepted says whether an organization has accepted the policy that holds
// now. What connects accounts, launches and resumes asks it and refuses with
// ErrPolicyNotAccepted.
func PolicyAccepted(tx *store.Tx, id string) (bool, error) {
	o, err := Get(tx, id)
	if err != nil {
		return false, err
	}
	s, err := setting.Get(tx)
	return err == nil && o.AUPVersion != nil && *o.AUPVersion == s.AUPVersion, err
}

// AIOn says whether AI is switched on for the organization and on the platform.
func (o *Organization) AIOn(tx *store.Tx) (bool, error) {
	if !o.AIEnabled {
		return false, nil
	}
	platform, err := setting.Get(tx)
	return platform.AIEnabled, err
}

// Keywords are the stop words that hold for the organization.
func (o *Organization) Keywords() StopKeywords {
	if o.StopKeywords != nil {
		return *o.StopKeywords
	}
	return StopKeywords{
		UZ: []string{"stop", "to‘xta", "to‘xtat", "to‘xtating", "bekor qil", "тўхта", "тўхтат", "тўхтатинг"},
		RU: []string{"стоп", "отписаться", "отпишите", "хватит"},
		EN: []string{"stop", "unsubscribe", "opt out"},
	}
}

// NamesOf are the names of organizations by id. One that is gone has none.
func NamesOf(tx *store.Tx, _ string, ids []string) (map[string]string, error) {
	return api.Names(tx, store.Platform, table, ids, func(o *Organization) string { return o.Name })
}
