package osmtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"svc/geo/osm"
)

// Compression is how blobs are packed.
type Compression int

// The compressions a Writer knows.
const (
	Raw Compression = iota
	Zlib
	Zstd
	LZ4
)

// Writer writes a file block by block. It writes the header at once, and keeps
// the first error.
type Writer struct {
	w    io.Writer
	opts Options
	err  error
}

// NewWriter begins a file.
func NewWriter(w io.Writer, opts Options) *Writer {
	out := &Writer{w: w, opts: opts}
	out.Blob("OSMHeader", out.pack(EncodeHeader(opts)))
	return out
}

// Err gives the first error.
func (w *Writer) Err() error { return w.err }

// Block writes the objects as one blob.
func (w *Writer) Block(b osm.Block) { w.Data(EncodeBlock(w.opts, b)) }

// Data writes bytes as one OSMData blob, packed as the options say.
func (w *Writer) Data(block []byte) { w.Blob("OSMData", w.pack(block)) }

// Blob writes a blob of the given type whose message Blob is body.
func (w *Writer) Blob(kind string, body []byte) {
	var head message
	head.bytes(1, []byte(kind))
	head.varint(3, uint64(len(body)))
	w.write(binary.BigEndian.AppendUint32(nil, uint32(len(head))))
	w.write(head)
	w.write(body)
}

func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
	}
}

// pack gives the message Blob for the content.
func (w *Writer) pack(content []byte) []byte {
	body, err := Pack(w.opts.Compression, content)
	if w.err == nil {
		w.err = err
	}
	return body
}

// Pack gives the message Blob that holds content in the given compression.
func Pack(c Compression, content []byte) ([]byte, error) {
	var m message
	if c == Raw {
		m.bytes(1, content)
		return m, nil
	}
	m.varint(2, uint64(len(content)))
	switch c {
	case Zlib:
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		if _, err := z.Write(content); err != nil {
			return nil, err
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
		m.bytes(3, b.Bytes())
	case Zstd:
		z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		m.bytes(7, z.EncodeAll(content, nil))
		return m, z.Close()
	case LZ4:
		b := make([]byte, lz4.CompressBlockBound(len(content)))
		var z lz4.Compressor
		n, err := z.CompressBlock(content, b)
		if err != nil {
			return nil, err
		}
		m.bytes(6, b[:n])
	default:
		return nil, fmt.Errorf("osmtest: no compression %d", c)
	}
	return m, nil
}

// EncodeHeader gives the message HeaderBlock that the options ask for.
func EncodeHeader(opts Options) []byte {
	var h message
	if b := opts.Bounds; b != nil {
		var box message
		box.sint(1, nano(b[0]))
		box.sint(2, nano(b[2]))
		box.sint(3, nano(b[3]))
		box.sint(4, nano(b[1]))
		h.bytes(1, box)
	}
	h.bytes(4, []byte("OsmSchema-V0.6"))
	if opts.Dense {
		h.bytes(4, []byte("DenseNodes"))
	}
	for _, f := range opts.Required {
		h.bytes(4, []byte(f))
	}
	if opts.Sorted || opts.Claim {
		h.bytes(5, []byte("Sort.Type_then_ID"))
	}
	if opts.Program != "" {
		h.bytes(16, []byte(opts.Program))
	}
	if !opts.Replication.IsZero() {
		h.varint(32, uint64(opts.Replication.Unix()))
	}
	return h
}

func nano(degrees float64) int64 { return int64(degrees * 1e9) }
