package store

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// DeriveKey gives a key of 32 bytes for one purpose, such as "audit chain": HKDF with
// SHA-256 from a secret of the file that only the master key opens. Who has the file and
// not the master key cannot know it. Keys of different purposes tell nothing about each
// other. It never changes, also not when keys rotate, so that what was signed with it
// can be proven for ever.
func (db *DB) DeriveKey(purpose string) ([]byte, error) {
	r, err := db.keys()
	if err != nil {
		return nil, err
	}
	secret, err := r.prf.ComputePrimaryPRF(framed("derived keys"), sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	key, err := hkdf.Key(sha256.New, secret, nil, "svc "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("derive a key: %w", err)
	}
	return key, nil
}
