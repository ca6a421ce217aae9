package index

import (
	"time"

	"svc/geo/geom"
)

// Model is a whole map before it is written. The builder fills it; Write
// orders, numbers and encodes it. Texts are ids of Strings.
type Model struct {
	Meta    Meta
	Strings *Interner
	Entries []Entry
	Areas   []Area
	Names   []NameRef // pool that Entry.Names points into
	Tags    []TagRef  // pool that Entry.Tags points into

	Contexts [][]ContextArea // distinct lists of areas that Entry.Context points into; the first is empty
}

// Pool is a run of items in one of the model's pools: 8 bytes where a slice takes 24.
type Pool struct{ From, Count uint32 }

// NamesOf are the name variants of e.
func (m *Model) NamesOf(e *Entry) []NameRef { return m.Names[e.Names.From:][:e.Names.Count] }

// TagsOf are the stored tags of e.
func (m *Model) TagsOf(e *Entry) []TagRef { return m.Tags[e.Tags.From:][:e.Tags.Count] }

// Entry is one place, street, point of interest, address or natural feature.
type Entry struct {
	Source      Source
	Point       geom.Point
	Admin       Admin
	Name        uint32 // primary name; 0 when nameless. An address has none of its own
	Street      uint32 // primary name of the street it stands on
	House       uint32 // as tagged
	Postcode    uint32
	Names, Tags Pool
	StreetEntry int32  // position in Entries of that street; -1 when no street entry matched
	Context     uint32 // position in Contexts of the areas around it
	Rank        uint16 // in 1/10000
	Category    uint8
	Bits        uint8
	Extra       *Extra // nil for most addresses
}

// Extra is what few entries have.
type Extra struct {
	Box        geom.Box // empty for a point
	Shape      []byte   // as EncodeShape gives it
	Population int
	AdminLevel int
	Merged     []Source // other source objects that became this entry
}

// EncodeShape packs a geometry for an Entry; nil for NoShape.
func EncodeShape(s Shape) []byte {
	if s.Kind == NoShape || len(s.Parts) == 0 {
		return nil
	}
	return appendShape(nil, s, nil)
}

// PlaceTag is the part of an area's place=* tag that address assembly asks for.
type PlaceTag uint8

// The place tags that matter.
const (
	OtherPlace PlaceTag = iota
	CityPlace
	TownPlace
)

// Area is an administrative polygon: the shape of one of the entries.
type Area struct {
	Entry int32 // position in Entries, whose Extra.Shape is the polygon
	Level uint8
	Place PlaceTag
}

// Meta describes a file as a whole.
type Meta struct {
	BuiltAt    time.Time      `json:"-"`                    // modification time of the file: the same input gives the same bytes
	SourceTime time.Time      `json:"source_time,omitzero"` // newest replication time of the extracts
	Bounds     [4]float64     `json:"bounds"`               // minlon, minlat, maxlon, maxlat
	Entries    int            `json:"entries"`
	Contexts   int            `json:"contexts"` // distinct lists of areas around an entry
	Kinds      map[string]int `json:"kinds"`
	Categories []CategoryMeta `json:"categories"`
	Languages  []string       `json:"languages"`
	Builder    string         `json:"builder"` // version of svc
}

// CategoryMeta gives a category number of this file its meaning.
type CategoryMeta struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
}
