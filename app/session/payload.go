package session

import (
	"errors"

	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
)

// Payload says who is calling and what he may do (contract 31).
type Payload struct {
	Kind          string              `json:"kind" enum:"user,api_key"`
	User          *user.ShownUser     `json:"user" doc:"null for API keys."`
	APIKey        *keyName            `json:"api_key,omitempty" doc:"Only for API keys."`
	Organization  *activeOrganization `json:"organization" doc:"The active one; null for none."`
	Role          *perm.Role          `json:"role" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST,API_CLIENT"`
	Permissions   []string            `json:"permissions"`
	Organizations []membership        `json:"organizations"`
	MFAVerified   bool                `json:"mfa_verified"`
	Support       bool                `json:"support" doc:"It is a look of support at the organization (contract 44)."`
	PolicyVersion string              `json:"policy_version"`
}

type keyName struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Prefix string `json:"prefix"`
}

type activeOrganization struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	Slug       string     `json:"slug"`
	Status     org.Status `json:"status" enum:"ACTIVE,SUSPENDED"`
	Plan       org.Plan   `json:"plan" enum:"FREE,STARTER,PRO,ENTERPRISE"`
	AUPVersion *string    `json:"aup_version"`
	Timezone   string     `json:"timezone" example:"Asia/Tashkent" doc:"Of its days (contract 21.2)."`
	AIEnabled  bool       `json:"ai_enabled" doc:"AI is switched on for it and on the platform."`
}

type membership struct {
	Role         perm.Role `json:"role"`
	Organization struct {
		ID   string   `json:"id"`
		Name string   `json:"name"`
		Plan org.Plan `json:"plan"`
	} `json:"organization"`
}

// payload describes an identity. One that still waits for its code learns who it
// is and nothing of any organization.
func payload(tx *store.Tx, who *identity) (p Payload, err error) {
	settings, err := setting.Get(tx)
	if err != nil {
		return p, err
	}
	p = Payload{Kind: "user", Permissions: []string{}, Organizations: []membership{}, PolicyVersion: settings.AUPVersion}
	if who.key != nil {
		p.Kind, p.APIKey = "api_key", &keyName{who.key.ID, who.key.Name, who.key.Prefix}
	} else {
		shown := who.user.Show()
		p.User, p.MFAVerified, p.Support = &shown, who.caller.Verified, who.caller.Support != ""
	}
	if who.caller.MFAPending {
		return p, nil
	}
	p.Permissions = who.caller.Perms.Names()
	if o := who.org; o != nil {
		p.Organization = &activeOrganization{o.ID, o.Name, o.Slug, o.Status, o.Plan, o.AUPVersion, o.Timezone, !who.caller.AIOff}
		p.Role = &who.caller.Role
	}
	p.Organizations, err = organizations(tx, who)
	return p, err
}

func organizations(tx *store.Tx, who *identity) ([]membership, error) {
	if who.key != nil {
		return []membership{membershipOf(perm.APIClient, who.org)}, nil
	}
	list, err := org.Memberships(tx, who.user.ID)
	if err != nil {
		return nil, err
	}
	out := []membership{}
	for _, m := range list {
		o, err := org.Get(tx, m.Org)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, membershipOf(m.Record.Role, &o))
	}
	return out, nil
}

func membershipOf(role perm.Role, o *org.Organization) (m membership) {
	m.Role = role
	m.Organization.ID, m.Organization.Name, m.Organization.Plan = o.ID, o.Name, o.Plan
	return m
}
