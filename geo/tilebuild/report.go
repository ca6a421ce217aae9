package tilebuild

import (
	"svc/geo/buildkit"
	"svc/geo/shortbread"
	"svc/geo/tile"
)

// Report tells what a build made and what it could not use.
type Report struct {
	Out      string           `json:"out"`
	Bytes    int64            `json:"bytes"`    // of the archive
	Tiles    int64            `json:"tiles"`    // that answer, repeated ones each
	Zooms    []Zoom           `json:"zooms"`    // by zoom, from 0
	Features map[string]int64 `json:"features"` // objects by layer
	CutWays  int              `json:"cut_ways"` // areas of which an extract lacks a part; they are left out
	buildkit.BrokenList
	Records     int64              `json:"records"`      // parts of features in tiles
	SortedBytes int64              `json:"sorted_bytes"` // that the records took
	Seconds     map[string]float64 `json:"seconds"`      // by stage
	PeakBytes   int64              `json:"peak_bytes"`   // of memory, 0 where the system does not say
}

// Zoom tells of the tiles of one zoom.
type Zoom struct {
	Tiles     int64  `json:"tiles"`
	Different int64  `json:"different"` // without those that repeat the one before them on the curve
	Bytes     int64  `json:"bytes"`     // of the different ones, packed
	Largest   int    `json:"largest"`   // bytes of the largest before it was packed
	LargestAt string `json:"largest_at"`
}

func newReport(out string) *Report {
	return &Report{
		Out: out, Zooms: make([]Zoom, shortbread.MaxZoom+1), Features: map[string]int64{},
		BrokenList: buildkit.BrokenList{Broken: []buildkit.Broken{}},
	}
}

// count notes a tile, or a run of them.
func (r *Report) count(id tile.ID, n uint32, p product) {
	z := &r.Zooms[id.Z]
	r.Tiles += int64(n)
	z.Tiles += int64(n)
	z.Different++
	z.Bytes += int64(len(p.packed))
	if p.raw > z.Largest {
		z.Largest, z.LargestAt = p.raw, id.String()
	}
}

// counts are the objects that a worker drew, by layer.
type counts [256]int64

func (r *Report) features(c *counts) {
	for i, n := range c {
		if n > 0 {
			r.Features[shortbread.Layer(i).String()] += n
		}
	}
}
