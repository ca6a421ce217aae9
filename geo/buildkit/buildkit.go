// Package buildkit is what the build of the index and the build of the tiles
// have in common: they open the same extracts, go from stage to stage, and tell
// of progress, seconds, memory and relations that do not close in the same way.
//
// It promises that a Progress hears of every stage once, in order, and that the
// seconds of all stages together are the time between the first and Done.
//
// It knows nothing of what is built.
package buildkit

import (
	"os"
	"strconv"
	"strings"
	"time"

	"svc/geo/osm"
)

// Progress hears how far a build is. Calls do not overlap.
type Progress interface {
	Stage(name string, total int64) // a stage begins; total in the units of Add, 0 when unknown
	Add(n int64)
	Done() // of the last stage
}

// Silent is a Progress that nobody listens to.
type Silent struct{}

// Stage does nothing.
func (Silent) Stage(string, int64) {}

// Add does nothing.
func (Silent) Add(int64) {}

// Done does nothing.
func (Silent) Done() {}

// Timer passes progress on and notes how long each stage took.
type Timer struct {
	Progress
	seconds map[string]float64
	now     func() time.Time
	stage   string
	since   time.Time
}

// NewTimer passes progress on to p; nil is Silent.
func NewTimer(p Progress) *Timer {
	if p == nil {
		p = Silent{}
	}
	return &Timer{Progress: p, seconds: map[string]float64{}, now: time.Now}
}

// Stage ends the stage before and begins the next.
func (t *Timer) Stage(name string, total int64) {
	t.close()
	t.stage, t.since = name, t.now()
	t.Progress.Stage(name, total)
}

// Done ends the last stage.
func (t *Timer) Done() {
	t.close()
	t.stage = ""
	t.Progress.Done()
}

func (t *Timer) close() {
	if t.stage != "" {
		t.seconds[t.stage] += t.now().Sub(t.since).Seconds()
	}
}

// Seconds tells how long each stage took, by name; one that came twice, as after
// a first reading that found the file unsorted, has both times. It is not a copy.
func (t *Timer) Seconds() map[string]float64 { return t.seconds }

// PeakMemory is the largest resident size of this process so far in bytes, as
// the system counts it; 0 where it does not say.
func PeakMemory() int64 {
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return peakOf(string(data))
}

func peakOf(status string) int64 {
	for line := range strings.Lines(status) {
		rest, ok := strings.CutPrefix(line, "VmHWM:")
		if !ok {
			continue
		}
		if words := strings.Fields(rest); len(words) > 0 {
			kb, _ := strconv.ParseInt(words[0], 10, 64) // 0 when it is no number
			return kb << 10
		}
	}
	return 0
}

// OpenAll opens all extracts, or none. The error names the file.
func OpenAll(paths []string) ([]*osm.File, error) {
	files := make([]*osm.File, 0, len(paths))
	for _, p := range paths {
		f, err := osm.Open(p)
		if err != nil {
			CloseAll(files)
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// CloseAll closes extracts.
func CloseAll(files []*osm.File) {
	for _, f := range files {
		_ = f.Close() // opened for reading
	}
}
