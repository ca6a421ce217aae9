// Package perm is the permission matrix as data: the names of what a caller may
// do, the roles, and which role may do what.
//
// It promises the matrix of contract 2, cell by cell. It
// refuses to know who a caller is: authorization asks for a permission, never
// for a role.
package perm

import (
	"iter"
	"math/bits"
	"strings"
)

// Perm is one permission, or Public or Anyone. Its text form, as in
// "recipients:manage", is what the API speaks.
type Perm uint8

// What an operation may ask for. Public is for everybody, Anyone for every
// caller who is signed in or holds a key, Administrator for administrators of
// the platform; the others are permissions within one organization.
const (
	Public Perm = iota
	Anyone
	Administrator

	OrgRead
	OrgManage
	MembersRead
	MembersManage
	AccountsRead
	AccountsManage
	ProxiesRead
	ProxiesManage
	RecipientsRead
	RecipientsManage
	CampaignsRead
	CampaignsManage
	CampaignsExecute
	AnalyticsRead
	AuditRead
	DevelopersManage
	WebhooksRead
	WebhooksManage
	BillingRead
	AIRead
	AIManage
	AIOperate

	count
)

var names = [count]string{
	Public: "public", Anyone: "signed-in", Administrator: "platform-administrator",
	OrgRead: "org:read", OrgManage: "org:manage",
	MembersRead: "members:read", MembersManage: "members:manage",
	AccountsRead: "accounts:read", AccountsManage: "accounts:manage",
	ProxiesRead: "proxies:read", ProxiesManage: "proxies:manage",
	RecipientsRead: "recipients:read", RecipientsManage: "recipients:manage",
	CampaignsRead: "campaigns:read", CampaignsManage: "campaigns:manage", CampaignsExecute: "campaigns:execute",
	AnalyticsRead: "analytics:read", AuditRead: "audit:read",
	DevelopersManage: "developers:manage",
	WebhooksRead:     "webhooks:read", WebhooksManage: "webhooks:manage",
	BillingRead: "billing:read",
	AIRead:      "ai:read", AIManage: "ai:manage", AIOperate: "ai:operate",
}

// String is the name in the API, as in "recipients:manage".
func (p Perm) String() string {
	if p >= count {
		return "unknown"
	}
	return names[p]
}

// InOrganization says whether p is a permission within one organization, and
// not one of the three kinds of caller.
func (p Perm) InOrganization() bool { return p > Administrator && p < count }

// AI says whether p is one of the permissions that are absent while AI is
// switched off (contract 2).
func (p Perm) AI() bool { return strings.HasPrefix(p.String(), "ai:") }

// RefusedWhileSuspended says whether a suspended organization may not use p:
// every *:manage, campaigns:execute (contract 44.6) and
// ai:operate (contract 20.1).
func (p Perm) RefusedWhileSuspended() bool {
	return p == CampaignsExecute || p == AIOperate || strings.HasSuffix(p.String(), ":manage")
}

// Parse finds a permission within an organization by its name.
func Parse(name string) (Perm, bool) {
	for p := Administrator + 1; p < count; p++ {
		if names[p] == name {
			return p, true
		}
	}
	return 0, false
}

// Set is a set of permissions within an organization.
type Set uint32

// Of makes a set.
func Of(perms ...Perm) (s Set) {
	for _, p := range perms {
		s |= 1 << p
	}
	return s
}

// Has says whether p is in the set.
func (s Set) Has(p Perm) bool { return s&(1<<p) != 0 }

// Without is the set without the permissions of another.
func (s Set) Without(o Set) Set { return s &^ o }

// And is what both sets have.
func (s Set) And(o Set) Set { return s & o }

// All walks the set in the order of contract 2.
func (s Set) All() iter.Seq[Perm] {
	return func(yield func(Perm) bool) {
		for rest := s; rest != 0; rest &= rest - 1 {
			if !yield(Perm(bits.TrailingZeros32(uint32(rest)))) {
				return
			}
		}
	}
}

// Names are the names of the set in the order of contract 2, never nil.
func (s Set) Names() []string {
	out := []string{}
	for p := range s.All() {
		out = append(out, p.String())
	}
	return out
}

// AIPermissions are those about AI. While it is switched off ai:manage is absent, and the others
// are for the inbox alone (contract 2).
var AIPermissions = Of(AIRead, AIManage, AIOperate)
