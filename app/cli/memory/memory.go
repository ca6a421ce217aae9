// Package memory reads how much memory the process may use.
package memory

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// NoLimit says that nothing bounds the memory.
const NoLimit = math.MaxInt64

// off is how that is written.
const off = "off"

// least is what a limit may be: below, the process would do little but
// collect garbage.
const least = 64 << 20

var units = []struct {
	name  string
	bytes float64
}{{"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}, {"TIB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}}

// Size reads a size such as 512MiB, 1.5 GB or off, in bytes; 0 for "".
func Size(text string) (int64, error) {
	text = strings.ToUpper(strings.TrimSpace(text))
	switch text {
	case "":
		return 0, nil
	case strings.ToUpper(off):
		return NoLimit, nil
	}
	for _, unit := range units {
		number, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if bytes := n * unit.bytes; err == nil && bytes >= 0 && bytes < math.MaxInt64 {
			return int64(bytes), nil
		}
	}
	return 0, errors.New("write a number with MiB, GiB, MB or GB, such as 512MiB, or " + off)
}

// Check refuses a size that is none, or with which the process would not work.
func Check(text string) error {
	n, err := Size(text)
	if err != nil {
		return fmt.Errorf("%q is no amount of memory; %w", text, err)
	}
	if n < least {
		return fmt.Errorf("%s is too little; give at least %d MiB", text, least>>20)
	}
	return nil
}
