package user

import (
	"crypto/subtle"
	"encoding/base32"
	"errors"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
	"github.com/pquerna/otp/totp"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// What authenticator apps take for granted (RFC 6238; contract 44.2).
const (
	period = 30 // seconds a code lasts
	drift  = 1  // steps that the clock of a telephone may be off
	digits = otp.DigitsSix
)

// Enrolment is what an authenticator app needs; it is shown once.
type Enrolment struct {
	Secret string `json:"secret" doc:"For typing it in by hand, in base32."`
	URL    string `json:"otpauth_url" doc:"For a QR code."`
}

// SetupMFA makes a new secret, which counts once a code of it was given
// (EnableMFA). An earlier one that was never enabled is replaced.
func (s *Service) SetupMFA(tx *store.Tx, id string) (out Enrolment, err error) {
	u, err := Get(tx, id)
	if err != nil {
		return out, err
	}
	if u.MFAEnabled {
		return out, ErrMFAEnabled
	}
	key, err := totp.Generate(totp.GenerateOpts{Issuer: s.issuer, AccountName: u.Email, Period: period, Digits: digits, Algorithm: otp.AlgorithmSHA1})
	if err != nil {
		return out, err
	}
	if err := secret.Set(tx, store.Platform, &u, []byte(key.Secret())); err != nil {
		return out, err
	}
	u.MFAStep, u.MFAFailures, u.MFAFailedAt = 0, 0, time.Time{}
	return Enrolment{key.Secret(), key.URL()}, table.Put(tx, store.Platform, &u)
}

// EnableMFA turns two-factor on with a first code. Commit also when ok is false: a
// wrong code counts.
func (s *Service) EnableMFA(tx *store.Tx, c *api.Call, id, code string) (ok bool, err error) {
	u, err := Get(tx, id)
	switch {
	case err != nil:
		return false, err
	case u.MFAEnabled:
		return false, ErrMFAEnabled
	case u.Secret.IsZero():
		return false, ErrMFASetup
	}
	if ok, err = tryCode(tx, &u, code); err != nil || !ok {
		return false, err
	}
	u.MFAEnabled, u.UpdatedAt = true, tx.DB().Now()
	if err := put(tx, &u); err != nil {
		return false, err
	}
	return true, audit.Write(tx, c, "user.two_factor_enabled", audit.On("user", u.ID, u.Label()))
}

// CheckMFA says whether a code of the authenticator, or a recovery code, is right, and
// uses it up. Commit also when ok is
// false: a wrong code counts.
func (s *Service) CheckMFA(tx *store.Tx, id, code string) (ok bool, err error) {
	u, err := Get(tx, id)
	switch {
	case err != nil:
		return false, err
	case !u.MFAEnabled:
		return false, ErrMFAOff
	}
	return tryCode(tx, &u, code)
}

// DisableMFA turns two-factor off and forgets the secret.
func (s *Service) DisableMFA(tx *store.Tx, c *api.Call, id string) error {
	u, err := Get(tx, id)
	switch {
	case err != nil:
		return err
	case !u.MFAEnabled:
		return ErrMFAOff
	}
	u.MFAEnabled, u.Secret, u.Recovery, u.MFAStep, u.MFAFailures, u.MFAFailedAt = false, store.Sealed{}, nil, 0, 0, time.Time{}
	u.UpdatedAt = tx.DB().Now()
	if err := put(tx, &u); err != nil {
		return err
	}
	return audit.Write(tx, c, "user.two_factor_disabled", audit.On("user", u.ID, u.Label()))
}

// tryCode checks a code against the steps that are good now and saves what came of
// it: the step that it used up, or one failure more.
func tryCode(tx *store.Tx, u *User, code string) (bool, error) {
	now := tx.DB().Now()
	if wait := u.MFAFailedAt.Add(waitAfter(u.MFAFailures)).Sub(now); u.MFAFailures > 0 && wait > 0 {
		return false, api.ErrRateLimited.WithMessage("Too many wrong codes; wait as Retry-After says.").After(wait)
	}
	if IsRecoveryCode(code) && u.MFAEnabled {
		return tryRecovery(tx, u, code)
	}
	shared, err := secret.Open(tx.DB(), store.Platform, u)
	if err != nil {
		return false, err
	}
	step, err := matchingStep(string(shared), code, now.Unix()/period, u.MFAStep)
	if err != nil {
		return false, err
	}
	if step > 0 {
		u.MFAStep, u.MFAFailures, u.MFAFailedAt = step, 0, time.Time{}
	} else {
		u.MFAFailures, u.MFAFailedAt = u.MFAFailures+1, now
	}
	return step > 0, table.Put(tx, store.Platform, u)
}

// matchingStep is the step of a code among those around now and behind last, 0 for
// none. It takes the same time whichever matches.
func matchingStep(shared, code string, now, last int64) (step int64, err error) {
	if _, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(shared); err != nil {
		return 0, errors.New("user: a two-factor secret cannot be read")
	}
	for at := now - drift; at <= now+drift; at++ {
		want, err := hotp.GenerateCodeCustom(shared, uint64(at), hotp.ValidateOpts{Digits: digits, Algorithm: otp.AlgorithmSHA1})
		if err != nil {
			return 0, err
		}
		if subtle.ConstantTimeCompare([]byte(code), []byte(want)) == 1 && at > last {
			step = at
		}
	}
	return step, nil
}
