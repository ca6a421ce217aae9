package pmtiles

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/klauspost/compress/gzip"

	"svc/geo/tile"
)

// entry is one line of a directory: run tiles from code on have the bytes at
// offset of the tile data. A run of 0 is a leaf directory at offset of the
// leaves, which begins with code.
type entry struct {
	code   uint64
	offset uint64
	length uint32
	run    uint32
}

// encodeDirectory writes entries column by column (PMTiles 3, 4.1) and packs
// them with gzip.
func encodeDirectory(entries []entry) ([]byte, error) {
	b := make([]byte, 0, 8*len(entries)+8)
	b = binary.AppendUvarint(b, uint64(len(entries)))
	last := uint64(0)
	for _, e := range entries {
		b = binary.AppendUvarint(b, e.code-last)
		last = e.code
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.run))
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.length))
	}
	next := uint64(math.MaxUint64)
	for _, e := range entries {
		if e.offset == next {
			b = append(b, 0) // right after the one before
		} else {
			b = binary.AppendUvarint(b, e.offset+1)
		}
		next = e.offset + uint64(e.length)
	}
	return pack(b)
}

// pack compresses a directory or the metadata.
func pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(b); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Bounds of what is unpacked, in bytes: a few kilobytes of gzip can grow a
// thousandfold. The largest known archives need a tenth of them.
const (
	maxDirectory = 4 << 20
	maxMetadata  = 16 << 20
)

// unpack undoes the compression of a directory or the metadata, up to limit bytes.
func unpack(b []byte, c compression, limit int64) ([]byte, error) {
	if c == packedNot {
		if int64(len(b)) > limit {
			return nil, errGrows(limit)
		}
		return b, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	n, err := out.ReadFrom(io.LimitReader(z, limit+1))
	if err == nil && n > limit {
		err = errGrows(limit)
	}
	return out.Bytes(), err
}

// errGrows is content that is made to cost memory.
func errGrows(limit int64) error { return fmt.Errorf("it grows past %d MB", limit>>20) }

// directory is a decoded directory. Codes are apart from the rest so that a
// search touches little memory.
type directory struct {
	codes []uint64
	rest  []place
}

// place is an entry without its code.
type place struct {
	offset uint64
	length uint32
	run    uint32
}

// bytes is about what the directory takes in memory.
func (d *directory) bytes() int { return 128 + 24*len(d.codes) }

// uvarints reads a list of numbers and remembers the first failure.
type uvarints struct {
	b      []byte
	failed bool
}

func (u *uvarints) next() uint64 {
	v, n := binary.Uvarint(u.b)
	if n <= 0 {
		u.failed, u.b = true, nil
		return 0
	}
	u.b = u.b[n:]
	return v
}

// decodeDirectory reads an unpacked directory and checks every entry: codes
// ascend without overlap, tiles lie in data bytes, leaves in leaves bytes.
func decodeDirectory(b []byte, data, leaves uint64) (*directory, error) {
	in := uvarints{b: b}
	n := in.next()
	if in.failed || n > uint64(len(b))/4 { // each entry takes four bytes or more
		return nil, errDamaged("a directory that lies about its length")
	}
	d := &directory{codes: make([]uint64, n), rest: make([]place, n)}
	code := uint64(0)
	for i := range d.codes {
		step := in.next()
		if i > 0 && step == 0 || step >= tile.First(tile.MaxZoom+1)-code {
			return nil, errDamaged("the order of a directory")
		}
		code += step
		d.codes[i] = code
	}
	for i := range d.rest {
		run := in.next()
		if run > math.MaxUint32 {
			return nil, errDamaged("the runs of a directory")
		}
		d.rest[i].run = uint32(run)
	}
	for i := range d.rest {
		length := in.next()
		if length == 0 || length > math.MaxUint32 {
			return nil, errDamaged("the lengths of a directory")
		}
		d.rest[i].length = uint32(length)
	}
	for i := range d.rest {
		at := in.next()
		switch {
		case at != 0:
			d.rest[i].offset = at - 1
		case i == 0:
			return nil, errDamaged("the offsets of a directory")
		default:
			d.rest[i].offset = d.rest[i-1].offset + uint64(d.rest[i-1].length)
		}
	}
	if in.failed || len(in.b) > 0 {
		return nil, errDamaged("the length of a directory")
	}
	return d, d.check(data, leaves)
}

func (d *directory) check(data, leaves uint64) error {
	end := tile.First(tile.MaxZoom + 1)
	for i := len(d.codes) - 1; i >= 0; i-- {
		p := d.rest[i]
		section := data
		if p.run == 0 {
			section = leaves
		}
		if !(span{p.offset, uint64(p.length)}).within(section) {
			return errDamaged(fmt.Sprintf("the entry of tile %v points outside the file", tile.FromCode(d.codes[i])))
		}
		if uint64(p.run) > end-d.codes[i] {
			return errDamaged("the runs of a directory overlap")
		}
		end = d.codes[i]
	}
	return nil
}

// find is the entry that code falls on: its own, that of its run, or the leaf
// that may hold it.
func (d *directory) find(code uint64) (place, bool) {
	i := sort.Search(len(d.codes), func(i int) bool { return d.codes[i] > code }) - 1
	if i < 0 {
		return place{}, false
	}
	p := d.rest[i]
	return p, p.run == 0 || code-d.codes[i] < uint64(p.run)
}
