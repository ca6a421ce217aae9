package kv

import (
	"encoding/binary"
	"fmt"

	"svc/store/kv/bitset"
)

// readWriter is what AddTo and BitsTo need of a transaction of an engine whose updates run one after
// the other: there it reads, changes and writes.
type readWriter interface {
	Get(key []byte) ([]byte, error)
	Put(key, value []byte) error
	Delete(key []byte) error
}

// AddTo is Tx.Add of an engine whose updates run one after the other.
func AddTo(tx readWriter, key []byte, n int64) error {
	old, err := tx.Get(key)
	if err != nil {
		return err
	}
	sum, err := DecodeNumber(old)
	if err != nil {
		return err
	}
	total, err := Plus(sum, n)
	switch {
	case err != nil || n == 0:
		return err
	case total == 0:
		return tx.Delete(key)
	default:
		return tx.Put(key, binary.AppendVarint(nil, total))
	}
}

// Plus refuses a sum of more than 64 bits.
func Plus(sum, n int64) (int64, error) {
	total := sum + n
	if n > 0 && total < sum || n < 0 && total > sum {
		return 0, fmt.Errorf("%d added to %d is more than a number of 64 bits", n, sum)
	}
	return total, nil
}

// BitsTo is Tx.SetBits and Tx.ClearBits of an engine whose updates run one after the other.
func BitsTo(tx readWriter, key []byte, numbers []uint16, member bool) error {
	old, err := tx.Get(key)
	if err != nil {
		return err
	}
	now, changed, err := changeBits(old, numbers, member)
	if err != nil || !changed {
		return err
	}
	if b := now.Encode(); b != nil {
		return tx.Put(key, b)
	}
	return tx.Delete(key)
}

// DecodeNumber reads what Add wrote; 0 for nil. Other bytes are an error that matches
// ErrMalformed.
func DecodeNumber(b []byte) (int64, error) {
	if b == nil {
		return 0, nil
	}
	n, size := binary.Varint(b)
	if size != len(b) || size <= 0 {
		return 0, fmt.Errorf("%w: it is no number", bitset.ErrMalformed)
	}
	return n, nil
}

// changeBits changes a set as it is stored, nil for the empty one.
func changeBits(old []byte, numbers []uint16, member bool) (now *bitset.Set, changed bool, err error) {
	now = new(bitset.Set)
	if old != nil {
		if now, err = bitset.Decode(old); err != nil {
			return nil, false, err
		}
	}
	for _, n := range numbers {
		if n >= bitset.Size {
			return nil, false, fmt.Errorf("number %d in a set of those below %d", n, bitset.Size)
		}
		changed = now.Put(n, member) || changed
	}
	return now, changed, nil
}
