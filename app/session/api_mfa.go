package session

import (
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/setting"
	"svc/app/user"
	"svc/store"
)

type mfaCodeIn struct {
	Body struct {
		Code string `json:"code" required:"true" pattern:"^[0-9]{6}$" patternDescription:"6 digits" example:"123456"`
	}
}

type verifyMFAIn struct {
	Body struct {
		Code string `json:"code" required:"true" pattern:"^([0-9]{6}|[A-Za-z2-7]{5}-?[A-Za-z2-7]{5})$" patternDescription:"6 digits, or a recovery code" example:"123456"`
	}
}

// verified notes that a two-factor code was given in the caller's session, and gives it a
// new token: whoever knew the old one from before has nothing in their hands any more
// (contract 21.3, Elevation). It answers how long the session lives.
func (s *Service) verified(tx *store.Tx, c *api.Call, token string) (ttl time.Duration, err error) {
	settings, err := setting.Get(tx)
	if err != nil {
		return 0, err
	}
	hash, err := tx.Hash(sessionPurpose, token)
	if err != nil {
		return 0, err
	}
	now, waited := tx.DB().Now(), false
	n, err := edit(tx, c.Caller.Session, func(n *Session) error {
		waited = n.Waits
		if waited {
			n.ExpiresAt = now.Add(time.Duration(settings.SessionTTLHours) * time.Hour)
		}
		n.MFAVerified, n.Waits, n.TokenHash, n.HostCookie = true, false, hash, s.options.Secure
		return nil
	})
	if err != nil {
		return 0, orCredentials(err)
	}
	if waited {
		err = makeRoom(tx, &n)
	}
	return n.ExpiresAt.Sub(now), err
}

func (s *Service) verifyMFA(c *api.Call, in verifyMFAIn) (out Payload, err error) {
	return s.WithCode(c, func(tx *store.Tx) (bool, error) { return s.checkCode(tx, c, in.Body.Code) })
}

// WithCode commits what came of a code, right or wrong, and describes the session
// that it verified.
func (s *Service) WithCode(c *api.Call, try func(*store.Tx) (bool, error)) (out Payload, err error) {
	right := false
	token, ttl := org.NewToken(), time.Duration(0)
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		if right, err = try(tx); err != nil || !right {
			return err
		}
		if ttl, err = s.verified(tx, c, token); err != nil {
			return err
		}
		out, err = describe(tx, c)
		return err
	})
	switch {
	case err == nil && !right:
		err = ErrCode
	case err == nil:
		s.SetCookie(c, token, ttl)
	}
	return out, err
}

func (s *Service) setupMFA(c *api.Call, _ struct{}) (out user.Enrolment, err error) {
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		out, err = s.users.SetupMFA(tx, c.Caller.ID)
		return err
	})
	return out, err
}

func (s *Service) enableMFA(c *api.Call, in mfaCodeIn) (out mfaEnabled, err error) {
	codes := user.NewRecoveryCodes()
	out.Payload, err = s.WithCode(c, func(tx *store.Tx) (bool, error) {
		ok, err := s.users.EnableMFA(tx, c, c.Caller.ID, in.Body.Code)
		if err != nil || !ok {
			return ok, err
		}
		if err := user.SetRecoveryCodes(tx, c, c.Caller.ID, codes); err != nil {
			return false, err
		}
		return true, unverify(tx, c.Caller.ID)
	})
	if err == nil {
		out.RecoveryCodes = codes
	}
	return out, err
}

// unverify makes every session of a person wait for a code of his new secret.
func unverify(tx *store.Tx, userID string) error {
	list, err := ofPerson(tx, userID)
	for i := range list {
		if list[i].MFAVerified && err == nil {
			list[i].MFAVerified = false
			err = put(tx, &list[i])
		}
	}
	return err
}

type disableMFAIn struct {
	Body struct {
		Code     string `json:"code" maxLength:"11" example:"123456" doc:"Of the authenticator, or a recovery code."`
		Password string `json:"password" maxLength:"1024"`
	}
}

func (s *Service) disableMFA(c *api.Call, in disableMFAIn) (out Payload, err error) {
	if err := s.asksMFA(c, in.Body.Code, in.Body.Password); err != nil {
		return out, err
	}
	return s.WithCode(c, func(tx *store.Tx) (bool, error) {
		if in.Body.Code != "" {
			if ok, err := s.checkCode(tx, c, in.Body.Code); err != nil || !ok {
				return ok, err
			}
		}
		return true, s.users.DisableMFA(tx, c, c.Caller.ID)
	})
}
