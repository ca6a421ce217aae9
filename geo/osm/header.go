package osm

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Fields of the message HeaderBlock.
const (
	headerBounds      = 1
	headerRequired    = 4
	headerOptional    = 5
	headerProgram     = 16
	headerReplication = 32
)

const (
	sortedFeature  = "Sort.Type_then_ID"
	historyFeature = "HistoricalInformation"
)

// knownFeatures are the required features this package understands.
var knownFeatures = []string{"OsmSchema-V0.6", "DenseNodes"}

// decodeHeader reads the message HeaderBlock.
func decodeHeader(data []byte) (Header, error) {
	var (
		h Header
		m = message{buf: data}
		f field
	)
	for {
		ok, err := m.next(&f)
		if err != nil || !ok {
			return h, err
		}
		switch {
		case f.num == headerBounds && f.wire == wireBytes:
			h.Bounds, err = decodeBounds(f.data)
		case f.num == headerRequired && f.wire == wireBytes:
			err = checkFeature(string(f.data[:min(len(f.data), 200)]))
		case f.num == headerOptional && f.wire == wireBytes:
			h.Sorted = h.Sorted || string(f.data) == sortedFeature
		case f.num == headerProgram && f.wire == wireBytes:
			h.Program = strings.ToValidUTF8(string(f.data[:min(len(f.data), 200)]), "")
		case f.num == headerReplication && f.wire == wireVarint:
			h.Replication = replication(int64(f.val))
		}
		if err != nil {
			return h, err
		}
	}
}

func checkFeature(name string) error {
	switch {
	case slices.Contains(knownFeatures, name):
		return nil
	case name == historyFeature:
		return &problem{
			what:   "the file holds the history of its objects (HistoricalInformation), not one state of the map",
			advice: "make a snapshot with «osmium time-filter in.osh.pbf -o out.osm.pbf»",
		}
	}
	return &problem{
		what:   fmt.Sprintf("the file requires the feature %q, which is not supported", name),
		advice: adviceRepack,
	}
}

// replication is seconds since 1970; values that are no date of OpenStreetMap
// data (before 2004, after 2200) count as unknown.
func replication(seconds int64) time.Time {
	if t := time.Unix(seconds, 0).UTC(); t.Year() >= 2004 && t.Year() < 2200 {
		return t
	}
	return time.Time{}
}

// decodeBounds reads the message HeaderBBox: left, right, top, bottom in
// 1e-9 degrees. Left may exceed right: the box then crosses the 180th meridian.
func decodeBounds(data []byte) (*[4]float64, error) {
	var (
		side [5]int64
		seen int
		m    = message{buf: data}
		f    field
	)
	for {
		ok, err := m.next(&f)
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		if f.num <= 4 && f.wire == wireVarint {
			side[f.num] = zigzag(f.val)
			seen |= 1 << f.num
		}
	}
	left, right, top, bottom := side[1], side[2], side[3], side[4]
	if seen != 0b11110 || max(left, right) > worldLon || min(left, right) < -worldLon ||
		top > worldLat || bottom < -worldLat || bottom > top {
		return nil, nil
	}
	return &[4]float64{float64(left) / 1e9, float64(bottom) / 1e9, float64(right) / 1e9, float64(top) / 1e9}, nil
}
