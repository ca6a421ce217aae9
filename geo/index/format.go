// Package index is the .svcmap file: everything the map service knows, laid
// out so that it is mapped into memory and used where it lies. Nothing is
// parsed at start, a page that nobody asks for is never read, and several
// processes share one copy.
//
// It promises that the same model gives the same bytes, that a file which is
// truncated, foreign, damaged or newer than this program is refused with a
// sentence, and that opening costs the same whatever the size. It knows rows,
// names and shapes; what a query means is decided in geo/search and geo/around.
//
// Layout: a header, a table of sections each with its checksum, then the
// sections, 8-byte aligned and little-endian:
//
//	meta       JSON: when, from what, counts, categories
//	rows       one fixed Row for each entry, in descending importance
//	coarse     kind and rough position of each, for bounds on its score
//	details    the rest of each entry, variable length
//	strings    every distinct text once
//	admins     distinct (neighbourhood, suburb, city, district, region) tuples
//	sets       distinct name sets: their tokens, the entries that bear them
//	housed     house numbers along each name set
//	terms      sorted tokens, their order by skeleton, postings into sets
//	trigrams   sorted three-character keys, postings into sets
//	area …     the areas that entries lie in: their words, and which entries lie in them
//	postcodes  the entries that carry each postcode
//	spatial    one packed R-tree for each category
//	segments   an R-tree over pieces of streets
//	areas      administrative polygons with an R-tree
//	geometry   lines and rings
//	sources    source object to entry
package index

import (
	"encoding/binary"
	"fmt"
	"hash"
	"io"

	"github.com/cespare/xxhash/v2"
)

// Version is the layout that this program writes and reads.
//
// 2: the areas around each entry, and its postcode, can be searched.
// 3: the entry of a name that only one bears is found without reading the name, and the
// nodes of the spatial trees say whether an entry below them names its town.
const Version = 3

var magic = [8]byte{'s', 'v', 'c', 'm', 'a', 'p', 0x1a, '\n'}

type section int

const (
	secMeta section = iota
	secRows
	secCoarse
	secRankSteps
	secDetails
	secStringOffsets
	secStrings
	secAdmins
	secAreaSets
	secAreaTerms
	secAreaSkeletons
	secAreaContextOffsets
	secAreaContexts
	secPostcodes
	secPostcodeOffsets
	secPostcodeEntries
	secSetOffsets
	secSets
	secSetRanks
	secSetOnly
	secHousedOffsets
	secHoused
	secTermOffsets
	secTerms
	secTermSkeletons
	secSkeletonOrder
	secTermLengths
	secTermBest
	secPostingOffsets
	secPostings
	secTrigramKeys
	secTrigramOffsets
	secTrigrams
	secCategories
	secSpatialOrder
	secSpatialPoints
	secSpatialNodes
	secSpatialHolds
	secSegments
	secSegmentNodes
	secAreas
	secAreaChunks
	secAreaNodes
	secGeometry
	secSourceOrder
	secMerged
	sectionCount
)

var sectionNames = [sectionCount]string{
	"meta", "rows", "coarse", "rank steps", "details", "string offsets", "strings", "admins",
	"area sets", "area terms", "area skeletons", "area context offsets", "area contexts",
	"postcodes", "postcode offsets", "postcode entries",
	"set offsets", "sets", "set ranks", "set only", "housed offsets", "housed",
	"term offsets", "terms", "term skeletons", "skeleton order", "term lengths", "term best",
	"posting offsets", "postings", "trigram keys", "trigram offsets", "trigrams",
	"categories", "spatial order", "spatial points", "spatial nodes", "spatial holds", "segments", "segment nodes",
	"areas", "area chunks", "area nodes", "geometry", "source order", "merged sources",
}

// header is the fixed start of a file; the section table follows it.
type header struct {
	Magic    [8]byte
	Version  uint32
	Sections uint32
	Size     uint64 // of the whole file
	Checksum uint64 // of the section table
}

type sectionEntry struct {
	Offset, Length, Checksum uint64
}

const (
	headerSize = 32
	entrySize  = 24
	tableSize  = int(sectionCount) * entrySize
)

// writer lays sections one after the other into a file whose header is
// written last, so that a half-written file never opens.
type writer struct {
	w     io.WriteSeeker
	pos   uint64
	table [sectionCount]sectionEntry
	sum   hash.Hash64
	buf   []byte
	done  func(n int64)
}

func newWriter(w io.WriteSeeker, done func(int64)) (*writer, error) {
	start := headerSize + tableSize
	if _, err := w.Seek(int64(start), io.SeekStart); err != nil {
		return nil, err
	}
	return &writer{w: w, pos: uint64(start), sum: xxhash.New(), done: done}, nil
}

// begin starts a section at the next aligned position.
func (w *writer) begin(s section) error {
	if pad := (8 - w.pos%8) % 8; pad > 0 {
		if err := w.raw(make([]byte, pad)); err != nil {
			return err
		}
	}
	w.sum.Reset()
	w.table[s].Offset = w.pos
	return nil
}

func (w *writer) Write(p []byte) (int, error) {
	_, _ = w.sum.Write(p) // a hash never fails
	return len(p), w.raw(p)
}

func (w *writer) raw(p []byte) error {
	const batch = 1 << 20
	w.pos += uint64(len(p))
	if len(w.buf)+len(p) > batch {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if len(p) > batch {
		w.done(int64(len(p)))
		_, err := w.w.Write(p)
		return err
	}
	w.buf = append(w.buf, p...)
	return nil
}

func (w *writer) flush() error {
	_, err := w.w.Write(w.buf)
	w.done(int64(len(w.buf)))
	w.buf = w.buf[:0]
	return err
}

func (w *writer) end(s section) {
	w.table[s].Length = w.pos - w.table[s].Offset
	w.table[s].Checksum = w.sum.Sum64()
}

// put writes a whole section.
func (w *writer) put(s section, p []byte) error {
	if err := w.begin(s); err != nil {
		return err
	}
	if _, err := w.Write(p); err != nil {
		return fmt.Errorf("write section %s: %w", sectionNames[s], err)
	}
	w.end(s)
	return nil
}

// finish writes the table and the header.
func (w *writer) finish() error {
	if err := w.flush(); err != nil {
		return err
	}
	table := make([]byte, 0, tableSize)
	for _, e := range w.table {
		table = binary.LittleEndian.AppendUint64(table, e.Offset)
		table = binary.LittleEndian.AppendUint64(table, e.Length)
		table = binary.LittleEndian.AppendUint64(table, e.Checksum)
	}
	head := append([]byte(nil), magic[:]...)
	head = binary.LittleEndian.AppendUint32(head, Version)
	head = binary.LittleEndian.AppendUint32(head, uint32(sectionCount))
	head = binary.LittleEndian.AppendUint64(head, w.pos)
	head = binary.LittleEndian.AppendUint64(head, xxhash.Sum64(append(append([]byte(nil), head...), table...)))
	if _, err := w.w.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := w.w.Write(append(head, table...))
	return err
}

// readHeader checks the start of a file against its size and returns the table.
func readHeader(data []byte) (table [sectionCount]sectionEntry, err error) {
	if len(data) < len(magic) || [8]byte(data[:8]) != magic {
		return table, fmt.Errorf("is not a map file: build one with `svc map build IN.osm.pbf --out FILE.svcmap`")
	}
	if len(data) < headerSize {
		return table, errTruncated(uint64(len(data)), headerSize)
	}
	le := binary.LittleEndian
	h := header{Version: le.Uint32(data[8:]), Sections: le.Uint32(data[12:]), Size: le.Uint64(data[16:]), Checksum: le.Uint64(data[24:])}
	if h.Version > Version {
		return table, fmt.Errorf("was made by a newer svc (file format %d, this one reads %d): upgrade svc or build the map again", h.Version, Version)
	}
	if h.Version < Version {
		return table, fmt.Errorf("was made by an older svc (file format %d, this one reads %d): build the map again", h.Version, Version)
	}
	if h.Size > uint64(len(data)) {
		return table, errTruncated(uint64(len(data)), h.Size)
	}
	if h.Sections != uint32(sectionCount) || len(data) < headerSize+tableSize {
		return table, fmt.Errorf("has a damaged header: build the map again")
	}
	sum := xxhash.New()
	_, _ = sum.Write(data[:24])
	_, _ = sum.Write(data[headerSize : headerSize+tableSize])
	if sum.Sum64() != h.Checksum || h.Size != uint64(len(data)) {
		return table, fmt.Errorf("has a damaged header: build the map again")
	}
	for i := range table {
		at := headerSize + i*entrySize
		e := sectionEntry{le.Uint64(data[at:]), le.Uint64(data[at+8:]), le.Uint64(data[at+16:])}
		if e.Offset%8 != 0 || e.Offset > h.Size || e.Length > h.Size-e.Offset {
			return table, fmt.Errorf("has a damaged header (section %s): build the map again", sectionNames[i])
		}
		table[i] = e
	}
	return table, nil
}

func errTruncated(have, want uint64) error {
	return fmt.Errorf("is truncated (%d of %d bytes): copy it again or build the map again", have, want)
}
