package session

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/session/apikey"
	"svc/app/session/guess"
	"svc/app/session/support"
	"svc/app/user"
	"svc/store"
	"svc/store/recordid"
)

// here is the identity of the caller as it is in this transaction.
func here(tx *store.Tx, c *api.Call) (identity, error) {
	s, err := sessions.Get(tx, store.Platform, c.Caller.Session)
	if err != nil {
		return identity{}, orCredentials(err)
	}
	u, err := user.Get(tx, s.UserID)
	if err != nil {
		return identity{}, orCredentials(err)
	}
	return person(tx, &s, &u)
}

// describe is the payload of the caller as he is in this transaction.
func describe(tx *store.Tx, c *api.Call) (Payload, error) {
	if c.Caller.Kind == api.Key {
		k, err := apikey.Get(tx, c.Org, c.Caller.ID)
		if err != nil {
			return Payload{}, orCredentials(err)
		}
		o, err := org.Get(tx, c.Org)
		if err != nil {
			return Payload{}, err
		}
		return payload(tx, &identity{caller: c.Caller, key: &k, org: &o})
	}
	who, err := here(tx, c)
	if err != nil {
		return Payload{}, err
	}
	return payload(tx, &who)
}

func (s *Service) me(c *api.Call, tx *store.Tx, _ struct{}) (out Payload, err error) {
	return describe(tx, c)
}

type updateMeIn struct {
	Body struct {
		Name            api.PatchNull[string]      `json:"name"`
		Language        api.Patch[string]          `json:"language" enum:"uz,ru,en" doc:"Of mails to you."`
		Mail            api.Patch[user.MailChoice] `json:"mail_notifications" enum:"OFF,IMPORTANT,ALL" doc:"Which notifications come by mail too."`
		CurrentPassword string                     `json:"current_password" maxLength:"1024"`
		NewPassword     string                     `json:"new_password" maxLength:"1024" doc:"At least 10 characters; needs current_password."`
	}
}

func (s *Service) updateMe(c *api.Call, in updateMeIn) (out Payload, err error) {
	verified, hash, err := s.newPassword(c, in)
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		if in.Body.Name.Set {
			if _, err := user.Rename(tx, c, c.Caller.ID, in.Body.Name.Value); err != nil {
				return err
			}
		}
		if err := user.SetPreferences(tx, c, c.Caller.ID, chosen(in.Body.Language), chosen(in.Body.Mail)); err != nil {
			return err
		}
		if err := replacePassword(tx, c, verified, hash); err != nil {
			return err
		}
		out, err = describe(tx, c)
		return err
	})
	return out, err
}

// replacePassword gives the caller another password, when hash is not "": that which was
// verified must be theirs still. Links and their other sessions end.
func replacePassword(tx *store.Tx, c *api.Call, verified, hash string) error {
	if hash == "" {
		return nil
	}
	u, err := user.Get(tx, c.Caller.ID)
	if err != nil {
		return err
	}
	if u.Password != verified {
		return api.ErrState
	}
	if err := user.SetPassword(tx, c, u.ID, hash); err != nil {
		return err
	}
	if err := errors.Join(endLinks(tx, u.ID, resetLink), endLinks(tx, u.ID, emailLink)); err != nil {
		return err
	}
	return EndAll(tx, u.ID, c.Caller.Session)
}

// chosen is a field that is there, else nil.
func chosen[T any](p api.Patch[T]) *T {
	if !p.Set {
		return nil
	}
	return &p.Value
}

// newPassword checks a change of password outside of the transaction: the hash that
// was verified, and the one to take its place; both "" when none is wanted.
func (s *Service) newPassword(c *api.Call, in updateMeIn) (verified, hash string, err error) {
	if in.Body.NewPassword == "" {
		return "", "", nil
	}
	if err := user.CheckPassword("new_password", in.Body.NewPassword); err != nil {
		return "", "", err
	}
	verified, err = s.password(c, "current_password", in.Body.CurrentPassword)
	if err != nil {
		return "", "", err
	}
	hash, err = s.users.Hash(c, in.Body.NewPassword)
	return verified, hash, err
}

// password checks the caller's password: validation_failed on field when it is
// wrong, else the hash that it has. Wrong ones make the next try wait, as those of
// signing in do.
func (s *Service) password(c *api.Call, field, password string) (hash string, err error) {
	if password == "" {
		return "", api.Wrong(field, "is needed")
	}
	var u user.User
	counts := guess.CurrentPassword(c.Caller.ID)
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		if err = guess.Try(tx, counts); err == nil {
			u, err = user.Get(tx, c.Caller.ID)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	right, err := s.users.Verify(c, &u, password)
	switch {
	case err != nil:
		return "", err
	case !right:
		return "", api.Wrong(field, "is not your password")
	}
	return u.Password, s.db.Update(c, func(tx *store.Tx) error { return guess.Right(tx, counts) })
}

// ShownSession is a session as its person sees it.
type ShownSession struct {
	ID             string     `json:"id"`
	Current        bool       `json:"current"`
	OrganizationID *string    `json:"organization_id"`
	Organization   *api.Named `json:"organization"`
	MFAVerified    bool       `json:"mfa_verified"`
	IP             *string    `json:"ip" doc:"Where it was opened."`
	UserAgent      *string    `json:"user_agent"`
	LastUsedAt     time.Time  `json:"last_used_at" doc:"To about a minute."`
	LastUsedIP     *string    `json:"last_used_ip"`
	CreatedAt      time.Time  `json:"created_at"`
	ExpiresAt      time.Time  `json:"expires_at"`
}

func (s *Session) show(current string) ShownSession {
	return ShownSession{
		ID: s.ID, Current: s.ID == current, OrganizationID: api.Optional(s.Org), Organization: api.Ref(s.Org, s.Org), MFAVerified: s.MFAVerified, IP: api.Optional(s.IP),
		UserAgent: api.Optional(s.UserAgent), LastUsedAt: s.LastUsedAt, LastUsedIP: api.Optional(s.LastUsedIP), CreatedAt: s.CreatedAt, ExpiresAt: s.ExpiresAt,
	}
}

func (s *Service) listSessions(c *api.Call, tx *store.Tx, in api.PageIn) (out api.Page[ShownSession], err error) {
	list, err := ofPerson(tx, c.Caller.ID)
	rows := []ShownSession{}
	for i := len(list) - 1; i >= 0; i-- {
		if c.Now.Before(list[i].ExpiresAt) {
			rows = append(rows, list[i].show(c.Caller.Session))
		}
	}
	out = api.Window(rows, in, func(s *ShownSession) string { return s.ID })
	return out, err
}

func (s *Service) endSession(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		its, err := sessions.Get(tx, store.Platform, in.ID)
		if err != nil {
			return err
		}
		if its.UserID != c.Caller.ID {
			return store.ErrNotFound
		}
		return end(tx, c, &its)
	})
	if err == nil && in.ID == c.Caller.Session {
		s.clearCookies(c)
	}
	return out, err
}

// end ends a session for its person. The organization that it looked at in support
// reads that support has gone; the session itself is the business of its own.
func end(tx *store.Tx, c *api.Call, s *Session) error {
	if err := drop(tx, s.ID); err != nil {
		return err
	}
	if s.inSupport(tx.DB().Now()) {
		if err := audit.WriteTo(tx, s.Support.Org, c, "support_session.ended", audit.On("support_session", s.Support.ID, c.Caller.Name)); err != nil {
			return err
		}
	}
	return audit.WriteTo(tx, s.Org, c, "session.ended", audit.On("session", s.ID, ""))
}

type switchOrganizationIn struct {
	Body struct {
		OrganizationID string `json:"organization_id" required:"true" maxLength:"64"`
	}
}

func (s *Service) switchOrganization(c *api.Call, in switchOrganizationIn) (out Payload, err error) {
	if !recordid.Valid("org", in.Body.OrganizationID) {
		return out, store.ErrNotFound
	}
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		if _, err := org.MemberOf(tx, in.Body.OrganizationID, c.Caller.ID); err != nil {
			return err
		}
		out, err = joinOrganization(tx, c, in.Body.OrganizationID)
		return err
	})
	return out, err
}

// joinOrganization makes an organization the active one of the caller's session.
func joinOrganization(tx *store.Tx, c *api.Call, orgID string) (Payload, error) {
	_, err := edit(tx, c.Caller.Session, func(s *Session) error {
		s.Org = orgID
		return nil
	})
	if err != nil {
		return Payload{}, orCredentials(err)
	}
	return describe(tx, c)
}

type createOrganizationIn struct {
	Body struct {
		Name     string `json:"name" required:"true" maxLength:"480"`
		Timezone string `json:"timezone" maxLength:"64" example:"Asia/Tashkent"`
	}
}

func (s *Service) createOrganization(c *api.Call, in createOrganizationIn) (out api.Created[Payload], err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := org.MayCreate(tx, c.Caller.ID); err != nil {
			return err
		}
		o, err := org.Create(tx, c, org.Fields{Name: in.Body.Name, Timezone: in.Body.Timezone, Owner: c.Caller.ID})
		if err != nil {
			return err
		}
		p, err := joinOrganization(tx, c, o.ID)
		out = api.New(p)
		return err
	})
	return out, err
}

func (s *Service) endSupport(c *api.Call, _ struct{}) (out api.NoContent, err error) {
	if c.Caller.Support == "" {
		return out, ErrNotInSupport
	}
	return out, s.db.Update(c, func(tx *store.Tx) error {
		_, err := edit(tx, c.Caller.Session, func(s *Session) error {
			s.Support = nil
			return nil
		})
		if err != nil {
			return orCredentials(err)
		}
		if err := support.Left(tx, c.Org, c.Caller.Support); err != nil {
			return err
		}
		return audit.Write(tx, c, "support_session.ended", audit.On("support_session", c.Caller.Support, c.Caller.Name))
	})
}
