package mapbuild

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"svc/geo/geom"
)

// TestNumbersThatOverflow: steps and ends near the largest number must not wrap
// around into house numbers that nobody wrote.
func TestNumbersThatOverflow(t *testing.T) {
	most := strconv.Itoa(math.MaxInt)
	for _, c := range [][3]string{
		{"1", "9", most},
		{"9", "1", most},
		{strconv.Itoa(math.MaxInt - 5), most, "all"},
		{most, strconv.Itoa(math.MaxInt - 5), "even"},
		{strconv.Itoa(math.MinInt), "5", "1"},
		{"-9", "-1", "all"},
		{"1", "9", "-9223372036854775808"},
		{"1", "9", "99999999999999999999"},
	} {
		if got := between(c[0], c[1], c[2]); got != nil {
			t.Errorf("between %s and %s by %s: %v", c[0], c[1], c[2], got)
		}
	}
}

// TestJoinStar chains lines that all meet in one point: each is used once.
func TestJoinStar(t *testing.T) {
	const n = 2001
	var lines [][]geom.Point
	for i := range int32(n) {
		lines = append(lines, []geom.Point{{}, {X: 1000 + i, Y: 1}})
	}
	seen, chains := map[geom.Point]int{}, join(lines)
	for _, chain := range chains {
		for _, p := range chain {
			seen[p]++
		}
	}
	if len(chains) != n/2+1 {
		t.Errorf("%d chains of %d lines", len(chains), n)
	}
	for _, l := range lines {
		if seen[l[1]] != 1 {
			t.Fatalf("the end %v stands in %d chains", l[1], seen[l[1]])
		}
	}
}

// TestReportThatCannotBeWritten leaves nothing half-written and says that the
// map itself is there.
func TestReportThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "a.svcmap")
	if err := os.MkdirAll(filepath.Join(reportPath(out), "x"), 0o700); err != nil { // a folder in its place
		t.Fatal(err)
	}
	err := newReport(nil).Write(out)
	if err == nil || !strings.Contains(err.Error(), "is written, its report is not") {
		t.Errorf("%v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
