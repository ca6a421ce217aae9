// Package passkeytest is an authenticator in software, for tests of passkeys: one
// credential with a key of P-256, without attestation (Web Authentication, level 3).
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Flags of authenticator data.
const (
	present  = 1 << 0
	verified = 1 << 2
	attested = 1 << 6
)

// Authenticator is a device that holds one passkey.
type Authenticator struct {
	// RPID is the host that the passkey is for, Origin that of the page that asks.
	RPID, Origin string
	// Counter is how often it signed; the next use counts further. A test sets it back.
	Counter uint32
	// Touch answers without verifying the person (no PIN, no finger).
	Touch bool

	key  *ecdsa.PrivateKey
	id   []byte
	user []byte
}

// New makes a device.
func New(rpID, origin string) *Authenticator {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(fmt.Sprintf("passkeytest: %v", err)) // the system gives no random numbers
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return &Authenticator{RPID: rpID, Origin: origin, key: key, id: id}
}

// Make is the answer to a registration: a credential as navigator.credentials.create
// gives it, as JSON. challenge and user are those of the options, in base64url.
func (a *Authenticator) Make(challenge, user string) json.RawMessage {
	a.user, _ = base64.RawURLEncoding.DecodeString(user) // a wrong one is refused later
	credential := binary.BigEndian.AppendUint16(make([]byte, 16), uint16(len(a.id)))
	credential = append(append(credential, a.id...), a.cose()...)
	data := append(a.data(attested), credential...)
	object := append([]byte{0xA3, 0x63}, "fmt"...) // CBOR: a map of three
	object = append(append(object, 0x64), "none"...)
	object = append(append(object, 0x67), "attStmt"...)
	object = append(append(object, 0xA0, 0x68), "authData"...)
	object = binary.BigEndian.AppendUint16(append(object, 0x59), uint16(len(data)))
	object = append(object, data...)
	return a.answer(map[string]any{
		"clientDataJSON": encode(a.client("webauthn.create", challenge)), "attestationObject": encode(object), "transports": []string{"internal"},
	})
}

// Use is the answer to a sign-in, as navigator.credentials.get gives it.
func (a *Authenticator) Use(challenge string) json.RawMessage {
	a.Counter++
	data, client := a.data(0), a.client("webauthn.get", challenge)
	hash := sha256.Sum256(client)
	digest := sha256.Sum256(append(append([]byte(nil), data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, digest[:])
	if err != nil {
		panic(fmt.Sprintf("passkeytest: %v", err)) // the key is a good one
	}
	return a.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature), "userHandle": encode(a.user),
	})
}

func (a *Authenticator) answer(response map[string]any) json.RawMessage {
	b, err := json.Marshal(map[string]any{"id": encode(a.id), "rawId": encode(a.id), "type": "public-key", "response": response})
	if err != nil {
		panic(fmt.Sprintf("passkeytest: %v", err)) // texts always encode
	}
	return b
}

// data is authenticator data without a credential.
func (a *Authenticator) data(more byte) []byte {
	hash, flags := sha256.Sum256([]byte(a.RPID)), more|present
	if !a.Touch {
		flags |= verified
	}
	return binary.BigEndian.AppendUint32(append(hash[:], flags), a.Counter)
}

func (a *Authenticator) client(kind, challenge string) []byte {
	return fmt.Appendf(nil, `{"type":%q,"challenge":%q,"origin":%q,"crossOrigin":false}`, kind, challenge, a.Origin)
}

// cose is the public key: ES256 on P-256.
func (a *Authenticator) cose() []byte {
	point, err := a.key.PublicKey.Bytes() // 4, then both coordinates
	if err != nil {
		panic(fmt.Sprintf("passkeytest: %v", err)) // it was made on this curve
	}
	b := append([]byte{0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20}, point[1:33]...)
	return append(append(b, 0x22, 0x58, 0x20), point[33:]...)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
