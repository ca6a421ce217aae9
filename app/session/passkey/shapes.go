package passkey

import (
	"encoding/base64"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
)

// presented is what a browser gives back, as PublicKeyCredential.toJSON writes it.
type presented struct {
	ID       string `json:"id" required:"true" minLength:"1" maxLength:"1400" doc:"In base64url."`
	Type     string `json:"type" required:"true" enum:"public-key"`
	Response struct {
		ClientData        string   `json:"clientDataJSON" required:"true" maxLength:"8192"`
		AttestationObject string   `json:"attestationObject,omitempty" maxLength:"32768" doc:"When a passkey is made."`
		AuthenticatorData string   `json:"authenticatorData,omitempty" maxLength:"8192" doc:"When a passkey is used."`
		Signature         string   `json:"signature,omitempty" maxLength:"8192"`
		UserHandle        string   `json:"userHandle,omitempty" maxLength:"128"`
		Transports        []string `json:"transports,omitempty" maxItems:"16"`
	} `json:"response" required:"true" doc:"As navigator.credentials gives it, in base64url."`
}

// descriptor names a credential.
type descriptor struct {
	Type       string   `json:"type" example:"public-key"`
	ID         string   `json:"id" doc:"In base64url."`
	Transports []string `json:"transports,omitempty"`
}

func descriptors(list []protocol.CredentialDescriptor) []descriptor {
	out := []descriptor{}
	for _, d := range list {
		one := descriptor{Type: string(d.Type), ID: base64url(d.CredentialID)}
		for _, t := range d.Transport {
			one.Transports = append(one.Transports, string(t))
		}
		out = append(out, one)
	}
	return out
}

// parameter is a kind of key that is taken.
type parameter struct {
	Type string `json:"type" example:"public-key"`
	Alg  int    `json:"alg" example:"-7" doc:"The number of the algorithm in COSE."`
}

// creation is what a browser needs to make a passkey.
type creation struct {
	ChallengeID string    `json:"challenge_id" doc:"Give it back with the credential, within 5 minutes."`
	ExpiresAt   time.Time `json:"expires_at"`
	PublicKey   struct {
		RP struct {
			ID   string `json:"id" example:"svc.example.uz"`
			Name string `json:"name"`
		} `json:"rp"`
		User struct {
			ID          string `json:"id"`
			Name        string `json:"name"`
			DisplayName string `json:"displayName"`
		} `json:"user"`
		Challenge  string       `json:"challenge"`
		Parameters []parameter  `json:"pubKeyCredParams"`
		Timeout    int          `json:"timeout" doc:"In milliseconds."`
		Exclude    []descriptor `json:"excludeCredentials"`
		Selection  struct {
			ResidentKey      string `json:"residentKey"`
			UserVerification string `json:"userVerification"`
		} `json:"authenticatorSelection"`
		Attestation string `json:"attestation"`
	} `json:"public_key" doc:"For navigator.credentials.create, as PublicKeyCredential.parseCreationOptionsFromJSON reads it."`
}

func showCreation(k *challenge, from *protocol.CredentialCreation) (out creation) {
	o := &from.Response
	out.ChallengeID, out.ExpiresAt = k.ID, k.ExpiresAt
	p := &out.PublicKey
	p.RP.ID, p.RP.Name = o.RelyingParty.ID, o.RelyingParty.Name
	p.User.ID, p.User.Name, p.User.DisplayName = base64url(k.Data.UserID), o.User.Name, o.User.DisplayName
	p.Challenge, p.Timeout, p.Exclude = base64url(o.Challenge), int(challengeLife.Milliseconds()), descriptors(o.CredentialExcludeList)
	for _, x := range o.Parameters {
		p.Parameters = append(p.Parameters, parameter{string(x.Type), int(x.Algorithm)})
	}
	p.Selection.ResidentKey, p.Selection.UserVerification = string(o.AuthenticatorSelection.ResidentKey), string(o.AuthenticatorSelection.UserVerification)
	p.Attestation = string(o.Attestation)
	return out
}

// assertion is what a browser needs to use a passkey.
type assertion struct {
	ChallengeID string    `json:"challenge_id" doc:"Give it back with the credential, within 5 minutes."`
	ExpiresAt   time.Time `json:"expires_at"`
	PublicKey   struct {
		Challenge        string       `json:"challenge"`
		Timeout          int          `json:"timeout" doc:"In milliseconds."`
		RPID             string       `json:"rpId" example:"svc.example.uz"`
		Allow            []descriptor `json:"allowCredentials"`
		UserVerification string       `json:"userVerification"`
	} `json:"public_key" doc:"For navigator.credentials.get, as PublicKeyCredential.parseRequestOptionsFromJSON reads it."`
}

func showAssertion(k *challenge, from *protocol.CredentialAssertion) (out assertion) {
	o := &from.Response
	out.ChallengeID, out.ExpiresAt = k.ID, k.ExpiresAt
	p := &out.PublicKey
	p.Challenge, p.Timeout, p.RPID = base64url(o.Challenge), int(challengeLife.Milliseconds()), o.RelyingPartyID
	p.Allow, p.UserVerification = descriptors(o.AllowedCredentials), string(o.UserVerification)
	return out
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// ShownPasskey is a passkey as its person sees it.
type ShownPasskey struct {
	ID         string     `json:"id"`
	Name       string     `json:"name" example:"Telephone"`
	Synced     bool       `json:"synced" doc:"Copies of it are kept by its maker, so that it outlives the device."`
	LastUsedAt *time.Time `json:"last_used_at"`
	CreatedAt  time.Time  `json:"created_at"`
}

func (p *passkey) show() ShownPasskey {
	return ShownPasskey{ID: p.ID, Name: p.Name, Synced: p.Credential.Flags.BackupState, LastUsedAt: p.LastUsedAt, CreatedAt: p.CreatedAt}
}
