package pmtiles

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/cespare/xxhash/v2"

	"svc/geo/tile"
)

// Writer makes an archive. It is for one goroutine, and holds 24 bytes a folded
// entry and about 64 a different content in memory.
//
// Tiles go to the file as they come, after room for the header and the root
// directory; what describes them follows at the end, and the header last. A file
// that was not finished therefore has no header and is no archive.
type Writer struct {
	f       *os.File
	out     *bufio.Writer
	sum     *xxhash.Digest // of the tile data, see checksumKey
	entries []entry
	known   map[[16]byte]span
	written uint64 // bytes of tile data
	tiles   uint64
	next    uint64 // the least code that may come
	minZoom uint8
	maxZoom uint8
	packed  compression
	err     error // the first failure of the file: nothing counts after it
}

// NewWriter begins an archive in f, which must be empty. The caller closes f;
// nothing is renamed or synced.
func NewWriter(f *os.File) (*Writer, error) {
	if _, err := f.Seek(headSize, io.SeekStart); err != nil {
		return nil, fmt.Errorf("write tiles: %w", err)
	}
	return &Writer{f: f, out: bufio.NewWriterSize(f, 1<<20), sum: xxhash.New(), known: map[[16]byte]span{}, minZoom: math.MaxUint8}, nil
}

// Add stores one tile. Vector tiles come gzipped (or all of them plain). Codes
// must ascend; empty tiles are left out by not adding them.
func (w *Writer) Add(id tile.ID, data []byte) error { return w.AddRun(id, 1, data) }

// AddRun stores the same bytes for n tiles with consecutive codes, from first on.
// A run may not leave the zoom of its first tile. data is not kept.
func (w *Writer) AddRun(first tile.ID, n uint32, data []byte) error {
	if w.err != nil {
		return w.err
	}
	if !first.Valid() || n == 0 || len(data) == 0 || len(data) > math.MaxUint32 {
		return fmt.Errorf("write tile %v: %d tiles of %d bytes cannot be stored", first, n, len(data))
	}
	code := first.Code()
	if code < w.next {
		return fmt.Errorf("write tile %v: it comes after %v, which has a greater code", first, tile.FromCode(w.next-1))
	}
	if uint64(n) > tile.First(first.Z+1)-code {
		return fmt.Errorf("write tile %v: a run of %d leaves its zoom", first, n)
	}
	if err := w.notePacking(first, data); err != nil {
		return err
	}
	at, err := w.store(data)
	if err != nil {
		w.err = fmt.Errorf("write tile %v: %w", first, err)
		return w.err
	}
	w.enter(entry{code: code, offset: at.offset, length: uint32(at.length), run: n})
	w.tiles += uint64(n)
	w.next = code + uint64(n)
	w.minZoom, w.maxZoom = min(w.minZoom, first.Z), max(w.maxZoom, first.Z)
	return nil
}

// notePacking holds all tiles to the packing of the first: the header has one
// for all.
func (w *Writer) notePacking(id tile.ID, data []byte) error {
	packed := packedNot
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		packed = packedGzip
	}
	if w.packed == packedUnknown {
		w.packed = packed
	}
	if w.packed != packed {
		return fmt.Errorf("write tile %v: gzipped and plain tiles cannot be in one archive", id)
	}
	return nil
}

// store writes data unless the same bytes are there already.
func (w *Writer) store(data []byte) (span, error) {
	sum := sha256.Sum256(data)
	key := [16]byte(sum[:])
	if at, ok := w.known[key]; ok {
		return at, nil
	}
	at := span{w.written, uint64(len(data))}
	if _, err := w.out.Write(data); err != nil {
		return span{}, err
	}
	_, _ = w.sum.Write(data) // never fails
	w.written += at.length
	w.known[key] = at
	return at, nil
}

// enter adds an entry, or lengthens the run of the one before.
func (w *Writer) enter(e entry) {
	if n := len(w.entries); n > 0 {
		p := &w.entries[n-1]
		if p.offset == e.offset && p.code+uint64(p.run) == e.code && uint64(p.run)+uint64(e.run) <= math.MaxUint32 {
			p.run += e.run
			return
		}
	}
	w.entries = append(w.entries, e)
}

// checksumKey is where the metadata keeps the xxHash of the tile data, in 16
// hexadecimal digits. Other readers ignore it; Verify compares it.
const checksumKey = "svc:checksum"

// Finish writes the directories, the metadata and the header. The zooms of info
// are taken from the tiles where it has none (MaxZoom 0), and are part of what a
// reader answers: a tile between them that was not added is empty. Nothing may
// be added afterwards.
func (w *Writer) Finish(info tile.Info) error {
	err := w.err
	if err == nil {
		err = w.finish(info)
	}
	w.err = errors.New("write tiles: the archive is finished")
	if err != nil {
		return fmt.Errorf("finish the tiles: %w", err)
	}
	return nil
}

func (w *Writer) finish(info tile.Info) error {
	if info.MaxZoom == 0 && w.tiles > 0 {
		info.MinZoom, info.MaxZoom = w.minZoom, w.maxZoom
	}
	if w.tiles > 0 && (w.minZoom < info.MinZoom || w.maxZoom > info.MaxZoom) {
		return fmt.Errorf("tiles of zoom %d to %d were added to an archive of zoom %d to %d", w.minZoom, w.maxZoom, info.MinZoom, info.MaxZoom)
	}
	info.Settle()
	metadata, err := w.metadata(&info)
	if err != nil {
		return err
	}
	root, leaves, err := layDirectories(w.entries, maxRoot)
	if err != nil {
		return err
	}
	h := w.header(&info)
	h.root = span{headerSize, uint64(len(root))}
	h.metadata = span{h.data.offset + h.data.length, uint64(len(metadata))}
	h.leaves = span{h.metadata.offset + h.metadata.length, uint64(len(leaves))}
	for _, b := range [][]byte{metadata, leaves} {
		if _, err := w.out.Write(b); err != nil {
			return err
		}
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	head := make([]byte, headSize)
	copy(head[copy(head, h.encode()):], root)
	_, err = w.f.WriteAt(head, 0)
	return err
}

func (w *Writer) header(info *tile.Info) header {
	h := header{
		data:  span{headSize, w.written},
		tiles: w.tiles, entries: uint64(len(w.entries)), contents: uint64(len(w.known)),
		clustered: true, internal: packedGzip, packed: max(w.packed, packedNot), format: formatNumber(info.Format),
		minZoom: info.MinZoom, maxZoom: info.MaxZoom, centerZoom: info.CenterZoom,
	}
	for i, v := range info.Bounds {
		h.bounds[i] = e7(v)
	}
	for i, v := range info.Center {
		h.center[i] = e7(v)
	}
	return h
}

func (w *Writer) metadata(info *tile.Info) ([]byte, error) {
	described, err := info.Metadata()
	if err != nil {
		return nil, err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(described, &all); err != nil {
		return nil, err
	}
	all[checksumKey] = fmt.Appendf(nil, `"%016x"`, w.sum.Sum64())
	packed, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	return pack(packed)
}

// smallestLeaf is the fewest entries a leaf gets: fewer cost a reader over a
// network more requests, more cost it bytes.
const smallestLeaf = 4096

// layDirectories packs all entries into one root of at most limit bytes, or into
// a root of leaves of equal size that are as small as fits.
func layDirectories(entries []entry, limit int) (root, leaves []byte, err error) {
	if len(entries) < headSize { // more never fit: an entry is a byte at least
		if root, err = encodeDirectory(entries); err != nil || len(root) <= limit {
			return root, nil, err
		}
	}
	for size := smallestLeaf; ; size += size / 2 {
		count := (len(entries) + size - 1) / size
		if root, leaves, err = layLeaves(entries, count); err != nil || len(root) <= limit {
			return root, leaves, err
		}
	}
}

// layLeaves spreads entries evenly over count leaves.
func layLeaves(entries []entry, count int) (root, leaves []byte, err error) {
	pointers := make([]entry, count)
	for i := range pointers {
		part := entries[len(entries)*i/count : len(entries)*(i+1)/count]
		leaf, err := encodeDirectory(part)
		if err != nil {
			return nil, nil, err
		}
		pointers[i] = entry{code: part[0].code, offset: uint64(len(leaves)), length: uint32(len(leaf))}
		leaves = append(leaves, leaf...)
	}
	root, err = encodeDirectory(pointers)
	return root, leaves, err
}
