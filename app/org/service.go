package org

import (
	"maps"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/signal"
	"svc/store"
)

// Counter says how much of a limit an organization uses.
type Counter func(tx *store.Tx, orgID string) (int, error)

// Options of New.
type Options struct {
	// Meter reads what was sent and spent; a nil part is zero.
	Meter Meter
	// Counters say what is used, by limit; those of members are the slice's own.
	Counters map[LimitKey]Counter
}

// Service changes organizations.
type Service struct {
	db       *store.DB
	bus      *signal.Bus
	meter    Meter
	counters map[LimitKey]Counter
}

// New makes the service.
func New(db *store.DB, bus *signal.Bus, o Options) *Service {
	counters := map[LimitKey]Counter{LimitMembers: func(tx *store.Tx, id string) (int, error) { return places(tx, id, tx.DB().Now()) }}
	maps.Copy(counters, o.Counters)
	return &Service{db, bus, o.Meter, counters}
}

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	person := api.ForPersons(api.ErrPersonRequired)
	return []api.Endpoint{
		api.E("GET /organization", "organization.get", perm.OrgRead, "Read the active organization.", api.Read(s.db, s.get)),
		api.E("PATCH /organization", "organization.update", perm.OrgManage, "Change the active organization.", s.update, api.Errors(api.ErrPlanLimit)),
		api.E("POST /organization/accept-policy", "organization.accept_policy", perm.OrgManage, "Accept the acceptable-use policy that holds now.", s.acceptPolicy, api.Errors(api.ErrState)),
		api.E("GET /organization/usage", "organization.usage", perm.BillingRead, "Read the limits of the plan and what is used of them.", api.Read(s.db, s.usage)),
		api.E("GET /members", "members.list", perm.MembersRead, "List who belongs to the organization.", api.Read(s.db, s.listMembers)),
		api.E("PATCH /members/{id}", "members.update", perm.MembersManage, "Change the role of a member.", s.changeRole, person, api.Errors(ErrLastOwner)),
		api.E("DELETE /members/{id}", "members.remove", perm.MembersManage, "Remove a member from the organization.", s.removeMember, person, api.Errors(ErrLastOwner)),
		api.E("GET /invitations", "invitations.list", perm.MembersRead, "List invitations, newest first.", s.listInvitations),
		api.E("POST /invitations", "invitations.create", perm.MembersManage, "Invite somebody; the link is in this answer only, and goes to the address when mail is sent.", s.invite, person,
			api.Errors(ErrAlreadyMember, api.ErrConflict, api.ErrPlanLimit), api.OneTime("url")),
		api.E("DELETE /invitations/{id}", "invitations.revoke", perm.MembersManage, "Withdraw an invitation.", s.revoke, person, api.Errors(ErrInvitationAccepted)),
		api.E("GET /invitations/lookup", "invitations.lookup", perm.Public, "Read what an invitation link is for.", api.Read(s.db, s.lookup),
			api.Errors(ErrInvalidInvitation, ErrInvitationUsed, ErrInvitationRevoked, ErrInvitationExpired)),
	}
}

// idIn is the id in the path.
type idIn struct {
	ID string `path:"id" maxLength:"64"`
}
