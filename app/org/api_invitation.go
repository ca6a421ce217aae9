package org

import (
	"crypto/rand"
	"encoding/base64"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/mail"
	"svc/app/user"
	"svc/store"
)

// ShownInvitation is an invitation as the API shows it.
type ShownInvitation struct {
	ID         string           `json:"id"`
	Email      string           `json:"email"`
	Role       perm.Role        `json:"role" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST"`
	Status     InvitationStatus `json:"status" enum:"PENDING,ACCEPTED,REVOKED,EXPIRED"`
	InvitedBy  string           `json:"invited_by"`
	Inviter    *api.Named       `json:"inviter"`
	ExpiresAt  time.Time        `json:"expires_at"`
	AcceptedAt *time.Time       `json:"accepted_at"`
	CreatedAt  time.Time        `json:"created_at"`
	URL        string           `json:"url,omitempty" doc:"The link for the person who is invited; in the answer that creates it only."`
	Mailed     *bool            `json:"mailed,omitempty" doc:"The link was also sent by mail; in the answer that creates it only. false: hand the link over."`
}

func (i *Invitation) show(org string, now time.Time) ShownInvitation {
	return ShownInvitation{i.ID, i.Email, i.Role, i.Status(now), i.InvitedBy, api.Ref(org, i.InvitedBy), i.ExpiresAt, i.AcceptedAt, i.CreatedAt, "", nil}
}

type listInvitationsIn struct {
	api.PageIn
	Sort string `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listInvitations(c *api.Call, in listInvitationsIn) (out api.Page[ShownInvitation], err error) {
	return api.ListOf(c, s.db, invitations, store.Query[Invitation]{Reverse: in.Sort == "-created_at", Offset: in.Offset, Limit: in.Limit, After: in.Behind()}, in.PageIn, func(_ *store.Tx, x *Invitation) (ShownInvitation, error) { return x.show(c.Org, c.Now), nil })
}

type inviteIn struct {
	Body struct {
		Email string    `json:"email" required:"true" maxLength:"254" example:"olga@example.com"`
		Role  perm.Role `json:"role" required:"true" enum:"OWNER,ADMIN,MANAGER,OPERATOR,ANALYST"`
		// Language of the mail.
		Language string `json:"language" enum:"uz,ru,en" doc:"Of the mail; yours when it is left out."`
	}
}

// NewToken makes the secret of a link: 32 random bytes, in 43 characters.
func NewToken() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

func (s *Service) invite(c *api.Call, in inviteIn) (out api.Created[ShownInvitation], err error) {
	email, err := user.CheckEmail("email", in.Body.Email)
	if err != nil {
		return out, err
	}
	if err := touches(c, in.Body.Role); err != nil {
		return out, err
	}
	token := NewToken()
	err = s.db.Update(c, func(tx *store.Tx) error {
		i, err := Invite(tx, c, c.Org, email, in.Body.Role, token)
		if err != nil {
			return err
		}
		mailed, err := mailInvitation(tx, c, &i, token, in.Body.Language)
		shown := i.show(c.Org, c.Now)
		shown.URL, shown.Mailed = InvitationURL(c, token), &mailed
		out = api.New(shown)
		return err
	})
	return out, err
}

// How often invitations are mailed: nobody's mailbox is filled from here, and an
// organization is no way to write to strangers.
const (
	invitationsToOne = 3   // a day, to one address
	invitationsOfOrg = 100 // a day, of one organization
)

// mailInvitation sends the link by mail, when mail is sent. The link begins with the
// public address, never with what the request says about the host.
func mailInvitation(tx *store.Tx, c *api.Call, i *Invitation, token, language string) (bool, error) {
	base, on, err := mail.Base(tx)
	if err != nil || !on {
		return false, err
	}
	inviter, err := user.Get(tx, c.Caller.ID)
	if err != nil && !store.IsNotFound(err) {
		return false, err
	}
	if language == "" {
		language = inviter.Language
	}
	o, err := Get(tx, c.Org)
	if err != nil {
		return false, err
	}
	to, err := tx.Hash("mail to", store.Fold(i.Email))
	if err != nil {
		return false, err
	}
	return mail.Add(tx, mail.Message{
		Kind: mail.Invitation, To: i.Email, Language: language, Until: i.ExpiresAt,
		Vars: map[string]string{"organization": o.Name, "inviter": c.Caller.Name, "link": base + invitationPath + token},
		Limits: []mail.Limit{
			{Key: "invitation to " + to, Most: invitationsToOne, Within: 24 * time.Hour},
			{Key: "invitations of " + c.Org, Most: invitationsOfOrg, Within: 24 * time.Hour},
		},
	})
}

// invitationPath is where a link leads, before its token.
const invitationPath = "/public/invitation?token="

// InvitationURL is the link of a token, on the server that the caller reached.
func InvitationURL(c *api.Call, token string) string {
	return c.Base + invitationPath + token
}

// Invite makes an invitation that the token accepts. It refuses one who is a member
// or invited already, and one for whom the plan has no place: a place is taken from
// the invitation on.
func Invite(tx *store.Tx, c *api.Call, orgID, email string, role perm.Role, token string) (Invitation, error) {
	if err := notMember(tx, orgID, email); err != nil {
		return Invitation{}, err
	}
	now := tx.DB().Now()
	if err := notInvited(tx, orgID, email, now); err != nil {
		return Invitation{}, err
	}
	used, err := places(tx, orgID, now)
	if err != nil {
		return Invitation{}, err
	}
	if err := CheckLimit(tx, orgID, LimitMembers, used, 1); err != nil {
		return Invitation{}, err
	}
	hash, err := tx.Hash(tokenPurpose, token)
	if err != nil {
		return Invitation{}, err
	}
	i := Invitation{
		ID: tx.DB().NewID("inv"), Email: email, Role: role, Stored: Pending, TokenHash: hash, InvitedBy: c.Caller.ID,
		ExpiresAt: now.Add(invitationLife), CreatedAt: now,
	}
	if err := invitations.Insert(tx, orgID, &i); err != nil {
		return Invitation{}, err
	}
	return i, audit.WriteTo(tx, orgID, c, "invitation.created", audit.On("invitation", i.ID, i.Email), audit.Changed("role", nil, role))
}

func notMember(tx *store.Tx, orgID, email string) error {
	u, err := user.ByEmail(tx, email)
	if store.IsNotFound(err) {
		return nil
	}
	if err == nil {
		_, err = MemberOf(tx, orgID, u.ID)
	}
	if store.IsNotFound(err) {
		return nil
	}
	if err == nil {
		err = ErrAlreadyMember
	}
	return err
}

// notInvited refuses a second open invitation of one address: its link is known
// nowhere any more, but it works.
func notInvited(tx *store.Tx, orgID, email string, now time.Time) error {
	open, err := invitations.Page(tx, orgID, store.Query[Invitation]{
		Where: append(stillOpen(now), invitationEmail.Where(store.Is(store.Text(store.Fold(email))))), Limit: 1,
	})
	if err == nil && open.Total > 0 {
		err = api.ErrConflict.WithMessage("An invitation for this address is open; withdraw it before you make another.")
	}
	return err
}

// stillOpen holds for invitations that can be accepted.
func stillOpen(now time.Time) []store.Cond[Invitation] {
	return []store.Cond[Invitation]{
		invitationStatus.Any(string(Pending)),
		invitationExpiry.Where(store.Between(store.Time(now.Add(time.Microsecond)), nil)),
	}
}

// places are the members and those who may still become one.
func places(tx *store.Tx, orgID string, now time.Time) (int, error) {
	n, err := members.Count(tx, orgID)
	if err != nil {
		return 0, err
	}
	open, err := invitations.Page(tx, orgID, store.Query[Invitation]{Where: stillOpen(now), Limit: 1})
	return n + open.Total, err
}

func (s *Service) revoke(c *api.Call, in idIn) (out api.NoContent, err error) {
	return out, s.db.Update(c, func(tx *store.Tx) error {
		i, err := invitations.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := touches(c, i.Role); err != nil {
			return err
		}
		next, ok := invitationLives.Next(i.Stored, revoked)
		switch {
		case i.Stored == Revoked:
			return nil
		case !ok:
			return ErrInvitationAccepted
		}
		i.Stored = next
		if err := invitations.Put(tx, c.Org, &i); err != nil {
			return err
		}
		return audit.Write(tx, c, "invitation.revoked", audit.On("invitation", i.ID, i.Email))
	})
}

type invitationLookupIn struct {
	Token string `query:"token" required:"true" maxLength:"200"`
}

// InvitationLookup is what an invitation link is for.
type InvitationLookup struct {
	Organization struct {
		Name string `json:"name"`
	} `json:"organization"`
	Email        string    `json:"email"`
	Role         perm.Role `json:"role"`
	ExistingUser bool      `json:"existing_user" doc:"The address has an account: sign in as it and accept."`
	ExpiresAt    time.Time `json:"expires_at"`
}

func (s *Service) lookup(_ *api.Call, tx *store.Tx, in invitationLookupIn) (out InvitationLookup, err error) {
	i, err := OpenInvitation(tx, in.Token)
	if err != nil {
		return out, err
	}
	o, err := Get(tx, i.Org)
	if err != nil {
		return out, err
	}
	_, err = user.ByEmail(tx, i.Record.Email)
	if err != nil && !store.IsNotFound(err) {
		return out, err
	}
	found := InvitationLookup{Email: i.Record.Email, Role: i.Record.Role, ExistingUser: err == nil, ExpiresAt: i.Record.ExpiresAt}
	found.Organization.Name = o.Name
	return found, nil
}
