// Package passkey is signing in with passkeys (Web Authentication): a way to sign in without
// a password, and a second factor in place of a code (contract 21.2, Coming back).
//
// It promises that a challenge is one person's, for one purpose, and works once, and that a
// passkey that may be a copy is refused. It refuses to open sessions: package session does.
package passkey

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"svc/app/api"
	"svc/app/session"
	"svc/app/user"
	"svc/store"
)

// Bounds of passkeys.
const (
	Max            = 10
	maxPasskeyName = 64 // characters
	challengeLife  = 5 * time.Minute
	// maxChallenges bounds those that wait, of everybody: nobody fills the database by
	// asking for more.
	maxChallenges = 10_000
)

// passkey is a passkey of a person as it is kept.
type passkey struct {
	ID     string `json:"id"`
	UserID string `json:"user_id"`
	Name   string `json:"name"`
	// Hash is that of the id which the authenticator gave.
	Hash string `json:"hash"`
	// Credential has the public key, and how often it signed.
	Credential webauthn.Credential `json:"credential"`
	CreatedAt  time.Time           `json:"created_at"`
	LastUsedAt *time.Time          `json:"last_used_at,omitempty"`
}

// challengeKind is what a challenge is for.
type challengeKind string

const (
	registering challengeKind = "register"
	signingIn   challengeKind = "sign_in"
	asSecond    challengeKind = "second_factor"
)

// challenge is what an authenticator has to sign. It works once.
type challenge struct {
	ID   string        `json:"id"`
	Kind challengeKind `json:"kind"`
	// UserID and Session are whose it is; "" for a sign-in.
	UserID    string               `json:"user_id,omitempty"`
	Session   string               `json:"session,omitempty"`
	Data      webauthn.SessionData `json:"data"`
	ExpiresAt time.Time            `json:"expires_at"`
}

var (
	passkeys      = store.NewTable("passkey", "pky", func(p *passkey) string { return p.ID }).Global()
	_             = passkeys.Unique("hash", func(p *passkey) store.Key { return store.Text(p.Hash) })
	passkeysOf    = passkeys.Index("user", func(p *passkey) store.Key { return store.Tuple(store.Text(p.UserID), store.Time(p.CreatedAt)) })
	challenges    = store.NewTable("passkey_challenge", "chl", func(c *challenge) string { return c.ID }).Global()
	challengeEnds = challenges.Index("expires", func(c *challenge) store.Key { return store.Time(c.ExpiresAt) })
)

var (
	errPasskey      = session.ErrCredentials.WithMessage("The passkey is not known here, or did not answer as it should; try again, or sign in another way.")
	errNoHost       = api.ErrConflict.WithMessage("Passkeys need an address with a name, as in https://svc.example.uz or http://localhost; open the service there.")
	errManyPasskeys = api.ErrConflict.WithMessage("A person has %d passkeys at most; delete one that you do not use.", Max)
	errPasskeyTwin  = api.ErrConflict.WithMessage("This authenticator has a passkey for this service already.")
	errNoPasskeys   = api.ErrConflict.WithMessage("You have no passkey; give a code.")
)

// passkeysOfPerson are the passkeys of a person, the oldest first.
func passkeysOfPerson(tx *store.Tx, userID string) ([]passkey, error) {
	list, _, err := passkeysOf.Walk(tx, store.Platform, store.Range{Span: store.Is(store.Tuple(store.Text(userID))), Limit: Max})
	return list, err
}

func passkeyHashOf(id []byte) string {
	sum := sha256.Sum256(id)
	return hex.EncodeToString(sum[:])
}

// holder is a person as package webauthn wants him.
type holder struct {
	user user.User
	keys []passkey
}

// WebAuthnID implements webauthn.User: the id of the person, which says nothing else.
func (h *holder) WebAuthnID() []byte { return []byte(h.user.ID) }

// WebAuthnName implements webauthn.User.
func (h *holder) WebAuthnName() string { return h.user.Email }

// WebAuthnDisplayName implements webauthn.User.
func (h *holder) WebAuthnDisplayName() string { return h.user.Label() }

// WebAuthnCredentials implements webauthn.User.
func (h *holder) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, len(h.keys))
	for i := range h.keys {
		out[i] = h.keys[i].Credential
	}
	return out
}

// with finds the passkey of a credential.
func (h *holder) with(id []byte) *passkey {
	for i := range h.keys {
		if string(h.keys[i].Credential.ID) == string(id) {
			return &h.keys[i]
		}
	}
	return nil
}

func holderOf(tx *store.Tx, userID string) (h *holder, err error) {
	h = &holder{}
	if h.user, err = user.Get(tx, userID); err != nil {
		return nil, err
	}
	h.keys, err = passkeysOfPerson(tx, userID)
	return h, err
}

// party is this service for browsers: the host that people reach it under. Without a
// public address it is that of the request, as far as links trust it too.
func (s *Service) party(c *api.Call) (*webauthn.WebAuthn, error) {
	base := s.publicURL
	if base == "" {
		base = c.Base
	}
	u, err := url.Parse(base)
	if err != nil || protocol.ValidateRPID(u.Hostname()) != nil {
		return nil, errNoHost
	}
	w, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "svc", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference:             protocol.PreferNoAttestation,
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return nil, errNoHost
	}
	return w, nil
}

// addChallenge keeps a challenge, and forgets a few that are over.
func addChallenge(tx *store.Tx, k challenge) (challenge, error) {
	if _, err := Sweep(tx, 20); err != nil {
		return k, err
	}
	n, err := challenges.Count(tx, store.Platform)
	if err != nil {
		return k, err
	}
	if n >= maxChallenges {
		return k, api.ErrRateLimited.WithMessage("Too many people are signing in with passkeys now; try again in a moment.").After(time.Minute)
	}
	k.ID, k.ExpiresAt = tx.DB().NewID("chl"), tx.DB().Now().Add(challengeLife)
	return k, challenges.Insert(tx, store.Platform, &k)
}

// takeChallenge uses a challenge up: nobody answers it a second time, whatever comes of
// this answer. ok is false for one that is over, of another kind or somebody else's.
// Commit also then.
func takeChallenge(tx *store.Tx, c *api.Call, id string, kind challengeKind) (k challenge, ok bool, err error) {
	k, err = challenges.Get(tx, store.Platform, id)
	if err != nil {
		return k, false, store.IgnoreNotFound(err)
	}
	if k.Kind != kind || kind != signingIn && (k.UserID != c.Caller.ID || k.Session != c.Caller.Session) {
		return k, false, nil
	}
	return k, tx.DB().Now().Before(k.ExpiresAt), challenges.Delete(tx, store.Platform, id)
}

// Sweep forgets up to limit challenges that are over, and says how many.
func Sweep(tx *store.Tx, limit int) (int, error) {
	ids, _, err := challengeEnds.IDs(tx, store.Platform, store.Range{Span: store.Between(nil, store.Time(tx.DB().Now())), Limit: limit})
	for _, id := range ids {
		if err == nil {
			err = challenges.Delete(tx, store.Platform, id)
		}
	}
	return len(ids), err
}

var errChallenge = api.Wrong("challenge_id", "is over, was used, or is not yours; begin again")

// asJSON is a credential as package webauthn reads it. What no rule here needs is left
// out.
func (p *presented) asJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"id": p.ID, "rawId": p.ID, "type": p.Type, "response": p.Response})
}
