package kv

import (
	"encoding/binary"
	"fmt"
)

// record is what one commit wrote, as the log keeps it: one change after the other, each
// an operation (1 byte), the length of the key (varint) and the key, and what the
// operation needs. Making the changes of a log again, from its beginning, over a tree
// that has some of them already, gives the same keys.
type record []byte

const (
	opDelete = 1 // nothing
	opPut    = 2 // the length of the value (varint), the value
	opSet    = 3 // how many numbers (varint), each in 2 bytes, little-endian
	opClear  = 4 // likewise
)

func (r *record) begin(op byte, key []byte) {
	*r = binary.AppendUvarint(append(*r, op), uint64(len(key)))
	*r = append(*r, key...)
}

func (r *record) delete(key []byte) { r.begin(opDelete, key) }

func (r *record) put(key, value []byte) {
	r.begin(opPut, key)
	*r = binary.AppendUvarint(*r, uint64(len(value)))
	*r = append(*r, value...)
}

func (r *record) bits(key []byte, numbers []uint16, member bool) {
	op := byte(opClear)
	if member {
		op = opSet
	}
	r.begin(op, key)
	*r = binary.AppendUvarint(*r, uint64(len(numbers)))
	for _, n := range numbers {
		*r = binary.LittleEndian.AppendUint16(*r, n)
	}
}

// errRecord says that a record which passed its checksum cannot be read.
var errRecord = fmt.Errorf("%w: its log holds a change of an unknown form", ErrDamaged)

// repeat makes the changes of a record again.
func (r record) repeat(m *memtable, get func(key []byte) []byte) error {
	var a arena
	for rest := []byte(r); len(rest) > 0; {
		op := rest[0]
		key, after, ok := field(rest[1:], 1)
		if !ok || len(key) == 0 {
			return errRecord
		}
		rest = after
		e := entry{key: a.clone(key)}
		var arg []byte
		switch op {
		case opDelete:
		case opPut:
			if arg, rest, ok = field(rest, 1); !ok {
				return errRecord
			}
			e.value = a.clone(arg)
		case opSet, opClear:
			if arg, rest, ok = field(rest, 2); !ok {
				return errRecord
			}
			numbers := make([]uint16, len(arg)/2)
			for i := range numbers {
				numbers[i] = binary.LittleEndian.Uint16(arg[2*i:])
			}
			now, _, err := changeBits(get(key), numbers, op == opSet)
			if err != nil {
				return fmt.Errorf("%w: %w", errRecord, err)
			}
			e.value = now.Encode()
		default:
			return errRecord
		}
		m.set(e)
	}
	return nil
}

// field takes a field off the front of b: its length, counted in units of size bytes, and
// its bytes.
func field(b []byte, size uint64) (content, rest []byte, ok bool) {
	n, used := binary.Uvarint(b)
	if used <= 0 || n > uint64(len(b)-used)/size {
		return nil, nil, false
	}
	end := used + int(n*size)
	return b[used:end], b[end:], true
}
