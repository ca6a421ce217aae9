package keyring

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
)

// Hash is a keyed hash of a secret, in hex (HMAC-SHA-256). It never changes.
func (r *Ring) Hash(purpose, secret string) (string, error) {
	sum, err := r.prf.ComputePrimaryPRF(Frame(purpose, secret), 32)
	if err != nil {
		return "", fmt.Errorf("hash: %w", err)
	}
	return hex.EncodeToString(sum), nil
}

// Derive gives a key of 32 bytes for a purpose: HKDF with SHA-256. It never changes.
func (r *Ring) Derive(purpose string) ([]byte, error) {
	secret, err := r.prf.ComputePrimaryPRF(Frame("derived keys"), sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "svc "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return key, nil
}

// Seal seals a secret under a name, and Open needs the same.
func (r *Ring) Seal(secret, name []byte) (Sealed, error) {
	b, err := r.sealData.Encrypt(secret, name)
	return Sealed{b}, err
}

// Open opens what Seal sealed.
func (r *Ring) Open(s Sealed, name []byte) ([]byte, error) { return r.sealData.Decrypt(s.b, name) }

// SealFile seals a piece of a file under a name, and OpenFile needs the same.
func (r *Ring) SealFile(name string, plain []byte) ([]byte, error) {
	return r.sealFiles.Encrypt(plain, []byte(name))
}

// OpenFile opens what SealFile sealed. Its error matches ErrSealed.
func (r *Ring) OpenFile(name string, sealed []byte) ([]byte, error) {
	plain, err := r.sealFiles.Decrypt(sealed, []byte(name))
	if err != nil {
		return nil, fmt.Errorf("%w: file %s", ErrSealed, name)
	}
	return plain, nil
}

// Newest says whether a secret is sealed with the newest key.
func (r *Ring) Newest(s Sealed) bool { return keyOf(s.b) == r.primary }

// NewestFile says whether a piece of a file is sealed with the newest key.
func (r *Ring) NewestFile(sealed []byte) bool { return keyOf(sealed) == r.primaryFiles }

// ID is the number of the key that new data is sealed with.
func (r *Ring) ID() uint32 { return r.primary }

// Rotating says that a rotation has begun and not ended.
func (r *Ring) Rotating() bool { return r.active }

// keyOf reads which key sealed something: Tink writes a 1 and four bytes in front.
func keyOf(sealed []byte) uint32 {
	if len(sealed) < 5 {
		return 0
	}
	return binary.BigEndian.Uint32(sealed[1:])
}

// Frame joins texts so that no two lists give the same bytes.
func Frame(texts ...string) []byte {
	var b []byte
	for _, s := range texts {
		b = append(strconv.AppendInt(b, int64(len(s)), 10), ':')
		b = append(b, s...)
	}
	return b
}
