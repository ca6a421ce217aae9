package tilebuild

import (
	"os"
	"strconv"
	"strings"
	"time"

	"svc/geo/shortbread"
	"svc/geo/tile"
)

// Report tells what a build made and what it could not use.
type Report struct {
	Out         string             `json:"out"`
	Bytes       int64              `json:"bytes"`        // of the archive
	Tiles       int64              `json:"tiles"`        // that answer, repeated ones each
	Zooms       []Zoom             `json:"zooms"`        // by zoom, from 0
	Features    map[string]int64   `json:"features"`     // objects by layer
	CutWays     int                `json:"cut_ways"`     // areas of which an extract lacks a part; they are left out
	Broken      []Broken           `json:"broken"`       // relations with rings that do not close
	BrokenTotal int                `json:"broken_total"` // the list above stops at 200
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

// Broken is a relation of which some ring could not be built.
type Broken struct {
	Relation int64  `json:"relation"`
	Name     string `json:"name"`
	Problem  string `json:"problem"`
	Way      int64  `json:"way,omitempty"`
}

const maxListed = 200

func newReport(out string) *Report {
	return &Report{
		Out: out, Zooms: make([]Zoom, shortbread.MaxZoom+1), Features: map[string]int64{},
		Broken: []Broken{}, Seconds: map[string]float64{},
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

// peakMemory is the largest resident size of this process so far, as the
// system counts it; 0 where it does not say.
func peakMemory() int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// timer passes progress on and notes how long each stage took.
type timer struct {
	Progress
	stage   string
	since   time.Time
	seconds map[string]float64
}

// Stage ends the stage before and begins the next.
func (t *timer) Stage(name string, total int64) {
	t.close()
	t.stage, t.since = name, time.Now()
	t.Progress.Stage(name, total)
}

// Done ends the last stage.
func (t *timer) Done() {
	t.close()
	t.stage = ""
	t.Progress.Done()
}

func (t *timer) close() {
	if t.stage != "" {
		t.seconds[t.stage] += time.Since(t.since).Seconds()
	}
}
