package osm

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Limits of the format: a blob header takes at most 64 KiB, a blob at most
// 32 MiB, packed and unpacked.
const (
	maxBlobHeader = 64 << 10
	maxBlob       = 32 << 20
)

// Fields of the message Blob that hold data, by compression.
const (
	blobRaw     = 1
	blobRawSize = 2
	blobZlib    = 3
	blobLZMA    = 4
	blobBzip2   = 5
	blobLZ4     = 6
	blobZstd    = 7
)

// unpacker turns blobs into block bytes. Its buffers and decompressors are
// reused, so it serves one goroutine and its results live until the next call.
type unpacker struct {
	in   []byte
	out  []byte
	src  bytes.Reader
	zlib io.ReadCloser
	zstd *zstd.Decoder
}

func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// unpack gives the uncompressed content of the message Blob in data.
func (u *unpacker) unpack(data []byte) ([]byte, error) {
	var (
		m       = message{buf: data}
		f       field
		content []byte
		kind    uint32
		size    = int64(-1)
	)
	for {
		ok, err := m.next(&f)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		switch {
		case f.num == blobRawSize && f.wire == wireVarint:
			size = int64(int32(f.val))
		case f.num <= blobZstd && f.wire == wireBytes:
			kind, content = f.num, f.data
		}
	}
	if kind == blobRaw {
		return content, nil // data is at most maxBlob already
	}
	if kind != 0 && (size < 0 || size > maxBlob) {
		return nil, damaged("the block gives %d as its uncompressed size, allowed is 0 to %d", size, maxBlob)
	}
	return u.decompress(kind, content, int(size))
}

func (u *unpacker) decompress(kind uint32, content []byte, size int) ([]byte, error) {
	switch kind {
	case blobZlib:
		return u.inflate(content, size)
	case blobZstd:
		return u.unzstd(content, size)
	case blobLZ4:
		out := u.room(size)
		n, err := lz4.UncompressBlock(content, out)
		if err != nil {
			return nil, damaged("the lz4 data does not unpack to the %d bytes it declares", size)
		}
		return sized(out[:n], size)
	case blobLZMA:
		return nil, unpackable("lzma")
	case blobBzip2:
		return nil, unpackable("bzip2")
	}
	return nil, &problem{
		what:   "the block is empty or uses a compression this program does not know",
		advice: adviceRepack,
	}
}

func unpackable(name string) error {
	return &problem{
		what:   fmt.Sprintf("the block is compressed with %s, which is not supported (raw, zlib, zstd and lz4 are)", name),
		advice: adviceRepack,
	}
}

// inflate unpacks zlib data. One byte past the declared size is asked for, to
// see the checksum verified and to catch a size that lies.
func (u *unpacker) inflate(content []byte, size int) ([]byte, error) {
	u.src.Reset(content)
	var err error
	if u.zlib == nil {
		u.zlib, err = zlib.NewReader(&u.src)
	} else {
		err = u.zlib.(zlib.Resetter).Reset(&u.src, nil)
	}
	if err != nil {
		u.zlib = nil
		return nil, zlibProblem(err)
	}
	out, n := u.room(size+1), 0
	for err == nil && n < len(out) {
		var m int
		m, err = u.zlib.Read(out[n:])
		n += m
	}
	switch {
	case err == nil:
		return nil, damaged("the zlib data holds more than the %d bytes it declares", size)
	case errors.Is(err, io.EOF):
		return sized(out[:n], size)
	}
	return nil, zlibProblem(err)
}

func zlibProblem(err error) error {
	return &problem{what: fmt.Sprintf("the zlib data is broken (%v)", err), advice: adviceFetch, cause: err}
}

func (u *unpacker) unzstd(content []byte, size int) ([]byte, error) {
	if u.zstd == nil {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(maxBlob), zstd.WithDecoderMaxWindow(maxBlob), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return nil, fmt.Errorf("start the zstd decompressor: %w", err)
		}
		u.zstd = d
	}
	out, err := u.zstd.DecodeAll(content, u.room(size + 1)[:0])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		return nil, damaged("the zstd data holds more than the %d bytes it declares", size)
	}
	if err != nil {
		return nil, &problem{what: fmt.Sprintf("the zstd data is broken (%v)", err), advice: adviceFetch, cause: err}
	}
	return sized(out, size)
}

func sized(out []byte, size int) ([]byte, error) {
	if len(out) != size {
		return nil, damaged("the block unpacks to %d bytes but declares %d", len(out), size)
	}
	return out, nil
}

// room gives a buffer of n bytes, kept for the next block.
func (u *unpacker) room(n int) []byte {
	if cap(u.out) < n {
		u.out = make([]byte, n, n+n/8)
	}
	return u.out[:n:n]
}
