package osm

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
)

// maxBlobs bounds the list of blobs kept per file; the whole planet has two million.
const maxBlobs = 4 << 20

// blob is one data blob: where its message Blob lies, and what it is known to
// hold (known|kinds once seen, 0 before).
type blob struct {
	start int64 // of the length that precedes the blob header
	body  int64 // of the message Blob
	size  int32 // of the message Blob
	kinds atomic.Uint32
}

const known = 1 << 31

func (b *blob) learn(k Kinds) { b.kinds.Store(known | uint32(k)) }

// holds gives the kinds of the blob, and false when it was never looked into.
func (b *blob) holds() (Kinds, bool) {
	v := b.kinds.Load()
	return Kinds(v), v&known != 0
}

// File is an open extract. It is safe for concurrent use; Close must come after
// the last Scan has returned.
type File struct {
	path   string
	src    io.ReaderAt
	close  func() error
	size   int64
	header Header
	blobs  []blob

	mu     sync.Mutex
	sorted bool // the claim of the header, until a Scan disproves it
	split  *split
}

// Open opens the extract at path. It reads the list of blobs, jumping over
// their data, and the header block, and refuses what the package does not
// read. Errors about the content are *FormatError.
func Open(path string) (*File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold the build up
	if err != nil {
		return nil, fmt.Errorf("open map extract: %w", err)
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open map extract: %s is not a regular file; give the path of an .osm.pbf file", path)
	}
	var file *File
	if err == nil {
		file, err = open(f, info.Size(), path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	file.close = f.Close
	return file, nil
}

// open is Open on any source of bytes.
func open(src io.ReaderAt, size int64, path string) (*File, error) {
	f := &File{path: path, src: src, size: size, close: func() error { return nil }}
	if err := f.list(); err != nil {
		return nil, err
	}
	f.sorted = f.header.Sorted
	return f, nil
}

// Header gives what the file says about itself.
func (f *File) Header() Header { return f.header }

// Size gives the size of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Path gives the path the file was opened with.
func (f *File) Path() string { return f.path }

// Close closes the file.
func (f *File) Close() error { return f.close() }

// list reads all blob headers, and the content of the header block.
func (f *File) list() error {
	if f.size == 0 {
		return f.at(0, notPBF("the file is empty"))
	}
	var (
		window [128]byte
		first  = true
	)
	for pos := int64(0); pos < f.size; {
		kind, b, err := f.blobAt(pos, window[:])
		if err == nil && first && kind != "OSMHeader" {
			err = notPBF("the file does not begin with an OSMHeader block")
		}
		if err == nil && len(f.blobs) == maxBlobs {
			err = damaged("the file has more than %d blocks", maxBlobs)
		}
		if err == nil {
			err = f.take(kind, b, first)
		}
		if err != nil {
			return f.at(pos, f.hint(pos, err))
		}
		first = false
		pos = b.body + int64(b.size)
	}
	return nil
}

// place is a blob as found in the file.
type place struct {
	start, body int64
	size        int32
}

// take files one blob. Types other than the two of the format are skipped, as
// the format asks.
func (f *File) take(kind string, b place, first bool) error {
	switch {
	case kind == "OSMData":
		f.blobs = append(f.blobs, blob{})
		last := &f.blobs[len(f.blobs)-1]
		last.start, last.body, last.size = b.start, b.body, b.size
	case kind == "OSMHeader" && first:
		var u unpacker
		defer u.close()
		data, err := f.load(b.body, b.size, &u)
		if err != nil {
			return err
		}
		f.header, err = decodeHeader(data)
		return err
	case kind == "OSMHeader":
		return &problem{
			what:   "a second header block begins, as if several files were glued together",
			advice: "give the files one by one, or join them with «osmium merge»",
		}
	}
	return nil
}

// blobAt reads the blob header at pos.
func (f *File) blobAt(pos int64, window []byte) (string, place, error) {
	b := place{start: pos}
	n, err := f.src.ReadAt(window, pos)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", b, f.readError(err)
	}
	if n < 4 {
		return "", b, cutOff()
	}
	size := int64(binary.BigEndian.Uint32(window))
	if size == 0 || size > maxBlobHeader {
		return "", b, damaged("no block begins here: its header would take %d bytes, allowed is 1 to %d", size, maxBlobHeader)
	}
	if pos+4+size > f.size {
		return "", b, cutOff()
	}
	head := window[4:n]
	if int64(len(head)) < size {
		head = make([]byte, size)
		if _, err := f.src.ReadAt(head, pos+4); err != nil {
			return "", b, f.readError(err)
		}
	}
	kind, length, err := decodeBlobHeader(head[:size])
	if err != nil {
		return "", b, err
	}
	b.body, b.size = pos+4+size, int32(length)
	if b.body+length > f.size {
		return "", b, cutOff()
	}
	return kind, b, nil
}

// decodeBlobHeader gives type and size of the blob that follows the header.
func decodeBlobHeader(data []byte) (kind string, size int64, err error) {
	var (
		m = message{buf: data}
		f field
	)
	size = -1
	for {
		ok, err := m.next(&f)
		if err != nil {
			return "", 0, err
		}
		if !ok {
			break
		}
		switch {
		case f.num == 1 && f.wire == wireBytes:
			kind = string(f.data)
		case f.num == 3 && f.wire == wireVarint:
			size = int64(int32(f.val))
		}
	}
	if size < 0 || size > maxBlob {
		return "", 0, damaged("a block gives %d as its size, allowed is 0 to %d", size, maxBlob)
	}
	return kind, size, nil
}

// load reads and unpacks one blob. The result lives until u is used again.
func (f *File) load(body int64, size int32, u *unpacker) ([]byte, error) {
	if cap(u.in) < int(size) {
		u.in = make([]byte, size, int(size)+int(size)/8)
	}
	u.in = u.in[:size]
	if _, err := f.src.ReadAt(u.in, body); err != nil && !(size == 0 && errors.Is(err, io.EOF)) {
		return nil, f.readError(err)
	}
	return u.unpack(u.in)
}

func (f *File) readError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &problem{
			what:   "the file became shorter while it was read",
			advice: "wait until the download is complete and start again",
			cause:  io.ErrUnexpectedEOF,
		}
	}
	return fmt.Errorf("read map extract %s: %w", f.path, err)
}

func cutOff() error {
	return &problem{
		what:   "the file ends in the middle of a block",
		advice: "the download was cut short, fetch it again",
		cause:  io.ErrUnexpectedEOF,
	}
}

func notPBF(what string) error {
	return &problem{what: what, advice: "it is not an OpenStreetMap extract in PBF format (.osm.pbf)"}
}

// hint replaces the first error of a file that is no PBF at all by one that
// names what it is instead.
func (f *File) hint(pos int64, err error) error {
	var p *problem
	if pos != 0 || !errors.As(err, &p) {
		return err
	}
	var start [6]byte
	n, _ := f.src.ReadAt(start[:], 0)
	switch b := start[:n]; {
	case bytes.HasPrefix(b, []byte("<")), bytes.HasPrefix(b, []byte("\xef\xbb\xbf<")):
		return notPBF("the file holds XML or a web page")
	case bytes.HasPrefix(b, []byte{0x1f, 0x8b}):
		return notPBF("the file is packed with gzip")
	case bytes.HasPrefix(b, []byte("BZh")):
		return notPBF("the file is packed with bzip2")
	case bytes.HasPrefix(b, []byte("PK\x03\x04")):
		return notPBF("the file is a zip archive")
	case n < 4, binary.BigEndian.Uint32(b) > maxBlobHeader:
		return notPBF("no block begins at the start of the file")
	}
	return err
}
