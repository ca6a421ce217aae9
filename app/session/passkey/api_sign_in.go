package passkey

import (
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
)

// beginPasskeySignIn asks for any passkey: the authenticator says whose it is.
func (s *Service) beginPasskeySignIn(c *api.Call, _ struct{}) (out assertion, err error) {
	party, err := s.party(c)
	if err != nil {
		return out, err
	}
	options, data, err := party.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationPreferred))
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		k, err := addChallenge(tx, challenge{Kind: signingIn, Data: *data})
		out = showAssertion(&k, options)
		return err
	})
	return out, err
}

type usePasskeyIn struct {
	Body struct {
		ChallengeID string    `json:"challenge_id" required:"true" maxLength:"64"`
		Credential  presented `json:"credential" required:"true"`
	}
}

// read is a credential as package webauthn has it, nil when it cannot be read.
func (in *usePasskeyIn) read() *protocol.ParsedCredentialAssertionData {
	raw, err := in.Body.Credential.asJSON()
	if err != nil {
		return nil
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes(raw)
	if err != nil {
		return nil
	}
	return parsed
}

// passkeySignIn opens a session of the person whose passkey answered. One that verified
// its person, by a PIN or a finger, counts as both factors; another one counts as the
// password does.
func (s *Service) passkeySignIn(c *api.Call, in usePasskeyIn) (out session.LoginOut, err error) {
	party, err := s.party(c)
	if err != nil {
		return out, err
	}
	parsed, token, ttl := in.read(), org.NewToken(), time.Duration(0)
	var refused error // is committed: a challenge works once, and a copied passkey is audited
	err = s.db.Update(c, func(tx *store.Tx) error {
		who, why, err := identify(tx, c, party, in.Body.ChallengeID, parsed)
		if refused = why; err != nil || why != nil {
			return err
		}
		out, ttl, err = s.sessions.SignIn(tx, c, &who.user, who.org, token, who.opening)
		return err
	})
	switch {
	case err != nil:
		return out, err
	case refused != nil:
		return session.LoginOut{}, refused
	}
	s.sessions.SetCookie(c, token, ttl)
	return out, nil
}

// identified is a person whose passkey answered, and the session that they may open.
type identified struct {
	user    user.User
	org     string
	opening session.Opening
}

// identify finds the person whose passkey answered a challenge; parsed is nil when the answer
// cannot be read. Commit also when it is refused.
func identify(tx *store.Tx, c *api.Call, party *webauthn.WebAuthn, challengeID string, parsed *protocol.ParsedCredentialAssertionData) (who identified, refused, err error) {
	k, ok, err := takeChallenge(tx, c, challengeID, signingIn)
	switch {
	case err != nil:
		return who, nil, err
	case !ok || parsed == nil:
		return who, errPasskey, nil
	}
	var h *holder
	_, used, err := party.ValidatePasskeyLogin(func(_, id []byte) (webauthn.User, error) {
		var err error
		h, err = holderOf(tx, string(id))
		return h, err
	}, k.Data, parsed)
	if err != nil {
		return who, errPasskey, nil // whatever is wrong with it, it is refused
	}
	orgID, err := session.LastOrg(tx, h.user.ID)
	if err != nil {
		return who, nil, err
	}
	p, good, err := counted(tx, session.As(c, &h.user, orgID), h, used)
	switch {
	case err != nil:
		return who, nil, err
	case !good:
		return who, errPasskey, nil
	case h.user.Status != user.Active:
		return who, session.ErrUserDisabled, nil
	}
	both := parsed.Response.AuthenticatorData.Flags.UserVerified()
	return identified{h.user, orgID, session.Opening{Passkey: p.ID, Both: both}}, nil, nil
}

// counted saves that a passkey was used. One whose counter did not go on may be a copy of
// the device's: it is refused, and audited. Commit also when good is false.
func counted(tx *store.Tx, c *api.Call, h *holder, used *webauthn.Credential) (p *passkey, good bool, err error) {
	if p = h.with(used.ID); p == nil {
		return nil, false, nil
	}
	if used.Authenticator.CloneWarning {
		return p, false, audit.Write(tx, c, "passkey.refused", p.resource(), audit.Because("its counter went back: there may be a copy of it"))
	}
	now := tx.DB().Now()
	p.Credential, p.LastUsedAt = *used, &now
	return p, true, passkeys.Put(tx, store.Platform, p)
}

// beginPasskeyCode asks for a passkey of the caller in place of a code.
func (s *Service) beginPasskeyCode(c *api.Call, _ struct{}) (out assertion, err error) {
	party, err := s.party(c)
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		h, err := withSecondFactor(tx, c)
		if err != nil {
			return err
		}
		if len(h.keys) == 0 {
			return errNoPasskeys
		}
		options, data, err := party.BeginLogin(h, webauthn.WithUserVerification(protocol.VerificationDiscouraged))
		if err != nil {
			return err
		}
		k, err := addChallenge(tx, challenge{Kind: asSecond, UserID: c.Caller.ID, Session: c.Caller.Session, Data: *data})
		out = showAssertion(&k, options)
		return err
	})
	return out, err
}

// withSecondFactor is the caller, who must have two-factor on.
func withSecondFactor(tx *store.Tx, c *api.Call) (*holder, error) {
	h, err := holderOf(tx, c.Caller.ID)
	switch {
	case err != nil:
		return nil, orCredentials(err)
	case !h.user.MFAEnabled:
		return nil, user.ErrMFAOff
	}
	return h, nil
}

func (s *Service) passkeyCode(c *api.Call, in usePasskeyIn) (out session.Payload, err error) {
	party, err := s.party(c)
	if err != nil {
		return out, err
	}
	parsed := in.read()
	out, err = s.sessions.WithCode(c, func(tx *store.Tx) (bool, error) {
		return isSecond(tx, c, party, in.Body.ChallengeID, parsed)
	})
	if errors.Is(err, session.ErrCode) {
		err = errPasskey
	}
	return out, err
}

// isSecond says whether the answer to a challenge proves a passkey of the caller; parsed is nil
// when it cannot be read.
func isSecond(tx *store.Tx, c *api.Call, party *webauthn.WebAuthn, challengeID string, parsed *protocol.ParsedCredentialAssertionData) (bool, error) {
	h, err := withSecondFactor(tx, c)
	if err != nil {
		return false, err
	}
	k, ok, err := takeChallenge(tx, c, challengeID, asSecond)
	if err != nil || !ok || parsed == nil {
		return false, err
	}
	used, err := party.ValidateLogin(h, k.Data, parsed)
	if err != nil {
		return false, nil //nolint:nilerr // whatever is wrong with it, it is refused
	}
	_, good, err := counted(tx, c, h, used)
	return good, err
}

// orCredentials makes what is not there a credential that is not good.
func orCredentials(err error) error {
	if store.IsNotFound(err) {
		return session.ErrCredentials
	}
	return err
}
