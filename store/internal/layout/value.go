package layout

import (
	"encoding/binary"
	"errors"
	"fmt"

	"svc/store/internal/numbers"
	"svc/store/kv"
)

// ErrCorrupt is matched by every error that says that what is stored contradicts itself.
var ErrCorrupt = errors.New("the stored data contradicts itself")

// Corrupt is an error that matches ErrCorrupt and says more.
func Corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrCorrupt, fmt.Errorf(format, args...))
}

// Ref is where a record lies.
type Ref struct {
	Org    Org
	ID     []byte
	Number uint32 // 0 in a table without numbers
}

// Tags of a stored record.
const (
	tagPlain    = 1 // JSON
	tagNumbered = 2 // number, JSON
)

// PackRecord is the value of a record: its number, 0 for none, and its JSON.
func PackRecord(number uint32, json []byte) []byte {
	if number == 0 {
		return append([]byte{tagPlain}, json...)
	}
	b := make([]byte, 0, 6+len(json))
	return append(binary.AppendUvarint(append(b, tagNumbered), uint64(number)), json...)
}

// UnpackRecord reads what PackRecord wrote.
func UnpackRecord(b []byte) (number uint32, json []byte, err error) {
	switch {
	case len(b) > 0 && b[0] == tagPlain:
		return 0, b[1:], nil
	case len(b) > 0 && b[0] == tagNumbered:
		n, size := binary.Uvarint(b[1:])
		if size <= 0 || n == 0 || n > numbers.Max {
			return 0, nil, Corrupt("a record without its number")
		}
		return uint32(n), b[1+size:], nil
	}
	return 0, nil, Corrupt("a record of an unknown form")
}

// entryValue is what a sorted entry knows of its record: its number when the
// table has numbers, and how many bytes of the key are its id when ids differ in
// length.
func (t *Table) entryValue(number uint32, tail int) []byte {
	v := []byte{}
	if t.Numbered {
		v = binary.AppendUvarint(v, uint64(number))
	}
	if t.Prefix == "" {
		v = binary.AppendUvarint(v, uint64(tail))
	}
	return v
}

// Entry is a sorted entry, taken apart.
type Entry struct {
	Value []byte // encoded
	Ref
}

// ReadEntry takes apart what a scan of a sorted part found behind its prefix.
func (t *Table) ReadEntry(p kv.Pair, prefix int, org *Org) (e Entry, err error) {
	tail, v := 16, p.Value
	if org == nil {
		tail += 16
	}
	if t.Numbered {
		n, size := binary.Uvarint(v)
		if size <= 0 {
			return e, Corrupt("an index entry of %s without a number", t.Name)
		}
		e.Number, v = uint32(n), v[size:]
	}
	if t.Prefix == "" {
		n, size := binary.Uvarint(v)
		if size <= 0 || n > kv.MaxKey {
			return e, Corrupt("an index entry of %s without a length", t.Name)
		}
		tail = int(n)
	}
	rest := p.Key[prefix:]
	if len(rest) < tail || org == nil && tail < 16 {
		return e, Corrupt("an index entry of %s that is too short", t.Name)
	}
	e.Value, e.ID = rest[:len(rest)-tail], rest[len(rest)-tail:]
	if org == nil {
		e.Org, e.ID = Org(e.ID[:16]), e.ID[16:]
	} else {
		e.Org = *org
	}
	return e, nil
}

// uniqueValue is what a unique entry knows of its record: its number when the table
// has numbers, and which it is.
func (t *Table) uniqueValue(number uint32, tail []byte) []byte {
	if !t.Numbered {
		return tail
	}
	v := binary.AppendUvarint(make([]byte, 0, binary.MaxVarintLen32+len(tail)), uint64(number))
	return append(v, tail...)
}

// ReadUnique takes apart what a unique entry points to.
func (t *Table) ReadUnique(value []byte, org *Org) (at Ref, err error) {
	if t.Numbered {
		n, size := binary.Uvarint(value)
		if size <= 0 || n > numbers.Max {
			return at, Corrupt("a unique entry of %s without a number", t.Name)
		}
		at.Number, value = uint32(n), value[size:]
	}
	if org != nil {
		at.Org, at.ID = *org, value
		return at, nil
	}
	if len(value) < 16 {
		return at, Corrupt("a unique entry of %s that is too short", t.Name)
	}
	at.Org, at.ID = Org(value[:16]), value[16:]
	return at, nil
}
