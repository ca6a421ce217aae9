// Package pmtiles writes and reads tile archives of PMTiles version 3.
//
// The writer promises a clustered archive in one pass: tiles in the order of
// their codes, identical content stored once, equal neighbours folded into one
// entry, directories that readers over a network like (the root within the
// first 16,384 bytes, leaves of equal size).
//
// The reader maps the file into memory and promises that nothing in a file,
// however made, costs more than bounded memory or takes the process down. It
// refuses, with one sentence: other formats, other versions, sections and
// entries that point outside the file, directories that grow past their bound,
// and compressions that the service cannot undo. A file that is cut short or
// overwritten while it is read gives page faults; the callers of Tile recover
// from them (debug.SetPanicOnFault), Open and Verify do it themselves.
package pmtiles

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"svc/geo/tile"
)

const (
	magic      = "PMTiles"
	version    = 3
	headerSize = 127
	// headSize holds the header and the root directory (PMTiles 3, section 2).
	headSize = 16384
	maxRoot  = headSize - headerSize
)

// compression is how bytes inside the archive are packed (PMTiles 3, 3.2).
type compression uint8

const (
	packedUnknown compression = iota
	packedNot
	packedGzip
	packedBrotli
	packedZstd
)

func (c compression) String() string {
	switch c {
	case packedNot:
		return "none"
	case packedGzip:
		return "gzip"
	case packedBrotli:
		return "brotli"
	case packedZstd:
		return "zstd"
	}
	return "unknown"
}

// formats are the tile types by their number (PMTiles 3, 3.3).
var formats = [...]tile.Format{1: tile.PBF, 2: tile.PNG, 3: tile.JPEG, 4: tile.WebP, 5: "avif", 6: "mlt"}

func formatNumber(f tile.Format) uint8 {
	for n := 1; n < len(formats); n++ {
		if formats[n] == f {
			return uint8(n)
		}
	}
	return 0
}

// span is a part of the file.
type span struct{ offset, length uint64 }

// within reports whether the span lies inside size bytes.
func (s span) within(size uint64) bool { return s.offset <= size && s.length <= size-s.offset }

// header is the fixed start of an archive.
type header struct {
	root, metadata, leaves, data span
	// addressed tiles, entries of directories, and different contents; 0 is unknown.
	tiles, entries, contents uint64
	clustered                bool
	internal, packed         compression // of directories and metadata; of tiles
	format                   uint8
	minZoom, maxZoom         uint8
	bounds                   [4]int32 // west, south, east, north in 1e-7 degrees
	centerZoom               uint8
	center                   [2]int32
}

func (h *header) encode() []byte {
	b := make([]byte, 0, headerSize)
	b = append(append(b, magic...), version)
	for _, s := range []span{h.root, h.metadata, h.leaves, h.data} {
		b = binary.LittleEndian.AppendUint64(b, s.offset)
		b = binary.LittleEndian.AppendUint64(b, s.length)
	}
	for _, n := range []uint64{h.tiles, h.entries, h.contents} {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	clustered := uint8(0)
	if h.clustered {
		clustered = 1
	}
	b = append(b, clustered, uint8(h.internal), uint8(h.packed), h.format, h.minZoom, h.maxZoom)
	for _, v := range h.bounds {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	b = append(b, h.centerZoom)
	for _, v := range h.center {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	return b
}

// The sentences of files that are not ours to read; the file's name goes before.
var (
	errForeign = errors.New("is not a PMTiles archive: build one with `svc map build IN.osm.pbf`, or name a .pmtiles or .mbtiles file")
	errCut     = errors.New("is truncated: copy it again or build the tiles again")
)

func errDamaged(what string) error {
	return fmt.Errorf("is damaged (%s): copy it again or build the tiles again", what)
}

// decodeHeader reads the header of a file and checks that its sections lie in it.
func decodeHeader(b []byte) (h header, err error) {
	if len(b) < len(magic)+1 || string(b[:len(magic)]) != magic {
		return h, errForeign
	}
	if v := b[len(magic)]; v != version {
		return h, fmt.Errorf("is PMTiles version %d and this svc reads version %d: convert it with `pmtiles convert`", v, version)
	}
	if len(b) < headerSize {
		return h, errCut
	}
	at := len(magic) + 1
	u64 := func() uint64 { at += 8; return binary.LittleEndian.Uint64(b[at-8:]) }
	u32 := func() int32 { at += 4; return int32(binary.LittleEndian.Uint32(b[at-4:])) }
	u8 := func() uint8 { at++; return b[at-1] }
	for _, s := range []*span{&h.root, &h.metadata, &h.leaves, &h.data} {
		*s = span{u64(), u64()}
	}
	h.tiles, h.entries, h.contents = u64(), u64(), u64()
	h.clustered = u8() == 1
	h.internal, h.packed = compression(u8()), compression(u8())
	h.format, h.minZoom, h.maxZoom = u8(), u8(), u8()
	for i := range h.bounds {
		h.bounds[i] = u32()
	}
	h.centerZoom = u8()
	h.center = [2]int32{u32(), u32()}
	return h, h.check(uint64(len(b)))
}

// check refuses what a header of a file of size bytes cannot say.
func (h *header) check(size uint64) error {
	for _, s := range []span{h.root, h.metadata, h.leaves, h.data} {
		if !s.within(size) {
			return errCut
		}
	}
	switch {
	case h.internal != packedNot && h.internal != packedGzip:
		return fmt.Errorf("has directories packed with %s; svc reads gzip and none: rewrite it with `pmtiles cluster`", h.internal)
	case h.packed == packedBrotli || h.packed == packedZstd:
		return fmt.Errorf("has tiles packed with %s, which map clients cannot undo: make it with gzip", h.packed)
	case h.minZoom > h.maxZoom || h.maxZoom > tile.MaxZoom:
		return errDamaged("zooms")
	}
	return nil
}

// describe puts the header's part of the description into info.
func (h *header) describe(info *tile.Info) {
	if int(h.format) < len(formats) {
		info.Format = formats[h.format]
	}
	info.MinZoom, info.MaxZoom, info.CenterZoom = h.minZoom, h.maxZoom, h.centerZoom
	for i, v := range h.bounds {
		info.Bounds[i] = float64(v) / 1e7
	}
	for i, v := range h.center {
		info.Center[i] = float64(v) / 1e7
	}
}

// e7 is degrees in the header's unit.
func e7(degrees float64) int32 { return int32(math.Round(degrees * 1e7)) }
