package kv

import (
	"encoding/binary"
	"fmt"

	"svc/store/kv/bitset"
)

// readWriter is what Add needs of a transaction of an engine whose updates run one after
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
	switch total := sum + n; {
	case n > 0 && total < sum || n < 0 && total > sum:
		return fmt.Errorf("%d added to %d is more than a number of 64 bits", n, sum)
	case n == 0:
		return nil
	case total == 0:
		return tx.Delete(key)
	default:
		return tx.Put(key, binary.AppendVarint(nil, total))
	}
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

// ChangeBits is Tx.SetBits and Tx.ClearBits of a set as it is stored, nil for the empty
// one.
func ChangeBits(old []byte, numbers []uint16, member bool) (now *bitset.Set, changed bool, err error) {
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
		word, bit := &now[n/64], uint64(1)<<(n%64)
		if (*word&bit != 0) == member {
			continue
		}
		*word ^= bit
		changed = true
	}
	return now, changed, nil
}
