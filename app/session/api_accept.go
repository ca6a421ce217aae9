package session

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/user"
	"svc/store"
)

type acceptInvitationIn struct {
	Body struct {
		Token    string  `json:"token" required:"true" maxLength:"200"`
		Name     *string `json:"name" nullable:"true" maxLength:"120"`
		Password string  `json:"password" maxLength:"1024" doc:"For people without an account; at least 10 characters."`
		Language string  `json:"language" enum:"uz,ru,en" doc:"Of mails to a new person."`
	}
}

func (s *Service) accept(c *api.Call, in acceptInvitationIn) (out Payload, err error) {
	existing := false
	err = s.db.View(c, func(tx *store.Tx) error {
		i, err := org.OpenInvitation(tx, in.Body.Token)
		if err != nil {
			return err
		}
		_, err = user.ByEmail(tx, i.Record.Email)
		existing = err == nil
		if errors.Is(err, store.ErrNotFound) {
			err = nil
		}
		return err
	})
	switch {
	case err != nil:
		return out, err
	case existing:
		return s.acceptSignedIn(c, in.Body.Token)
	}
	return s.acceptNew(c, in)
}

// acceptSignedIn takes the signed-in person into the organization and enters it.
func (s *Service) acceptSignedIn(c *api.Call, token string) (out Payload, err error) {
	switch {
	case c.Caller.Kind != api.Person || c.Caller.Support != "":
		return out, org.ErrSignInRequired
	case c.Caller.MFAPending:
		return out, api.ErrMFARequired
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		i, err := org.OpenInvitation(tx, token)
		if err != nil {
			return err
		}
		who, err := here(tx, c)
		if err != nil {
			return err
		}
		if err := org.Join(tx, c, i, who.user); err != nil {
			return err
		}
		out, err = joinOrganization(tx, c, i.Org)
		return err
	})
	return out, err
}

// acceptNew makes a person of the address that was invited and signs him in. Who
// has the link can read the address's mail or was given it by who invited.
func (s *Service) acceptNew(c *api.Call, in acceptInvitationIn) (out Payload, err error) {
	if err := user.CheckPassword("password", in.Body.Password); err != nil {
		return out, err
	}
	hash, err := s.users.Hash(c, in.Body.Password)
	if err != nil {
		return out, err
	}
	token, ttl := org.NewToken(), time.Duration(0)
	err = s.db.Update(c, func(tx *store.Tx) error {
		i, err := org.OpenInvitation(tx, in.Body.Token)
		if err != nil {
			return err
		}
		u, err := user.Add(tx, c, user.Fields{Email: i.Record.Email, Password: hash, Name: in.Body.Name, Language: in.Body.Language})
		if errors.Is(err, user.ErrEmailTaken) {
			return org.ErrSignInRequired // an account was made meanwhile
		}
		if err != nil {
			return err
		}
		if err := org.Join(tx, As(c, &u, i.Org), i, &u); err != nil {
			return err
		}
		out, ttl, err = s.open(tx, c, &u, i.Org, token, Opening{})
		return err
	})
	if err == nil {
		s.SetCookie(c, token, ttl)
	}
	return out, err
}
