package passkey

import (
	"strings"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/session"
	"svc/app/session/notice"
	"svc/app/user"
	"svc/store"
)

func (s *Service) listPasskeys(c *api.Call, tx *store.Tx, in api.PageIn) (out api.Page[ShownPasskey], err error) {
	list, err := passkeysOfPerson(tx, c.Caller.ID)
	rows := []ShownPasskey{}
	for i := range list {
		rows = append(rows, list[i].show())
	}
	out = api.Window(rows, in, func(p *ShownPasskey) string { return p.ID })
	return out, err
}

// againIn proves that it is still the person who acts.
type againIn struct{ Body againBody }

type againBody struct {
	Code     string `json:"code" maxLength:"11" example:"123456" doc:"Of the authenticator, or a recovery code. Or give your password."`
	Password string `json:"password" maxLength:"1024"`
}

func (s *Service) beginPasskey(c *api.Call, in againIn) (out creation, err error) {
	party, err := s.party(c)
	if err != nil {
		return out, err
	}
	err = s.sessions.ProvedAgain(c, in.Body.Code, in.Body.Password, func(tx *store.Tx) error {
		out, err = beginRegistration(tx, c, party)
		return err
	})
	return out, err
}

// beginRegistration asks the caller's device for a passkey that they do not have yet.
func beginRegistration(tx *store.Tx, c *api.Call, party *webauthn.WebAuthn) (out creation, err error) {
	h, err := holderOf(tx, c.Caller.ID)
	switch {
	case err != nil:
		return out, err
	case len(h.keys) >= Max:
		return out, errManyPasskeys
	}
	options, data, err := party.BeginRegistration(h,
		webauthn.WithExclusions(webauthn.Credentials(h.WebAuthnCredentials()).CredentialDescriptors()),
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationPreferred,
		}))
	if err != nil {
		return out, err
	}
	k, err := addChallenge(tx, challenge{Kind: registering, UserID: c.Caller.ID, Session: c.Caller.Session, Data: *data})
	return showCreation(&k, options), err
}

type addPasskeyIn struct {
	Body struct {
		ChallengeID string    `json:"challenge_id" required:"true" maxLength:"64"`
		Name        string    `json:"name" required:"true" maxLength:"256" doc:"1 to 64 characters." example:"Telephone"`
		Credential  presented `json:"credential" required:"true"`
	}
}

func (s *Service) addPasskey(c *api.Call, in addPasskeyIn) (out api.Created[ShownPasskey], err error) {
	name, err := passkeyName(in.Body.Name)
	if err != nil {
		return out, err
	}
	party, err := s.party(c)
	if err != nil {
		return out, err
	}
	parsed, err := in.Body.Credential.created()
	if err != nil {
		return out, err
	}
	var refused error // is committed: a challenge works once
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, why, err := register(tx, c, party, in.Body.ChallengeID, name, parsed)
		out, refused = api.New(p.show()), why
		return err
	})
	if err == nil {
		err = refused
	}
	return out, err
}

// register adds the passkey that an authenticator made for a challenge; parsed is nil when it
// cannot be read. A refusal is to be committed: the challenge is used up.
func register(tx *store.Tx, c *api.Call, party *webauthn.WebAuthn, challengeID, name string, parsed *protocol.ParsedCredentialCreationData) (p passkey, refused, err error) {
	k, ok, err := takeChallenge(tx, c, challengeID, registering)
	switch {
	case err != nil:
		return p, nil, err
	case !ok:
		return p, errChallenge, nil
	}
	h, err := holderOf(tx, c.Caller.ID)
	if err != nil {
		return p, nil, err
	}
	if parsed == nil {
		return p, errUnreadable, nil
	}
	made, err := party.CreateCredential(h, k.Data, parsed)
	if err != nil {
		return p, errUnreadable, nil // the challenge is used up all the same
	}
	p, err = keepPasskey(tx, c, h, name, made)
	return p, nil, err
}

var errUnreadable = api.Wrong("credential", "is not what the authenticator should have answered; begin again")

// created is the passkey that an authenticator made, nil when it cannot be read.
func (p *presented) created() (*protocol.ParsedCredentialCreationData, error) {
	raw, err := p.asJSON()
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(raw)
	if err != nil {
		return nil, nil //nolint:nilerr,nilnil // refused with the challenge, which is used up
	}
	return parsed, nil
}

// keepPasskey adds a passkey to a person, who hears of it.
func keepPasskey(tx *store.Tx, c *api.Call, h *holder, name string, made *webauthn.Credential) (p passkey, err error) {
	if len(h.keys) >= Max {
		return p, errManyPasskeys
	}
	made.Attestation = webauthn.CredentialAttestation{} // nobody asks who made the device
	p = passkey{
		ID: tx.DB().NewID("pky"), UserID: h.user.ID, Name: name, Hash: passkeyHashOf(made.ID), Credential: *made, CreatedAt: tx.DB().Now(),
	}
	if err := passkeys.Insert(tx, store.Platform, &p); store.Duplicate(err, "hash") {
		return p, errPasskeyTwin
	} else if err != nil {
		return p, err
	}
	if err := audit.Write(tx, c, "passkey.created", p.resource()); err != nil {
		return p, err
	}
	return p, notice.Person(tx, &h.user, "SECURITY_PASSKEYS_CHANGED", "A passkey was added", "The passkey "+name+" can sign in to your account now.")
}

func (p *passkey) resource() audit.Resource { return audit.On("passkey", p.ID, p.Name) }

func passkeyName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n == 0 || n > maxPasskeyName {
		return "", api.Wrong("name", "must have 1 to %d characters", maxPasskeyName)
	}
	return name, nil
}

// ownPasskey reads a passkey of the caller.
func ownPasskey(tx *store.Tx, c *api.Call, id string) (passkey, error) {
	p, err := passkeys.Get(tx, store.Platform, id)
	if err == nil && p.UserID != c.Caller.ID {
		err = store.ErrNotFound
	}
	return p, err
}

type renamePasskeyIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name api.Patch[string] `json:"name" maxLength:"256" doc:"1 to 64 characters." example:"Telephone"`
	}
}

func (s *Service) renamePasskey(c *api.Call, in renamePasskeyIn) (out ShownPasskey, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		p, err := ownPasskey(tx, c, in.ID)
		if err != nil {
			return err
		}
		before := p.Name
		if in.Body.Name.Apply(&p.Name) {
			if p.Name, err = passkeyName(p.Name); err != nil {
				return err
			}
			if err := passkeys.Put(tx, store.Platform, &p); err != nil {
				return err
			}
			if err := audit.Write(tx, c, "passkey.updated", p.resource(), audit.Changed("name", before, p.Name)); err != nil {
				return err
			}
		}
		out = p.show()
		return nil
	})
	return out, err
}

type removePasskeyIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body againBody
}

// removePasskey deletes a passkey. Sessions that it opened end, but for the caller's own.
func (s *Service) removePasskey(c *api.Call, in removePasskeyIn) (out api.NoContent, err error) {
	err = s.sessions.ProvedAgain(c, in.Body.Code, in.Body.Password, func(tx *store.Tx) error {
		p, err := ownPasskey(tx, c, in.ID)
		if err != nil {
			return err
		}
		if err := passkeys.Delete(tx, store.Platform, p.ID); err != nil {
			return err
		}
		if err := session.EndOpenedBy(tx, c, p.ID); err != nil {
			return err
		}
		if err := audit.Write(tx, c, "passkey.deleted", p.resource()); err != nil {
			return err
		}
		u, err := user.Get(tx, c.Caller.ID)
		if err != nil {
			return err
		}
		return notice.Person(tx, &u, "SECURITY_PASSKEYS_CHANGED", "A passkey was deleted", "The passkey "+p.Name+" cannot sign in any more.")
	})
	return out, err
}
