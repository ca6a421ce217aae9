package user

import (
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/store"
)

// RecoveryCodes is how many recovery codes a person gets; FewCodes are so few left
// that the person is told (contract 21.2, Coming back).
const (
	RecoveryCodes = 10
	FewCodes      = 3
)

// recoveryPurpose keeps the hashes of recovery codes apart from others.
const recoveryPurpose = "recovery code"

// NewRecoveryCodes makes ten codes of 50 random bits, as in "ab2cd-ef3gh". Call it
// outside of transactions.
func NewRecoveryCodes() []string {
	codes := make([]string, RecoveryCodes)
	for i := range codes {
		text := strings.ToLower(rand.Text())
		codes[i] = text[:5] + "-" + text[5:10]
	}
	return codes
}

// IsRecoveryCode says whether a code is none of an authenticator app.
func IsRecoveryCode(code string) bool { return len(code) > 6 }

// recoveryHash is the keyed hash of a code of one person, however it was typed.
func recoveryHash(tx *store.Tx, id, code string) (string, error) {
	return tx.Hash(recoveryPurpose, id+" "+strings.ToLower(strings.ReplaceAll(code, "-", "")))
}

// SetRecoveryCodes replaces the recovery codes of a person with two-factor.
func SetRecoveryCodes(tx *store.Tx, c *api.Call, id string, codes []string) error {
	hashes := make([]string, len(codes))
	for i, code := range codes {
		var err error
		if hashes[i], err = recoveryHash(tx, id, code); err != nil {
			return err
		}
	}
	u, err := Get(tx, id)
	switch {
	case err != nil:
		return err
	case !u.MFAEnabled:
		return ErrMFAOff
	}
	u.Recovery, u.UpdatedAt = hashes, tx.DB().Now()
	if err := put(tx, &u); err != nil {
		return err
	}
	return audit.Write(tx, c, "user.recovery_codes_made", audit.On("user", u.ID, u.Label()))
}

// tryRecovery checks a recovery code and saves what came of it: the code is used up,
// or one failure more, as of codes of an authenticator.
func tryRecovery(tx *store.Tx, u *User, code string) (bool, error) {
	hash, err := recoveryHash(tx, u.ID, code)
	if err != nil {
		return false, err
	}
	// Keyed hashes: how long a comparison takes tells nothing about a code.
	at := slices.Index(u.Recovery, hash)
	if at >= 0 {
		u.Recovery = slices.Concat(u.Recovery[:at], u.Recovery[at+1:])
		u.MFAFailures, u.MFAFailedAt = 0, time.Time{}
	} else {
		u.MFAFailures, u.MFAFailedAt = u.MFAFailures+1, tx.DB().Now()
	}
	return at >= 0, table.Put(tx, store.Platform, u)
}
