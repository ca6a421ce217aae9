package index

import (
	"fmt"

	"svc/geo/geom"
)

// Kind is the coarse sort of an entry.
type Kind uint8

// The kinds, in the order of their numbers in a file.
const (
	Place Kind = iota
	Street
	POI
	Address
	Nature
	KindCount
)

var kindNames = [KindCount]string{"place", "street", "poi", "address", "nature"}

func (k Kind) String() string {
	if k < KindCount {
		return kindNames[k]
	}
	return "unknown"
}

// ParseKind is the inverse of String.
func ParseKind(s string) (Kind, bool) {
	for i, n := range kindNames {
		if n == s {
			return Kind(i), true
		}
	}
	return 0, false
}

// Source names the object of the map database that an entry was made from:
// the type in the top four bits, the id below.
type Source uint64

// NewSource packs a type letter (n, w, r, o, c) and an id.
func NewSource(letter byte, id int64) Source {
	return Source(uint64(letterIndex(letter))<<60 | uint64(id)&(1<<60-1))
}

const letters = "nwroc"

func letterIndex(letter byte) int {
	for i := range len(letters) {
		if letters[i] == letter {
			return i
		}
	}
	return 15
}

// ParseSource reads a type as it stands in a path; ok is false for a type that no entry has.
func ParseSource(typ string, id int64) (Source, bool) {
	if len(typ) != 1 || letterIndex(typ[0]) == 15 || id < 0 {
		return 0, false
	}
	return NewSource(typ[0], id), true
}

// Type is the letter of the object: n, w or r; o and c for other data sets.
func (s Source) Type() string {
	if i := int(s >> 60); i < len(letters) {
		return letters[i : i+1]
	}
	return "?"
}

// ID is the number of the object within its type.
func (s Source) ID() int64 { return int64(s & (1<<60 - 1)) }

func (s Source) String() string { return fmt.Sprintf("%s%d", s.Type(), s.ID()) }

// Flags of a row, in its low four bits; the road class takes the high four.
const (
	FlagNamed        = 1 << iota // has a name of its own
	FlagHoused                   // has a house number
	FlagInterpolated             // its position was computed between two known numbers
	FlagGeometry                 // has a stored line or ring
)

// RoadClass orders streets from motorway down; 0 for what is no street.
type RoadClass uint8

// Row is the part of an entry that ranking touches: 32 bytes.
type Row struct {
	Source   Source
	Lat, Lon int32
	Detail   uint32 // offset into details, in units of detailUnit
	Set      uint32 // the name set that the entry bears; NoSet when nameless
	Around   uint32 // tuple of administrative names and context
	Rank     uint16 // importance in 1/10000
	Category uint8
	Bits     uint8
}

// NoSet stands for "bears no name".
const NoSet = ^uint32(0)

const rankScale = 10000

// Point is where the entry stands.
func (r *Row) Point() geom.Point { return geom.Point{X: r.Lon, Y: r.Lat} }

// Importance is the rank in [0.02, 1].
func (r *Row) Importance() float64 { return float64(r.Rank) / rankScale }

// Has reports a flag.
func (r *Row) Has(flag uint8) bool { return r.Bits&flag != 0 }

// Class is the road class of a street.
func (r *Row) Class() RoadClass { return RoadClass(r.Bits >> 4) }

// around is what many entries share: the fields of their addresses and the list
// of areas that they lie in.
type around struct {
	Admin
	Context uint32
}

// Admin is a tuple of names, each a string id; 0 when empty.
type Admin struct{ Neighbourhood, Suburb, City, District, Region uint32 }
