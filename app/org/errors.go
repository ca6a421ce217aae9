package org

import "svc/app/api"

// The refusals of this slice (contract 46.3).
var (
	ErrPolicyNotAccepted  = &api.Error{Kind: api.Forbidden, Code: "policy_not_accepted", Message: "The acceptable-use policy is not accepted; read it and accept it first."}
	ErrLastOwner          = &api.Error{Kind: api.Conflict, Code: "last_owner", Message: "An organization needs at least one OWNER; make somebody else OWNER first."}
	ErrAlreadyMember      = &api.Error{Kind: api.Conflict, Code: "already_member", Message: "That person is a member already."}
	ErrInvitationAccepted = &api.Error{Kind: api.Conflict, Code: "invitation_accepted", Message: "The invitation was accepted; remove the member instead."}
	ErrInvalidInvitation  = &api.Error{Kind: api.NotFound, Code: "invalid_invitation", Message: "This invitation link is not valid; ask for a new one."}
	ErrInvitationUsed     = &api.Error{Kind: api.Gone, Code: "invitation_used", Message: "This invitation was used already; sign in."}
	ErrInvitationRevoked  = &api.Error{Kind: api.Gone, Code: "invitation_revoked", Message: "This invitation was withdrawn; ask for a new one."}
	ErrInvitationExpired  = &api.Error{Kind: api.Gone, Code: "invitation_expired", Message: "This invitation is older than 7 days; ask for a new one."}
	ErrSignInRequired     = &api.Error{Kind: api.Unauthenticated, Code: "sign_in_required", Message: "The invitation is for somebody who has an account: sign in as that address, then open the link again."}

	errOwnersOnly = api.ErrForbidden.WithMessage("Only an OWNER may make, invite or remove an OWNER.")
	errTooMany    = api.ErrConflict.WithMessage("Nobody can belong to more than %d organizations; leave one first.", MaxMemberships)
)
