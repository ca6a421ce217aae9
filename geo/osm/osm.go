// Package osm reads OpenStreetMap extracts in the PBF format (.osm.pbf).
//
// It promises: a fast scan on every core with almost no garbage; results in
// the order of the file; each block inflated as few times as possible when one
// file is scanned several times; and for a file that is damaged, cut short,
// packed in a way it cannot read, or not a PBF at all, one sentence that names
// the file, the byte and what to do, in bounded memory and time.
//
// It refuses: files with history (deleted objects), files that need a feature
// it does not know, lzma and bzip2 blocks, and blocks past the sizes the format
// allows. It does not keep metadata (user, version, time of change) nor the
// optional coordinates on ways.
//
// Source of the format: https://wiki.openstreetmap.org/wiki/PBF_Format.
package osm

import "time"

// Type is the kind of one OpenStreetMap object. The values are those of the
// format's MemberType.
type Type uint8

// The three types of object.
const (
	TypeNode     Type = 0
	TypeWay      Type = 1
	TypeRelation Type = 2
)

// String gives "node", "way" or "relation", and "unknown" for another value.
func (t Type) String() string {
	switch t {
	case TypeNode:
		return "node"
	case TypeWay:
		return "way"
	case TypeRelation:
		return "relation"
	}
	return "unknown"
}

// Letter gives 'n', 'w' or 'r', and '?' for another value.
func (t Type) Letter() byte {
	switch t {
	case TypeNode:
		return 'n'
	case TypeWay:
		return 'w'
	case TypeRelation:
		return 'r'
	}
	return '?'
}

// Kinds is a set of object types.
type Kinds uint8

// The members of a Kinds set, and all three together.
const (
	Nodes     Kinds = 1 << TypeNode
	Ways      Kinds = 1 << TypeWay
	Relations Kinds = 1 << TypeRelation

	allKinds = Nodes | Ways | Relations
)

// Tag is one key and value. Both are valid UTF-8.
type Tag struct{ Key, Value string }

// Tags are the tags of one object in the order of the file.
type Tags []Tag

// Get gives the value of the first tag with the key, "" when there is none.
func (t Tags) Get(key string) string {
	for i := range t {
		if t[i].Key == key {
			return t[i].Value
		}
	}
	return ""
}

// Has says whether a tag with the key exists, even one with an empty value.
func (t Tags) Has(key string) bool {
	for i := range t {
		if t[i].Key == key {
			return true
		}
	}
	return false
}

// Node is a point. Lat and Lon are in 1e-7 degrees, inside ±90 and ±180 degrees.
type Node struct {
	ID       int64
	Lat, Lon int32
	Tags     Tags
}

// Way is a line through the nodes Refs (ids, in order).
type Way struct {
	ID   int64
	Refs []int64
	Tags Tags
}

// Member is one member of a relation.
type Member struct {
	Type Type
	Ref  int64
	Role string
}

// Relation is an ordered list of members.
type Relation struct {
	ID      int64
	Members []Member
	Tags    Tags
}

// Block is what one block of the file holds of the wanted kinds, each list in
// the order of the file.
//
// A Block belongs to the reader: it and every slice in it are overwritten
// after the function that received it returns, and a kept string keeps the
// text of its whole block in memory. Copy what is kept, strings with
// strings.Clone.
type Block struct {
	Nodes     []Node
	Ways      []Way
	Relations []Relation
}

// Header is what the file says about itself.
type Header struct {
	// Bounds is minlon, minlat, maxlon, maxlat in degrees; nil when the file
	// does not say or says something outside the world.
	Bounds *[4]float64
	// Replication is the moment of the data in UTC; zero when unknown.
	Replication time.Time
	// Sorted: the file claims the order nodes, ways, relations, each by id
	// (optional feature Sort.Type_then_ID).
	Sorted bool
	// Program is the program that wrote the file, at most 200 bytes.
	Program string
}
