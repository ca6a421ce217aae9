package org

import (
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/user"
	"svc/store"
)

// invitationLife is how long a link works (contract 9).
const invitationLife = 7 * 24 * time.Hour

// tokenPurpose keeps the hashes of these tokens apart from others.
const tokenPurpose = "invitation"

// InvitationStatus is where an invitation is in its life.
type InvitationStatus string

// The statuses. EXPIRED follows from the time and is not stored.
const (
	Pending  InvitationStatus = "PENDING"
	Accepted InvitationStatus = "ACCEPTED"
	Revoked  InvitationStatus = "REVOKED"
	Expired  InvitationStatus = "EXPIRED"
)

// Invitation asks somebody to become a member.
type Invitation struct {
	ID         string           `json:"id"`
	Email      string           `json:"email"`
	Role       perm.Role        `json:"role"`
	Stored     InvitationStatus `json:"status"`
	TokenHash  string           `json:"token_hash"`
	InvitedBy  string           `json:"invited_by"`
	ExpiresAt  time.Time        `json:"expires_at"`
	AcceptedAt *time.Time       `json:"accepted_at,omitempty"`
	CreatedAt  time.Time        `json:"created_at"`
}

var (
	invitations      = store.NewTable("invitation", "inv", func(i *Invitation) string { return i.ID })
	invitationToken  = invitations.UniqueAcross("token", func(i *Invitation) store.Key { return store.Text(i.TokenHash) })
	invitationStatus = invitations.Facet("status", func(i *Invitation) []string { return []string{string(i.Stored)} })
	invitationExpiry = invitations.Index("expires", func(i *Invitation) store.Key { return store.Time(i.ExpiresAt) })
	invitationEmail  = invitations.Index("email", func(i *Invitation) store.Key { return store.Text(store.Fold(i.Email)) })
)

type invitationEvent string

const (
	accepted invitationEvent = "accepted"
	revoked  invitationEvent = "revoked"
)

// invitationLives is the life of an invitation; what is over stays so.
var invitationLives = api.Table[InvitationStatus, invitationEvent]{
	{From: []InvitationStatus{Pending}, On: accepted, To: Accepted},
	{From: []InvitationStatus{Pending}, On: revoked, To: Revoked},
}

// Status is what the invitation is at a time.
func (i *Invitation) Status(now time.Time) InvitationStatus {
	if i.Stored == Pending && !now.Before(i.ExpiresAt) {
		return Expired
	}
	return i.Stored
}

// OpenInvitation finds the invitation of a link, or says why it cannot be accepted.
func OpenInvitation(tx *store.Tx, token string) (out store.Of[Invitation], err error) {
	hash, err := tx.Hash(tokenPurpose, token)
	if err != nil {
		return out, err
	}
	out.Record, out.Org, err = invitationToken.Find(tx, store.Text(hash))
	if store.IsNotFound(err) {
		return out, ErrInvalidInvitation
	}
	if err != nil {
		return out, err
	}
	switch out.Record.Status(tx.DB().Now()) {
	case Accepted:
		return out, ErrInvitationUsed
	case Revoked:
		return out, ErrInvitationRevoked
	case Expired:
		return out, ErrInvitationExpired
	}
	return out, nil
}

// Join makes a person a member by an open invitation, and uses it up. Whether the
// person is the one it was made for is checked here; whether he is signed in is not.
func Join(tx *store.Tx, c *api.Call, i store.Of[Invitation], u *user.User) error {
	if store.Fold(i.Record.Email) != store.Fold(u.Email) {
		return ErrSignInRequired
	}
	o, err := Get(tx, i.Org)
	if err != nil {
		return err
	}
	if o.Status == Suspended {
		return api.ErrSuspended
	}
	if _, err := MemberOf(tx, i.Org, u.ID); err == nil {
		return ErrAlreadyMember
	} else if !store.IsNotFound(err) {
		return err
	}
	used, err := members.Count(tx, i.Org)
	if err != nil {
		return err
	}
	if err := CheckLimit(tx, i.Org, LimitMembers, used, 1); err != nil {
		return err
	}
	next, ok := invitationLives.Next(i.Record.Stored, accepted)
	if !ok {
		return ErrInvitationUsed
	}
	now := tx.DB().Now()
	i.Record.Stored, i.Record.AcceptedAt = next, &now
	if err := invitations.Put(tx, i.Org, &i.Record); err != nil {
		return err
	}
	m, err := addMember(tx, i.Org, u.ID, i.Record.Role)
	if err != nil {
		return err
	}
	return audit.WriteTo(tx, i.Org, c, "member.joined", audit.On("member", m.ID, u.Label()), audit.Changed("role", nil, m.Role))
}
