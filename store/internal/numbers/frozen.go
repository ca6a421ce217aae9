package numbers

import (
	"encoding/binary"
	"errors"
)

// Encode freezes a set.
func (s Set) Encode() []byte {
	out := []byte{}
	for _, c := range s {
		b := c.Words.Encode()
		out = binary.AppendUvarint(out, uint64(c.At))
		out = binary.AppendUvarint(out, uint64(len(b)))
		out = append(out, b...)
	}
	return out
}

// Decode reads what Encode wrote, and refuses what it never writes.
func Decode(b []byte) (out Set, err error) {
	for last := -1; len(b) > 0; {
		at, n := binary.Uvarint(b)
		if n <= 0 || at > Max>>Shift || int(at) <= last {
			return nil, errors.New("a selection whose chunks do not ascend")
		}
		size, m := binary.Uvarint(b[n:])
		if m <= 0 || size > uint64(len(b)-n-m) {
			return nil, errors.New("a selection that ends early")
		}
		b = b[n+m:]
		w, err := DecodeWords(b[:size])
		if err != nil {
			return nil, err
		}
		out, last, b = append(out, Chunk{uint32(at), w}), int(at), b[size:]
	}
	return out, nil
}
