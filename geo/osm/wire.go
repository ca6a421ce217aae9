package osm

import (
	"encoding/binary"
	"math/bits"
)

// Wire types of protobuf that may occur; groups (3, 4) are not used by the format.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// field is one field of a message: val for varints, data for length-delimited
// ones, neither for fixed ones (the format has none).
type field struct {
	num  uint32
	wire uint8
	val  uint64
	data []byte
}

// message walks the fields of one protobuf message.
type message struct {
	buf []byte
	pos int
}

// next reads the next field into f. It answers false at the end of the message.
func (m *message) next(f *field) (bool, error) {
	if m.pos >= len(m.buf) {
		return false, nil
	}
	key, p := varint(m.buf, m.pos)
	if p < 0 {
		return false, badVarint()
	}
	num := key >> 3
	if num == 0 || num > 1<<29-1 {
		return false, damaged("a field has the impossible number %d", num)
	}
	f.num, f.wire, f.val, f.data = uint32(num), uint8(key&7), 0, nil
	switch f.wire {
	case wireVarint:
		if f.val, p = varint(m.buf, p); p < 0 {
			return false, badVarint()
		}
	case wireBytes:
		var n uint64
		if n, p = varint(m.buf, p); p < 0 {
			return false, badVarint()
		}
		if n > uint64(len(m.buf)-p) {
			return false, damaged("a field of %d bytes does not fit in the %d bytes that follow", n, len(m.buf)-p)
		}
		f.data = m.buf[p : p+int(n) : p+int(n)]
		p += int(n)
	case wireFixed64:
		p += 8
	case wireFixed32:
		p += 4
	default:
		return false, damaged("a field has the unknown wire type %d", f.wire)
	}
	if p > len(m.buf) {
		return false, damaged("a field ends past its message")
	}
	m.pos = p
	return true, nil
}

func badVarint() error { return damaged("a number is cut off or longer than 64 bits") }

// varint reads the number at b[p:] and gives the position after it, -1 when it
// is cut off or too long. Eight bytes are looked at together: the branches of
// the usual loop are mispredicted on coordinates, which take two to five bytes.
func varint(b []byte, p int) (uint64, int) {
	if len(b)-p < 8 {
		return varintSlow(b, p)
	}
	w := binary.LittleEndian.Uint64(b[p:])
	if w&0x80 == 0 {
		return w & 0x7f, p + 1
	}
	stop := ^w & 0x8080808080808080
	if stop == 0 {
		return varintSlow(b, p)
	}
	n := (bits.TrailingZeros64(stop) + 1) >> 3
	w &= stop ^ (stop - 1)
	w = w&0x007f007f007f007f | (w&0x7f007f007f007f00)>>1
	w = w&0x00003fff00003fff | (w&0x3fff00003fff0000)>>2
	w = w&0x000000000fffffff | (w&0x0fffffff00000000)>>4
	return w, p + n
}

func varintSlow(b []byte, p int) (uint64, int) {
	v, n := binary.Uvarint(b[p:])
	if n <= 0 {
		return 0, -1
	}
	return v, p + n
}

// zigzag undoes the encoding of sint64.
func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// packed is a repeated number field. Writers send it in one piece, which is
// used in place; protobuf also allows several pieces and single numbers, whose
// bytes simply follow one another.
type packed []byte

// add appends a piece; num and wire were those of the field f.
func (p *packed) add(f *field) error {
	switch f.wire {
	case wireBytes:
		if *p == nil {
			*p = f.data // its capacity ends with it: a further append copies
		} else {
			*p = append(*p, f.data...)
		}
	case wireVarint:
		*p = binary.AppendUvarint(*p, f.val)
	default:
		return damaged("a list of numbers has the wire type %d", f.wire)
	}
	return nil
}

// count gives the number of complete varints: bytes without the high bit.
func (p packed) count() int {
	n, b := 0, []byte(p)
	for len(b) >= 8 {
		n += bits.OnesCount64(^binary.LittleEndian.Uint64(b) & 0x8080808080808080)
		b = b[8:]
	}
	for _, c := range b {
		n += int(^c >> 7)
	}
	return n
}
