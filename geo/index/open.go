package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"syscall"
	"unsafe"

	"github.com/cespare/xxhash/v2"
	"svc/geo/geom"
)

// Index is an open map file. Its slices are the file's own pages: they end
// with Close, and a page that the disk cannot give is a fault that the caller
// recovers from (debug.SetPanicOnFault). It is safe for concurrent use.
type Index struct {
	Meta Meta
	Rows []Row // by id, most important first

	path  string
	size  int64
	data  []byte
	table [sectionCount]sectionEntry
	kinds []Kind // by category

	details, strings, sets, terms, postings, trigrams, geometry, termLengths                  []byte
	coarse, termBest, stringEnds, setOffsets, setOnly, housedOffsets, termEnds, termSkeletons []uint32
	skeletonOrder, postingOffsets, trigramOffsets, spatialOrder, sourceOrder                  []uint32
	rankSteps, setRanks                                                                       []uint16
	trigramKeys                                                                               []uint64
	tuples                                                                                    []around
	areaSets, areaContextOffsets, postcodes, postcodeOffsets                                  []uint32
	areaTerms, areaSkeletons                                                                  []areaWord
	areaContexts, postcodeEntries, spatialHolds                                               []byte
	housed                                                                                    []House
	spatialPoints                                                                             []geom.Point
	categories                                                                                []categoryRange
	spatialNodes, segmentNodes                                                                []geom.Box
	segments                                                                                  []segment
	areas                                                                                     areaSet
	merged                                                                                    []Merged
}

// Open maps the file at path. It reads the header and the description and
// checks what they say; the sections are checked by Verify.
func Open(path string) (*Index, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe must not hold the server up
	if err != nil {
		return nil, fmt.Errorf("open the map: %w", err)
	}
	defer func() { _ = f.Close() }() // the mapping outlives the descriptor
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the map: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("map %s is not a regular file", path)
	}
	if info.Size() < headerSize {
		return nil, fmt.Errorf("map %s is not a map file: build one with `svc map build IN.osm.pbf --out FILE.svcmap`", path)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s into memory: %w", path, err)
	}
	var x *Index
	err = guarded(path, func() (err error) {
		if x, err = parse(data); err != nil {
			err = fmt.Errorf("map %s %w", path, err)
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(err, syscall.Munmap(data))
	}
	x.path, x.size, x.Meta.BuiltAt = path, info.Size(), info.ModTime().UTC()
	return x, nil
}

// parse lays the typed views over the bytes of a file.
func parse(data []byte) (*Index, error) {
	table, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	x := &Index{data: data, table: table}
	if err := json.Unmarshal(x.section(secMeta), &x.Meta); err != nil || xxhash.Sum64(x.section(secMeta)) != table[secMeta].Checksum {
		return nil, errDamaged("meta")
	}
	for _, c := range x.Meta.Categories {
		k, ok := ParseKind(c.Kind)
		if !ok {
			return nil, errDamaged("meta")
		}
		x.kinds = append(x.kinds, k)
	}
	x.layViews()
	return x, x.checkCounts()
}

func (x *Index) layViews() {
	x.Rows = viewOf[Row](x, secRows)
	x.coarse, x.rankSteps, x.setRanks = viewOf[uint32](x, secCoarse), viewOf[uint16](x, secRankSteps), viewOf[uint16](x, secSetRanks)
	x.setOnly = viewOf[uint32](x, secSetOnly)
	x.details, x.strings = x.section(secDetails), x.section(secStrings)
	x.stringEnds = viewOf[uint32](x, secStringOffsets)
	x.tuples = viewOf[around](x, secAdmins)
	x.areaSets, x.areaTerms, x.areaSkeletons = viewOf[uint32](x, secAreaSets), viewOf[areaWord](x, secAreaTerms), viewOf[areaWord](x, secAreaSkeletons)
	x.areaContextOffsets, x.areaContexts = viewOf[uint32](x, secAreaContextOffsets), x.section(secAreaContexts)
	x.postcodes, x.postcodeOffsets, x.postcodeEntries = viewOf[uint32](x, secPostcodes), viewOf[uint32](x, secPostcodeOffsets), x.section(secPostcodeEntries)
	x.setOffsets, x.sets = viewOf[uint32](x, secSetOffsets), x.section(secSets)
	x.housedOffsets, x.housed = viewOf[uint32](x, secHousedOffsets), viewOf[House](x, secHoused)
	x.termEnds, x.terms = viewOf[uint32](x, secTermOffsets), x.section(secTerms)
	x.termSkeletons, x.skeletonOrder = viewOf[uint32](x, secTermSkeletons), viewOf[uint32](x, secSkeletonOrder)
	x.termLengths, x.termBest = x.section(secTermLengths), viewOf[uint32](x, secTermBest)
	x.postingOffsets, x.postings = viewOf[uint32](x, secPostingOffsets), x.section(secPostings)
	x.trigramKeys = viewOf[uint64](x, secTrigramKeys)
	x.trigramOffsets, x.trigrams = viewOf[uint32](x, secTrigramOffsets), x.section(secTrigrams)
	x.categories = viewOf[categoryRange](x, secCategories)
	x.spatialOrder, x.spatialNodes = viewOf[uint32](x, secSpatialOrder), viewOf[geom.Box](x, secSpatialNodes)
	x.spatialHolds = x.section(secSpatialHolds)
	x.spatialPoints = viewOf[geom.Point](x, secSpatialPoints)
	x.segments, x.segmentNodes = viewOf[segment](x, secSegments), viewOf[geom.Box](x, secSegmentNodes)
	x.geometry = x.section(secGeometry)
	x.areas = areaSet{
		rows: viewOf[AreaRow](x, secAreas), chunks: viewOf[areaChunk](x, secAreaChunks),
		nodes: viewOf[geom.Box](x, secAreaNodes), geometry: x.geometry,
	}
	x.sourceOrder, x.merged = viewOf[uint32](x, secSourceOrder), viewOf[Merged](x, secMerged)
}

// checkCounts refuses a file whose sections do not fit each other.
func (x *Index) checkCounts() error {
	n, terms := len(x.Rows), len(x.termEnds)
	switch {
	case n != x.Meta.Entries || len(x.spatialOrder) != n || len(x.spatialPoints) != n || len(x.sourceOrder) != n || len(x.coarse) != n || len(x.rankSteps) != (n+rankStep-1)/rankStep:
		return errDamaged("rows")
	case len(x.termSkeletons) != terms || len(x.skeletonOrder) != terms || len(x.termBest) != terms || len(x.termLengths) != 2*terms || len(x.postingOffsets) != terms+1:
		return errDamaged("terms")
	case len(x.housedOffsets) != len(x.setOffsets)+1 || len(x.setRanks) != len(x.setOffsets) || len(x.setOnly) != len(x.setOffsets):
		return errDamaged("sets")
	case len(x.areaContextOffsets) != len(x.areaSets)+1 || len(x.areaTerms) != len(x.areaSkeletons):
		return errDamaged("area contexts")
	case len(x.postcodeOffsets) != len(x.postcodes)+1:
		return errDamaged("postcodes")
	case len(x.categories) != len(x.kinds):
		return errDamaged("categories")
	case len(x.trigramOffsets) != len(x.trigramKeys)+1:
		return errDamaged("trigrams")
	case len(x.spatialHolds) != len(x.spatialNodes):
		return errDamaged("spatial nodes")
	case len(x.segmentNodes) != treeSize(len(x.segments)):
		return errDamaged("segments")
	case len(x.areas.nodes) != treeSize(len(x.areas.rows)):
		return errDamaged("areas")
	}
	return nil
}

func (x *Index) section(s section) []byte {
	e := x.table[s]
	return x.data[e.Offset : e.Offset+e.Length : e.Offset+e.Length]
}

// viewOf shows a section as fixed-size values; sections are aligned to 8 bytes.
func viewOf[T any](x *Index, s section) []T {
	b := x.section(s)
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

func errDamaged(section string) error {
	return fmt.Errorf("is damaged (section %s): copy it again or build the map again", section)
}

// Verify reads every section once and compares checksums. It is run beside
// serving at start, before a swap, and on a map that serves when its file
// became unreadable. A page that the disk cannot give is an error here.
func (x *Index) Verify() error {
	return guarded(x.path, func() error {
		for s := range sectionCount {
			if xxhash.Sum64(x.section(s)) != x.table[s].Checksum {
				return fmt.Errorf("map %s %w", x.path, errDamaged(sectionNames[s]))
			}
		}
		return nil
	})
}

// Close gives the pages back. Nothing read from the index may be used after it.
func (x *Index) Close() error {
	data := x.data
	x.data = nil
	if data == nil {
		return nil
	}
	return syscall.Munmap(data)
}

// Path is the file that was opened.
func (x *Index) Path() string { return x.path }

// Size is the length of the file in bytes.
func (x *Index) Size() int64 { return x.size }

// Kind is the kind of row r.
func (x *Index) Kind(r *Row) Kind { return x.kinds[r.Category] }

// KindOf is the kind of a category of this file.
func (x *Index) KindOf(category uint8) Kind { return x.kinds[category] }

// CategoryID is the name of a category of this file.
func (x *Index) CategoryID(category uint8) string { return x.Meta.Categories[category].ID }

// CategoryByID finds the number of a category in this file.
func (x *Index) CategoryByID(id string) (uint8, bool) {
	i := slices.IndexFunc(x.Meta.Categories, func(c CategoryMeta) bool { return c.ID == id })
	return uint8(max(i, 0)), i >= 0
}

// Admin is the administrative tuple of a row.
func (x *Index) Admin(r *Row) Admin { return x.tuples[r.Around].Admin }

// BySource finds the entry that a source object became, or became part of.
func (x *Index) BySource(s Source) (id uint32, ok bool) {
	i := sort.Search(len(x.sourceOrder), func(i int) bool { return x.Rows[x.sourceOrder[i]].Source >= s })
	if i < len(x.sourceOrder) && x.Rows[x.sourceOrder[i]].Source == s {
		return x.sourceOrder[i], true
	}
	i = sort.Search(len(x.merged), func(i int) bool { return x.merged[i].Source >= s })
	if i < len(x.merged) && x.merged[i].Source == s {
		return x.merged[i].Entry, true
	}
	return 0, false
}

// Info is what `svc map inspect` prints.
type Info struct {
	Path     string           `json:"path"`
	Bytes    int64            `json:"bytes"`
	Format   int              `json:"format"`
	BuiltAt  string           `json:"built_at"`
	Meta     Meta             `json:"meta"`
	Names    int              `json:"name_sets"`
	Terms    int              `json:"terms"`
	Areas    int              `json:"areas"`
	Sections map[string]int64 `json:"sections"` // bytes of each
}

// Inspect opens, verifies and describes a file.
func Inspect(path string) (Info, error) {
	x, err := Open(path)
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = x.Close() }()
	if err := x.Verify(); err != nil {
		return Info{}, err
	}
	info := Info{
		Path: path, Bytes: x.size, Format: Version, BuiltAt: x.Meta.BuiltAt.Format("2006-01-02T15:04:05Z07:00"),
		Meta: x.Meta, Names: x.Sets(), Terms: x.Terms(), Areas: len(x.areas.rows), Sections: map[string]int64{},
	}
	for s := range sectionCount {
		info.Sections[sectionNames[s]] = int64(x.table[s].Length)
	}
	return info, nil
}
