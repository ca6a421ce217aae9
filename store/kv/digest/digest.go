// Package digest sums up pairs of keys and values in their order. Lengths are part of it,
// so that no byte can move from a key to its value.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// Digest is a sum in the making. Make one with New.
type Digest struct {
	h hash.Hash
	// Pairs and Bytes are how many pairs it has, and how long their keys and values are.
	Pairs, Bytes int64
}

// New makes an empty one.
func New() *Digest { return &Digest{h: sha256.New()} }

// Add adds a pair.
func (d *Digest) Add(key, value []byte) {
	var lengths [16]byte
	binary.BigEndian.PutUint64(lengths[:], uint64(len(key)))
	binary.BigEndian.PutUint64(lengths[8:], uint64(len(value)))
	d.h.Write(lengths[:])
	d.h.Write(key)
	d.h.Write(value)
	d.Pairs++
	d.Bytes += int64(len(key) + len(value))
}

// SHA256 is the sum of what was added so far, in hex.
func (d *Digest) SHA256() string { return hex.EncodeToString(d.h.Sum(nil)) }
