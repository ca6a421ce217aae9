package mapstyle

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// maxInflated bounds what one of our own files may grow to, in bytes.
const maxInflated = 16 << 20

var errTooLarge = errors.New("it is larger than 16 MB inflated")

func inflate(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("inflate a built file: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(z, maxInflated+1))
	if err == nil && len(out) > maxInflated {
		err = errTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("inflate a built file: %w", err)
	}
	return out, nil
}

func deflate(data []byte) ([]byte, error) {
	t, err := newTail(data)
	if err != nil {
		return nil, err
	}
	return t.after(nil), nil
}

// tail is the constant end of a text, packed once, so that a gzip file of any
// beginning and this end costs only a copy.
type tail struct {
	packed []byte // raw deflate, its last block marked as the last
	size   uint32 // bytes unpacked
	sum    uint32 // CRC-32 of the unpacked bytes
	shift  uint32 // what the end does to the sum of a beginning, see power
}

func newTail(text []byte) (tail, error) {
	var b bytes.Buffer
	z, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		return tail{}, err
	}
	if _, err := z.Write(text); err != nil {
		return tail{}, err
	}
	if err := z.Close(); err != nil {
		return tail{}, err
	}
	return tail{
		packed: bytes.Clone(b.Bytes()),
		size:   uint32(len(text)), // files are far below 4 GB
		sum:    crc32.ChecksumIEEE(text),
		shift:  power(len(text)),
	}, nil
}

// maxStored is the most that a stored block of deflate holds.
const maxStored = 1<<16 - 1

// gzipHead begins a gzip file (RFC 1952): no name, no time, unknown system.
var gzipHead = []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255}

// after gives a gzip file of head and the tail. The head stands in blocks that
// are stored as they are (RFC 1951, 3.2.4), which end on whole bytes.
func (t *tail) after(head []byte) []byte {
	out := make([]byte, 0, len(gzipHead)+len(head)+5*(len(head)/maxStored+1)+len(t.packed)+8)
	out = append(out, gzipHead...)
	for rest := head; len(rest) > 0; {
		n := min(len(rest), maxStored)
		out = append(out, 0) // stored, not the last block
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
		out = binary.LittleEndian.AppendUint16(out, ^uint16(n))
		out = append(out, rest[:n]...)
		rest = rest[n:]
	}
	out = append(out, t.packed...)
	sum := multiply(t.shift, crc32.ChecksumIEEE(head)) ^ t.sum
	out = binary.LittleEndian.AppendUint32(out, sum)
	return binary.LittleEndian.AppendUint32(out, t.size+uint32(len(head)))
}

// A CRC-32 is a remainder of polynomials over two elements, written with the
// highest coefficient first in the lowest bit. Appending n bytes multiplies the
// remainder of what was before by x^(8n), and adds that of what is new: so the
// sum of two parts follows from the sums of both.

// multiply is the product of two remainders.
func multiply(a, b uint32) uint32 {
	var product uint32
	for ; a != 0; a <<= 1 { // coefficients from x^0 up
		if a&(1<<31) != 0 {
			product ^= b
		}
		b = b>>1 ^ crc32.IEEE*(b&1) // times x
	}
	return product
}

// power is the remainder of x^(8n).
func power(n int) uint32 {
	result, square := uint32(1)<<31, uint32(1)<<(31-8) // 1 and x^8
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = multiply(result, square)
		}
		square = multiply(square, square)
	}
	return result
}
