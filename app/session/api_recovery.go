package session

import (
	"strconv"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/session/notice"
	"svc/app/user"
	"svc/store"
)

// mfaEnabled is the session, and the codes for the day on which the telephone is gone.
type mfaEnabled struct {
	Payload
	RecoveryCodes []string `json:"recovery_codes" doc:"Ten codes, each of which works once in place of a code of the authenticator. In this answer only."`
}

type recoveryCodesIn struct {
	Body struct {
		Code     string `json:"code" maxLength:"11" example:"123456" doc:"Of the authenticator, or a recovery code. Or give your password."`
		Password string `json:"password" maxLength:"1024"`
	}
}

type recoveryCodes struct {
	RecoveryCodes []string `json:"recovery_codes" doc:"Ten codes; the earlier ones work no more. In this answer only."`
}

// makeRecoveryCodes replaces the recovery codes of the caller.
func (s *Service) makeRecoveryCodes(c *api.Call, in recoveryCodesIn) (out recoveryCodes, err error) {
	if err := s.asksMFA(c, in.Body.Code, in.Body.Password); err != nil {
		return out, err
	}
	codes, right := user.NewRecoveryCodes(), true
	err = s.db.Update(c, func(tx *store.Tx) (err error) {
		if in.Body.Code != "" {
			if right, err = s.checkCode(tx, c, in.Body.Code); err != nil || !right {
				return err // a wrong code counts
			}
		}
		return user.SetRecoveryCodes(tx, c, c.Caller.ID, codes)
	})
	switch {
	case err != nil:
		return out, err
	case !right:
		return out, ErrCode
	}
	return recoveryCodes{codes}, nil
}

// asksMFA refuses what needs two-factor on, and the password where no code is given.
func (s *Service) asksMFA(c *api.Call, code, password string) error {
	on := false
	err := s.db.View(c, func(tx *store.Tx) error {
		u, err := user.Get(tx, c.Caller.ID)
		on = u.MFAEnabled
		return err
	})
	switch {
	case err != nil:
		return err
	case !on:
		return user.ErrMFAOff
	case code == "":
		_, err = s.password(c, "password", password)
	}
	return err
}

// checkCode says whether a code of the authenticator, or a recovery code, is right. Of
// a recovery code that was used the person hears, and when few are left. Commit also
// when it is wrong.
func (s *Service) checkCode(tx *store.Tx, c *api.Call, code string) (bool, error) {
	right, err := s.users.CheckMFA(tx, c.Caller.ID, code)
	if err != nil || !right || !user.IsRecoveryCode(code) {
		return right, err
	}
	u, err := user.Get(tx, c.Caller.ID)
	if err != nil {
		return false, err
	}
	left := strconv.Itoa(len(u.Recovery))
	if err := audit.Write(tx, c, "user.recovery_code_used", audit.On("user", u.ID, u.Label())); err != nil {
		return false, err
	}
	if err := notice.Person(tx, &u, "SECURITY_RECOVERY_CODE_USED", "A recovery code was used", "It took the place of a code of the authenticator; "+left+" are left."); err != nil {
		return false, err
	}
	if len(u.Recovery) <= user.FewCodes {
		err = notice.Person(tx, &u, "SECURITY_RECOVERY_CODES_FEW", "Few recovery codes are left", left+" are left; make new ones in your profile.")
	}
	return true, err
}

// ProvedAgain runs a change once the caller's password, or a code of the second factor,
// was right. Wrong ones count.
func (s *Service) ProvedAgain(c *api.Call, code, password string, change func(*store.Tx) error) error {
	if code == "" {
		if _, err := s.password(c, "password", password); err != nil {
			return err
		}
	}
	right := true
	err := s.db.Update(c, func(tx *store.Tx) (err error) {
		if code != "" {
			if right, err = s.checkCode(tx, c, code); err != nil || !right {
				return err // a wrong code counts
			}
		}
		return change(tx)
	})
	if err == nil && !right {
		return ErrCode
	}
	return err
}
