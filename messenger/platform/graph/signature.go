package graph

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"svc/messenger/platform"
)

// ErrSignature refuses what is not signed by the application.
var ErrSignature = errors.New("platform: the signature is not right")

const signaturePrefix = "sha256="

// Sign is the signature of a body as webhooks carry it.
func Sign(body []byte, secret string) string {
	h := hmac.New(sha256.New, []byte(secret))
	_, _ = h.Write(body)
	return signaturePrefix + hex.EncodeToString(h.Sum(nil))
}

// Verify says whether the header X-Hub-Signature-256 signs the body, as it arrived, with one
// of the secrets. It takes the same time for every wrong signature.
func Verify(body []byte, header string, secrets ...string) bool {
	text, ok := strings.CutPrefix(header, signaturePrefix)
	got, err := hex.DecodeString(text)
	if !ok || err != nil || len(got) != sha256.Size {
		return false
	}
	right := false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		h := hmac.New(sha256.New, []byte(secret))
		_, _ = h.Write(body)
		if hmac.Equal(h.Sum(nil), got) {
			right = true
		}
	}
	return right
}

// maxSigned bounds a signed request: bytes.
const maxSigned = 16 << 10

// SignedRequest reads a signed request: who is named by it, when it is signed with one of the
// secrets and with the one algorithm that is allowed.
func SignedRequest(text string, secrets ...string) (out platform.Deauthorized, err error) {
	sig, payload, ok := strings.Cut(text, ".")
	if !ok || len(text) > maxSigned {
		return out, ErrSignature
	}
	got, err := decode(sig)
	if err != nil || len(got) != sha256.Size {
		return out, ErrSignature
	}
	right := false
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		h := hmac.New(sha256.New, []byte(secret))
		_, _ = h.Write([]byte(payload))
		right = right || hmac.Equal(h.Sum(nil), got)
	}
	data, err := decode(payload)
	if !right || err != nil {
		return out, ErrSignature
	}
	var said struct {
		User      Text   `json:"user_id"`
		Algorithm string `json:"algorithm"`
		At        int64  `json:"issued_at"`
	}
	if json.Unmarshal(data, &said) != nil || !strings.EqualFold(said.Algorithm, "HMAC-SHA256") || said.User == "" {
		return out, ErrSignature
	}
	return platform.Deauthorized{UserID: string(said.User), At: time.Unix(said.At, 0).UTC()}, nil
}

// MakeSigned is a signed request, as the network makes them.
func MakeSigned(user, algorithm, secret string, at time.Time) string {
	data, err := json.Marshal(map[string]any{"user_id": user, "algorithm": algorithm, "issued_at": at.Unix()})
	if err != nil {
		panic(err) // texts and a number
	}
	payload := base64.RawURLEncoding.EncodeToString(data)
	h := hmac.New(sha256.New, []byte(secret))
	_, _ = h.Write([]byte(payload))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)) + "." + payload
}

func decode(s string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
}

// Text is an id, which comes as a text or as a number.
type Text string

// UnmarshalJSON reads either, and never through a float.
func (t *Text) UnmarshalJSON(b []byte) error {
	b = bytes.TrimSpace(b)
	if len(b) > 0 && b[0] == '"' {
		var s string
		err := json.Unmarshal(b, &s)
		*t = Text(s)
		return err
	}
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	*t = Text(n.String())
	return nil
}
