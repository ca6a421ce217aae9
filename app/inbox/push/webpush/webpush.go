// Package webpush makes the requests by which a program shows something on a device through
// the push service of a browser: bodies encrypted for the device (RFC 8188, RFC 8291), and
// the token by which the push service knows who sends (RFC 8292).
//
// It promises that nobody but the device reads what is sent: each body has a key pair and a
// salt of its own. It refuses to send, and to decide what is shown.
package webpush

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"
)

const (
	// MaxPlain is the longest text, in bytes: push services take bodies of 4096.
	MaxPlain   = 3500
	recordSize = 4096
	authSize   = 16
	saltSize   = 16
	pointSize  = 65 // an uncompressed point of P-256
	// tokenLife is how long a token holds; push services take at most 24 hours.
	tokenLife = 12 * time.Hour
)

// ErrKeys says that a device's keys are none.
var ErrKeys = errors.New("the keys of the device are not those of a push subscription")

// Device are the public keys of a device, as its browser gives them.
type Device struct {
	public *ecdh.PublicKey
	auth   []byte
}

// ReadDevice reads p256dh and auth of a PushSubscription, in base64url with or without
// padding.
func ReadDevice(p256dh, auth string) (d Device, err error) {
	point, wrongPoint := decode(p256dh)
	secret, wrongAuth := decode(auth)
	if wrongPoint != nil || wrongAuth != nil || len(secret) != authSize {
		return d, ErrKeys
	}
	d.public, err = ecdh.P256().NewPublicKey(point)
	if err != nil {
		return d, ErrKeys
	}
	d.auth = secret
	return d, nil
}

func decode(s string) ([]byte, error) {
	for len(s) > 0 && s[len(s)-1] == '=' {
		s = s[:len(s)-1]
	}
	return base64.RawURLEncoding.DecodeString(s)
}

// Encrypt makes the body of a request, of content encoding aes128gcm.
func Encrypt(d Device, plain []byte) ([]byte, error) {
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // never fails
	return encrypt(d, plain, key, salt)
}

func encrypt(d Device, plain []byte, key *ecdh.PrivateKey, salt []byte) ([]byte, error) {
	if len(plain) > MaxPlain {
		return nil, fmt.Errorf("a push message of %d bytes, the longest has %d", len(plain), MaxPlain)
	}
	shared, err := key.ECDH(d.public)
	if err != nil {
		return nil, err
	}
	ours := key.PublicKey().Bytes()
	secret, err := hkdf.Key(sha256.New, shared, d.auth, "WebPush: info\x00"+string(d.public.Bytes())+string(ours), sha256.Size)
	if err != nil {
		return nil, err
	}
	contentKey, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, secret, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(contentKey)
	if err != nil {
		return nil, err
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	out := append([]byte{}, salt...)
	out = binary.BigEndian.AppendUint32(out, recordSize)
	out = append(append(out, pointSize), ours...)
	// One record, the last: its text ends with a 2.
	return sealer.Seal(out, nonce, append(append([]byte{}, plain...), 2), nil), nil
}

// Identity is the key pair by which push services know the sender.
type Identity struct{ key *ecdsa.PrivateKey }

// NewIdentity makes one.
func NewIdentity() (Identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	return Identity{key}, err
}

// OpenIdentity reads what Bytes wrote.
func OpenIdentity(b []byte) (Identity, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(b)
	if err != nil {
		return Identity{}, err
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return Identity{}, errors.New("the key of web push is of another kind")
	}
	return Identity{key}, nil
}

// Bytes is the private key, to be sealed.
func (i Identity) Bytes() ([]byte, error) { return x509.MarshalPKCS8PrivateKey(i.key) }

// Public is the applicationServerKey of browsers: the point in base64url.
func (i Identity) Public() (string, error) {
	public, err := i.key.PublicKey.ECDH()
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(public.Bytes()), nil
}

// Authorization is the header of a request to a push service. subject is where its owner
// reaches the sender: an https or mailto address.
func (i Identity) Authorization(endpoint, subject string, now time.Time) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", err
	}
	claims, err := json.Marshal(map[string]any{"aud": u.Scheme + "://" + u.Host, "exp": now.Add(tokenLife).Unix(), "sub": subject})
	if err != nil {
		return "", err
	}
	enc := base64.RawURLEncoding
	signed := enc.EncodeToString([]byte(`{"typ":"JWT","alg":"ES256"}`)) + "." + enc.EncodeToString(claims)
	hash := sha256.Sum256([]byte(signed))
	r, s, err := ecdsa.Sign(rand.Reader, i.key, hash[:])
	if err != nil {
		return "", err
	}
	public, err := i.Public()
	if err != nil {
		return "", err
	}
	signature := append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	return "vapid t=" + signed + "." + enc.EncodeToString(signature) + ", k=" + public, nil
}
