package session

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/session/guess"
	"svc/app/user"
	"svc/store"
)

// setup is the one-time token of the first administrator.
type setup struct {
	ID        string    `json:"id"`
	TokenHash string    `json:"token_hash"`
	CreatedAt time.Time `json:"created_at"`
}

const setupID = "setup"

var setups = store.NewTable("setup", "", func(s *setup) string { return s.ID }).Global()

// SetupLink makes the one-time link by which the first person signs up and becomes
// the platform's administrator; it passes closed sign-ups (contract 20.15).
// An earlier link stops working. It is "" once there is an administrator.
func (s *Service) SetupLink(ctx context.Context) (link string, err error) {
	token := org.NewToken()
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		link = ""
		there, err := user.HasAdministrator(tx)
		if err != nil || there {
			return err
		}
		hash, err := tx.Hash(setupPurpose, token)
		if err != nil {
			return err
		}
		link = s.options.PublicURL + "/console/signup?setup_token=" + token
		return setups.Put(tx, store.Platform, &setup{ID: setupID, TokenHash: hash, CreatedAt: tx.DB().Now()})
	})
	return link, err
}

// goodSetup says whether a token is the one of the link, and there is still no
// administrator.
func goodSetup(tx *store.Tx, token string) (bool, error) {
	there, err := user.HasAdministrator(tx)
	if err != nil || there {
		return false, err
	}
	kept, err := setups.Get(tx, store.Platform, setupID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	hash, err := tx.Hash(setupPurpose, token)
	return subtle.ConstantTimeCompare([]byte(hash), []byte(kept.TokenHash)) == 1, err
}

func endSetup(tx *store.Tx) error { return setups.Delete(tx, store.Platform, setupID) }

// CreateAdministrator makes a person who is the platform's administrator, or makes
// one of a person who has that address: then password is "". It is what
// `svc admin create` does.
func (s *Service) CreateAdministrator(ctx context.Context, email string) (password string, err error) {
	email, err = user.CheckEmail("email", email)
	if err != nil {
		return "", err
	}
	made := newPassword()
	hash, err := s.users.Hash(ctx, made)
	if err != nil {
		return "", err
	}
	c := api.System(ctx, store.Platform, s.db.Now())
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		u, err := user.ByEmail(tx, email)
		if err == nil {
			password = ""
			return user.Promote(tx, c, u.ID)
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		password = made
		_, err = user.Add(tx, c, user.Fields{Email: email, Password: hash, IsPlatformAdmin: true})
		return err
	})
	return password, err
}

// ResetPassword gives a person a new password, which it answers, and ends his
// sessions; with twoFactor it also turns two-factor off, for somebody who lost his
// telephone. It is what `svc admin reset-password` does. An address that nobody has
// is store.ErrNotFound.
func (s *Service) ResetPassword(ctx context.Context, email string, twoFactor bool) (password string, err error) {
	password = newPassword()
	hash, err := s.users.Hash(ctx, password)
	if err != nil {
		return "", err
	}
	c := api.System(ctx, store.Platform, s.db.Now())
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		u, err := user.ByEmail(tx, email)
		if err != nil {
			return err
		}
		if twoFactor && u.MFAEnabled {
			if err := s.users.DisableMFA(tx, c, u.ID); err != nil {
				return err
			}
		}
		if err := user.SetPassword(tx, c, u.ID, hash); err != nil {
			return err
		}
		if err := guess.Forgive(tx, u.Email); err != nil {
			return err
		}
		return EndAll(tx, u.ID, "")
	})
	if err != nil {
		return "", err
	}
	return password, nil
}

// newPassword makes a password that can be typed: 26 characters in groups.
func newPassword() string {
	text := strings.ToLower(rand.Text())
	return text[:6] + "-" + text[6:13] + "-" + text[13:19] + "-" + text[19:]
}
