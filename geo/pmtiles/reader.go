package pmtiles

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/cespare/xxhash/v2"

	"svc/geo/tile"
)

// Reader is an open archive. What Tile gives are the file's own pages: they end
// with Close. It is safe for concurrent use.
type Reader struct {
	path     string
	data     []byte // the file
	tiles    []byte // its tile data
	leaves   []byte
	header   header
	info     tile.Info
	sparse   string // of the metadata, as text; "" is unknown
	buildID  string
	checksum string // of the tile data as the metadata tells it; "" is unknown
	root     *directory
	cache    *cache
}

// Open maps the archive at path. It reads and checks the header, the root
// directory and the metadata; the rest is checked by Verify.
func Open(path string) (*Reader, error) {
	data, err := mapFile(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{path: path, data: data}
	if err := guarded(path, r.parse); err != nil {
		return nil, errors.Join(err, syscall.Munmap(data))
	}
	return r, nil
}

func mapFile(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold the server up
	if err != nil {
		return nil, fmt.Errorf("open the tiles: %w", err)
	}
	defer f.Close() // the mapping outlives the descriptor
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the tiles: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("tiles %s are not a regular file", path)
	}
	if info.Size() == 0 {
		return nil, fmt.Errorf("tiles %s %w", path, errForeign)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map tiles %s into memory: %w", path, err)
	}
	return data, nil
}

// parse reads the head of the file.
func (r *Reader) parse() error {
	if err := r.readHead(); err != nil {
		return fmt.Errorf("tile archive %s %w", r.path, err)
	}
	return nil
}

func (r *Reader) readHead() (err error) {
	if r.header, err = decodeHeader(r.data); err != nil {
		return err
	}
	h := &r.header
	r.tiles, r.leaves = r.section(h.data), r.section(h.leaves)
	if r.root, err = r.decode(r.section(h.root)); err != nil {
		return err
	}
	h.describe(&r.info)
	if h.metadata.length > 0 {
		if err := r.readMetadata(r.section(h.metadata)); err != nil {
			return err
		}
	}
	r.info.Settle()
	var d xxhash.Digest
	d.Reset()
	for _, b := range [][]byte{r.data[:headerSize], r.section(h.root), r.section(h.metadata)} {
		_, _ = d.Write(b) // never fails
	}
	r.buildID = fmt.Sprintf("%016x", d.Sum64())
	r.cache = newCache(maxCached)
	return nil
}

func (r *Reader) readMetadata(packed []byte) error {
	b, err := unpack(packed, r.header.internal, maxMetadata)
	if err != nil {
		return errDamaged("metadata: " + err.Error())
	}
	format := r.info.Format
	if err := r.info.ReadMetadata(b); err != nil {
		return errDamaged(err.Error())
	}
	r.info.Format = format // the header tells it
	var ours struct {
		Checksum string `json:"svc:checksum"`
	}
	if json.Unmarshal(b, &ours) == nil {
		r.checksum = ours.Checksum
	}
	var more struct{ Sparse any } // of makers that name it: true, "true", 1
	if json.Unmarshal(b, &more) == nil && more.Sparse != nil {
		r.sparse = fmt.Sprint(more.Sparse)
	}
	return nil
}

func (r *Reader) section(s span) []byte {
	return r.data[s.offset : s.offset+s.length : s.offset+s.length]
}

func (r *Reader) decode(packed []byte) (*directory, error) {
	b, err := unpack(packed, r.header.internal, maxDirectory)
	if err != nil {
		return nil, errDamaged("a directory: " + err.Error())
	}
	return decodeDirectory(b, uint64(len(r.tiles)), uint64(len(r.leaves)))
}

// maxDepth bounds how deep leaf directories may hang below the root; the
// specification advises one.
const maxDepth = 3

// Tile is the stored bytes of a tile; ok is false when the archive has none. The
// bytes are packed as the archive keeps them, and are valid until Close.
func (r *Reader) Tile(id tile.ID) (data []byte, ok bool, err error) {
	if !id.Valid() {
		return nil, false, nil
	}
	code, d := id.Code(), r.root
	for range maxDepth + 1 {
		p, found := d.find(code)
		if !found {
			return nil, false, nil
		}
		at := span{p.offset, uint64(p.length)}
		if p.run > 0 {
			end := at.offset + at.length
			return r.tiles[at.offset:end:end], true, nil
		}
		if d, err = r.leaf(at); err != nil {
			return nil, false, fmt.Errorf("tile archive %s %w", r.path, err)
		}
	}
	return nil, false, fmt.Errorf("tile archive %s %w", r.path, errDeep)
}

var errDeep = errDamaged("directories that hang too deep")

// leaf gives a leaf directory decoded, from the cache when it is there. Two that
// ask at once may both decode it; they get the same.
func (r *Reader) leaf(at span) (*directory, error) {
	if d := r.cache.get(at); d != nil {
		return d, nil
	}
	d, err := r.decode(r.leaves[at.offset : at.offset+at.length])
	if err == nil {
		r.cache.put(at, d)
	}
	return d, err
}

// Each calls do for every entry in the order of codes: run tiles from first on
// have the same bytes. It checks the directories that it walks, and ends with
// the first error.
func (r *Reader) Each(do func(first tile.ID, run uint32, data []byte) error) error {
	_, err := r.walk(r.root, 0, tile.First(tile.MaxZoom+1), 0, do)
	if err != nil {
		return fmt.Errorf("tile archive %s %w", r.path, err)
	}
	return nil
}

// walk visits a directory whose codes must lie from first to before end, so that
// no leaf can be visited twice.
func (r *Reader) walk(d *directory, first, end uint64, depth int, do func(tile.ID, uint32, []byte) error) (entries uint64, err error) {
	switch n := len(d.codes); {
	case depth > maxDepth:
		return 0, errDeep
	case depth > 0 && n == 0:
		return 0, errDamaged("an empty leaf directory")
	case n > 0 && (d.codes[0] < first || d.codes[n-1]+max(uint64(d.rest[n-1].run), 1) > end):
		return 0, errDamaged("a leaf directory with tiles of another")
	}
	for i, p := range d.rest {
		if p.run > 0 {
			entries++
			if err := do(tile.FromCode(d.codes[i]), p.run, r.tiles[p.offset:p.offset+uint64(p.length)]); err != nil {
				return entries, err
			}
			continue
		}
		leaf, err := r.decode(r.leaves[p.offset : p.offset+uint64(p.length)])
		if err != nil {
			return entries, err
		}
		last := end
		if i+1 < len(d.codes) {
			last = d.codes[i+1]
		}
		n, err := r.walk(leaf, d.codes[i], last, depth+1, do)
		if entries += n; err != nil {
			return entries, err
		}
	}
	return entries, nil
}

// Verify reads all directories and checks what they say. The tile data is
// compared with the checksum that archives of this service carry; those of
// others have none. A page that the disk cannot give is an error here.
func (r *Reader) Verify() error {
	return guarded(r.path, func() error {
		entries, err := r.walk(r.root, 0, tile.First(tile.MaxZoom+1), 0, func(tile.ID, uint32, []byte) error { return nil })
		if n := r.header.entries; err == nil && n != 0 && n != entries {
			err = errDamaged(fmt.Sprintf("%d entries where the header counts %d", entries, n))
		}
		if err == nil && r.checksum != "" && r.checksum != fmt.Sprintf("%016x", xxhash.Sum64(r.tiles)) {
			err = errDamaged("the tile data differs from its checksum")
		}
		if err != nil {
			return fmt.Errorf("tile archive %s %w", r.path, err)
		}
		return nil
	})
}

// Close gives the pages back. Nothing read from the archive may be used after it.
func (r *Reader) Close() error {
	data := r.data
	r.data, r.tiles, r.leaves = nil, nil, nil
	if data == nil {
		return nil
	}
	return syscall.Munmap(data)
}

// Info is what the archive says about itself. Callers do not change it.
func (r *Reader) Info() *tile.Info { return &r.info }

// Sparse is what the metadata says of "sparse", as text; "" when it says nothing.
func (r *Reader) Sparse() string { return r.sparse }

// BuildID tells this archive from every other build: a hash of its header, root
// directory and metadata.
func (r *Reader) BuildID() string { return r.buildID }

// Size is the length of the file in bytes.
func (r *Reader) Size() int64 { return int64(len(r.data)) }

// Counts are the tiles that the archive answers, its directory entries and its
// different contents, as its header tells them; 0 is unknown.
func (r *Reader) Counts() (tiles, entries, contents uint64) {
	return r.header.tiles, r.header.entries, r.header.contents
}
