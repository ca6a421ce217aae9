// Package user keeps people: their address, their password, their second factor.
//
// It promises that an address belongs to one person however it is written, that a
// password is stored as an argon2id hash only and takes as long to refuse for an
// address nobody has, that a two-factor code works once, and that disabling a
// person is told to everybody who must know (Disabled). It refuses to know where
// people belong (package org) and whether they are signed in (package session).
package user

import (
	"time"

	"svc/app/api"
	"svc/app/signal"
	"svc/store"
)

// Status says whether a person may sign in.
type Status string

// The statuses (contract 17).
const (
	Active   Status = "ACTIVE"
	Inactive Status = "DISABLED"
)

// User is one person.
type User struct {
	ID              string     `json:"id"`
	Email           string     `json:"email"`
	Name            *string    `json:"name,omitempty"`
	IsPlatformAdmin bool       `json:"is_platform_admin,omitempty"`
	Status          Status     `json:"status"`
	DisabledReason  *string    `json:"disabled_reason,omitempty"`
	LastLoginAt     *time.Time `json:"last_login_at,omitempty"`
	CreatedAt       time.Time  `json:"created_at"`
	UpdatedAt       time.Time  `json:"updated_at"`
	// Language of mails: uz, ru or en; "" when none was chosen.
	Language string `json:"language,omitempty"`
	// Mail says which notifications come by mail too; "" is MailOff.
	Mail MailChoice `json:"mail,omitempty"`

	// Organizations is how many organizations the person may own, when an administrator
	// chose (contract 21.3, Suspension); nil: DefaultOrganizations.
	Organizations *int `json:"max_organizations,omitempty"`

	// Password is the hash as a PHC string.
	Password string `json:"password"`
	// Secret is that of the second factor; it counts once MFAEnabled.
	Secret     store.Sealed `json:"mfa_secret,omitzero"`
	MFAEnabled bool         `json:"mfa_enabled,omitempty"`
	// MFAStep is the time step of the last code that was accepted: no code of it
	// or of an earlier one works again.
	MFAStep int64 `json:"mfa_step,omitempty"`
	// MFAFailures are the wrong codes in a row, the last one at MFAFailedAt.
	MFAFailures int       `json:"mfa_failures,omitempty"`
	MFAFailedAt time.Time `json:"mfa_failed_at,omitzero"`
	// Recovery are the keyed hashes of the recovery codes that are left.
	Recovery []string `json:"recovery,omitempty"`
}

var (
	table      = store.NewTable("user", "usr", func(u *User) string { return u.ID }).Global()
	byEmail    = table.Unique("email", func(u *User) store.Key { return emailKey(u.Email) })
	adminFacet = table.Facet("admin", func(u *User) []string {
		if u.IsPlatformAdmin {
			return []string{"yes"}
		}
		return nil
	})
	statusFacet = table.Facet("status", func(u *User) []string { return []string{string(u.Status)} })
	bySearch    = table.Multi("search", searchKeys)
	secret      = table.Sealed("mfa_secret", func(u *User) *store.Sealed { return &u.Secret })
)

// Tables are what a store that holds people is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{table} }

// Topic is what the store is told when a person changed who may act, or his name.
const Topic = "users"

func put(tx *store.Tx, u *User) error {
	tx.Changed(Topic)
	return table.Put(tx, store.Platform, u)
}

func edit(tx *store.Tx, id string, change func(*User) error) (User, error) {
	tx.Changed(Topic)
	return table.Edit(tx, store.Platform, id, change)
}

func emailKey(email string) store.Key { return store.Text(store.Fold(email)) }

// Disabled is published when a person is disabled: his sessions end in the same
// transaction.
type Disabled struct{ ID string }

// Service changes people.
type Service struct {
	bus    *signal.Bus
	hasher *hasher
	issuer string
}

// New makes the service. issuer is the name that an authenticator app shows beside
// the address.
func New(bus *signal.Bus, issuer string) *Service {
	return &Service{bus: bus, hasher: newHasher(), issuer: issuer}
}

// Get reads a person: store.ErrNotFound when there is none of that id.
func Get(tx *store.Tx, id string) (User, error) { return table.Get(tx, store.Platform, id) }

// GetMany reads people in the order of ids; nil stands for one who is not there.
func GetMany(tx *store.Tx, ids []string) ([]*User, error) {
	return table.GetMany(tx, store.Platform, ids)
}

// ByEmail finds a person by his address, however it is written.
func ByEmail(tx *store.Tx, email string) (User, error) {
	return byEmail.Find(tx, store.Platform, emailKey(email))
}

// HasAdministrator says whether there is a platform administrator.
func HasAdministrator(tx *store.Tx) (bool, error) {
	n, err := adminFacet.Count(tx, store.Platform, "yes")
	return n > 0, err
}

// ShownUser is a person as the API shows him to himself (contract 31).
type ShownUser struct {
	ID              string     `json:"id"`
	Email           string     `json:"email"`
	Name            *string    `json:"name"`
	IsPlatformAdmin bool       `json:"is_platform_admin"`
	Status          Status     `json:"status" enum:"ACTIVE,DISABLED"`
	MFAEnabled      bool       `json:"mfa_enabled"`
	RecoveryLeft    int        `json:"recovery_codes_left" doc:"How many recovery codes were not used."`
	Language        *string    `json:"language" enum:"uz,ru,en" doc:"Of mails; null until one was chosen."`
	Mail            MailChoice `json:"mail_notifications" enum:"OFF,IMPORTANT,ALL" doc:"Which notifications come by mail too, once the service sends mail. IMPORTANT leaves out those that only inform. What concerns the security of the account always comes."`
	LastLoginAt     *time.Time `json:"last_login_at"`
	CreatedAt       time.Time  `json:"created_at"`
	UpdatedAt       time.Time  `json:"updated_at"`
}

// Show makes the person as the API shows him.
func (u *User) Show() ShownUser {
	return ShownUser{
		ID: u.ID, Email: u.Email, Name: u.Name, IsPlatformAdmin: u.IsPlatformAdmin, Status: u.Status, MFAEnabled: u.MFAEnabled, RecoveryLeft: len(u.Recovery),
		Language: api.Optional(u.Language), Mail: u.MailChoice(), LastLoginAt: u.LastLoginAt, CreatedAt: u.CreatedAt, UpdatedAt: u.UpdatedAt,
	}
}

// DefaultOrganizations is how many organizations a person may own before an administrator
// allows more (contract 21.3, Suspension).
const DefaultOrganizations = 3

// MaxOrganizations is how many organizations the person may own.
func (u *User) MaxOrganizations() int {
	if u.Organizations == nil {
		return DefaultOrganizations
	}
	return *u.Organizations
}

// MailChoice says which notifications a person gets by mail (contract 21.2).
type MailChoice string

// The choices.
const (
	MailOff       MailChoice = "OFF"
	MailImportant MailChoice = "IMPORTANT"
	MailAll       MailChoice = "ALL"
)

// MailChoice is the person's choice: nothing comes that nobody asked for.
func (u *User) MailChoice() MailChoice {
	if u.Mail == "" {
		return MailOff
	}
	return u.Mail
}

// Label is what the audit log calls the person.
func (u *User) Label() string {
	if u.Name != nil && *u.Name != "" {
		return *u.Name
	}
	return u.Email
}

// NamesOf are what people are called, by id: the name, else the address. Who is gone has
// none.
func NamesOf(tx *store.Tx, _ string, ids []string) (map[string]string, error) {
	return api.Names(tx, store.Platform, table, ids, (*User).Label)
}
