package mtp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/gotd/td/mtproxy/obfuscated2"
)

// framing is how messages are cut out of the stream of a connection. The full framing,
// which no client of ours uses, is refused.
type framing uint8

const (
	abridged framing = iota + 1
	intermediate
	padded
)

// The first bytes by which a client names its framing.
const (
	abridgedTag     = 0xef
	intermediateTag = 0xeeeeeeee
	paddedTag       = 0xdddddddd
)

const (
	// maxFrame holds a container of the largest size, and a part of a file.
	maxFrame = 1<<20 + 4<<10
	// strangerFrame is enough for every message of the key exchange.
	strangerFrame = 4 << 10
	// envelope is what stands before the encrypted part: key id and message key.
	envelope = 24
)

var errFraming = errors.New("the connection begins with no framing that is spoken here")

// frames reads and writes whole messages.
type frames struct {
	r    *bufio.Reader
	w    io.Writer
	kind framing
}

// open reads the first bytes of a connection and finds its framing, in the clear or
// obfuscated.
func open(rw io.ReadWriter) (*frames, error) {
	f := &frames{r: bufio.NewReaderSize(rw, 2<<10), w: rw}
	first, err := f.r.Peek(1)
	if err != nil {
		return nil, err
	}
	if first[0] == abridgedTag {
		_, err = f.r.Discard(1)
		f.kind = abridged
		return f, err
	}
	if first, err = f.r.Peek(4); err != nil {
		return nil, err
	}
	if f.kind = framingOf(binary.LittleEndian.Uint32(first)); f.kind != 0 {
		_, err = f.r.Discard(4)
		return f, err
	}
	return f.obfuscated()
}

func framingOf(tag uint32) framing {
	switch tag {
	case intermediateTag:
		return intermediate
	case paddedTag:
		return padded
	case abridgedTag * 0x01010101:
		return abridged
	}
	return 0
}

type readWriter struct {
	io.Reader
	io.Writer
}

// obfuscated opens a stream whose framing is named inside the encrypted header.
func (f *frames) obfuscated() (*frames, error) {
	rw, meta, err := obfuscated2.Accept(readWriter{f.r, f.w}, nil)
	if err != nil {
		return nil, err
	}
	kind := framingOf(binary.LittleEndian.Uint32(meta.Protocol[:]))
	if kind == 0 {
		return nil, errFraming
	}
	return &frames{r: bufio.NewReaderSize(rw, 2<<10), w: rw, kind: kind}, nil
}

// read gives the next message in buf, which grows as needed up to limit.
func (f *frames) read(buf []byte, limit int) ([]byte, error) {
	n, err := f.length()
	if err != nil {
		return buf, err
	}
	if n < 4 || n > limit {
		return buf, fmt.Errorf("a frame of %d bytes is not taken here", n)
	}
	if cap(buf) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := io.ReadFull(f.r, buf); err != nil {
		return buf, err
	}
	if f.kind == padded && n > envelope {
		buf = unpad(buf)
	}
	return buf, nil
}

// unpad cuts the random end of an encrypted message; one in the clear says its own
// length.
func unpad(b []byte) []byte {
	if binary.LittleEndian.Uint64(b) == 0 {
		return b
	}
	return b[:len(b)-(len(b)-envelope)%16]
}

func (f *frames) length() (int, error) {
	var b [4]byte
	if f.kind != abridged {
		if _, err := io.ReadFull(f.r, b[:]); err != nil {
			return 0, err
		}
		// A bit above any length asks for a quick acknowledgement; who sets it is
		// refused with the length that it makes.
		return int(binary.LittleEndian.Uint32(b[:])), nil
	}
	if _, err := io.ReadFull(f.r, b[:1]); err != nil {
		return 0, err
	}
	if b[0] < 0x7f {
		return int(b[0]) << 2, nil
	}
	if _, err := io.ReadFull(f.r, b[:3]); err != nil {
		return 0, err
	}
	return int(binary.LittleEndian.Uint32(b[:])) << 2, nil
}

// head puts the length of a message before it.
func (f *frames) head(dst []byte, n int) []byte {
	switch {
	case f.kind != abridged:
		return binary.LittleEndian.AppendUint32(dst, uint32(n))
	case n>>2 < 0x7f:
		return append(dst, byte(n>>2))
	}
	return binary.LittleEndian.AppendUint32(dst, uint32(n>>2)<<8|0x7f)
}
